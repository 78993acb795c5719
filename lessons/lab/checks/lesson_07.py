"""The check of lesson 07: one run that gives the value before an update, and the one after it, for sure."""

from __future__ import annotations

from typing import Any

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, initialize, judge
from lab.ordering import all_before, is_variable, reads_of, updates_of, waits_for

AGAIN = "Run the exercise cell again, from its first line, without an error."
LUCK = "The value that you see is minitf's choice, and TensorFlow may choose another."


@judge
def check_before_and_after(
    clock: tf.Variable, tick: tf.Tensor, before: tf.Tensor, after: tf.Tensor
) -> Verdict:
    """A path leads from the read `before` to the update in `tick`, and from there to the read `after`."""
    if (wrong := _of_another_kind(clock, tick, before=before, after=after)) is not None:
        return wrong
    ops = [part if isinstance(part, tf.Operation) else part.op for part in (tick, before, after)]
    if not updates_of(clock, all_before(ops[0])):
        return Verdict(False, f"`tick` does not change `clock`. {AGAIN}")
    updates = {update for op in ops for update in updates_of(clock, all_before(op))}
    if len(updates) > 1:
        message = f"One run makes {len(updates)} updates of `clock`. Make only one: `tick`."
        return Verdict(False, message)
    [update] = updates
    if message := _not_before(clock, before, update) or _not_after(clock, after, update):
        return Verdict(False, message)
    return _of_three_runs(clock, tick, before, after)


def _of_another_kind(clock: Any, tick: Any, **reads: Any) -> Verdict | None:
    if not isinstance(clock, tf.Variable):
        return Verdict(False, "`clock` has to be a Variable: leave its line as it is.")
    if isinstance(tick, tf.Variable) or not isinstance(tick, tf.Operation | tf.Tensor):
        return Verdict(False, "`tick` has to be what tf.assign_add returns.")
    for name, read in reads.items():
        if isinstance(read, tf.Operation):
            return Verdict(False, f"`{name}` is an operation without a value. Fetch a sum.")
        if not isinstance(read, tf.Tensor | tf.Variable):
            return Verdict(
                False, f"`{name}` is {type(read).__name__}: a sum of the graph is wanted."
            )
    if len({id(part.graph) for part in (clock, tick, *reads.values())}) > 1:
        return Verdict(False, f"These are from different graphs. {AGAIN}")
    return None


def _not_before(clock: tf.Variable, before: tf.Tensor, update: tf.Operation) -> str:
    """Say why `before` may come after `update`, if it may."""
    op, reads = before.op, reads_of(clock, before.op)
    if is_variable(before, clock):
        if op.type == "Identity" and waits_for(update, op):
            return (
                "The edge is right, but tf.identity makes no copy: `before` is still the clock itself.\n"
                "In 300 runs of TensorFlow such a fetch gave the new value each time. Take a sum."
            )
        if not updates_of(clock, all_before(op)):
            return "`before` is the clock itself, which is read last. Take a sum: clock + 0."
    elif not reads:
        return f"`before` does not read `clock`. {AGAIN}"
    if op is update or any(waits_for(read, update) for read in [op, *reads]):
        return "`before` waits for `tick`, so it sees the new value: the edge goes the wrong way."
    if all(waits_for(update, read) for read in reads):
        return ""
    if any(op.control_inputs for op in all_before(update)):
        return (
            "The update in `tick` waits for something, but not for `before`.\n"
            "Put `before` into the list of tf.control_dependencies."
        )
    return (
        "No path leads from `before` to the update in `tick`: nothing orders the two.\n"
        f"{LUCK}\nMake `tick` inside a `with` that waits for `before`."
    )


def _not_after(clock: tf.Variable, after: tf.Tensor, update: tf.Operation) -> str:
    """Say why `after` may come before `update`, if it may."""
    op, reads = after.op, reads_of(clock, after.op)
    if is_variable(after, clock):
        if op is update or waits_for(op, update):
            return ""
        if op is clock.op:
            return (
                "`after` is the Variable itself. TensorFlow promises nothing about when it is read.\n"
                "Read it inside a `with` that waits for `tick`."
            )
    elif not reads:
        return f"`after` does not read `clock`. {AGAIN}"
    elif all(waits_for(read, update) for read in reads):
        return ""
    if any(waits_for(update, read) for read in reads):
        return (
            "`after` is made from a read that comes before the update.\n"
            "Read the clock again, inside a `with` that waits for `tick`."
        )
    if waits_for(op, update):
        return (
            "`after` waits for `tick`, but the read was made outside the `with`: it may come first.\n"
            "Make the sum that reads the clock inside."
        )
    return (
        "No path leads from the update in `tick` to `after`: nothing orders the two.\n"
        f"{LUCK}\nMake `after` inside a `with` that waits for `tick`."
    )


def _of_three_runs(
    clock: tf.Variable, tick: tf.Tensor, before: tf.Tensor, after: tf.Tensor
) -> Verdict:
    """Look at the values, too: of the one variable, unchanged, in a run that adds one."""
    try:
        with clock.graph.as_default(), tf.Session() as sess:
            initialize(sess, clock, tick, before, after)
            held, seen = [sess.run(clock)], []
            for _ in range(3):
                _, *both = sess.run([tick, before, after])
                seen.append(both)
                held.append(sess.run(clock))
    except (tf.errors.OpError, ValueError, TypeError) as error:
        return Verdict(False, f"This does not run: {str(error).splitlines()[0]}")
    if not np.array_equal(np.diff(held, axis=0), [1, 1, 1]):
        message = f"The clock goes {_listed(held)}. Each run has to add one."
        return Verdict(False, message)
    for name, values, wanted in zip(
        ("before", "after"), zip(*seen, strict=True), (held[:3], held[1:]), strict=True
    ):
        if not all(np.array_equal(value, want) for value, want in zip(values, wanted, strict=True)):
            return Verdict(
                False,
                f"The order is right, but `{name}` is {_listed(values)}, and not {_listed(wanted)}.\n"
                "Let it give what the clock holds, unchanged: clock + 0.",
            )
    return Verdict(
        True,
        f"before: {_listed(held[:3])}; after: {_listed(held[1:])}. "
        "A path of edges makes it so, in TensorFlow, too.",
    )


def _listed(values: list) -> str:
    return ", ".join("?" if np.ndim(value) else f"{float(value):g}" for value in values)
