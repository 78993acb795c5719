"""The check of lesson 02: a counter that is a Variable, and an op that adds one to it."""

from __future__ import annotations

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, first_line, initialize, judge

WANTED = [1, 2, 3]
AGAIN = "Run the exercise cell again, without an error."


@judge
def check_counting(counter: tf.Variable, count_op: tf.Tensor | tf.Operation) -> Verdict:
    """Three runs of `count_op` give 1, 2, 3, for `counter` is a Variable."""
    if not isinstance(count_op, tf.Tensor | tf.Operation | tf.Variable):
        return Verdict(False, _no_op(count_op))
    is_variable = isinstance(counter, tf.Variable)
    if is_variable and counter.graph is not count_op.graph:
        return Verdict(False, f"`counter` and `count_op` are from different graphs. {AGAIN}")
    try:
        given, held = _three_runs(counter if is_variable else None, count_op)
    except Exception as error:  # whatever stops a run, a check says it and goes on
        return Verdict(
            False, f"A run stops: {first_line(error)}.\n`count_op` has to run without feeds."
        )
    if not is_variable:
        return Verdict(False, _no_variable(counter, given))
    if any(np.shape(value) != () or np.asarray(value).dtype.kind not in "iuf" for value in held):
        return Verdict(False, "`counter` does not hold one number. Its initial value has to be 0.")
    if held != [0, *WANTED]:
        return Verdict(False, _mistake(given, held, count_op))
    if not isinstance(count_op, tf.Operation) and not _same(given, WANTED):
        return Verdict(
            False,
            f"`counter` counts, but the runs of `count_op` give {_listed(given)}.\n"
            "Let `count_op` be what tf.assign_add returns.",
        )
    right = "Three runs give 1, 2, 3: the number stays in the session's memory."
    return Verdict(True, "\n".join([right, *_remarks(counter)]))


def _three_runs(counter: tf.Variable | None, count_op: tf.Tensor) -> tuple[list, list]:
    """Return what three runs give, and what the counter holds before the first and after each."""
    given, held = [], []
    with tf.Session(graph=count_op.graph) as sess:
        initialize(sess, count_op, *([] if counter is None else [counter]))
        for run in range(4):
            if run:
                given.append(sess.run(count_op))
            if counter is not None:
                held.append(sess.run(counter))
    return given, held


def _no_op(count_op: object) -> str:
    if isinstance(count_op, list | tuple):
        return (
            f"`count_op` is a {type(count_op).__name__} of {len(count_op)} things.\n"
            "Build one op, without a loop. The session can run it many times."
        )
    if callable(count_op):
        return "`count_op` is a Python function. Let it be what tf.assign_add returns."
    kind = type(count_op).__name__
    return (
        f"`count_op` is of the Python type {kind}, no op in the graph. Let tf.assign_add make it."
    )


def _no_variable(counter: object, given: list) -> str:
    if isinstance(counter, tf.Tensor):
        return (
            "`counter` is a tensor, not a Variable.\n"
            "tf.constant makes a tensor, and so does `counter += 1`. Let tf.Variable make it."
        )
    kind = type(counter).__name__
    if given[0] is None or not _same(given, given[:1] * 3):
        return (
            f"`count_op` adds to something else: `counter` is of the Python type {kind}.\n"
            "Make `counter` itself a Variable, and add to it."
        )
    return (
        f"Three runs give {_listed(given)}. `counter` is of the Python type {kind}:\n"
        "its number went into the graph once, when the graph was built. Make it a Variable."
    )


def _mistake(given: list, held: list, count_op: tf.Tensor) -> str:
    """Name what is wrong with what the counter holds, the first thing first."""
    steps = {float(after - before) for before, after in zip(held, held[1:], strict=False)}
    if steps == {0.0}:
        if not _same(given, given[:1] * 3):
            return f"`count_op` changes another Variable: `counter` stays {held[0]:.4g}. {AGAIN}"
        if getattr(count_op, "op", count_op).type == "Const":
            return "`count_op` is still a constant. Let tf.assign_add make it."
        return (
            f"`counter` holds {held[0]:.4g} after each run.\n"
            "`count_op` does not change it: an op of tf.assign_add does."
        )
    if held[0] != 0:
        return (
            f"`counter` starts at {held[0]:.4g}, and after the first run it holds {held[1]:.4g}.\n"
            "The first run has to give 1: which initial value must it have?"
        )
    if len(steps) == 1:
        return (
            f"Each run adds {steps.pop():.4g}, so `counter` holds {_listed(held[1:])}.\n"
            "Add 1 in each run, with one op, built once."
        )
    if held[1] == held[2] == held[3]:
        return (
            f"Each run puts the same number, {held[1]:.4g}, into `counter`.\n"
            "tf.assign replaces what is there. Which function adds to it?"
        )
    return f"`counter` holds {_listed(held[1:])} after the runs. Add 1 in each run."


def _remarks(counter: tf.Variable) -> list[str]:
    """Say kindly what could be better in a right answer."""
    remarks = []
    if counter.trainable:
        remarks.append("One remark: training must not change a counter. Add trainable=False.")
    if not counter.dtype.base_dtype.is_integer:
        remarks.append("One remark: a counter holds whole numbers. Let it start at 0, not 0.0.")
    changes = [
        op
        for op in counter.graph.get_operations()
        if op.type.startswith("Assign") and op.inputs[0].op is counter.op
    ]
    if len(changes) > 2:  # the initializer is one of them
        remarks.append(
            f"One remark: {len(changes) - 1} ops change this counter. One is enough: run it again."
        )
    return remarks


def _same(given: list, wanted: list) -> bool:
    return all(np.array_equal(one, other) for one, other in zip(given, wanted, strict=True))


def _listed(values: list) -> str:
    texts = [
        f"{value:.4g}" if np.asarray(value).dtype.kind in "iuf" and np.shape(value) == () else "?"
        for value in values
    ]
    return ", ".join(texts)
