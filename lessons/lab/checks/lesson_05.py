"""The check of lesson 05: a rate that is divided by ten after every two epochs, counted in batches."""

import itertools
import math

import minitf as tf
from lab.checks.verdict import Verdict, initialize, judge, not_built
from lab.experiments.errors import first_line

VALUES = (0.4, 0.04, 0.004)  # in epochs 1 and 2, 3 and 4, 5 and 6
BATCHES, EXAMPLES = 40, 400  # in an epoch
ENDS = (2 * BATCHES, 4 * BATCHES)  # the steps at which a new value starts
TRAINED = 6 * BATCHES
LOOK = 2 * EXAMPLES + 2  # how far the check looks: somebody may have counted examples


@judge
def check_by_epochs(rate: tf.Tensor, global_step: tf.Variable) -> Verdict | str:
    """The rate is 0.4 for two epochs of 40 batches, 0.04 for two more, then 0.004."""
    if not isinstance(rate, tf.Tensor):
        return "`rate` isn't a tensor. Try letting a decay schedule make it."
    if wrong := not_built(rate.op, global_step=global_step):
        return wrong
    try:
        with tf.Session() as sess:
            initialize(sess, rate)
            rates = [float(sess.run(rate, {global_step: step})) for step in range(LOOK)]
    except Exception as error:  # whatever the learner built
        if "more than 1 conditions" in str(error):
            return "The boundaries aren't in order. Try putting the smaller one first."
        return f"A run of `rate` stops with an error: {first_line(error)}"
    return _mistake(rates) or Verdict(
        True,
        "The rate is 0.4 in epochs 1 and 2, 0.04 in epochs 3 and 4, and 0.004 in epochs 5 and 6.\n"
        "Batch 80 still trains at the old rate, and batch 81 at the new one.",
    )


def _mistake(rates: list[float]) -> str:
    """Name what is wrong, the first thing first; nothing if all is right."""
    changes = [step for step in range(1, LOOK) if not _close(rates[step], rates[step - 1])]
    if not _close(rates[0], VALUES[0]):
        return f"The first batch should train at 0.4. So far it trains at {rates[0]:.4g}."
    if not changes:
        return (
            "The rate is 0.4, whatever `global_step` holds. Try passing it to the schedule.\n"
            "If the exercise cell stopped with an error, run it again first."
        )
    first = changes[0]
    if rates[first] > rates[0]:
        return (
            f"The rate grows. At step {first} it's {rates[first]:.4g}.\n"
            "`decay_rate` multiplies. What do you multiply by to divide by 10?"
        )
    if {first + 1, first + 2} <= set(changes):
        return (
            f"The rate falls a little at each step. From step {first} on it's "
            f"{rates[first]:.4g}, {rates[first + 1]:.4g}, {rates[first + 2]:.4g}.\n"
            "It should stay as it is for two epochs, and then jump. Which argument makes it jump?"
        )
    lasts = f"0.4 lasts for {first} {'batch' if first == 1 else 'batches'}."
    if first <= 3 or first >= 2 * EXAMPLES:
        unit = "epochs" if first <= 3 else "examples"
        return f"{lasts} The clock counts batches, not {unit}, and an epoch has {BATCHES} batches."
    return _of_the_jumps(rates, [step for step in changes if step < TRAINED])


def _of_the_jumps(rates: list[float], changes: list[int]) -> str:
    """Name what is wrong with where the rate jumps, or how far."""
    start = 0
    for change, end, old, new in itertools.zip_longest(changes, ENDS, VALUES, VALUES[1:]):
        if end is None:
            if change is None:
                break
            return f"The rate jumps once more, at step {change}. {old:g} should last until the run ends."
        if change is None:
            return f"{old:g} lasts until the run ends. It should last for {end - start} batches."
        if change == end + 1:
            return (
                f"Almost! {old:g} lasts one batch too long. Batch {end + 1}, the first of a new epoch, "
                f"reads step {end}.\nAt a boundary of `piecewise_constant`, the old value still applies."
            )
        if change == end - 1:
            return f"Almost! {old:g} ends one batch too early. Its last batch, {end}, reads step {end - 1}."
        if change != end:
            return f"{old:g} lasts for {change - start} batches. Its two epochs have {end - start}."
        if not _close(rates[change], new):
            return f"At step {change} the rate should jump to {new:g}. It jumps to {rates[change]:.4g}."
        start = end
    return ""


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-4)
