"""The check of lesson 05: a rate that is divided by ten after every two epochs, counted in batches."""

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, initialize, judge

BATCHES = 40  # in an epoch
RIGHT = np.repeat([0.4, 0.04, 0.004], 2 * BATCHES)  # the rate of each batch


@judge
def check_by_epochs(rate: tf.Tensor, global_step: tf.Variable) -> Verdict | str:
    """The rate is 0.4 for two epochs of 40 batches, 0.04 for two more, then 0.004."""
    with tf.Session() as sess:
        initialize(sess, rate)
        rates = [float(sess.run(rate, {global_step: step})) for step in range(len(RIGHT))]
    wrong = np.flatnonzero(~np.isclose(rates, RIGHT, rtol=1e-4))
    if not wrong.size:
        return Verdict(
            True,
            "The rate is 0.4 in epochs 1 and 2, 0.04 in epochs 3 and 4, and 0.004 in epochs 5 and 6.\n"
            "Batch 80 still trains at the old rate, and batch 81 at the new one.",
        )
    step = wrong[0]
    if rates[step] > rates[0]:
        return (
            f"The rate grows. At step {step} it's {rates[step]:.4g}.\n"
            "`decay_rate` multiplies. What do you multiply by to divide by 10?"
        )
    if len(set(rates[step - 1 : step + 2])) == 3:
        return (
            f"The rate falls a little at each step. At step {step} it's already {rates[step]:.4g}.\n"
            "It should stay as it is for two epochs, and then jump. Which argument makes it jump?"
        )
    if len(set(rates)) == 1 and step:
        return "The rate is 0.4 for all six epochs. Does the schedule read `global_step`, and count batches?"
    return (
        f"Batch {step + 1} is in epoch {step // BATCHES + 1} and reads step {step}. It should train at "
        f"{RIGHT[step]:g}, and it trains at {rates[step]:.4g}.\nAn epoch has {BATCHES} batches."
    )
