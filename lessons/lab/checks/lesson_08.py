"""The check of lesson 08: two functions that share one step, which get_global_step finds."""

from collections.abc import Callable

import numpy as np

import minitf as tf
from lab.checks.verdict import (
    Verdict,
    advice,
    called,
    examples_for,
    first_that_holds,
    initialize,
    judge,
    no_function,
    watched,
)
from lab.experiments.errors import first_line
from lab.files.logged import logged

INSIDE = "Use no Variable of another cell or graph: make the step inside these functions."
STOPPED = {
    "already exists": "Two functions make the step. Let one of them find what the other one made.",
    "None values not supported|global_step is required": "get_global_step() finds nothing before "
    "the step is made. Who makes it first?",
    "No variables to optimize": "Does reset_default_graph() run in between? It throws the model away.",
    "mixes two graphs": INSIDE,
}
FAR = (1_000, 1_000_000)  # after so many steps, a rate that follows the step has changed


@judge
def check_one_step(build: Callable[[], tf.Operation]) -> Verdict | str:
    """The step that `build`'s train op counts is the one that its rate reads and get_global_step finds."""
    if wrong := no_function(build=build):
        return wrong
    ended, _ = called(_judge, build)
    if error := ended.exception():
        said = "it mixes two graphs." if "same graph" in str(error) else first_line(error)
        return f"`build()` stops: {said}\n{advice(said, STOPPED)}"
    return ended.result()


def _judge(build: Callable[[], tf.Operation]) -> Verdict | str:
    """Build, run the train op, and see which counter moves and which one is read."""
    train_op = build()
    if not isinstance(train_op, tf.Operation):
        return "`build()` should return the train op, which minimize returns."
    graph = train_op.graph
    with logged() as log:
        found = tf.train.get_global_step(graph)
    variables = graph.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)
    counters = [v for v in variables if v.dtype.base_dtype.is_integer or not v.trainable]
    names = " and ".join(f"`{counter.name}`" for counter in counters)
    weights = graph.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES)
    before, after = watched(train_op, *weights, runs=1)
    if all(map(np.array_equal, before, after)):  # perhaps it counts the step of another graph
        return f"This train op changes no weight.\n{INSIDE}"
    if log:
        return f"{log[0]}\nGLOBAL_STEP holds several. Keep one step, and one only."
    if found is None:
        wrong = f"get_global_step() finds nothing. The counter is {names or 'missing'}."
        return f"{wrong}\nGive it the name global_step, or let tf.train make it."
    if found.op in [v.op for v in weights]:
        return "Training may change this step. It needs trainable=False."
    start, first, _, end = (int(step) for [step] in watched(train_op, found, runs=3))
    if first - start == 1 and _rate_follows(train_op, found):
        both = f"Both functions use `{found.name}`: the rate reads it"
        return Verdict(True, f"{both}, and after three runs it holds {end}.")
    two = f"There are two counters, {names}: one function reads one, training counts the other."
    return first_that_holds(
        (len(counters) > 1, f"{two}\nLet both functions use the same one."),
        (end == start, f"The step stays at {start}. Nothing counts: minimize needs global_step."),
        (first - start != 1, f"One run moves the step by {first - start}. Count once."),
        (True, "The step counts, but the rate does not read it. Give it the step."),
    )


def _rate_follows(train_op: tf.Operation, step: tf.Variable | tf.Tensor) -> bool:
    """Whether a training step moves the weights elsewhere when the counter holds another number."""
    ends = []
    with tf.Session(graph=train_op.graph) as sess:
        weights = tf.trainable_variables()
        initialize(sess, train_op, step, *weights)
        start = sess.run(weights)
        for now in (0, *FAR):
            for weight, value in zip(weights, start, strict=True):
                weight.load(value, sess)
            sess.run(train_op, {**examples_for(train_op), step: now})
            ends.append(np.concatenate([np.ravel(value) for value in sess.run(weights)]))
    return not all(np.array_equal(ends[0], end, equal_nan=True) for end in ends[1:])
