"""The check of lesson 00: a counter that starts at another number."""

from __future__ import annotations

import minitf as tf
from lab.checks.verdict import Verdict, judge, not_built, watched


@judge
def check_start(start: int, counter: tf.Variable, train_op: tf.Operation) -> Verdict:
    """After three runs, the counter holds 13."""
    if type(start) is not int:
        return Verdict(
            False,
            f"`start` is {start!r}. A counter holds a whole number: no quotes, no point.\n"
            "Change it, and run the exercise cell again, without an error.",
        )
    if (wrong := not_built(train_op, counter=counter)) is not None:
        return wrong
    first, second, _, last = (float(step) for [step] in watched(train_op, counter, runs=3))
    if first != start:
        return Verdict(
            False,
            f"`start` is {start}, but the counter starts at {first:g}.\n"
            "Give `start` to the Variable, and run the exercise cell again.",
        )
    if counter in counter.graph.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES):
        return Verdict(False, "Training may change this counter. Keep trainable=False.")
    if last == first:
        return Verdict(
            False,
            f"The counter stays at {first:g}.\nNobody counts: minimize needs global_step=counter.",
        )
    if second - first != 1:
        return Verdict(
            False, f"One run moves the counter by {second - first:g}. Count each run once."
        )
    if last == 13:
        return Verdict(True, "10, then 11, 12, 13: a counter can start anywhere.")
    if first == 0:
        return Verdict(False, "The counter still starts at 0, and ends at 3. Change the number.")
    if first == 13:
        return Verdict(False, f"13 is where it starts. Three runs add three: it ends at {last:g}.")
    return Verdict(
        False, f"The counter starts at {first:g}, and three runs later it holds {last:g}."
    )
