"""What the cases of lesson 15 ask of a watched program: does it train, count, end where it should?"""

import numpy as np

import minitf as tf
from lab.checks.verdict import first_that_holds, listed
from lab.experiments.errors import type_and_first_line
from lab.experiments.ordering import all_before, ordered, reads_of, updates_of
from lab.experiments.watched_program import Run, Seen, counter, global_step_of
from minitf.client import dependencies
from minitf.client.dependencies import Read

LUCK = """The numbers are right, but only by luck. The step is read in the run that changes it, and no path
orders the two, so TensorFlow may read a different number."""
LUCKY_GRADIENT = """The weights are right. But one run updates `{}` and reads it for another gradient, and
no path orders the two: in TensorFlow the gradient may get either value."""


def no_training(seen: Seen) -> str:
    """Say so if the program stops, or trains nothing."""
    if seen.error is not None:
        many = several_steps(seen) if "StepCounterHook" in str(seen.error) else ""
        return f"It stops with an error: {type_and_first_line(seen.error)}\n{many}".strip()
    return (
        ""
        if seen.training
        else "No run changes w. Try to keep the training, and repair the mistake."
    )


def grows(seen: Seen) -> str:
    """Say so if the graph is larger before the last update than before the first."""
    first, last = seen.training[0].ops, seen.training[-1].ops
    sizes = f"Before the first update the graph has {first} operations, before the last one {last}."
    return "" if first == last else f"{sizes}\nIt grows in the loop."


def several_steps(seen: Seen) -> str:
    """Say so if the collection holds more than one."""
    many = len(seen.graph.get_collection(tf.GraphKeys.GLOBAL_STEP))
    return f"The collection GLOBAL_STEP holds {many} Variables, not one." if many > 1 else ""


def variable(seen: Seen) -> tf.Variable | None:
    """Return the global step, even if only its name leads to it."""
    step, variables = global_step_of(seen), seen.graph.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)
    return next((v for v in variables if step is not None and v.op is step.op), None)


def steps(seen: Seen) -> list[int]:
    """Return what the counter held before the first update, and after each; -1 for nothing."""
    name, held = counter(seen), [run.before for run in seen.training] + [seen.runs[-1].after]
    return [int(values.get(name, -1)) for values in held]


def counts(seen: Seen, times: int) -> str:
    """Say what is wrong with the count of so many updates, if anything is."""
    updates, held = len(seen.training), steps(seen)
    runs = f"There should be {times} training runs, not {updates}."
    return first_that_holds(
        (not counter(seen), "There's no counter: no Variable holds a whole number."),
        (updates != times, f"{runs} Keep the training as it was."),
        (held == list(range(times + 1)), ""),
        (-1 in held, "The step has no value in the session. Initialize it, and count."),
        (len(set(held)) == 1, f"{times} updates, and the step in the session stays at {held[0]}."),
        (held[0] != 0, f"Before the first update the step is {held[0]}. Let it start at 0."),
        (True, f"After updates 1 to {times} the step is {listed(held[1:])}. Add one each time."),
    )


def ends(seen: Seen, **wanted: float) -> str:
    """Say so if a weight ends elsewhere than the training leads."""
    held = {name: float(seen.runs[-1].after.get(name, np.nan)) for name in wanted}
    off = (name for name in wanted if not np.isclose(held[name], wanted[name], rtol=1e-4))
    said = "At the end {} is {:.4f}, not {:.4f}. Keep the training as it was."
    return next((said.format(name, held[name], wanted[name]) for name in off), "")


def watched_by_a_hook(seen: Seen) -> str:
    """Say so if no hook asks for the step beside the train op."""
    step = variable(seen)
    if step is None:
        return "get_global_step() finds no counter, so no hook can watch it."
    watched = any(reads(step, fetch) for fetch in seen.training[0].fetched)
    return (
        ""
        if watched
        else "The hook is gone. It only told you about the mistake, so try to keep it."
    )


def reads(step: tf.Variable, fetch: tf.Tensor | tf.Operation) -> list[Read]:
    """Return the reads of the step on which a fetched value depends."""
    return [read for read in dependencies.reads_for(fetch) if read.variable is step.op]


def races(run: Run, step: tf.Variable) -> bool:
    """Whether a run updates the step, and fetches a read of it that no path orders."""
    found = dependencies.races(run.program.ops, run.fetched)
    return any(race.variable is step.op for race in found)


def rate_races(run: Run, variable: tf.Variable) -> bool:
    """Whether a run updates the step or a weight, and another Variable by an unordered read of it."""
    changing = [op for op in run.program.ops if dependencies.changes(op)]
    readers = {a for op in changing for used in op.inputs for a in reads_of(variable, used.op)}
    return any(
        not ordered(Read(reader, variable.op, last=False), update) and not _gated(reader, update)
        for reader in readers
        for update in updates_of(variable, changing)
    )


def _gated(reader: tf.Operation, update: tf.Operation) -> bool:
    """Whether a gate of `compute_gradients`, which only TensorFlow has, makes an update wait for a read."""
    gate = f"{reader.name.rpartition('/')[0]}/tuple/"  # it lets no gradient out before this read
    return any(op.name.startswith(gate) for op in all_before(update))
