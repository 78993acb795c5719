"""The check of lesson 07: one run that gives the value before an update, and the one after it, for sure."""

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, initialize, judge, listed
from lab.experiments.ordering import all_before, is_variable, reads_of, updates_of, waits_for

AGAIN = "Run the exercise cell again, from its first line, without an error."
LUCK = "The value that you see is minitf's choice, and TensorFlow may choose another."


@judge
def check_before_and_after(
    clock: tf.Variable, tick: tf.Tensor, before: tf.Tensor, after: tf.Tensor
) -> Verdict | str:
    """A path leads from the read `before` to the update in `tick`, and from there to the read `after`."""
    if wrong := _of_another_kind(clock, tick, before=before, after=after):
        return wrong
    tick_op = getattr(tick, "op", tick)
    if not updates_of(clock, all_before(tick_op)):
        return f"`tick` does not change `clock`. {AGAIN}"
    reached = {op for end in (tick_op, before.op, after.op) for op in all_before(end)}
    [update, *more] = updates_of(clock, reached)
    if more:
        return f"One run makes {1 + len(more)} updates of `clock`. Make only one: `tick`."
    return (
        _not_before(clock, before, update)
        or _not_after(clock, after, update)
        or _of_three_runs(clock, [before, after, tick])
    )


def _of_another_kind(clock: object, tick: object, **reads: object) -> str:
    if not isinstance(clock, tf.Variable):
        return "`clock` should be a Variable: leave its line as it is."
    if not isinstance(tick, tf.Operation | tf.Tensor):
        return "`tick` should be what tf.assign_add returns."
    for name, read in reads.items():
        if not isinstance(read, tf.Tensor | tf.Variable):
            return f"`{name}` is of type {type(read).__name__}, not a tensor. Take a sum."
        if len({part.graph for part in (clock, tick, read)}) > 1:
            return f"These are from different graphs. {AGAIN}"
        if not is_variable(read, clock) and not reads_of(clock, read.op):
            return f"`{name}` does not read `clock`. {AGAIN}"
    return ""


def _not_before(clock: tf.Variable, before: tf.Tensor, update: tf.Operation) -> str:
    """Say why `before` may come after `update`, if it may."""
    op, reads = before.op, reads_of(clock, before.op)
    if op is update or any(waits_for(read, update) for read in [op, *reads]):
        return "`before` waits for `tick`, so it sees the new value: the edge goes the wrong way."
    if is_variable(before, clock):
        if op.type == "Identity" and waits_for(update, op):
            return (
                "The edge is right, but tf.identity makes no copy: `before` is still the clock itself.\n"
                "In 300 runs of TensorFlow such a fetch gave the new value each time. Take a sum."
            )
        return "`before` is the clock itself, which is read last. Take a sum: clock + 0."
    if all(waits_for(update, read) for read in reads):
        return ""
    if any(op.control_inputs for op in all_before(update)):
        return "The update in `tick` waits for something else. Put `before` into tf.control_dependencies."
    return (
        "No path leads from `before` to the update in `tick`: nothing orders the two.\n"
        f"{LUCK}\nMake `tick` inside a `with` that waits for `before`."
    )


def _not_after(clock: tf.Variable, after: tf.Tensor, update: tf.Operation) -> str:
    """Say why `after` may come before `update`, if it may."""
    op, reads = after.op, reads_of(clock, after.op)
    late = op is update or waits_for(op, update)
    if op is clock.op:
        return (
            "`after` is the Variable itself. TensorFlow promises nothing about when it is read.\n"
            "Read it inside a `with` that waits for `tick`."
        )
    if late and all(waits_for(read, update) for read in reads):
        return ""
    if any(waits_for(update, read) for read in reads):
        return "`after` comes from a read before the update. Read the clock again in the `with`."
    if late:
        return "`after` waits for `tick`, but the read was made outside the `with`, so it may come first."
    return (
        "No path leads from the update in `tick` to `after`: nothing orders the two.\n"
        f"{LUCK}\nMake `after` inside a `with` that waits for `tick`."
    )


def _of_three_runs(clock: tf.Variable, fetches: list[tf.Tensor]) -> Verdict | str:
    """Look at the values as well: of the one variable, unchanged, in a run that adds one."""
    with clock.graph.as_default(), tf.Session() as sess:
        initialize(sess, clock, *fetches)
        held, seen = [sess.run(clock)], []
        for _ in range(3):
            seen.append(sess.run(fetches)[:2])
            held.append(sess.run(clock))
    if not np.array_equal(np.diff(held, axis=0), [1, 1, 1]):
        return f"The clock goes {listed(held)}. Each run should add one."
    old, new = zip(*seen, strict=True)
    for name, values, wanted in (("before", old, held[:3]), ("after", new, held[1:])):
        if not np.array_equal(values, wanted):
            return (
                f"The order is right, but `{name}` is {listed(values)}, and not {listed(wanted)}.\n"
                "Let it give what the clock holds, unchanged: clock + 0."
            )
    both = f"before: {listed(old)}; after: {listed(new)}."
    return Verdict(True, f"{both} A path of edges guarantees that, also in TensorFlow.")
