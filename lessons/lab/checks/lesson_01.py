"""The check of lesson 01: what a run needs, and a fetch that needs no feed."""

from typing import Any

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, judge
from lab.experiments.errors import type_and_first_line
from lab.experiments.needed import ops_of_a_run

IN_PYTHON = ("total", "scaled", "other")  # names of tensors in the exercise's Python code


@judge
def check_needed(
    scaled: tf.Tensor, needed_by_scaled: list, other: tf.Tensor, still_works: Any, unfed: Any
) -> Verdict | str:
    """Judge the ops that a run of `scaled` needs, the fetch that needs no `a`, and one without a feed."""
    for name, fetch in {"scaled": scaled, "other": other}.items():
        if not isinstance(fetch, tf.Tensor):
            return f"Run the cell above again. It makes the tensor `{name}`, which is something else now."
    if mistake := _odd(needed_by_scaled, scaled.graph) or _mistake(needed_by_scaled, scaled, other):
        return f"1. `needed_by_scaled`{mistake}"
    if mistake := _fails(still_works, scaled, other) or _not_twice(unfed, scaled.graph):
        return mistake
    needed = [op.name for op in ops_of_a_run(unfed)]
    return Verdict(
        True,
        f"A run of `scaled` needs {len(ops_of_a_run(scaled))} operations. "
        "The walk back from `other` never reaches `a`, so `a` doesn't need a number.\n"
        f"And `unfed` needs only {', '.join(needed)}, so there's no placeholder to feed.",
    )


def _fails(still_works: Any, scaled: tf.Tensor, other: tf.Tensor) -> str:
    """Say why the fetch that the learner chose gives no number in a new session, if that is so."""
    name = _name(still_works)
    if name in ("other", other.name, other.op.name):
        return ""
    if name not in ("scaled", scaled.name, scaled.op.name):
        return "2. Let `still_works` be `scaled` or `other`, whichever still works."
    with tf.Session(graph=scaled.graph) as sess:
        try:
            sess.run(scaled, {"b:0": 4.0})
        except tf.errors.FailedPreconditionError as error:
            said = type_and_first_line(error)
    return (
        f"2. Try the other one. `scaled` fails in a new session: {said}\n"
        "The walk back from it reaches `a`, and nothing has put a number into `a` yet."
    )


def _not_twice(unfed: Any, graph: tf.Graph) -> str:
    """Say why `unfed` doesn't give twice the number of `a`, or still needs a feed, if that is so."""
    if not isinstance(unfed, tf.Tensor | tf.Variable):
        return (
            "3. Try building an op that doubles `a`, and let a session run it later.\n"
            f"`unfed` is {unfed!r}, which isn't a tensor."
        )
    if unfed.graph is not graph:
        return "3. Run the exercise cell again: `unfed` is in another graph."
    needed = {op.name: op for op in ops_of_a_run(unfed)}
    if "b" in needed:
        return (
            f"3. Try starting from `a`. The walk back from `{unfed.op.name}` reaches `b`,\n"
            "which needs a feed, even if the result doesn't depend on the number you feed."
        )
    if "a" not in needed:
        last = unfed.op.name
        return f"3. Try starting from `a`. The walk back from `{last}` never gets there."
    with tf.Session(graph=graph) as sess:
        for number in (1.0, 5.0):
            sess.run(graph.get_operation_by_name("a/Assign"), {"a/initial_value:0": number})
            if not np.array_equal(got := sess.run(unfed), 2 * number):
                return f"3. Double `a`. When `a` holds {number:g}, `unfed` is {got}, not {2 * number:g}."
    return ""


def _name(item: Any) -> Any:
    """Return the name that a learner means: a string, or an operation, tensor or Variable itself."""
    return getattr(getattr(item, "op", item), "name", item)


def _odd(given: Any, graph: tf.Graph) -> str:
    """Say what is not the name of an operation: the list itself, or something in it."""
    if not isinstance(given, list | tuple | set | frozenset):
        return ': try a list of names, such as ["a", "b"].'
    types = {op.name: op.type for op in graph.get_operations()}
    for item in given:
        name = _name(item)
        if not isinstance(name, str):
            return f""" holds {item!r}, which isn't a name. Write strings: "a", "b"."""
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


def _mistake(given: Any, fetch: tf.Tensor, last: tf.Tensor) -> str:
    """Say how many names are missing or too many, and give a hint; `last` is the last op of the picture."""
    told = {_name(item) for item in given}
    needed, everything = ops_of_a_run(fetch), fetch.graph.get_operations()
    missing = [op for op in needed if op.name not in told]
    extra = [op for op in everything if op.name in told and op not in needed]
    if told >= {op.name for op in everything[: everything.index(last.op) + 1]}:
        hint = "That's the whole graph. A run takes only the ops that the fetch needs."
    elif extra:
        hint = f"No path along the arrows leads from `{extra[0].name}` to `{fetch.op.name}`."
        if extra[0].type == "Assign" or extra[0].name.endswith("/initial_value"):
            hint += f"\n`{extra[0].name}` is for a separate run, which gives the Variable its first number."
    elif fetch.op in missing:
        hint = f"Your fetch is part of the run, too. It's the result of `{fetch.op.name}`."
    elif missing:
        arrows = [(tensor.op, op) for op in needed for tensor in op.inputs if op.name in told]
        before, op = next((before, op) for before, op in arrows if before in missing)
        hint = f"For example, an arrow leads from `{before.name}` to `{op.name}`."
    else:
        return ""
    return f": {len(missing)} missing, {len(extra)} too many.\n{hint}"
