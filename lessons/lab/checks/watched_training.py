"""What the cases of lesson 15 ask of a watched program: does it train, count, end where it should?"""

from __future__ import annotations

import numpy as np

import minitf as tf
from lab.logged import logged
from lab.ordering import all_before, is_variable, reads_of, updates_of, waits_for
from lab.watched_program import Run, Seen


def no_training(seen: Seen) -> str:
    """Say so if the program stops, or trains nothing."""
    if seen.error is not None:
        return "It stops with an error."
    if not seen.training:
        return "No run changes w. Keep the training, and cure the mistake."
    return ""


def grows(seen: Seen) -> str:
    """Say so if the graph is larger before the last update than before the first."""
    first, last = seen.training[0].ops, seen.training[-1].ops
    if first == last:
        return ""
    return (
        f"Before the first update the graph has {first} operations, before the last one {last}.\n"
        "It grows in the loop."
    )


def found(seen: Seen) -> tf.Variable | tf.Tensor | None:
    """Return what get_global_step finds; what it logs is known already."""
    with logged():
        return tf.train.get_global_step(seen.graph)


def variable(seen: Seen) -> tf.Variable | None:
    """Return the global step, also if only its name leads to it."""
    step, variables = found(seen), seen.graph.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)
    return next((v for v in variables if step is not None and v.op is step.op), None)


def counter(seen: Seen) -> str:
    """Return the name of the Variable that counts: the global step, else the first whole number."""
    step = found(seen)
    if step is not None:
        return step.op.name
    whole = [name for name, value in seen.runs[-1].after.items() if value.dtype.kind in "iu"]
    return whole[0] if whole else ""


def steps(seen: Seen) -> list[int]:
    """Return what the counter held before the first update, and after each."""
    name = counter(seen)
    held = [run.before.get(name) for run in seen.training] + [seen.runs[-1].after.get(name)]
    return [-1 if value is None else int(value) for value in held]


def counts(seen: Seen, times: int) -> str:
    """Say what is wrong with the count of so many updates, if anything is."""
    if not counter(seen):
        return "There is no counter: no Variable holds a whole number."
    updates, held = len(seen.training), steps(seen)
    if updates != times:
        return f"{updates} runs change w, and not {times}. Keep the training as it was."
    if held == list(range(times + 1)):
        return ""
    if -1 in held:
        return "The step has no value in the session. Initialize it, and count."
    if len(set(held)) == 1:
        return f"{times} updates, and the step in the session stays at {held[0]}."
    if held[0] != 0:
        return f"Before the first update the step is {held[0]}. Let it start at 0."
    return f"After updates 1 to {times} the step is {listed(held[1:])}. Add one each time."


def ends(seen: Seen, **wanted: float) -> str:
    """Say so if a weight ends elsewhere than the training leads."""
    for name, value in wanted.items():
        held = seen.runs[-1].after.get(name)
        if held is None or not np.allclose(held, value, rtol=1e-4):
            now = "missing" if held is None else f"{float(held):.4f}"
            return f"At the end {name} is {now}, and not {value:.4f}. Keep the training as it was."
    return ""


def watched_by_a_hook(seen: Seen) -> str:
    """Say so if no hook asks for the step beside the train op."""
    step = variable(seen)
    if step is None:
        return "get_global_step() finds no counter, so no hook can watch it."
    asked = (fetch for fetch in seen.training[0].fetched if not isinstance(fetch, tf.Operation))
    if any(is_variable(fetch, step) or reads_of(step, fetch.op) for fetch in asked):
        return ""
    return "The hook is gone. It only tells you of the mistake: keep it."


def listed(values: list) -> str:
    """Return values as one text."""
    return ", ".join(str(value) for value in values)


def rate(run: Run) -> float:
    """Return the rate that an update used: where the loss is w ** 2, w is multiplied by 1 - 2 * rate."""
    with np.errstate(all="ignore"):
        return float(1 - run.after["w"] / run.before["w"]) / 2


def races(run: Run, step: tf.Variable) -> bool:
    """Whether a run updates the step, and fetches a read of it that waits for no update."""
    ops = [part if isinstance(part, tf.Operation) else part.op for part in run.fetched]
    updates = updates_of(step, {before for op in ops for before in all_before(op)})

    def waits(op: tf.Operation) -> bool:
        return all(op is update or waits_for(op, update) for update in updates)

    for part in run.fetched if updates else []:
        if isinstance(part, tf.Operation):
            continue
        reads = [part.op] if is_variable(part, step) else reads_of(step, part.op)
        if not all(waits(read) for read in reads):
            return True
    return False
