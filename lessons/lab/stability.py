"""The stability explorer: a learning rate, a sum or a mean, and whether ten steps find w = 1."""

from __future__ import annotations

import ipywidgets as widgets
import numpy as np

import minitf as tf
from lab.explorer import Explorer, slider
from lab.panel import Axis, Curve, Panel
from lab.scene import Arrow, Box, Scene, Text, text_width

STEPS = 10
MOST = 0.5  # the largest rate
TOP = {"sum": 100.0, "mean": 10.0}  # how far up the picture of the loss goes
LEFT, RIGHT = 60, 615  # of all that is drawn, in pixels


class Runs:
    """The experiment of lesson 03, built once: its rate and its examples are fed."""

    def __init__(self) -> None:
        """Build both train ops: for the sum of the examples' losses, and for the mean."""
        with tf.Graph().as_default():
            self.x = tf.placeholder(tf.float32, [None, 1])
            self.rate = tf.placeholder(tf.float32, [])
            self.w = tf.Variable(0.0)
            squares = (self.w * self.x - self.x) ** 2
            optimizer = tf.train.GradientDescentOptimizer(self.rate)
            self.train_ops, self.curvatures = {}, {}
            for kind, loss in (("sum", squares), ("mean", tf.reduce_mean(squares))):
                self.train_ops[kind] = optimizer.minimize(loss)
                [slope] = tf.gradients(loss, self.w)
                [self.curvatures[kind]] = tf.gradients(slope, self.w)
            self.session = tf.Session()

    def __call__(self, kind: str, rate: float, examples: int) -> tuple[float, list[float]]:
        """Return the curvature of the loss, and `w` before the first step and after each."""
        data = np.linspace(1, 2, examples, dtype="float32").reshape(examples, 1)
        feeds = {self.x: data, self.rate: rate}
        self.session.run(self.w.initializer)
        weights = [float(self.session.run(self.w))]
        for _ in range(STEPS):
            self.session.run(self.train_ops[kind], feeds)
            weights.append(float(self.session.run(self.w)))
        return float(self.session.run(self.curvatures[kind], feeds)), weights


class StabilityExplorer(Explorer):
    """A slider for the rate, a switch between sum and mean, a slider for the number of examples."""

    note = "Run this cell, and you get controls that move the path of w."

    def __init__(self) -> None:
        """Start with the posts' first rate, their sum and their ten examples."""
        self.rate = slider("learning rate", 0.1, 0.0025, MOST, 0.0025)
        self.rate.readout_format = ".4f"
        self.loss = widgets.ToggleButtons(
            options=list(TOP), description="loss", layout=widgets.Layout(display="flex")
        )
        self.loss.style.button_width = "6em"
        self.examples = slider("examples", 10, 2, 40)
        self._runs = Runs()
        super().__init__([self.rate, self.loss, self.examples])

    def picture(self) -> Scene:
        """Return the path of `w` on the loss, its distance from 1, and the rate beside its limit."""
        kind, rate, examples = self.loss.value, self.rate.value, self.examples.value
        curvature, weights = self._runs(kind, rate, examples)
        [other] = TOP.keys() - {kind}
        other_curvature, _ = self._runs(other, 0.0, examples)
        shapes = [
            *valley(kind, curvature, other, other_curvature, weights),
            *distances(weights),
            *strip(rate, 2 / curvature),
        ]
        return Scene(640, 388, shapes, in_words(kind, rate, examples, curvature, weights))


def valley(
    kind: str, curvature: float, other: str, other_curvature: float, weights: list[float]
) -> list:
    """Draw the loss over `w`, and where the steps stand on it."""
    top = TOP[kind]
    marks = [top * part / 4 for part in range(5)]
    panel = Panel(LEFT, 38, 240, 205, Axis(-1, 3, range(-1, 4)), Axis(0, top, marks), "w", "loss")
    shapes = panel.frame()
    for name, bend in ((other, other_curvature), (kind, curvature)):
        reach = min(2.0, (2 * top / bend) ** 0.5)  # as far as the curve lies in the panel
        across = np.linspace(1 - reach, 1 + reach, 49)
        points = [panel.place((w, bend / 2 * (w - 1) ** 2)) for w in across]
        look = ("done", 2, False) if name == kind else ("plain", 2, True)
        start = 175 if name == "sum" else 240  # the legend is always in the same order
        shapes += [
            Curve(points, *look),
            Curve([(start, 20), (start + 24, 20)], *look),
            Text(start + 29, 24, name, size=12, bold=name == kind),
        ]
    return [*shapes, *panel.path([(w, curvature / 2 * (w - 1) ** 2) for w in weights], "now")]


def distances(weights: list[float]) -> list:
    """Draw how far `w` is from 1 after each step; each mark is a hundred times the one below it."""
    powers = [10.0**power for power in (-4, -2, 0, 2, 4, 6)]
    up = Axis(1e-4, 1e6, powers, logarithmic=True)
    panel = Panel(375, 38, 240, 205, Axis(0, STEPS, range(0, 11, 2)), up, "step", "|w - 1|")
    _, start = panel.place((0, 1))
    return [
        *panel.frame(),
        Curve([(panel.x, start), (panel.x + panel.width, start)], dashed=True, thick=1.2),
        Text(panel.x + 6, panel.y + 14, "farther", size=12, kind="quiet"),
        Text(panel.x + 6, panel.y + panel.height - 8, "nearer", size=12, kind="quiet"),
        *panel.path([(step, abs(w - 1)) for step, w in enumerate(weights)], "now"),
    ]


def strip(rate: float, limit: float) -> list:
    """Draw all rates in a row, those that converge and those that diverge, and where `rate` is."""
    y, height = 322, 26
    places = [LEFT + (RIGHT - LEFT) * value / MOST for value in (0, limit, MOST, rate)]
    zero, edge, end, now = places
    shapes = [
        Box(zero, y, edge - zero, height, "done"),
        Box(edge, y, end - edge, height, "quiet"),
        Text(edge, y - 8, f"limit {limit:.4g}", size=12, anchor="middle"),
    ]
    for left, right, word in ((zero, edge, "converges"), (edge, end, "diverges")):
        if text_width(word, 12) + 16 < right - left:
            shapes.append(Text((left + right) / 2, y + 17, word, size=12, anchor="middle"))
    bottom = y + height
    name = f"your rate {rate:.4g}"
    middle = min(now, 632 - text_width(name, 12) / 2)
    return [
        *shapes,
        Arrow([(now, bottom + 18), (now, bottom + 1)], kind="now"),
        Text(middle, bottom + 33, name, size=12, anchor="middle"),
    ]


def in_words(kind: str, rate: float, examples: int, curvature: float, weights: list[float]) -> str:
    """Say what the picture shows: its key numbers, and whether `w` comes nearer to 1."""
    factor = (weights[1] - 1) / (weights[0] - 1)  # as measured
    if 0.99 <= abs(factor) <= 1.01:
        verdict = "The rate is at the limit: w stays about as far away as it was"
    elif abs(factor) > 1:
        verdict = "It diverges: w jumps from side to side, farther each time"
    elif factor < 0:
        verdict = "It converges: w jumps from side to side, nearer each time"
    else:
        verdict = "It converges: w comes nearer from one side"
    return (
        f"The {kind} over {examples} examples: curvature {curvature:.4g}, "
        f"limit 2 / {curvature:.4g} = {2 / curvature:.4g}.\n"
        f"Rate {rate:.4g}: each step multiplies w - 1 by {factor:.4g}. "
        f"After ten steps w is {weights[-1]:.4g}.\n{verdict}."
    )
