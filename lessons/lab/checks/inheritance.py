"""The check of lesson 15's inherited scripts: does a version do what its first lines promise?"""

from collections.abc import Iterator

import numpy as np

from inheritance.promises import PROMISES, Promise
from lab.checks.solved import solved
from lab.checks.verdict import judge, listed
from lab.checks.watched_training import LUCK, grows, races
from lab.experiments.errors import type_and_first_line
from lab.experiments.inheritance import SCRIPTS, Life, inheritance, lives, said, where
from lab.experiments.watched_program import Run, counter

AVERAGE = "/ExponentialMovingAverage"
UNCHANGED = "This is the script as you inherited it: none of its lines has changed."


@judge
def check_inheritance(number: int, script: str) -> Iterator:
    """Run a version of inherited script `number`, given as its text, and say which symptom is left."""
    if number not in PROMISES:
        yield f"There is no script {number}: they are 1, 2 and 3."
    if not isinstance(script, str):
        yield "Hand over the text of your version: a string."
    yield UNCHANGED * (script == inheritance(number))
    promise = PROMISES[number]
    ran = lives(script, next(iter(promise.parts)), promise.curve, promise.kills)
    for which, life in zip(("first", "second", "third"), ran, strict=False):
        yield from _trains(life, promise, f"{which} run")
    for before, after in zip(ran, ran[1:], strict=False):
        yield _goes_on(before, after, promise)
    for life in ran:
        yield from _writes(life, promise)
    yield solved(SCRIPTS[number])


def _trains(life: Life, promise: Promise, which: str) -> Iterator[str]:
    """Say what is wrong with a run's batches, steps or rates."""
    seen = life.seen
    if seen.error is not None:
        line = f" (line {where(seen.error)} of your version)" if where(seen.error) else ""
        yield f"The {which} stops with an error{line}: {type_and_first_line(seen.error)}"
    if not seen.runs:
        yield f"The {which} runs nothing in a session."
    held = life.held
    start, many = held[0], f"The {which} trains on {len(held) - 1} batches"
    if start == -1:
        yield f"{many}, and no Variable counts them."
    if len(set(held)) == 1:
        yield f"{many}, and the step stays at {start}."
    if which == "first run" and start:
        yield f"Its folder is empty, but the {which} starts at step {start}."
    if held[:-1] != list(range(start, start + len(held) - 1)):
        yield f"In the {which}, the step after each batch is {listed(held[1:5])}, and so on."
    for part, share in promise.parts.items():
        batches = life.batches(part)
        for n, run in enumerate(batches, start=start):
            wanted, used = share * promise.rate(n), _rate(run, part, promise)
            if not np.isclose(used, [wanted, share * promise.rate(n + 1)], rtol=0.05).any():
                first_lines = f"By the script's first lines, it should be {wanted:.4g}."
                yield f"Step {n + 1} changes `{part}` at a rate of {used:.4g}. {first_lines}"
        if not seen.killed and len(batches) != promise.batches:
            wanted = f"It should learn once from each of {promise.batches} batches."
            yield f"In the {which}, `{part}` changes {len(batches)} times. {wanted}"
    yield grows(seen)


def _rate(run: Run, part: str, promise: Promise) -> float:
    """Return how far a run moved a weight, in gradients."""
    x, y = sorted((v for v in run.fed if np.ndim(v) == 2), key=lambda v: -np.shape(v)[1])[:2]
    slope = promise.gradient(run.before, x, y)[part]
    return np.sum((run.before[part] - run.after[part]) * slope) / np.sum(slope**2)


def _goes_on(before: Life, after: Life, promise: Promise) -> str:
    """Say what a run has not taken over from the run before it."""
    ended, start, now = before.held[-1], after.held[0], after.states[0]
    if not ended - promise.every * before.seen.killed <= start <= ended:
        how = "is killed" if before.seen.killed else "ends"
        return f"One run {how} at step {ended}, and the next one starts at step {start}."
    states = [run.after for run in before.seen.runs if before.step(run.after) == start]
    for ending in ("", AVERAGE):
        same = [part + ending for part in promise.parts if part + ending in states[-1]]
        states = [old for old in states if all(np.allclose(old[name], now[name]) for name in same)]
        if not states and not ending:
            return f"The next run goes on at step {start}, but not with the weights of that step."
    tests = [f"{life.points[-1][1]:.3f}" for life in (before, after) if life.points]
    lost = f"The next run goes on at step {start}, with its weights. What it tests does not go on:"
    return "" if states else f"{lost} the error was {', and then it is '.join(tests)}."


def _writes(life: Life, promise: Promise) -> Iterator[str]:
    """Say what is wrong with a run's tests, log, averages, curve or checkpoints."""
    seen, held, saves = life.seen, life.held, len(promise.kills) > 1
    tests = [*range(promise.every, held[-1] + 1, promise.every)]
    new = [step for step in tests if step > held[0]]
    resting = [run for run in seen.runs if run.fed and not any(map(run.moved, promise.parts))]
    tested = sorted({life.step(run.after) for run in resting})
    if not set(new) <= set(tested):
        yield f"It tests after the steps {listed(tested) or '(none)'}. It should test after {listed(new)}."
    log = said(seen)
    if not set(new) <= set(log):
        yield f"The log has lines for the steps {listed(log) or '(none)'}. It needs them for {listed(new)}."
    for step in new:
        if not np.isclose(log[step], [promise.rate(step - 1), promise.rate(step)], atol=6e-5).any():
            yield f"At step {step} the log says rate {log[step]:g}, and that is not the rate used."
    yield from _averages(life, promise)
    points = [step for step, _ in life.points]
    if not set(tests) <= set(points) or max(points) > tests[-1]:
        yield f"The curve `{promise.curve}` has points at the steps {listed(points) or '(none)'}."
    if not promise.good[0] <= life.points[-1][1] <= promise.good[1]:
        yield f"The curve `{promise.curve}` ends at {life.points[-1][1]:.3f}. It used to do better."
    for file, inside in life.inside.items() if saves else ():
        if not file.endswith(f"-{inside}"):
            yield f"Inside {file} {f'is step {inside}' if inside >= 0 else 'is no step'}."
    if saves and max(life.inside.values(), default=0) < tests[-1]:
        yield f"It saves nothing at step {tests[-1]}."
    [step] = [v for v in seen.graph.get_collection("variables") if v.op.name == counter(seen)]
    counting = {tuple(map(id, run.fetched)): run for run in seen.runs if run.moved(step.op.name)}
    if any(races(run, step) for run in counting.values() if not run.finalized):  # hooks may race
        yield LUCK


def _averages(life: Life, promise: Promise) -> Iterator[str]:
    """Say if an average is gone, or keeps more or less of itself than promised."""
    whole = life.states[: -1 if life.seen.killed else None]
    for name in (part + AVERAGE for part in promise.parts if promise.average):
        if name not in whole[0]:
            yield "It averages no weights any more, and it should test their averages."
        for now, after in zip(whole[-2::-1], whole[:0:-1], strict=True):  # the last one first
            way, went = after[name.removesuffix(AVERAGE)] - now[name], after[name] - now[name]
            kept, n = 1 - np.sum(went * way) / np.sum(way**2), life.step(now) + np.array([0, 1])
            wanted = [*np.minimum(promise.average, (1 + n) / (10 + n)), promise.average]
            if not np.isclose(kept, wanted, atol=0.02).any():
                mean = f"an average over the last {1 / (1 - kept):.2g} steps or so"
                yield f"At step {n[1]}, what it tests is {mean}, and not {1 / (1 - wanted[0]):.2g}."
