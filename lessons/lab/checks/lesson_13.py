"""The check of lesson 13: a step is four batches now, and the rate should fall as before."""

from collections.abc import Callable, Iterator

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, first_that_holds, judge, no_function

STEPS = np.arange(200)  # two runs of 100 rounds, and 400 batches, each
WANTED = 0.5 * 0.8 ** (4 * STEPS / 100) * np.where(STEPS % 100 < 75, 1, 0.1)
LOOK = "\nWhich of your numbers count steps, and which batches?"
CHANGES = (
    "Computing your rate changes the step. Only the train op should, so try it without assigning."
)
RIGHT = """The rate starts at 0.5, polishing begins at step 75, and the next run at step 100.
Each round gets the rate that its first batch had with one worker."""


@judge
def check_rounds(make_rate: Callable) -> Iterator[Verdict | str]:
    """At step s, the rate is the one that batch 4 s had with one worker."""
    yield no_function(make_rate=make_rate)
    with tf.Graph().as_default(), tf.Session() as sess:
        global_step, rates = tf.train.create_global_step(), []
        rate = make_rate(global_step)
        yield (
            ""
            if isinstance(rate, tf.Tensor)
            else f"`make_rate` should return a tensor, not {rate!r}."
        )
        for step in STEPS:
            global_step.load(step, sess)
            rates.append(float(sess.run(rate)))
            yield "" if sess.run(global_step) == step else CHANGES
    yield _why(np.array(rates)) or Verdict(True, RIGHT)


@np.errstate(all="ignore")
def _why(rates: np.ndarray) -> str:
    """Name what is wrong, the decay first, then where polishing begins."""
    wrong, falls = ~np.isclose(rates, WANTED, rtol=1e-4), rates[1:] / rates[:-1]
    drops = falls < 0.9 * falls[0]  # more than the decay
    begins = drops.argmax() + 1 if drops.any() else 0
    at = 25 if wrong[25] else wrong.argmax()
    symptom = f"At step {at} the rate is {rates[at]:.4f}. "
    symptom += f"With one worker, batch {4 * at} had {WANTED[at]:.4f}.{LOOK}"
    where = f"begins at step {begins}" if begins else "never begins in the 100 steps of a run"
    return first_that_holds(
        (
            rates[0] != 0.5,
            "The rate should start at 0.5, because nothing has decayed yet.",
        ),
        (wrong[: min(begins or 75, 75)].any(), symptom),
        (begins != 75, f"The decay is right, but polishing {where}. It should begin at step 75."),
        (wrong[:100].any(), symptom),
        (wrong.any(), f"The first run is right. {symptom}"),
    )
