"""The check of lesson 04: the learner's own `apply_gradients`, with the op that adds one."""

from collections.abc import Callable, Iterator

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, judge, listed, miscounted, watched
from lab.experiments.ordering import all_before, updates_of, waits_for

NO_OP = """Your function returns {}. Try returning one op, as apply_gradients does:
the one that adds one to the counter and waits for the updates."""
STILL = """A run of your op doesn't move {}. Try building an update for each pair with tf.assign_sub,
and the `+ 1` inside tf.control_dependencies(updates), so that it waits for all of them."""
ENDS = """After three runs the weights are {}, not {}.
Try subtracting rate * gradient from each Variable. Both of them are tensors."""
NOT_LAST = """The numbers are right, but the `+ 1` might not come last, because it doesn't wait for the
update of `{}`. Build it inside tf.control_dependencies(updates)."""


@judge
def check_apply_gradients(my_apply_gradients: Callable) -> Iterator[Verdict | str]:
    """The function's op updates each weight as gradient descent does, then adds one to the counter."""
    with tf.Graph().as_default():
        w, b, rate, step, pairs = _two_weights()
        train_op = tf.train.GradientDescentOptimizer(rate).apply_gradients(pairs, step)
        right = np.array(watched(train_op, w, b, runs=3))
    with tf.Graph().as_default():
        w, b, rate, step, pairs = _two_weights()
        returned = my_apply_gradients(pairs, rate, step)
        if not isinstance(returned, tf.Operation | tf.Tensor):
            yield NO_OP.format("None" if returned is None else f"a {type(returned).__name__}")
        train_op = getattr(returned, "op", returned)
        seen = np.array(watched(train_op, w, b, step, runs=3))
    still = [f"`{name}`" for name, moved in zip("wb", np.ptp(seen, 0), strict=False) if not moved]
    if still:
        yield STILL.format(" and ".join(still))
    yield miscounted("global_step", seen[:, 2])
    if not np.allclose(seen[:, :2], right, rtol=1e-4):
        yield ENDS.format(listed(seen[-1, :2], " and "), listed(right[-1], " and "))
    reached = all_before(train_op)
    if any(op.type == "ApplyGradientDescent" for op in reached):
        yield "It works, but through the optimizer's own apply_gradients. Try building the ops yourself."
    for weight in (w, b):
        for update in updates_of(weight, reached):
            if not all(waits_for(count, update) for count in updates_of(step, reached)):
                yield NOT_LAST.format(weight.op.name)
    yield Verdict(
        True,
        "Both weights move as with GradientDescentOptimizer, and the counter goes 1, 2, 3.\n"
        "The `+ 1` waits for both updates.",
    )


def _two_weights() -> tuple:
    """Build a model; return two weights, a rate that reads the step, the step, and the pairs."""
    w, b = tf.Variable(0.5, name="w"), tf.Variable(2.0, name="b")
    step = tf.Variable(0, trainable=False, name="global_step")
    rate = tf.train.exponential_decay(0.125, step, 1, 0.5, name="rate")
    loss = (w * tf.constant([1.0, 2.0]) + b - tf.constant([4.0, 1.0])) ** 2
    pairs = tf.train.GradientDescentOptimizer(rate).compute_gradients(loss, var_list=[w, b])
    return w, b, rate, step, pairs
