"""The check of lesson 09: a rate that falls with the step, and digits that are learned better by it."""

import copy
import functools
import math
from typing import Any

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, first_that_holds, initialize, judge, not_built
from minitf.client.session import program_of

STEPS, BATCH = 2000, 100
LESS = 0.003  # the loss should be lower by so much than without decay: more than chance gives
NAN = "Start with a smaller one, or compute the loss from the logits."


@judge
def check_decay(
    mnist: Any, rate: tf.Tensor, global_step: tf.Variable, train_op: tf.Operation
) -> Verdict | str:
    """Trained for 2,000 steps with a rate that falls, the loss of the digits held back is lower."""
    if isinstance(rate, int | float):
        number = f"`rate` is the number {rate:g}, which cannot fall."
        return f"{number} Let a schedule of tf.train compute it from the step."
    if wrong := not_built(train_op, rate=rate, global_step=global_step):
        return wrong
    weights = sorted(tf.trainable_variables(), key=lambda v: v.shape.ndims)
    if [v.shape.as_list() for v in weights] != [[10], [784, 10]]:
        return "Train `w` and `b` of model(), and nothing else."
    if {placeholder.op.name for placeholder, _ in program_of(train_op).parameters} != {"x", "y"}:
        return "A run of `train_op` should read x and y of model(), and no more."
    rates, steps, learned = _trained(mnist, train_op, [rate, global_step], weights)
    if wrong := _of_the_clock(rates, steps):
        return wrong
    if _moves_at_rate_0(mnist, train_op, rate, weights):
        return "`rate` falls, but the optimizer does not use it. Give it `rate`."
    (loss, accuracy), (loss_before, accuracy_before) = learned, _baseline(mnist)
    if wrong := _of_the_loss(loss, accuracy, loss_before, rates):
        return wrong
    fell = f"The rate fell from {rates[0]:.3g} to {rates[-1]:.3g}, and all {STEPS:,} steps are counted."
    accurate = f"the accuracy is {accuracy:.3f} (it was {accuracy_before:.3f})"
    return Verdict(True, f"{fell} The loss is {loss:.3f}, not {loss_before:.3f}; {accurate}.")


def _trained(mnist: Any, train_op: tf.Operation, watch: list, weights: list) -> tuple:
    """Return the rates and the steps before, after a hundred steps and at the end; loss and accuracy.

    These are computed by hand from the digits held back, whatever was trained on.
    """
    digits, test, seen = copy.deepcopy(mnist.train), mnist.test, []
    with tf.Session(graph=train_op.graph) as sess:
        initialize(sess, train_op, *watch, *weights)
        for runs in (0, 100, STEPS - 100):
            for _ in range(runs):
                images, labels = digits.next_batch(BATCH)
                sess.run(train_op, {"x:0": images, "y:0": labels})
            seen.append(sess.run(watch))
        b, w = sess.run(weights)
    logits = (test.images @ w + b).astype("float64")
    logits -= logits.max(axis=1, keepdims=True)
    logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    right = logits.argmax(1) == test.labels.argmax(1)
    learned = float(-(test.labels * logs).sum(1).mean()), float(right.mean())
    return [float(rate) for rate, _ in seen], [int(step) for _, step in seen], learned


def _moves_at_rate_0(mnist: Any, train_op: tf.Operation, rate: tf.Tensor, weights: list) -> bool:
    """Whether a run changes the weights while `rate` is fed as 0: then something else is the rate."""
    feeds = {"x:0": mnist.train.images[:BATCH], "y:0": mnist.train.labels[:BATCH], rate: 0.0}
    with tf.Session(graph=train_op.graph) as sess:
        initialize(sess, train_op, *weights)
        before = sess.run(weights)
        sess.run(train_op, feeds)
        return not all(map(np.array_equal, before, sess.run(weights)))


@functools.lru_cache(maxsize=1)
def _baseline(mnist: Any) -> tuple[float, float]:
    """Return what the post's program reaches: rate 0.5 from the first step to the last."""
    with tf.Graph().as_default():
        x, y = tf.placeholder(tf.float32, [None, 784], "x"), tf.placeholder(tf.float32, None, "y")
        w, b = tf.Variable(tf.zeros([784, 10])), tf.Variable(tf.zeros(10))
        logits = tf.matmul(x, w) + b
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
        train_op = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
        return _trained(mnist, train_op, [tf.constant(0.5), tf.constant(0)], [b, w])[2]


def _of_the_clock(rates: list[float], steps: list[int]) -> str:
    """Name what is wrong with the step or with the rate, if anything is."""
    first, last, moved = rates[0], rates[-1], steps[-1] - steps[0]
    after = f"After {STEPS:,} runs the step"
    if moved == 0:
        after = f"{after} is still {steps[0]}: nothing counts. So the rate stays at {first:.3g}."
        return f"{after}\nminimize needs global_step=global_step."
    if moved != STEPS:
        return f"{after} has moved by {moved:,}. Count each run once."
    if last > first:
        return f"The rate grows, from {first:.3g} to {last:.3g}. decay_rate should be below 1."
    same = f"The rate is {first:.3g} at the first step and at the last. Does it read the step?"
    return same if last == first else ""


def _of_the_loss(loss: float, accuracy: float, baseline: float, rates: list[float]) -> str:
    """Name why the loss is no lower than without decay, if it is not."""
    if loss < baseline - LESS and accuracy >= 0.9:
        return ""
    early = f"The rate falls too early: after 100 steps it is {rates[1]:.2g}."
    late = f"The rate falls only to {rates[-1]:.3g}. Let it fall further."
    why = first_that_holds(
        (math.isnan(loss), f"The weights are nan: the rate is too large for this formula.\n{NAN}"),
        (rates[1] < 0.25 * rates[0], f"{early} decay_steps is counted in steps."),
        (rates[-1] > 0.6 * rates[0], late),
        (True, "Try another first rate, or let it fall earlier or later."),
    )
    said = f"The loss is {loss:.3f} after {STEPS:,} steps. Without decay it is {baseline:.3f}."
    return f"{said}\n{why}"
