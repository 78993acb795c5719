"""The check of lesson 09: a rate that falls with the step, and digits that are learned better by it."""

from __future__ import annotations

import copy
import functools
import math
from typing import Any

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, initialize, judge, not_built
from minitf.client.session import program_of

STEPS, BATCH = 2000, 100
LESS = 0.003  # by so much the loss has to be lower than without decay: more than chance gives


@judge
def check_decay(
    mnist: Any, rate: tf.Tensor, global_step: tf.Variable, train_op: tf.Operation
) -> Verdict:
    """Trained for 2,000 steps with a rate that falls, the loss of the digits held back is lower."""
    if isinstance(rate, int | float):
        return Verdict(
            False,
            f"`rate` is the number {rate:g}, which cannot fall. Let a schedule of tf.train compute it "
            "from the step.",
        )
    if (wrong := not_built(train_op, rate=rate, global_step=global_step)) is not None:
        return wrong
    weights = [v for v in tf.trainable_variables() if v.shape.as_list() in ([784, 10], [10])]
    shapes = [v.shape.as_list() for v in tf.trainable_variables()]
    if sorted(map(len, shapes)) != [1, 2] or len(weights) != 2:
        return Verdict(False, "Train `w` and `b` of model(), and nothing else.")
    needed = {placeholder.op.name for placeholder, _ in program_of(train_op).parameters}
    if needed != {"x", "y"}:
        return Verdict(False, "A run of `train_op` has to read x and y of model(), and no more.")
    try:
        rates, steps, learned = _trained(mnist, train_op, rate, global_step, weights)
    except tf.errors.OpError as error:
        return Verdict(False, f"A run of `train_op` stops: {str(error).splitlines()[0]}")
    if mistake := _of_the_clock(rates, steps):
        return Verdict(False, mistake)
    if _moves_at_rate_0(mnist, train_op, rate, weights):
        return Verdict(False, "`rate` falls, but the optimizer does not use it. Give it `rate`.")
    baseline = _baseline(mnist)
    if mistake := _of_the_loss(learned, baseline, rates):
        return Verdict(False, mistake)
    loss, accuracy = learned
    return Verdict(
        True,
        f"The rate fell from {rates[0]:.3g} to {rates[-1]:.3g}, and all {STEPS:,} steps are counted. "
        f"The loss is {loss:.3f}, not {baseline[0]:.3f}; the accuracy is {accuracy:.3f} "
        f"(it was {baseline[1]:.3f}).",
    )


def _trained(
    mnist: Any,
    train_op: tf.Operation,
    rate: tf.Tensor,
    global_step: tf.Variable,
    weights: list[tf.Variable],
) -> tuple[list[float], list[int], tuple[float, float]]:
    """Return rate and step before, after a hundred steps and at the end; then loss and accuracy."""
    digits, watch, seen = copy.deepcopy(mnist.train), [rate, global_step], []
    with tf.Session(graph=train_op.graph) as sess:
        initialize(sess, train_op, rate, global_step, *weights)
        seen.append(sess.run(watch))
        for now in range(1, STEPS + 1):
            images, labels = digits.next_batch(BATCH)
            sess.run(train_op, {"x:0": images, "y:0": labels})
            if now in (100, STEPS):
                seen.append(sess.run(watch))
        w, b = sorted(sess.run(weights), key=np.ndim, reverse=True)
    rates, steps = [float(r) for r, _ in seen], [int(step) for _, step in seen]
    return rates, steps, _measured(mnist, w, b)


def _moves_at_rate_0(
    mnist: Any, train_op: tf.Operation, rate: tf.Tensor, weights: list[tf.Variable]
) -> bool:
    """Whether a run changes the weights while `rate` is fed as 0: then something else is the rate."""
    feeds = {"x:0": mnist.train.images[:BATCH], "y:0": mnist.train.labels[:BATCH], rate: 0.0}
    with tf.Session(graph=train_op.graph) as sess:
        initialize(sess, train_op, *weights)
        before = sess.run(weights)
        sess.run(train_op, feeds)
        return any((w != old).any() for w, old in zip(sess.run(weights), before, strict=True))


def _measured(mnist: Any, w: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """Return the loss and the accuracy of the digits held back: by hand, whatever was trained on."""
    logits = (mnist.test.images @ w + b).astype("float64")
    logits -= logits.max(axis=1, keepdims=True)
    logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    right = logits.argmax(1) == mnist.test.labels.argmax(1)
    return float(-(mnist.test.labels * logs).sum(1).mean()), float(right.mean())


@functools.lru_cache(maxsize=1)
def _baseline(mnist: Any) -> tuple[float, float]:
    """Return what the post's program reaches: rate 0.5 from the first step to the last."""
    with tf.Graph().as_default():
        x, y = tf.placeholder(tf.float32, [None, 784], "x"), tf.placeholder(tf.float32, None, "y")
        w, b = tf.Variable(tf.zeros([784, 10])), tf.Variable(tf.zeros(10))
        logits = tf.matmul(x, w) + b
        losses = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits)
        step, rate = tf.Variable(0, trainable=False), tf.constant(0.5)
        optimizer = tf.train.GradientDescentOptimizer(rate)
        train_op = optimizer.minimize(tf.reduce_mean(losses), global_step=step)
        return _trained(mnist, train_op, rate, step, [w, b])[2]


def _of_the_clock(rates: list[float], steps: list[int]) -> str:
    """Name what is wrong with the step or with the rate, if anything is."""
    if steps[-1] == steps[0]:
        return (
            f"After {STEPS:,} runs the step is still {steps[0]}: nobody counts. So the rate stays at "
            f"{rates[0]:.3g}.\nminimize needs global_step=global_step."
        )
    if steps[-1] - steps[0] != STEPS:
        return f"After {STEPS:,} runs the step has moved by {steps[-1] - steps[0]:,}. Count each run once."
    if rates[-1] > rates[0]:
        return (
            f"The rate grows, from {rates[0]:.3g} to {rates[-1]:.3g}. decay_rate has to be below 1."
        )
    if rates[-1] == rates[0]:
        return (
            f"The rate is {rates[0]:.3g} at the first step and at the last. Does it read the step?"
        )
    return ""


def _of_the_loss(
    learned: tuple[float, float], baseline: tuple[float, float], rates: list[float]
) -> str:
    """Name why the loss is no lower than without decay, if it is not."""
    loss, accuracy = learned
    if math.isnan(loss):
        return (
            "The weights are nan: the rate is too large for this formula.\n"
            "Begin with a smaller one, or compute the loss from the logits."
        )
    if loss < baseline[0] - LESS and accuracy >= 0.9:
        return ""
    said = f"The loss is {loss:.3f} after {STEPS:,} steps. Without decay it is {baseline[0]:.3f}.\n"
    if rates[1] < 0.25 * rates[0]:
        return (
            f"{said}The rate falls too early: after 100 steps it is {rates[1]:.2g}. "
            "decay_steps is counted in steps."
        )
    if rates[-1] > 0.6 * rates[0]:
        return f"{said}The rate falls only to {rates[-1]:.3g}. Let it fall further."
    return f"{said}Try another first rate, or let it fall earlier or later."
