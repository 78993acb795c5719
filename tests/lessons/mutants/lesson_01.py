"""Wrong answers to the exercise of lesson 01."""

from __future__ import annotations

SCALED = '["mul", "mul/y", "add", "a/read", "a", "b"]'
OTHER = '["sub", "sub/y", "b"]'


def _needed(scaled: str = SCALED, other: str = OTHER) -> str:
    """Return lesson 01's exercise with these lists."""
    return f"needed_by_scaled = {scaled}\nneeded_by_other = {other}\n"


def _without(name: str) -> str:
    return SCALED.replace(f'"{name}", ', "")


MUTANTS = {
    "01_a_graph_is_not_a_run": [
        (
            "the whole graph",
            _needed("[op.name for op in scaled.graph.get_operations()]"),
            "0 missing, 4 too many.\nThat is the whole graph.",
        ),
        (
            "only what is fetched",
            _needed('["mul"]', '["sub"]'),
            "5 missing, 0 too many.\nFor example, an arrow leads from `add` to `mul`.",
        ),
        ("without the read", _needed(_without("a/read")), "leads from `a/read` to `add`"),
        ("without the Variable", _needed(_without("a")), "leads from `a` to `a/read`"),
        ("without the constant", _needed(_without("mul/y")), "leads from `mul/y` to `mul`"),
        ("without the fetch", _needed('["mul/y", "add", "a/read", "a", "b"]'), "What you fetch also runs"),
        (
            "with the first number's ops",
            _needed('["mul", "mul/y", "add", "a/read", "a", "b", "a/Assign", "a/initial_value"]'),
            "It gives the Variable its first number, in a separate run.",
        ),
        (
            "all that uses b",
            _needed(other='["sub", "sub/y", "b", "add"]'),
            "`needed_by_other`: 0 missing, 1 too many.\nNo path along the arrows leads from `add` to `sub`.",
        ),
        ("the two changed for each other", _needed(OTHER, SCALED), "`needed_by_scaled`: 5 missing, 2 too many."),
        ("no placeholder", _needed(other='["sub", "sub/y"]'), "leads from `b` to `sub`"),
        ("names of Python", _needed('["total", "scaled"]'), "`total` is a Python name."),
        ("tensors", _needed('["mul:0", "add:0"]'), "`mul:0` is a tensor."),
        ("types", _needed('["Mul", "Const"]'), "`Mul` is the type of an operation."),
        ("a name of the first graph", _needed('["mul", "x"]'), "has no operation `x`"),
        ("one text", _needed('"mul, add"'), "`needed_by_scaled` should be a list"),
        ("numbers", _needed("[1.0, 2.0]"), "holds 1.0, which is not a name"),
        ("nothing", _needed("[]"), "6 missing, 0 too many.\nWhat you fetch also runs"),
    ]
}
