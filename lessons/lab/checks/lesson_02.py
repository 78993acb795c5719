"""The check of lesson 02: a counter that is a Variable, and an op that adds one to it."""

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, initialize, judge, listed
from lab.experiments.errors import first_line
from lab.experiments.ordering import updates_of

AGAIN = "Run the exercise cell again, without an error."


@judge
def check_counting(counter: tf.Variable, count_op: tf.Tensor | tf.Operation) -> Verdict | str:
    """Three runs of `count_op` give 1, 2, 3, because `counter` is a Variable."""
    if not isinstance(count_op, tf.Tensor | tf.Operation | tf.Variable):
        return _no_op(count_op)
    watch = [counter] if isinstance(counter, tf.Variable) else []
    if watch and counter.graph is not count_op.graph:
        return f"`counter` and `count_op` are from different graphs. {AGAIN}"
    try:
        given, held = _three_runs(count_op, watch)
    except Exception as error:  # whatever stops a run, a check says it and goes on
        return f"A run stops: {first_line(error)}.\n`count_op` should run without feeds."
    if not watch:
        return _no_variable(counter, given)
    if any(np.shape(value) != () or np.asarray(value).dtype.kind not in "iuf" for value in held):
        return "`counter` does not hold one number. Its initial value should be 0."
    if held != [0, 1, 2, 3]:
        return _mistake(given, held, count_op)
    if not isinstance(count_op, tf.Operation) and not np.array_equal(given, [1, 2, 3]):
        return f"`counter` counts, but `count_op` gives {listed(given)}. Use what tf.assign_add returns."
    right = "Three runs give 1, 2, 3: the number stays in the session's memory."
    return Verdict(True, "\nOne remark: ".join([right, *_remarks(counter)]))


def _three_runs(count_op: tf.Tensor, watch: list[tf.Variable]) -> tuple[list, list]:
    """Return what three runs give, and what is watched before the first and after each."""
    with tf.Session(graph=count_op.graph) as sess:
        initialize(sess, count_op, *watch)
        given, held = [], sess.run(watch)
        for _ in range(3):
            given.append(sess.run(count_op))
            held += sess.run(watch)
    return given, held


def _no_op(count_op: object) -> str:
    kind = type(count_op).__name__
    if isinstance(count_op, list | tuple):
        return f"`count_op` is a {kind} of {len(count_op)} things. Build one op, and run it many times."
    what = "a Python function" if callable(count_op) else f"a Python {kind}, not an op"
    return f"`count_op` is {what}. Let it be what tf.assign_add returns."


def _no_variable(counter: object, given: list) -> str:
    if isinstance(counter, tf.Tensor):
        return "`counter` is a tensor: tf.constant makes one, and so does `counter += 1`. Use tf.Variable."
    kind = f"`counter` is a Python {type(counter).__name__}"
    if given[0] is None or _differ(given):
        return f"`count_op` adds to something else: {kind}. Make `counter` itself a Variable."
    return (
        f"Three runs give {listed(given)}. {kind}:\n"
        "its number went into the graph once, when the graph was built. Make it a Variable."
    )


def _mistake(given: list, held: list, count_op: tf.Tensor) -> str:
    """Name what is wrong with what the counter holds, the first thing first."""
    start, after, steps = held[0], listed(held[1:]), np.diff(held)
    if not steps.any():
        if _differ(given):
            return f"`count_op` changes another Variable: `counter` stays {start:g}. {AGAIN}"
        if getattr(count_op, "op", count_op).type == "Const":
            return "`count_op` is still a constant. Let tf.assign_add make it."
        return f"`count_op` does not change `counter`, which stays {start:g}. Let tf.assign_add make it."
    if start != 0:
        return f"`counter` starts at {start:g}, so the first run makes it {held[1]:g}. Which start gives 1?"
    if all(steps == steps[0]):
        return f"Each run adds {steps[0]:g}, so `counter` holds {after}. Add 1, with one op, built once."
    if held[1] == held[2] == held[3]:
        return f"Each run sets `counter` to {held[1]:g}: tf.assign replaces what is there. Which one adds?"
    return f"`counter` holds {after} after the runs. Add 1 in each run."


def _remarks(counter: tf.Variable) -> list[str]:
    """Say kindly what could be better in a right answer."""
    changes = len(updates_of(counter, counter.graph.get_operations()))
    remarks = {
        "training must not change a counter. Add trainable=False.": counter.trainable,
        "a counter holds whole numbers. Let it start at 0, not 0.0.": counter.dtype.is_floating,
        f"{changes} ops change this counter. One is enough: run it again.": changes > 1,
    }
    return [remark for remark, holds in remarks.items() if holds]


def _differ(given: list) -> bool:
    return not np.array_equal(given, given[:1] * 3)
