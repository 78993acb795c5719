"""The check of lesson 01: which operations a run needs."""

from __future__ import annotations

from typing import Any

import minitf as tf
from lab.checks.verdict import Verdict, judge
from lab.graph_picture import ops_of_a_run

IN_PYTHON = ("total", "scaled", "other")  # names of tensors in the exercise's Python code


@judge
def check_needed(
    scaled: tf.Tensor, needed_by_scaled: list, other: tf.Tensor, needed_by_other: list
) -> Verdict:
    """Each list has the names of the operations that the run of its fetch needs, in any order."""
    for name, fetch in (("scaled", scaled), ("other", other)):
        if not isinstance(fetch, tf.Tensor):
            return Verdict(
                False, f"`{name}` is not a tensor. Run the cell above again: it makes it."
            )
    for name, fetch, given in (
        ("scaled", scaled, needed_by_scaled),
        ("other", other, needed_by_other),
    ):
        mistake = _odd(f"needed_by_{name}", given, fetch.graph) or _mistake(name, fetch, given)
        if mistake:
            return Verdict(False, mistake)
    return Verdict(
        True,
        f"Of {len(scaled.graph.get_operations())} operations, `scaled` needs "
        f"{len(ops_of_a_run(scaled))} and `other` {len(ops_of_a_run(other))}.\n"
        "Only `scaled` needs the number of `a`. Both need `b`, so you feed it in both runs.",
    )


def _odd(name: str, given: Any, graph: tf.Graph) -> str:
    """Name what is in a list, or in the place of it, and is not the name of an operation."""
    if isinstance(given, str) or not isinstance(given, list | tuple | set | frozenset):
        return f'`{name}` has to be a list of names, such as ["a", "b"].'
    for item in given:
        if (told := _name(item)) is None:
            return f'`{name}` holds {item!r}, which is no name. Write texts: "a", "b".'
        if why := _no_op(told, graph):
            return f"`{name}`: {why}"
    return ""


def _no_op(name: str, graph: tf.Graph) -> str:
    """Say why this is not the name of an operation of the graph; nothing if it is one."""
    ops = graph.get_operations()
    names = {op.name for op in ops}
    if name in names:
        return ""
    if name in IN_PYTHON:
        return (
            f"`{name}` is a name in Python. The operation has another one:\n"
            f"`print({name})` shows it, before the colon."
        )
    if name.partition(":")[0] in names:
        return f"`{name}` is a tensor. Its operation has the name before the colon."
    if name in {op.type for op in ops}:
        return f"`{name}` is the type of an operation. Its name stands above the type."
    return f"the graph has no operation `{name}`. The names stand in the picture above."


def _mistake(name: str, fetch: tf.Tensor, given: Any) -> str:
    """Name what is missing or too much: how many, and one of them."""
    told = {_name(item) for item in given}
    needed = {op.name: op for op in ops_of_a_run(fetch)}
    missing = [op for op in needed.values() if op.name not in told]
    extra = [op for op in fetch.graph.get_operations() if op.name in told - needed.keys()]
    if not missing and not extra:
        return ""
    first = f"`needed_by_{name}`: {len(missing)} missing, {len(extra)} too many.\n"
    if len(told) == len(fetch.graph.get_operations()):
        return f"{first}That is the whole graph. A run takes only what the fetch needs."
    if extra:
        return first + _too_much(extra[0], fetch)
    return first + _missing(missing, fetch, told)


def _too_much(op: tf.Operation, fetch: tf.Tensor) -> str:
    no_way = f"No way along the arrows leads from `{op.name}` to `{fetch.op.name}`."
    if op.type == "Assign" or op.name.endswith("/initial_value"):
        return f"{no_way}\nIt gives the Variable its first number, in a run of its own."
    return no_way


def _missing(missing: list[tf.Operation], fetch: tf.Tensor, told: set[str]) -> str:
    if fetch.op in missing:
        return f"What you fetch runs, too: it is the result of `{fetch.op.name}`."
    for op in ops_of_a_run(fetch):
        for before in (tensor.op for tensor in op.inputs):
            if op.name in told and before in missing:
                return f"For example, an arrow leads from `{before.name}` to `{op.name}`."
    return "Start at the fetch, and go back along the arrows."


def _name(item: Any) -> str | None:
    """Return the name that a learner means: a text, or an operation, tensor or Variable itself."""
    if isinstance(item, tf.Tensor | tf.Variable):
        return item.op.name
    return item.name if isinstance(item, tf.Operation) else item if isinstance(item, str) else None
