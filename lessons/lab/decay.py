"""The decay explorer: four arguments of `exponential_decay`, and the learning rate that they give."""

from __future__ import annotations

import ipywidgets as widgets

import minitf as tf
from lab.chart import BLUE, GREY, Chart, Line
from lab.explorer import Explorer, slider

STEPS = 30  # how far the picture goes
POSTS = {"learning_rate": 0.1, "decay_steps": 10, "decay_rate": 2.0, "staircase": False}


def rates(steps: int = STEPS, **schedule: float) -> list[float]:
    """Return the learning rate at the steps 0 to `steps`, as `exponential_decay` gives it."""
    with tf.Graph().as_default(), tf.Session() as sess:
        global_step = tf.Variable(0, trainable=False)
        rate = tf.train.exponential_decay(global_step=global_step, **schedule)
        sess.run(tf.global_variables_initializer())
        # The clock is fed, not counted: every step at which we look costs one run.
        return [float(sess.run(rate, {global_step: step})) for step in range(steps + 1)]


class DecayExplorer(Explorer):
    """Sliders for learning_rate, decay_steps and decay_rate, and a box to tick for staircase."""

    note = "Run this cell, and you get sliders that move the curve."

    def __init__(self) -> None:
        """Start with the numbers of the posts."""
        self.learning_rate = slider("learning_rate", POSTS["learning_rate"], 0.01, 0.5, 0.01)
        self.decay_steps = slider("decay_steps", POSTS["decay_steps"], 1, 40)
        self.decay_rate = slider("decay_rate", POSTS["decay_rate"], 0.1, 3.0, 0.1)
        self.staircase = widgets.Checkbox(
            value=POSTS["staircase"], description="staircase", indent=False
        )
        self._of_the_posts = Line(
            "the posts' ten steps", list(enumerate(rates(10, **POSTS))), GREY, "dashed", dots=False
        )
        super().__init__([self.learning_rate, self.decay_steps, self.decay_rate, self.staircase])

    def picture(self) -> Chart:
        """Return the curve of the sliders' schedule over the first steps."""
        schedule = {name: getattr(self, name).value for name in POSTS}
        now = rates(**schedule)
        points = list(enumerate(now))
        if schedule["staircase"]:  # it stays, then it jumps: a corner before each jump
            points = [
                corner
                for step, rate in points
                for corner in ((step, now[max(step - 1, 0)]), (step, rate))
            ]
        line = Line("your sliders", points, BLUE, dots=not schedule["staircase"])
        # Where both are the same, the dashes lie on the curve, and both can be seen.
        lines = [self._of_the_posts, line]
        return Chart(lines, "global step", "learning rate", in_words(now, schedule))


def in_words(now: list[float], schedule: dict) -> str:
    """Say what the curve shows: its key numbers, and whether it falls or grows."""
    factor, every = schedule["decay_rate"], schedule["decay_steps"]
    moves = "falls" if factor < 1 else "grows" if factor > 1 else "stays as it is"
    how = "in jumps" if schedule["staircase"] else "smoothly"
    if factor == 1:
        how = "because decay_rate is 1"
    steps = f"{every} steps" if every > 1 else "step"
    return (
        f"Learning rate: {now[0]:.4g} at step 0, {now[10]:.4g} at step 10, "
        f"{now[20]:.4g} at step 20, {now[30]:.4g} at step 30.\n"
        f"It {moves} {how}: every {steps} it is multiplied by {factor:.4g}."
    )
