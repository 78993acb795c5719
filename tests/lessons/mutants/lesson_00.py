"""Wrong answers to the exercise of lesson 00."""

from __future__ import annotations


def _start(variable: str, counts: str = ", global_step=counter") -> str:
    """Return lesson 00's exercise with another counter, or another use of it."""
    return f"""
counter = tf.Variable({variable})
train_op = optimizer.minimize(w**2{counts})
"""


MUTANTS = {
    "00_start_here": [
        ("the end taken for the start", _start("13, trainable=False"), "13 is where it starts"),
        ("one too few", _start("9, trainable=False"), "starting at 9, it holds 12"),
        ("only one change", _start("0, trainable=False"), "starting at 0, it holds 3"),
        ("the other change alone", _start("10, trainable=False", counts=""), "`counter` stays at 10: no run adds one"),
        ("trainable", _start("10"), "keep trainable=False"),
        ("the script's own step", _start("10, trainable=False", ", global_step=global_step"), "`Variable_1`. Pass"),
        ("a number", "counter = 10\ntrain_op = optimizer.minimize(w**2)", "`counter` is not in the graph"),
    ]
}
