"""What the checks of lesson 15 ask of any watched program: does its graph grow, and is it right by luck?"""

from collections.abc import Collection, Iterator

import minitf as tf
from lab.experiments.watched_program import Seen
from minitf.client.dependencies import Read, UpdateRace, all_before, races, reads_for, update_races

GROWS = """Before the first update the graph has {} operations, before the last one {}.
It grows in the loop."""
LUCK = """The numbers are right, but only by luck. The step is read in the run that changes it, and no path
orders the two, so TensorFlow may read a different number."""
LUCKY_GRADIENT = """The weights are right. But one run updates `{}` and reads it for another gradient, and
no path orders the two: in TensorFlow the gradient may get either value."""


def reads(step: tf.Variable, fetch: tf.Tensor | tf.Operation) -> list[Read]:
    """Return the reads of the step on which a fetched value depends."""
    return [read for read in reads_for(fetch) if read.variable is step.op]


def grows(seen: Seen) -> str:
    """Say so if the graph is larger before the last update than before the first."""
    first, last = seen.training[0].ops, seen.training[-1].ops
    return "" if first == last else GROWS.format(first, last)


def by_luck(seen: Seen, weights: Collection[str] = ()) -> Iterator[str]:
    """Say so if a run reads the step or a weight that it updates, and no path orders the two."""
    for run in {
        tuple(map(id, run.fetched)): run for run in seen.training
    }.values():  # one of each kind
        found = {race.variable.name for race in races(run.program.ops, run.fetched)}
        if seen.counter in found and not run.finalized:  # there, it may be TensorFlow's own hook
            yield LUCK
        for race in update_races(run.program.ops):
            if race.variable.name in weights and not _gated(race):
                yield LUCKY_GRADIENT.format(race.variable.name)


def _gated(race: UpdateRace) -> bool:
    """Whether the gradients of both updates are from one compute_gradients, and so wait in TensorFlow."""
    before_both = {*all_before(race.reader)} & {*all_before(race.writer)}
    return any("/tuple/" in op.name for op in before_both)
