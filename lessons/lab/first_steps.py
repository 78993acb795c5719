"""The first-steps explorer: a learning rate, a formula for the loss, and what the first steps learn."""

from __future__ import annotations

import copy
import math

import ipywidgets as widgets
import numpy as np

import minitf as tf
from lab.digits import columns
from lab.explorer import Explorer, slider
from lab.panel import Axis, Curve, Panel
from lab.scene import Box, Scene, Text

STEPS, MOST = 60, 3.0
FORMULAS = ("the post's formula", "from the logits")


class Runs:
    """The softmax regression of lesson 09, built once for both formulas; its rate is fed."""

    def __init__(self, digits: object):
        """Build it for `digits`, which read_data_sets gave, and take its first batches."""
        train = copy.deepcopy(digits.train)  # the lesson's own batches stay as they are
        self.batches = [train.next_batch(100) for _ in range(STEPS)]
        with tf.Graph().as_default():
            self.x = tf.placeholder(tf.float32, [None, 784])
            self.y = tf.placeholder(tf.float32, [None, 10])
            self.rate = tf.placeholder(tf.float32, [])
            self.w, b = tf.Variable(tf.zeros([784, 10])), tf.Variable(tf.zeros(10))
            logits = tf.matmul(self.x, self.w) + b
            logs = tf.log(tf.nn.softmax(logits))
            by_hand = -tf.reduce_sum(self.y * logs, reduction_indices=[1])
            ready = tf.nn.softmax_cross_entropy_with_logits_v2(labels=self.y, logits=logits)
            optimizer = tf.train.GradientDescentOptimizer(self.rate)
            self.ways = {}
            for name, losses in zip(FORMULAS, (by_hand, ready), strict=True):
                loss = tf.reduce_mean(losses)
                self.ways[name] = [loss, optimizer.minimize(loss)]
            right = tf.equal(tf.argmax(logits, 1), tf.argmax(self.y, 1))
            self.accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
            self.init = tf.global_variables_initializer()
            self.session = tf.Session()
        self.held_back = {self.x: digits.test.images, self.y: digits.test.labels}

    def __call__(self, formula: str, rate: float) -> tuple[list[float], np.ndarray, float]:
        """Return the loss of each batch, and the weights and the accuracy after the last one."""
        fetches, losses = self.ways[formula], []
        self.session.run(self.init)
        for images, labels in self.batches:
            feeds = {self.x: images, self.y: labels, self.rate: rate}
            losses.append(float(self.session.run(fetches, feeds)[0]))
            if math.isnan(losses[-1]):
                break  # from here on, nothing changes any more
        w, accuracy = self.session.run([self.w, self.accuracy], self.held_back)
        return losses, w, float(accuracy)


class FirstSteps(Explorer):
    """A slider for the rate, and a switch between the two formulas of the loss."""

    note = "Run this cell, and you get controls for the rate and the formula."

    def __init__(self, digits: object):
        """Start with the post's rate and formula, on `digits`, which read_data_sets gave."""
        self.rate = slider("learning rate", 0.5, 0.05, MOST, 0.05)
        self.loss = widgets.ToggleButtons(
            options=FORMULAS, description="loss", layout=widgets.Layout(display="flex")
        )
        self.loss.style.button_width = "12em"
        self._runs = Runs(digits)
        super().__init__([self.rate, self.loss])

    def picture(self) -> Scene:
        """Return the loss over the first steps, and the weights after them."""
        formula, rate = self.loss.value, self.rate.value
        losses, weights, accuracy = self._runs(formula, rate)
        shapes = [*_curve(losses), Text(318, 24, f"weights after {STEPS} steps")]
        shapes += [*columns(weights, 318, 36, 60, 65), *_bar(accuracy)]
        if math.isnan(losses[-1]):
            middles = [
                (348 + 65 * column, 70 + 83 * row) for row in range(2) for column in range(5)
            ]
            shapes += [Text(x, y, "nan", anchor="middle", mono=True) for x, y in middles]
        return Scene(640, 290, shapes, in_words(formula, rate, losses, accuracy))


def in_words(formula: str, rate: float, losses: list[float], accuracy: float) -> str:
    """Say what the picture shows."""
    known = losses[:-1] if math.isnan(losses[-1]) else losses
    top = int(np.argmax(known))
    if len(known) < len(losses):
        end = f"At step {len(losses)} it is nan, and so is every weight after that"
    elif top == 0:
        end = f"It falls from there, and at step {STEPS} it is {losses[-1]:.3g}"
    else:
        end = f"It jumps to {losses[top]:.3g} at step {top + 1}, and at step {STEPS} it is {losses[-1]:.3g}"
    return (
        f"Rate {rate:.3g}, {formula}: the loss of the first batch is {losses[0]:.3g}. {end}.\n"
        f"Accuracy on the digits held back: {accuracy:.3f}."
    )


def _curve(losses: list[float]) -> list:
    """Draw the loss of each batch; each mark is ten times the one below it."""
    up = Axis(0.01, 1000, [10.0**power for power in range(-2, 4)], logarithmic=True)
    panel = Panel(
        50, 40, 225, 195, Axis(0, STEPS, range(0, STEPS + 1, 20)), up, "step", "loss of the batch"
    )
    points = [(step, max(loss, 0.01)) for step, loss in enumerate(losses, start=1)]
    shapes = panel.frame()
    if math.isnan(losses[-1]):
        step = len(losses)
        points.pop()
        x, _ = panel.place((step, 1))
        shapes += [
            Curve([(x, panel.y), (x, panel.y + panel.height)], "now", 1.2, dashed=True),
            Text(x + 6, panel.y + 64, f"nan at step {step}", size=12, bold=True),
        ]
    if len(points) > 1:
        shapes.append(Curve([panel.place(point) for point in points], "done", 1.8))
    return shapes


def _bar(accuracy: float) -> list:
    """Draw the accuracy as a bar, and where guessing would end."""
    x, y, width = 318, 225, 320
    return [
        Text(x, y - 8, f"accuracy on the digits held back: {accuracy:.3f}"),
        Box(x, y, width, 22, "quiet"),
        Box(x, y, max(width * accuracy, 6), 22, "done"),
        Curve([(x + width / 10, y - 3), (x + width / 10, y + 25)], "now", 2),
        Text(x + width / 10 + 5, y + 40, "0.1: guessing", size=12, kind="quiet"),
    ]
