"""The check of lesson 07: a log line that is right in every order that the edges allow."""

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import minitf as tf
from lab.checks.verdict import Verdict, judge, listed, miscounted
from lab.checks.watched_training import reads
from lab.experiments.ordering import all_before, is_variable, ordered, updates_of
from minitf.client.feeds_and_fetches import flatten

RESUMED = 40  # a step to continue from
LUCK = """In some orders, the first line is '{}' instead of '{}'.
No path orders the + 1 and the read by the op `{}`. Try making one, or use two runs."""
OTHER = """From step {} on, the lines are {}.
They should be {}. Read the step after the update, and the rate before it."""
GROWS = """The lines are right, but each call of `train_once` builds new ops, so the graph grows without end.
You could build them once, outside the function."""


class AnyOrder(tf.Session):
    """Runs as TensorFlow may: a read that no path orders comes before the update or, if `late`, after."""

    def __init__(self, step: tf.Variable, late: bool):
        """Run the graph of `step`; `luck` is to hold the ops whose reads no path orders."""
        super().__init__(graph=step.graph)
        self.step, self.late, self.luck = step, late, []

    def run(self, fetches: Any, feed_dict: Mapping | None = None, *_: Any, **__: Any) -> Any:
        """Run `fetches`, with all reads that no path orders on the same side of the update."""
        elements, rebuild = flatten(fetches, self.graph)
        ops = {op for part in elements for op in all_before(getattr(part, "op", part))}
        given = {
            read.op.outputs[0]: self._seen(read.op.outputs[0], feed_dict)
            for update in updates_of(self.step, ops)
            for part in elements
            for read in reads(self.step, part)
            if not ordered(read, update)
        }
        self.luck += [read.op.name for read in given]
        fed = {read: value for read, value in given.items() if not is_variable(read, self.step)}
        values = super().run(list(elements), {**(feed_dict or {}), **fed})
        return rebuild([given.get(part, v) for part, v in zip(elements, values, strict=True)])

    def _seen(self, read: tf.Tensor, feed_dict: Mapping | None) -> Any:
        """Return what a read sees, and leave no trace in the state."""
        with self.paused() as state:
            kept, name = copy.deepcopy(dict(state)), self.step.op.name
            state[name] = state[name].dtype.type(state[name] + self.late)
            try:
                return super().run(read, feed_dict)
            finally:
                state.update(kept)


@judge
def check_log(train_once: Callable, global_step: tf.Variable) -> Iterator[Verdict | str]:
    """`train_once(sess)` trains once; its line has the number of updates, and the rate of the last one."""
    before = len(global_step.graph.get_operations())
    for late, start in ((False, 0), (False, RESUMED), (True, 0)):
        said, held = [], [start]
        with AnyOrder(global_step, late) as sess:
            sess.run([variable.initializer for variable in tf.global_variables()])
            global_step.load(start, sess)
            for _ in range(3):
                said.append(train_once(sess))
                held.append(sess.run(global_step))
        yield miscounted("global_step", held)
        steps = range(start, start + 3)
        right = [f"step {step + 1} rate {0.5 * 0.8 ** (step / 100):.4f}" for step in steps]
        if said != right and sess.luck:
            yield LUCK.format(said[0], right[0], sess.luck[0])
        if said != right:
            yield OTHER.format(start, listed(said), listed(right))
    if len(global_step.graph.get_operations()) > before:
        yield GROWS
    yield Verdict(
        True, f"{listed(said)}.\n`train_once` says so in every order that the edges allow."
    )
