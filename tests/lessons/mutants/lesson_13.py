"""Wrong answers to the exercise of lesson 13."""

from __future__ import annotations


def _answer(decay_steps: str = "25", polish: str = "global_step % 100 < 75", rate: str = "rate / 10") -> str:
    """Return lesson 13's exercise with other numbers."""
    return f"""
def make_rate(global_step):
    rate = tf.train.exponential_decay(0.5, global_step, decay_steps={decay_steps}, decay_rate=0.8)
    return tf.where({polish}, rate, {rate})
"""


MUTANTS = {
    "13_many_workers": [
        ("only the polish", _answer("100"), "100 rounds now, and those are 400 batches"),
        ("only the decay", _answer(polish="global_step % 400 < 300"), "polishing never begins in 200 steps"),
        ("times four", _answer("400", "global_step % 1600 < 1200"), "A round takes four batches: divide by four"),
        ("halved", _answer("50"), "At step 1 it is 0.4978, not 0.4956"),
        ("the decay by itself", _answer(polish="global_step < 10000"), "polishing never begins"),
        ("the period of before", _answer(polish="global_step % 400 < 75"), "a second run begins at step 100"),
        ("no period", _answer(polish="global_step < 75"), "At step 100 it is 0.0205, not 0.2048"),
        ("one too late", _answer(polish="global_step % 100 <= 75"), "polishing begins at step 76, not at step 75"),
        ("a hundredth", _answer(rate="rate / 100"), "At step 75 it is 0.0026, not 0.0256"),
        ("polishing first", _answer(polish="global_step % 100 >= 75"), "The rate should start at 0.5"),
        ("a rate that doesn't ask", "def make_rate(global_step):\n    return tf.constant(0.5)", "still 0.5"),
        ("nothing returned", "def make_rate(global_step):\n    pass", "`make_rate` returns None, not a tensor"),
        ("no function", "make_rate = 0.5", "`make_rate` should be a function"),
    ]
}
