"""The check of lesson 00: a counter that starts at another number."""

import minitf as tf
from lab.checks.verdict import Verdict, judge, miscounted, not_built, watched


@judge
def check_start(start: int, counter: tf.Variable, train_op: tf.Operation) -> Verdict | str:
    """After three runs, the counter holds 13."""
    if type(start) is not int:
        return (
            f"`start` is {start!r}. A counter holds a whole number: no quotes, no decimal point.\n"
            "Change it, and run the exercise cell again, without an error."
        )
    if wrong := not_built(train_op, counter=counter):
        return wrong
    held = [step for [step] in watched(train_op, counter, runs=3)]
    first, *_, last = held
    if first != start:
        return (
            f"`start` is {start}, but the counter starts at {first}.\n"
            "Give `start` to the Variable, and run the exercise cell again."
        )
    if counter in tf.trainable_variables():
        return "Training may change this counter. Keep trainable=False."
    if wrong := miscounted("counter", held):
        return wrong
    if last == 13:
        return Verdict(True, "10, then 11, 12, 13: a counter can start anywhere.")
    if first == 13:
        return f"13 is where it starts. Three runs add three, so it ends at {last}."
    return f"Starting at {first}, the counter holds {last} after three runs. Change the number."
