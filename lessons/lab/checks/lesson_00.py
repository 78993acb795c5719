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
        return "It counts. But say that it is no number to fit: keep trainable=False."
    others = [v.op.name for v in tf.global_variables() if updates_of(v, [train_op])]
    if first == last and others:
        return f"Another Variable counts: the graph calls it `{others[0]}`. Pass `counter`."
    if first == last:  # who counts is lesson 04's secret
        return f"`counter` stays at {first}. The script's own counter moves: what does it do differently?"
    if wrong := miscounted("counter", held):
        return wrong
    if last == 13:
        return Verdict(True, "10, then 11, 12, 13: a counter can start anywhere.")
    if first == 13:
        return f"13 is where it starts. After three more steps, it ends at {last}."
    return f"It counts now. But starting at {first}, it holds {last} after three runs."
