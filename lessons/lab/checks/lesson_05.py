"""The check of lesson 05: a rate that changes after whole epochs, counted in batches."""

from __future__ import annotations

import math
from collections.abc import Sequence

import minitf as tf
from lab.checks.verdict import Verdict, initialize, judge

VALUES = (0.4, 0.1, 0.01)  # in epochs 1 and 2, in epochs 3 and 4, and later
BATCHES, EXAMPLES = 50, 500  # of an epoch
ENDS = (2 * BATCHES, 4 * BATCHES)  # the steps from which on there is a new value
LOOK = 4 * EXAMPLES + 10  # how far the check looks: a boundary may have been counted in examples
AGAIN = "Run the exercise cell again, without an error."


@judge
def check_by_epochs(rate: tf.Tensor, global_step: tf.Variable) -> Verdict:
    """The rate is 0.4 for two epochs of 50 batches, 0.1 for two more, then 0.01."""
    if not isinstance(rate, tf.Tensor):
        return Verdict(False, "`rate` is not a tensor. Let a decay schedule make it.")
    if not isinstance(global_step, tf.Variable | tf.Tensor):
        return Verdict(False, "`global_step` is not in the graph. Make it a Variable.")
    if rate.graph is not global_step.graph or rate.graph is not tf.get_default_graph():
        return Verdict(False, f"These are from different graphs. {AGAIN}")
    try:
        rates = _rates(rate, global_step)
    except Exception as error:  # whatever the learner built
        return Verdict(False, _of_the_error(str(error).partition("\n")[0]))
    mistake = _mistake(rates)
    if mistake:
        return Verdict(False, mistake)
    return Verdict(
        True,
        "Batch 100 still gets 0.4, batch 101 gets 0.1; batch 200 still gets 0.1, batch 201 gets 0.01.",
    )


def _rates(rate: tf.Tensor, global_step: tf.Variable) -> list[float]:
    """Return the rate at each step; the clock is fed."""
    with rate.graph.as_default(), tf.Session() as sess:
        initialize(sess, rate)
        return [float(sess.run(rate, {global_step: step})) for step in range(LOOK)]


def _of_the_error(reason: str) -> str:
    if "more than 1 conditions" in reason:
        return "The boundaries are not in order. The smaller one comes first."
    return f"A run of `rate` stops with an error: {reason}"


def _near(rate: float, value: float) -> bool:
    return math.isclose(rate, value, rel_tol=1e-4)


def _mistake(rates: Sequence[float]) -> str:
    """Name what is wrong, the first thing first; nothing if all is right."""
    changes = [step for step in range(1, LOOK) if rates[step] != rates[step - 1]]
    levels = [rates[0], *(rates[step] for step in changes)]
    if not changes:
        return (
            f"The rate is {rates[0]:.4g}, whatever `global_step` says.\n"
            f"Did the exercise cell stop with an error? {AGAIN} Then give `global_step` to the schedule."
        )
    if len(changes) > 2:
        return (
            f"The rate changes at {len(changes)} of the first {LOOK} steps. It has to change twice.\n"
            "piecewise_constant gives one value between two boundaries."
        )
    for level, value, when in zip(levels, VALUES, ("at first", "then", "at last"), strict=False):
        if not _near(level, value):
            return f"The rate has to be {value} {when}. It is {level:.4g}. Look at the values."
    if len(changes) == 1:
        return f"The rate changes once, at step {changes[0]}. It needs a second boundary."
    return _of_the_boundaries(changes)


def _of_the_boundaries(changes: Sequence[int]) -> str:
    """Name what is wrong with the steps from which on there is a new value."""
    if tuple(changes) == ENDS:
        return ""
    first, second = changes
    now = f"0.4 lasts for {first} batches, and 0.1 for {second - first}."
    if second <= 2 * 5:
        return f"{now} The clock counts batches, not epochs: an epoch has {BATCHES}."
    if second > 3 * EXAMPLES:
        return f"{now} The clock counts batches, not examples: an epoch has {BATCHES}."
    for change, end, old in zip(changes, ENDS, VALUES, strict=False):
        if change == end + 1:
            return (
                f"Almost: {old} lasts one batch too long. Batch {end + 1}, the first of a new epoch, "
                f"reads step {end}.\nAt the boundary itself, the old value still holds."
            )
        if change == end - 1:
            return (
                f"Almost: {old} ends one batch too early. Batch {end}, the last of its epoch, "
                f"reads step {end - 1}."
            )
    if first != ENDS[0]:
        return f"{now} The first two epochs have {ENDS[0]} batches."
    return f"{now} Epochs 3 and 4 have {ENDS[1] - ENDS[0]} batches, too."
