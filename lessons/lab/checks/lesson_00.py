"""The check of lesson 00: a counter that continues where an earlier run stopped."""

import minitf as tf
from lab.checks.verdict import Verdict, judge, miscounted, watched
from lab.experiments.ordering import updates_of


@judge
def check_start(counter: tf.Variable, resumed: tf.Operation) -> Verdict | str:
    """After three runs, the counter holds 13."""
    held = [step for [step] in watched(resumed, counter, runs=3)]
    first, last = held[0], held[-1]
    if counter in tf.trainable_variables():
        return "It counts, but now an optimizer could train it, too. Keep trainable=False."
    if first == last and any(updates_of(v, [resumed]) for v in tf.global_variables()):
        return "Try passing `counter` to minimize. So far, the script counts with another Variable."
    if first == last:  # who counts is lesson 04's secret
        return f"Look at how the script calls minimize. There the counter moves; here it stays at {first}."
    if wrong := miscounted("counter", held):
        return wrong
    if last != 13:
        return f"It counts! Try another start: from {first}, three runs take it to {last}."
    return Verdict(True, "10, then 11, 12, 13. A counter can start anywhere.")
