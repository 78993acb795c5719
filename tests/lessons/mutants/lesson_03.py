"""Wrong answers to the exercise of lesson 03."""

from __future__ import annotations

AGAIN = "These are from different graphs: run the exercise cell again, without an error."
RIGHT = "0.1, global_step, decay_steps=5, decay_rate=0.5"


def _halve(schedule: str, minimize: str = "loss, global_step=global_step", optimizer: str = "rate") -> str:
    """Return lesson 03's exercise with other arguments of exponential_decay, minimize, the optimizer."""
    return f"""
loss, global_step, _ = build()
rate = tf.train.exponential_decay({schedule})
optimizer = tf.train.GradientDescentOptimizer({optimizer})
train_op = optimizer.minimize({minimize})
"""


MUTANTS = {
    "03_the_experiment": [
        (
            "nobody counts",
            _halve(RIGHT, "loss"),
            "`global_step` stays at 0: no run adds one. Which call builds the `+ 1`?",
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
        ("a schedule without a clock", _halve("0.1, 0, decay_steps=5, decay_rate=0.5"), "Give it to exponential_decay"),
        ("a negative factor", _halve("0.1, global_step, decay_steps=5, decay_rate=-0.5"), "between 0 and 1"),
        ("half at the start", _halve("0.05, global_step, decay_steps=5, decay_rate=0.5"), "The rate starts at 0.05"),
        ("no steps", _halve("0.1, global_step, decay_steps=0, decay_rate=0.5"), "is decay_steps 0?"),
        ("a fixed rate", _halve(RIGHT, optimizer="0.1"), "The optimizer does not get `rate`."),
        ("half-way, after a right answer", f"{_halve(RIGHT)}\nloss, _, _ = build()", AGAIN),
        ("half-way, with a new step", f"{_halve(RIGHT)}\nloss, global_step, _ = build()", AGAIN),
    ]
}
