"""The check of lesson 15's inherited scripts: does a version do what its first lines promise?"""

from collections.abc import Iterable, Iterator

import numpy as np

from lab.checks.changed import shows_changes
from lab.checks.promises import PROMISES, Promise, Values, average_of, share_kept
from lab.checks.solved import solved
from lab.checks.verdict import judge, listed
from lab.checks.watched_training import LUCK, LUCKY_GRADIENT, grows, races, rate_races
from lab.experiments.errors import type_and_first_line
from lab.experiments.inheritance import SCRIPTS, Launch, inheritance, launches, said, where
from lab.experiments.watched_program import counter, global_step_of

UNCHANGED = (
    "This is the script as you inherited it. Try to cure one symptom you can see in its runs."
)

COUNTS_EARLY = """Try counting last, after all the updates of a batch. Here the step moves too soon,
and an update uses the next step's rate.
"""


@shows_changes
@judge
def check_inheritance(number: int, script: str) -> Iterator:
    """Run a version of inherited script `number`, given as its text, and say which symptom is left."""
    if number not in PROMISES:
        yield f"There's no script {number}, only 1, 2 and 3."
    if not isinstance(script, str):
        yield "Pass the text of your version: a string."
    if script == inheritance(number):
        yield UNCHANGED
    promise = PROMISES[number]
    ran = launches(script, tuple(promise.parts), promise.curve, promise.kills)
    for which, launch in zip(("first", "second", "third"), ran, strict=False):
        yield from _learns(launch, promise, f"{which} run")
    for before, after in zip(ran, ran[1:], strict=False):
        yield _goes_on(before, after, promise)
    for launch in ran:
        yield from _writes(launch, promise)
    yield solved(SCRIPTS[number])


def _learns(launch: Launch, promise: Promise, which: str) -> Iterator[str]:
    """Say what is wrong with a run's batches, steps or rates."""
    seen = launch.seen
    if seen.error is not None:
        line = f" (line {where(seen.error)} of your version)" if where(seen.error) else ""
        yield f"The {which} stops with an error{line}: {type_and_first_line(seen.error)}"
    if not seen.runs:
        yield f"The {which} does nothing in a session."
    held, each = launch.held, f"It should learn once from each of the {promise.batches} batches."
    for part in promise.parts:
        times = len(launch.batches(part))
        if times == 0 or times > promise.batches:  # fewer, if the rates let it end in nan
            yield f"In the {which}, `{part}` changes {times} times. {each}"
    start, many = held[0], f"The {which} trains on {len(held) - 1} batches"
    if start == -1:
        yield f"{many}, and no Variable counts them."
    if len(set(held)) == 1:
        by = "" if global_step_of(seen) is None else ", which `get_global_step()` finds,"
        yield f"{many}, and `{counter(seen)}`{by} stays at {start}."
    if which == "first run" and start:
        if any(run.fed and launch.step(run.before) == 0 for run in seen.runs):
            yield f"The first batch counts, but it doesn't move `{launch.weight}`. Is its rate 0?"
        yield f"Its folder is empty, but the {which} starts at step {start}."
    if held[:-1] != list(range(start, start + len(held) - 1)):
        yield f"In the {which}, the step after each batch is {listed(held[1:5])}, and so on."
    for part, share in promise.parts.items():
        for n, run in enumerate(launch.batches(part), start=start):
            wanted, following = share * promise.rate(n), share * promise.rate(n + 1)
            used, along = promise.moved(part, run)
            if not along:
                yield f"Step {n + 1} doesn't move `{part}` along the gradient of its batch."
            if not np.isclose(used, wanted, rtol=0.05):
                early = launch.step(run.before) > n and np.isclose(used, following, rtol=0.05)
                says = f"Step {n + 1} changes `{part}` at a rate of {used:.4g}."
                first_lines = f"According to the script's first lines, it should be {wanted:.4g}."
                yield f"{COUNTS_EARLY if early else ''}{says} {first_lines}"
        if not seen.killed and (times := len(launch.batches(part))) != promise.batches:
            yield f"In the {which}, `{part}` changes {times} times. {each}"
    yield grows(seen)


def _goes_on(before: Launch, after: Launch, promise: Promise) -> str:
    """Say what a run has not taken over from the run before it."""
    ended, start, now = before.held[-1], after.held[0], after.states[0]
    if not ended - promise.every * before.seen.killed <= start <= ended:
        how = "is killed" if before.seen.killed else "ends"
        return f"One run {how} at step {ended}, and the next one starts at step {start}."
    states = [run.after for run in before.seen.runs if before.step(run.after) == start]
    means = [average_of(part, now) for part in promise.parts]
    others = "with the weights of that step, but not with its averages"
    for names, lost in ((promise.parts, "but not with the weights of that step"), (means, others)):
        states = [old for old in states if all(np.allclose(old[name], now[name]) for name in names)]
        if not states:
            return f"The next run picks up at step {start}, {lost}."
    return ""


