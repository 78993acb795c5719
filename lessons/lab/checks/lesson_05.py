"""The check of lesson 05: a rate that changes after whole epochs, counted in batches."""

import math

import minitf as tf
from lab.checks.verdict import Verdict, initialize, judge, not_built
from lab.experiments.errors import first_line

VALUES = (0.4, 0.1, 0.01)  # in epochs 1 and 2, in epochs 3 and 4, and later
BATCHES, EXAMPLES = 50, 500  # in an epoch
ENDS = (2 * BATCHES, 4 * BATCHES)  # the steps at which a new value starts
LOOK = 4 * EXAMPLES + 10  # how far the check looks: a boundary may have been counted in examples


@judge
def check_by_epochs(rate: tf.Tensor, global_step: tf.Variable) -> Verdict | str:
    """The rate is 0.4 for two epochs of 50 batches, 0.1 for two more, then 0.01."""
    if not isinstance(rate, tf.Tensor):
        return "`rate` is not a tensor. Let a decay schedule make it."
    if wrong := not_built(rate.op, global_step=global_step):
        return wrong
    try:
        with tf.Session() as sess:
            initialize(sess, rate)
            rates = [float(sess.run(rate, {global_step: step})) for step in range(LOOK)]
    except Exception as error:  # whatever the learner built
        if "more than 1 conditions" in str(error):
            return "The boundaries are not in order. The smaller one comes first."
        return f"A run of `rate` stops with an error: {first_line(error)}"
    return _mistake(rates) or Verdict(
        True,
        "Batch 100 still gets 0.4, batch 101 gets 0.1; batch 200 still gets 0.1, batch 201 gets 0.01.",
    )


def _mistake(rates: list[float]) -> str:
    """Name what is wrong, the first thing first; nothing if all is right."""
    changes = [step for step in range(1, LOOK) if rates[step] != rates[step - 1]]
    if not changes:
        return (
            f"The rate is {rates[0]:.4g}, whatever `global_step` says. Give it to the schedule.\n"
            "If the exercise cell stopped with an error, run it again first."
        )
    if len(changes) > 2:
        return f"In {LOOK} steps the rate changes {len(changes)} times, not twice. Try piecewise_constant."
    levels = [rates[step] for step in (0, *changes)]
    for level, value, when in zip(levels, VALUES, ("at first", "then", "at last"), strict=False):
        if not math.isclose(level, value, rel_tol=1e-4):
            return f"The rate should be {value} {when}. It is {level:.4g}. Look at the values."
    if len(changes) == 1:
        return f"The rate changes once, at step {changes[0]}. It needs a second boundary."
    first, second = changes
    now = f"0.4 lasts for {first} batches, and 0.1 for {second - first}."
    if second <= 2 * 5 or second > 3 * EXAMPLES:
        unit = "epochs" if second <= 2 * 5 else "examples"
        return f"{now} The clock counts batches, not {unit}: an epoch has {BATCHES}."
    for change, end, old in zip(changes, ENDS, VALUES, strict=False):
        if change == end + 1:
            return (
                f"Almost: {old} lasts one batch too long. Batch {end + 1}, the first of a new epoch, "
                f"reads step {end}.\nExactly at a boundary, the old value still applies."
            )
        if change == end - 1:
            return f"Almost: {old} ends one batch too early: its last batch, {end}, reads step {end - 1}."
    if first != ENDS[0]:
        return f"{now} The first two epochs have {ENDS[0]} batches."
    return "" if second == ENDS[1] else f"{now} Epochs 3 and 4 also have {ENDS[0]} batches."
