"""The check of lesson 08: two functions that share one step, which get_global_step finds."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, examples_for, first_line, initialize, judge, watched
from lab.logged import logged

INSIDE = "Use no Variable of another cell or graph: make the step inside these functions."
FAR = (1_000, 1_000_000)  # so many steps later, a rate that follows the step is another one


@judge
def check_one_step(build: Callable[[], tf.Operation]) -> Verdict:
    """The step that `build`'s train op counts is the one that its rate reads and get_global_step finds."""
    if not callable(build):
        return Verdict(False, "`build` has to be a function. Run the exercise cell again.")
    # A thread has a default graph of its own: `build` may do with it what it likes.
    with ThreadPoolExecutor(1) as thread:
        train_op = thread.submit(_result_of, build).result()
    if isinstance(train_op, Exception):
        return Verdict(False, _stopped(train_op))
    if not isinstance(train_op, tf.Operation):
        return Verdict(False, "`build()` has to return the train op, which minimize returns.")
    try:
        return _judge(train_op)
    except (tf.errors.OpError, TypeError, ValueError) as error:
        return Verdict(False, f"`build()` works, but then: {first_line(error)}")


def _result_of(build: Callable[[], tf.Operation]) -> tf.Operation | Exception:
    try:
        return build()
    except Exception as error:
        return error


def _stopped(error: Exception) -> str:
    """Name what stopped `build`."""
    says = f"`build()` stops: {first_line(error)}\n"
    if "already exists" in says:
        return f"{says}Two functions make the step. Let one of them find what the other one made."
    if "None values not supported" in says or "global_step is required" in says:
        return f"{says}get_global_step() finds nothing before the step is made. Who makes it first?"
    if "No variables to optimize" in says:
        return f"{says}Does reset_default_graph() run in between? It throws the model away."
    if "same graph" in says:
        return f"`build()` stops: it mixes two graphs.\n{INSIDE}"
    return f"{says}Repair that first, and run the exercise cell again."


def _judge(train_op: tf.Operation) -> Verdict:
    """Run the train op, and see which counter moves and which one is read."""
    graph = train_op.graph
    with logged() as log:
        found = tf.train.get_global_step(graph)
    variables = graph.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)
    counters = [v for v in variables if v.dtype.base_dtype.is_integer or not v.trainable]
    names = " and ".join(f"`{counter.name}`" for counter in counters)
    if not _trains(train_op):
        return Verdict(False, f"This train op changes no weight.\n{INSIDE}")
    if log:
        return Verdict(False, f"{log[0]}\nIn GLOBAL_STEP are several. Keep one step, and one only.")
    if found is None:
        return Verdict(
            False,
            f"get_global_step() finds nothing. The counter is {names or 'missing'}.\n"
            "Give it the name global_step, or let tf.train make it.",
        )
    if found.op in [v.op for v in graph.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES)]:
        return Verdict(False, "Training may change this step. It needs trainable=False.")
    counted = [int(step) for [step] in watched(train_op, found, runs=3)]
    if counted[1] - counted[0] == 1 and _rate_follows(train_op, found):
        return Verdict(
            True,
            f"Both functions use `{found.name}`: the rate reads it, and after three runs it holds "
            f"{counted[-1]}.",
        )
    if len(counters) > 1:
        return Verdict(
            False,
            f"There are two counters, {names}: one function reads the one, training counts the other.\n"
            "Let both functions use the same one.",
        )
    if counted[-1] == counted[0]:
        return Verdict(
            False, f"The step stays at {counted[0]}. Nobody counts: minimize needs global_step."
        )
    if counted[1] - counted[0] != 1:
        return Verdict(False, f"One run moves the step by {counted[1] - counted[0]}. Count once.")
    return Verdict(False, "The step counts, but the rate does not read it. Give it the step.")


def _trains(train_op: tf.Operation) -> bool:
    """Whether a run changes a weight: one that counts the step of another graph does only that."""
    weights = train_op.graph.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES)
    before, after = watched(train_op, *weights, runs=1)
    return any(old.tolist() != new.tolist() for old, new in zip(before, after, strict=True))


def _rate_follows(train_op: tf.Operation, step: tf.Variable | tf.Tensor) -> bool:
    """Whether a training step moves the weights elsewhere when the counter holds another number."""
    ends = []
    with tf.Session(graph=train_op.graph) as sess:
        weights = tf.trainable_variables()
        initialize(sess, train_op, step, *weights)
        start = {weight: sess.run(weight) for weight in weights}
        for now in (0, *FAR):
            for weight, value in start.items():
                weight.load(value, sess)
            sess.run(train_op, {**examples_for(train_op), step: now})
            ends.append(sess.run(weights))
    first, *later = ends
    return any(
        not np.array_equal(one, other, equal_nan=True)
        for end in later
        for one, other in zip(first, end, strict=True)
    )
