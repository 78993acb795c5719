"""Wrong answers to the exercise of lesson 13."""

from __future__ import annotations


def _answer(decay_steps: str = "25", polish: str = "global_step % 100 < 75", rate: str = "rate / 10") -> str:
    """Return lesson 13's exercise with other numbers."""
    return f"""
def make_rate(global_step):
    rate = tf.train.exponential_decay(0.5, global_step, decay_steps={decay_steps}, decay_rate=0.8)
    return tf.where({polish}, rate, {rate})
"""


COUNTS = """
def make_rate(global_step):
    batches = {}
    rate = tf.train.exponential_decay(0.5, batches, decay_steps=100, decay_rate=0.8)
    return tf.where(batches % 400 < 300, rate, rate / 10)
"""
STAIRS = _answer().replace("decay_rate=0.8", "decay_rate=0.8, staircase=True")
LINE = """
def make_rate(global_step):
    return tf.train.polynomial_decay(0.5, global_step, 100, 0.0)
"""

MUTANTS = {
    "13_many_workers": [
        ("only the polish", _answer("100"), "At step 25 the rate is 0.4729. With one worker, batch 100 had 0.4000."),
        ("nothing changed", _answer("100", "global_step % 400 < 300"), "At step 25 the rate is 0.4729. With"),
        (
            "only the decay",
            _answer(polish="global_step % 400 < 300"),
            "polishing never begins in the 100 steps of a run. It should begin at step 75.",
        ),
        (
            "times four",
            _answer("400", "global_step % 1600 < 1200"),
            "At step 25 the rate is 0.4931. With one worker, batch 100",
        ),
        ("halved", _answer("50"), "At step 25 the rate is 0.4472. With one worker, batch 100"),
        ("polishing at another place as well", _answer("50", "global_step < 40"), "At step 25 the rate is 0.4472."),
        ("far too fast", _answer("1"), "At step 25 the rate is 0.0019. With one worker, batch 100 had 0.4000."),
        ("in steps of 25", STAIRS, "At step 1 the rate is 0.5000. With one worker, batch 4 had 0.4956."),
        ("in a line", LINE, "At step 25 the rate is 0.3750. With one worker, batch 100 had 0.4000."),
        ("the decay by itself", _answer(polish="global_step < 10000"), "polishing never begins"),
        (
            "the period of before",
            _answer(polish="global_step % 400 < 75"),
            "The first run is right. At step 100 the rate is 0.0205. With",
        ),
        (
            "no period",
            _answer(polish="global_step < 75"),
            "At step 100 the rate is 0.0205. With one worker, batch 400 had 0.2048",
        ),
        (
            "one too late",
            _answer(polish="global_step % 100 <= 75"),
            "polishing begins at step 76. It should begin at step 75",
        ),
        ("too early", _answer(polish="global_step % 100 < 10"), "The decay is right, but polishing begins at step 10."),
        ("a half", _answer(rate="rate / 2"), "At step 75 the rate is 0.1280. With one worker, batch 300 had 0.0256"),
        ("a hundredth", _answer(rate="rate / 100"), "At step 75 the rate is 0.0026. With"),
        ("polishing first", _answer(polish="global_step % 100 >= 75"), "The rate should start at 0.5"),
        (
            "a rate that doesn't ask",
            "def make_rate(global_step):\n    return tf.constant(0.5)",
            "At step 25 the rate is 0.5000.",
        ),
        (
            "the step times four, for good",
            COUNTS.format("global_step.assign(4 * global_step)"),
            "Computing your rate changes the step.",
        ),
        (
            "three more steps for each",
            COUNTS.format("tf.assign_add(global_step, 3 * global_step)"),
            "Computing your rate changes the step.",
        ),
        ("nothing returned", "def make_rate(global_step):\n    pass", "`make_rate` returns None, not a tensor"),
        ("no function", "make_rate = 0.5", "`make_rate` should be a function"),
    ]
}
