"""The counter explorer: run a train op a few times, and see which counter moves."""

from __future__ import annotations

import minitf as tf
from lab.chart import BLUE, VERMILLION, Chart, Line
from lab.explorer import Explorer, slider

MOST = 20


def counts(runs: int, counted: bool) -> list[int]:
    """Return what the global step holds before the first run and after each."""
    with tf.Graph().as_default(), tf.Session() as sess:
        global_step = tf.Variable(0, trainable=False)
        w = tf.Variable(5.0)
        optimizer = tf.train.GradientDescentOptimizer(0.1)
        train_op = optimizer.minimize(w**2, global_step=global_step if counted else None)
        sess.run(tf.global_variables_initializer())
        held = [int(sess.run(global_step))]
        for _ in range(runs):
            sess.run(train_op)
            held.append(int(sess.run(global_step)))
        return held


class CounterExplorer(Explorer):
    """One slider: how many times the train op runs."""

    note = "Run this cell, and you get a slider that moves the curve."

    def __init__(self) -> None:
        """Start with three runs."""
        self.runs = slider("runs of the train op", 3, 0, MOST)
        super().__init__([self.runs])

    def picture(self) -> Chart:
        """Return the two counters after each of the runs."""
        runs = self.runs.value
        counted, uncounted = counts(runs, counted=True), counts(runs, counted=False)
        lines = [
            Line("with global_step", list(enumerate(counted)), BLUE),
            Line("without", list(enumerate(uncounted)), VERMILLION, "dashed"),
        ]
        times = "1 run" if runs == 1 else f"{runs} runs"
        words = (
            f"After {times}, the counter holds {counted[-1]} with global_step=global_step, "
            f"and {uncounted[-1]} without it."
        )
        return Chart(lines, "runs of the train op", "counter", words, scale=(MOST, MOST))
