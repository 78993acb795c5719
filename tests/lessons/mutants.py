"""Plausible wrong answers to the exercises, and what their rejection has to say.

For each exercise two or more of (what is wrong, the wrong code, words of the message that name it).
"""

from __future__ import annotations

Mutant = tuple[str, str, str]


def _start(number: int) -> str:
    """Return lesson 00's exercise with another number to start from."""
    return f"""
start = {number}
global_step = tf.Variable(start, trainable=False)
train_op = optimizer.minimize(w**2, global_step=global_step)
"""


def _halve(schedule: str, minimize: str = "loss, global_step=global_step") -> str:
    """Return lesson 03's exercise with these arguments of exponential_decay and minimize."""
    return f"""
x, y, w, loss = model()
global_step = tf.Variable(0, trainable=False, name="global_step")
rate = tf.train.exponential_decay({schedule})
optimizer = tf.train.GradientDescentOptimizer(rate)
train_op = optimizer.minimize({minimize})
"""


MUTANTS: dict[str, list[Mutant]] = {
    "00_start_here": [
        ("the end taken for the start", _start(13), "13 is where it starts"),
        ("one too few", _start(9), "starts at 9, and three runs later it holds 12"),
        ("the number alone", "start = 10", "`start` is 10, but the counter starts at 0"),
    ],
    "03_the_experiment": [
        (
            "nobody counts",
            _halve("0.1, global_step, decay_steps=5, decay_rate=0.5", "loss"),
            "minimize needs global_step",
        ),
        (
            "a decay that doubles",
            _halve("0.1, global_step, decay_steps=5, decay_rate=2"),
            "A decay_rate above 1 makes it larger",
        ),
        (
            "half every ten steps",
            _halve("0.1, global_step, decay_steps=10, decay_rate=0.5"),
            "it takes 10 steps to become half, not 5",
        ),
        (
            "the two numbers changed for each other",
            _halve("0.1, global_step, decay_steps=0.5, decay_rate=5"),
            "The rate grows",
        ),
        (
            "jumps",
            _halve("0.1, global_step, decay_steps=5, decay_rate=0.5, staircase=True"),
            "leave staircase at False",
        ),
        (
            "a schedule without a clock",
            _halve("0.1, 0, decay_steps=5, decay_rate=0.5"),
            "Give it to exponential_decay",
        ),
        (
            "a negative factor",
            _halve("0.1, global_step, decay_steps=5, decay_rate=-0.5"),
            "between 0 and 1",
        ),
        (
            "half at the start",
            _halve("0.05, global_step, decay_steps=5, decay_rate=0.5"),
            "The rate starts at 0.05",
        ),
    ],
}
