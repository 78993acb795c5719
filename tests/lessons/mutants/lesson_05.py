"""Wrong answers to the exercise of lesson 05."""

from __future__ import annotations


def _by_epochs(boundaries: str = "[99, 199]", values: str = "[0.4, 0.1, 0.01]", clock: str = "global_step") -> str:
    """Return lesson 05's exercise with another clock, other boundaries, other values."""
    return f"""
global_step = tf.Variable(0, trainable=False)
rate = tf.train.piecewise_constant({clock}, {boundaries}, {values})
"""


def _schedule(call: str) -> str:
    """Return lesson 05's exercise with another schedule."""
    return f"""
global_step = tf.Variable(0, trainable=False)
rate = tf.train.{call}
"""


MUTANTS = {
    "05_the_rate_reads_the_clock": [
        ("epochs for batches", _by_epochs("[2, 4]"), "counts batches, not epochs"),
        ("examples for batches", _by_epochs("[1000, 2000]"), "counts batches, not examples"),
        ("one too many", _by_epochs("[100, 200]"), "0.4 lasts one batch too long. Batch 101"),
        ("one too many, later", _by_epochs("[99, 200]"), "0.1 lasts one batch too long. Batch 201"),
        ("one too few", _by_epochs("[98, 198]"), "0.4 ends one batch too early: its last batch, 100,"),
        ("one epoch", _by_epochs("[49, 99]"), "The first two epochs have 100 batches"),
        ("the second counted anew", _by_epochs("[99, 149]"), "Epochs 3 and 4 also have 100 batches"),
        ("falling boundaries", _by_epochs("[199, 99]"), "The boundaries are not in order"),
        ("one boundary", _by_epochs("[99]", "[0.4, 0.1]"), "It needs a second boundary"),
        ("values turned round", _by_epochs(values="[0.01, 0.1, 0.4]"), "should be 0.4 at first"),
        ("another last value", _by_epochs(values="[0.4, 0.1, 0.001]"), "It is 0.001"),
        ("a clock that stands", _by_epochs(clock="0"), "whatever `global_step` says"),
        (
            "half-way, after a right answer",
            f"{_by_epochs()}\nglobal_step = tf.Variable(0, trainable=False)",
            "If the exercise cell stopped with an error, run it again",
        ),
        (
            "stairs that divide by four",
            _schedule("exponential_decay(0.4, global_step, 100, 0.25, staircase=True)"),
            "times, not twice",
        ),
        ("a smooth one", _schedule("cosine_decay(0.4, global_step, 200)"), "times, not twice"),
        ("a number", "global_step = tf.Variable(0, trainable=False)\nrate = 0.4", "not a tensor"),
        (
            "a step of Python's",
            "global_step = 0\nrate = tf.train.piecewise_constant(0, [99, 199], [0.4, 0.1, 0.01])",
            "`global_step` is not in the graph",
        ),
    ]
}