def _writes(launch: Launch, promise: Promise) -> Iterator[str]:
    """Say what is wrong with a run's tests, log, averages, curve, checkpoints or order."""
    tests = list(range(promise.every, launch.held[-1] + 1, promise.every))
    new = [step for step in tests if step > launch.held[0]]
    tested = _tested(launch, promise)
    if not set(new) <= set(tested):
        yield f"It tests after {_steps(tested)}. It should test after {listed(new)}."
    log = said(launch.seen, promise.measure)
    yield from _rates(launch, promise, log, new)
    yield from _averages(launch, promise)
    points = [step for step, _ in launch.points]
    if not set(tests) <= set(points) or max(points) > tests[-1]:
        yield f"The curve `{promise.curve}` has points at {_steps(points)}."
    for step in new:
        for place, value in (("log", log[step][1]), ("curve", dict(launch.points)[step])):
            yield _value(promise, step, place, value, tested[step])
    if len(promise.kills) > 1:
        yield from _checkpoints(launch, tests[-1])
    yield from _races(launch, promise)


def _steps(found: Iterable[int]) -> str:
    """List the steps at which something was found."""
    return f"steps {many}" if (many := listed(found)) else "none of the steps"


def _tested(launch: Launch, promise: Promise) -> dict[int, Values]:
    """Return what the Variables held in each test, by step: tests are fed, and move no weights."""
    tests = [run for run in launch.seen.runs if run.fed and not any(map(run.moved, promise.parts))]
    return {launch.step(run.after): run.after for run in tests}


def _rates(launch: Launch, promise: Promise, log: dict, new: list[int]) -> Iterator[str]:
    """Say which lines the log lacks, and which rates in it are wrong."""
    if not set(new) <= set(log):
        yield f"The log has lines for {_steps(log)}. It needs them for {listed(new)}."
    batches = launch.batches(launch.weight)
    for step in new:
        rate, uses = promise.logged(step, batches[step - launch.held[0] - 1])
        if not np.isclose(log[step][0], rate, atol=1e-4):
            yield f"At step {step} the log says rate {log[step][0]:g}. {uses} {rate:.4g}."


def _value(promise: Promise, step: int, place: str, value: float, tested: Values) -> str:
    """Say if the log or the curve shows another value than a test of these weights gives."""
    wanted, truth = promise.truth(tested)
    if abs(value - wanted) < 6e-4:
        return ""
    return f"At step {step} the {place} shows an {promise.measure} of {value:.4g}. {truth}"


def _checkpoints(launch: Launch, last_test: int) -> Iterator[str]:
    """Say if a checkpoint holds another step than its name tells, or the last one is missing."""
    for file, inside in launch.inside.items():
        if not file.endswith(f"-{inside}"):
            yield f"Inside {file} {f'is step {inside}' if inside >= 0 else 'there is no step'}."
    if max(launch.inside.values(), default=0) < last_test:
        yield f"It saves nothing at step {last_test}."


def _races(launch: Launch, promise: Promise) -> Iterator[str]:
    """Say if the step or a weight is read beside its update, by anything but a hook."""
    kinds = {tuple(map(id, run.fetched)): run for run in launch.seen.runs}.values()
    variables = {v.op.name: v for v in launch.seen.graph.get_collection("variables")}
    if any(races(run, variables[counter(launch.seen)]) for run in kinds if not run.finalized):
        yield LUCK
    for part in promise.parts:
        if any(rate_races(run, variables[part]) for run in kinds):
            yield LUCKY_GRADIENT.format(part)


def _averages(launch: Launch, promise: Promise) -> Iterator[str]:
    """Say if an average is gone, or keeps more or less of itself than promised."""
    for part in promise.parts if promise.keeps else ():
        name = average_of(part, launch.states[-1])
        runs = [run for run in launch.seen.runs if run.moved(name)]
        if name == part or not runs:
            yield f"No Variable averages `{part}` any more, but the tests need the averages."
        steps = [launch.step(run.before) for run in runs]
        kept, late = np.transpose([share_kept(run, part) for run in runs])
        may = [[*promise.keeps(n), *promise.keeps(n + 1)] for n in steps]
        off = np.abs(kept[:, None] - may).min(1)
        n = np.argmax(off)
        if not off[n] < 0.02:
            share = f"keeps {kept[n]:.2f} of itself. It should keep about {may[n][0]:.2f}."
            old = "takes the weights from before the batch: nothing makes it wait for the update."
            yield f"At step {steps[n] + 1}, the average of `{part}` {old if late[n] else share}"
