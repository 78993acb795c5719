"""The check of lesson 00: a counter that continues where an earlier run stopped."""

import minitf as tf
from lab.checks.verdict import Verdict, judge, miscounted, not_built, watched
from lab.experiments.ordering import updates_of


@judge
def check_start(counter: tf.Variable, train_op: tf.Operation) -> Verdict | str:
    """After three runs, the counter holds 13."""
    if wrong := not_built(train_op, counter=counter):
        return wrong
    held = [step for [step] in watched(train_op, counter, runs=3)]
    first, *_, last = held
    if counter in tf.trainable_variables():
        return "It counts, but now an optimizer could train it, too. Keep trainable=False."
    if first == last and any(updates_of(v, [train_op]) for v in tf.global_variables()):
        return (
            "Try passing `counter` to minimize. For now, the script counts with another Variable."
        )
    if first == last:  # who counts is lesson 04's secret
        return f"Look at how the script calls minimize. There the counter moves; here it stays at {first}."
    if wrong := miscounted("counter", held):
        return wrong
    if last == 13:
        return Verdict(True, "10, then 11, 12, 13. A counter can start anywhere.")
    if first == 13:
        return f"Let it end at 13. Now it starts there, and three runs take it to {last}."
    return f"It counts! Try another start: from {first}, three runs take it to {last}."
