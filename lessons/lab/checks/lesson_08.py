"""The check of lesson 08: training, the rate and log_test share one step, made in two files."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any
from unittest import mock

import numpy as np

import minitf as tf
from lab.checks.verdict import (
    Verdict,
    advice,
    called,
    first_that_holds,
    initialize,
    judge,
    listed,
    no_function,
    watched,
)
from lab.experiments.errors import first_line
from lab.files.logged import logged

INSIDE = (
    "Try making the step inside these functions, and use no Variable from another cell or graph."
)
NOT_YET = """You did pass a step, but it was None, because get_global_step() finds nothing until
there is one. Try making the step first."""
STOPPED = {
    "already exists": "Both functions make the step. Let one of them find what the other one made.",
    "None values not supported|global_step is required": "get_global_step() returns None as long as "
    "there is no step. Which of the two functions could make it first?",
    "No variables to optimize": "Does reset_default_graph() run in between? That throws the model away.",
    "mixes two graphs": INSIDE,
}
AT = (1, 51, 101)  # log_test looks for the step after so many runs
OPTIMIZERS = ("w:", "w/", "beta")  # what an optimizer trains, or keeps for itself
FAR = (1_000, 1_000_000)  # after so many steps, a rate that follows the step has changed
RATES = {step: 0.5 * 0.8 ** (step / 100) for step in (0, 50, 100)}  # of the colleague's schedule
UNTRAINED = "Try returning what `minimize(loss)` returns, or an op that waits for it."
RESCHEDULED = (
    "Try keeping the schedule and the optimizer as they were: only the step needs a repair."
)


@judge
def check_one_step(make_train_op: Callable[[tf.Tensor], tf.Operation]) -> Verdict | str:
    """What the train op of make_train_op(loss) counts, its rate reads and get_global_step finds."""
    if wrong := no_function(make_train_op=make_train_op):
        return wrong
    ended, _ = called(_judge, make_train_op)
    if error := ended.exception():
        said = "it mixes two graphs." if "same graph" in str(error) else first_line(error)
        return f"`make_train_op(loss)` stops: {said}\n{advice(said, STOPPED)}"
    return ended.result()


def _judge(make_train_op: Callable[[tf.Tensor], tf.Operation]) -> Verdict | str:
    """Build the train op and run it; see which counter moves, which is read, and which is found."""
    w = tf.Variable(5.0, name="w")
    passed: list = []
    with mock.patch.multiple(tf.train.Optimizer, **_noting(passed, "minimize", "apply_gradients")):
        # At 5, the gradient of this loss is 1, so an update moves w by the rate.
        train_op = make_train_op(0.1 * w**2)
    if isinstance(train_op, tf.Tensor):
        train_op = train_op.op  # lesson 04's assign_add, which waits for the update
    if not isinstance(train_op, tf.Operation):
        return "Try returning the train op: `make_train_op` should return what minimize returns."
    graph = train_op.graph
    with logged() as log:
        found = tf.train.get_global_step(graph)
    variables = graph.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)
    variables = [v for v in variables if not v.name.startswith(OPTIMIZERS)]
    before, after = watched(train_op, *variables, w, runs=1) if graph is w.graph else ([0], [0])
    if before[-1] == after[-1]:  # perhaps it counts the step of another graph
        return f"This train op doesn't train `w`.\n{UNTRAINED if graph is w.graph else INSIDE}"
    if log:
        return f"{log[0]}\nGLOBAL_STEP has several steps in it. Keep one step, and one only."
    moved = [v for v, old, new in zip(variables, before, after, strict=False) if old != new]
    read = [v for v in variables if len(set(_moves(train_op, v, w, (0, *FAR)))) > 1]
    trainable = [v.name for v in tf.trainable_variables() if v in (*moved, *read)]
    lists = [
        [v.name for v in moved],
        [v.name for v in read],
        [found.name] if found is not None else [],
    ]
    counted, reads, finds = (
        " and ".join(f"`{name}`" for name in names) or "nothing" for names in lists
    )
    said = f"Training counts {counted}, the rate reads {reads}, and log_test finds {finds}.\n"
    if trainable:
        return f"An optimizer may change `{trainable[0]}`, too. Try trainable=False."
    if lists[0] == lists[1] == lists[2] != []:
        return _of_the_rates(train_op, moved[0], w) or _of_the_curve(train_op, found)
    return said + first_that_holds(
        (not moved and passed[:1] == [None], NOT_YET),
        (not moved, "Try passing the step to minimize, as global_step."),
        (not read, "Try passing the step to the schedule."),
        (found is None, "Give the step the name global_step, or let tf.train make it."),
        (True, "Try to make all three use the same one."),
    )


def _noting(passed: list, *names: str) -> dict[str, Callable]:
    """Return these methods of an optimizer; they note what is passed as the step (False if nothing is).

    `minimize` calls `apply_gradients` in its turn, so the learner's own call is the first.
    """

    def noting(method: Callable) -> Callable:
        @functools.wraps(method)
        def noted(*arguments: Any, **named: Any) -> Any:
            given = inspect.signature(method).bind(*arguments, **named).arguments
            passed.append(given.get("global_step", False))
            return method(*arguments, **named)

        return noted

    return {name: noting(getattr(tf.train.Optimizer, name)) for name in names}


def _of_the_curve(train_op: tf.Operation, step: tf.Variable | tf.Tensor) -> Verdict | str:
    """Judge the steps at which log_test would put its points."""
    values = [int(value) for [value] in watched(train_op, step, runs=max(AT))]
    if values[1] - values[0] != 1:
        return f"One run moves `{step.name}` by {values[1] - values[0]}. Count each run once."
    points = ", ".join(str(values[at]) for at in AT)
    return Verdict(
        True,
        f"Training, the rate and log_test share `{step.name}`.\n"
        f"The points of the test curve are at steps {points}: the pile is a curve.",
    )


def _of_the_rates(train_op: tf.Operation, step: tf.Variable, w: tf.Variable) -> str:
    """Say so if the schedule that the exercise came with is another one now."""
    moves, wanted = _moves(train_op, step, w, RATES), list(RATES.values())
    if np.allclose(moves, wanted, rtol=1e-3):
        return ""
    return (
        f"Training, the rate and log_test share `{step.name}`. But when it holds {listed(RATES)},\n"
        f"an update moves `w` by {_rounded(moves)} instead of {_rounded(wanted)}.\n{RESCHEDULED}"
    )


def _rounded(rates: Iterable[float]) -> str:
    return listed(f"{rate:.4f}" for rate in rates)


def _moves(
    train_op: tf.Operation, counter: tf.Variable, w: tf.Variable, steps: Iterable[int]
) -> list[float]:
    """Return how far down a training step moves `w` when the counter holds each of these numbers."""
    moves = []
    with tf.Session(graph=train_op.graph) as sess:
        for now in steps:
            initialize(sess, train_op, counter, w)
            before = sess.run(w)
            sess.run(train_op, {counter: np.asarray(now, counter.dtype.base_dtype.as_numpy_dtype)})
            moves.append(float(before - sess.run(w)))
    return moves
