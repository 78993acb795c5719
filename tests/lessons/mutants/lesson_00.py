"""Wrong answers to the exercise of lesson 00."""

from __future__ import annotations


def _start(number: object, variable: str = "start, trainable=False", counts: str = "counter") -> str:
    """Return lesson 00's exercise with another number to start from, or another use of it."""
    return f"""
start = {number}
counter = tf.Variable({variable})
train_op = optimizer.minimize(w**2, global_step={counts})
"""


MUTANTS = {
    "00_start_here": [
        ("the end taken for the start", _start(13), "13 is where it starts"),
        ("one too few", _start(9), "Starting at 9, the counter holds 12"),
        ("the number alone", _start(10, variable="0, trainable=False"), "`start` is 10, but the counter starts at 0"),
        (
            "a text, with a counter of an earlier try",
            f"{_start(10)}start = '10'",
            "`start` is '10'. A counter holds a whole number",
        ),
        ("a number with a point", _start(10.0), "`start` is 10.0. A counter holds a whole number"),
        ("trainable", _start(10, variable="start"), "Keep trainable=False"),
        ("nobody counts", _start(10, counts="None"), "minimize needs global_step=counter"),
    ]
}
