"""The check of lesson 13: a rate that reads a step of four batches, and gives each batch what it had."""

from collections.abc import Callable, Iterator

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, first_that_holds, judge, no_function

STEPS = np.arange(200)  # two runs of 100 rounds, and 400 batches, each
WANTED = 0.5 * 0.8 ** (4 * STEPS / 100) * np.where(STEPS % 100 < 75, 1, 0.1)
RIGHT = """It starts at 0.5, polishes from step 75, and begins its next run at step 100.
Every batch gets the rate that it had with one worker."""


@judge
def check_rounds(make_rate: Callable) -> Iterator[Verdict | str]:
    """At step s, the rate is the one that batch 4 s had with one worker."""
    yield no_function(make_rate=make_rate)
    with tf.Graph().as_default(), tf.Session() as sess:
        global_step, rates = tf.train.create_global_step(), []
        rate = make_rate(global_step)
        yield "" if isinstance(rate, tf.Tensor) else f"`make_rate` returns {rate!r}, not a tensor."
        for step in STEPS:
            global_step.load(step, sess)
            rates.append(float(sess.run(rate)))
    yield _why(np.array(rates)) or Verdict(True, RIGHT)


@np.errstate(all="ignore")
def _why(rates: np.ndarray) -> str:
    """Name what is wrong, the decay first: how many batches does it take for a step?"""
    in_a_step = np.log(rates[1] / rates[0]) / np.log(0.8) * 100
    drops, wrong = rates[1:] < rates[:-1] / 2, ~np.isclose(rates, WANTED, rtol=1e-4)
    begins = f"begins at step {drops.argmax() + 1}" if drops.any() else "never begins in 200 steps"
    at = f"At step {wrong.argmax()} it is {rates[wrong.argmax()]:.4f}, not {WANTED[wrong.argmax()]:.4f}."
    return first_that_holds(
        (rates[0] != 0.5, "The rate should start at 0.5."),
        (rates[1] == rates[0], "At step 1 the rate is still 0.5. Let it read `global_step`."),
        (in_a_step < 0.9, "Now it falls more slowly. A round takes four batches: divide by four."),
        (in_a_step < 1.1, "`decay_steps=100` means 100 rounds now, and those are 400 batches."),
        (abs(in_a_step - 4) > 0.1, f"It doesn't fall as it did. {at}"),
        (wrong[:100].any(), f"The decay is right, but polishing {begins}, not at step 75. {at}"),
        (wrong.any(), f"The first run is right, but a second run begins at step 100. {at}"),
    )
