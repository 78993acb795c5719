"""The check of lesson 01: which operations a run needs."""

from typing import Any

import minitf as tf
from lab.checks.verdict import Verdict, judge
from lab.experiments.needed import ops_of_a_run

IN_PYTHON = ("total", "scaled", "other")  # names of tensors in the exercise's Python code


@judge
def check_needed(
    scaled: tf.Tensor, needed_by_scaled: list, other: tf.Tensor, needed_by_other: list
) -> Verdict | str:
    """Each list has the names of the operations that the run of its fetch needs, in any order."""
    answers = {"scaled": (scaled, needed_by_scaled), "other": (other, needed_by_other)}
    for name, (fetch, given) in answers.items():
        if not isinstance(fetch, tf.Tensor):
            return f"`{name}` is not a tensor. Run the cell above again, which makes it."
        if mistake := _odd(given, fetch.graph) or _mistake(given, fetch):
            return f"`needed_by_{name}`{mistake}"
    return Verdict(
        True,
        f"Of {len(scaled.graph.get_operations())} operations, `scaled` needs "
        f"{len(ops_of_a_run(scaled))} and `other` {len(ops_of_a_run(other))}.\n"
        "Only `scaled` needs the number of `a`. Both need `b`, so you feed it in both runs.",
    )


def _name(item: Any) -> Any:
    """Return the name that a learner means: a string, or an operation, tensor or Variable itself."""
    return getattr(getattr(item, "op", item), "name", item)


def _odd(given: Any, graph: tf.Graph) -> str:
    """Say what is not the name of an operation: the list itself, or something in it."""
    if not isinstance(given, list | tuple | set | frozenset):
        return ' should be a list of names, such as ["a", "b"].'
    types = {op.name: op.type for op in graph.get_operations()}
    for item in given:
        name = _name(item)
        if not isinstance(name, str):
            return f' holds {item!r}, which is not a name. Write strings: "a", "b".'
        if name in types:
            continue
        if name in IN_PYTHON:
            return f": `{name}` is a Python name. `print({name})` shows the op's, before the colon."
        if name.partition(":")[0] in types:
            return f": `{name}` is a tensor. Its operation has the name before the colon."
        if name in types.values():
            return f": `{name}` is the type of an operation. Its name is above the type."
        return f": the graph has no operation `{name}`. The picture above shows the names."
    return ""


def _mistake(given: Any, fetch: tf.Tensor) -> str:
    """Say how many names are missing or too many, and give a hint about one of them."""
    told = {_name(item) for item in given}
    needed, everything = ops_of_a_run(fetch), fetch.graph.get_operations()
    missing = [op for op in needed if op.name not in told]
    extra = [op for op in everything if op.name in told and op not in needed]
    if len(told) == len(everything):
        hint = "That is the whole graph. A run takes only what the fetch needs."
    elif extra:
        hint = f"No path along the arrows leads from `{extra[0].name}` to `{fetch.op.name}`."
        if extra[0].type == "Assign" or extra[0].name.endswith("/initial_value"):
            hint += "\nIt gives the Variable its first number, in a separate run."
    elif fetch.op in missing:
        hint = f"What you fetch also runs: it is the result of `{fetch.op.name}`."
    elif missing:
        arrows = [(tensor.op, op) for op in needed for tensor in op.inputs if op.name in told]
        before, op = next((before, op) for before, op in arrows if before in missing)
        hint = f"For example, an arrow leads from `{before.name}` to `{op.name}`."
    else:
        return ""
    return f": {len(missing)} missing, {len(extra)} too many.\n{hint}"
