"""The check of lesson 13: a step is four batches now, and the rate should fall as before."""

from collections.abc import Callable, Iterator

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, judge

STEPS = np.arange(200)  # two runs of 100 rounds, and 400 batches, each
WANTED = 0.5 * 0.8 ** (4 * STEPS / 100) * np.where(STEPS % 100 < 75, 1, 0.1)
LOOK = "Which of your numbers count steps, and which batches?"
CHANGES = (
    "Computing your rate changes the step. Only the train op should, so try it without assigning."
)
RIGHT = """The rate starts at 0.5, polishing begins at step 75, and the next run at step 100.
Each round gets the rate that its first batch had with one worker."""


@judge
def check_rounds(make_rate: Callable) -> Iterator[Verdict | str]:
    """At step s, the rate is the one that batch 4 s had with one worker."""
    with tf.Graph().as_default(), tf.Session() as sess:
        global_step, rates = tf.train.create_global_step(), []
        rate = make_rate(global_step)
        for step in STEPS:
            global_step.load(step, sess)
            rates.append(sess.run(rate))
            yield "" if sess.run(global_step) == step else CHANGES
    wrong = ~np.isclose(np.array(rates, float), WANTED, rtol=1e-4)
    at = 25 if wrong[25] else wrong.argmax()  # by then, a wrong decay is plain to see
    if wrong.any():
        said = f"At step {at} the rate is {rates[at]:.4f}."
        yield f"{said} With one worker, batch {4 * at} had {WANTED[at]:.4f}.\n{LOOK}"
    yield Verdict(True, RIGHT)
