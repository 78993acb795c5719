"""The check of lesson 15's inherited scripts: does a version do what its first lines promise?"""

from collections.abc import Iterator

import numpy as np

from lab.checks.changed import shows_changes
from lab.checks.promises import PROMISES, Promise, average_of
from lab.checks.solved import Solved, solved
from lab.checks.verdict import judge, listed
from lab.checks.watched_training import by_luck, grows
from lab.experiments.errors import line_in, type_and_first_line
from lab.experiments.inheritance import SCRIPTS, YOURS, Launch, inheritance, launches

UNCHANGED = (
    "This is the script as you inherited it. Try to cure one symptom you can see in its runs."
)
TIMES = "In the {}, `{}` changes {} times. It should learn once from each of the {} batches."
AVERAGED = """At step {}, the average of `{}` isn't {:.2f} of itself plus the rest of the weights after the
update, as promised. Does it have its clock, and does it wait for the update?"""
OTHER_VALUE = "At step {} the {} shows {:.4g}. On the test data, the {} of that step give {:.4g}."
NOT_AT_0 = """Its folder is empty, but the first batch that moves `{}` is at step {}. Is the first rate 0, or
does something count before the batch?"""


@shows_changes
@judge
def check_inheritance(number: int, script: str) -> Iterator[str | Solved]:
    """Run a version of inherited script `number`, given as its text, and say which symptom is left."""
    yield "" if number in PROMISES else f"There's no script {number}, only 1, 2 and 3."
    yield UNCHANGED if script == inheritance(number) else ""
    promise = PROMISES[number]
    ran = launches(script, list(promise.parts), promise.curve, promise.kills)
    for which, launch in zip(("first", "second", "third"), ran, strict=False):
        yield from _learns(launch, promise, f"{which} run")
    for before, after in zip(ran, ran[1:], strict=False):
        yield _goes_on(before, after, promise)
    for launch in ran:
        yield from _averages(launch, promise)
        yield from _writes(launch, promise)
        yield from by_luck(launch.seen, promise.parts)
    yield solved(SCRIPTS[number])


def _learns(launch: Launch, promise: Promise, which: str) -> Iterator[str]:
    """Say what is wrong with a run's batches, steps or rates."""
    seen = launch.seen
    if seen.error:
        at = line_in(YOURS, seen.error)
        yield f"The {which} stops with an error{at}: {type_and_first_line(seen.error)}"
    for part in promise.parts:
        times = len(launch.batches(part))
        if not 0 < times <= promise.batches:  # fewer, if the rates let it end in nan
            yield TIMES.format(which, part, times, promise.batches)
    held, start = launch.held, launch.held[0]
    if len(set(held)) == 1:
        many = f"The {which} trains on {len(held) - 1} batches"
        yield f"{many}, and its step, `{seen.counter}`, stays at {start}."
    if which == "first run" and start:
        yield NOT_AT_0.format(launch.weight, start)
    if held[:-1] != list(range(start, start + len(held) - 1)):
        yield f"In the {which}, the step after each batch is {listed(held[1:5])}, and so on."
    for part, share in promise.parts.items():
        for n, run in enumerate(launch.batches(part), start=start):
            wanted, (used, along) = share * promise.rate(n), promise.moved(part, run)
            if not along:
                yield f"Step {n + 1} doesn't move `{part}` along the gradient of its batch."
            if not np.isclose(used, wanted, rtol=0.05):
                says = f"Step {n + 1} changes `{part}` at a rate of {used:.4g}."
                yield f"{says} According to the script's first lines, it should be {wanted:.4g}."
        if not seen.killed and (times := len(launch.batches(part))) < promise.batches:
            yield TIMES.format(which, part, times, promise.batches)
    yield grows(seen)


def _goes_on(before: Launch, after: Launch, promise: Promise) -> str:
    """Say what a run has not taken over from the run before it."""
    ended, start, now = before.held[-1], after.held[0], after.states[0]
    if not ended - promise.every * before.seen.killed <= start <= ended:
        how = "is killed" if before.seen.killed else "ends"
        return f"One run {how} at step {ended}, and the next one starts at step {start}."
    then = [run.after for run in before.seen.runs if before.seen.step(run.after) == start]
    for name in [*promise.parts, *(average_of(part, now) for part in promise.parts)]:
        then = [old for old in then if np.allclose(old[name], now[name])]
        if not then:
            return f"The next run picks up at step {start}, but not with the `{name}` of that step."
    return ""


def _averages(launch: Launch, promise: Promise) -> Iterator[str]:
    """Say if an average is gone, or keeps more or less of itself than promised."""
    for part in promise.parts if promise.keeps else ():
        name = average_of(part, launch.states[-1])
        runs = [run for run in launch.seen.runs if run.moved(name)]
        if name == part or not runs:
            yield f"No Variable averages `{part}` any more, but the tests need the averages."
        for run in runs:
            n, way = launch.seen.step(run.before), run.after[part] - run.before[name]
            shares = [
                *promise.keeps(n),
                *promise.keeps(n + 1),
            ]  # it may be averaged after the count
            goes = run.after[name] - run.before[name]
            off = [np.linalg.norm(goes - (1 - share) * way) for share in shares]
            if not min(off) < 0.02 * np.linalg.norm(way) + 1e-6:
                yield AVERAGED.format(n + 1, part, shares[0])


def _writes(launch: Launch, promise: Promise) -> Iterator[str]:
    """Say what is wrong with a run's log, curve or checkpoints."""
    start, log, points = launch.held[0], launch.log, launch.points
    tests = list(range(promise.every, launch.held[-1] + 1, promise.every))
    new = [step for step in tests if step > start]
    if not set(new) <= set(log):
        yield f"The log has lines for {_steps(log)}. It needs them for {listed(new)}."
    if not set(tests) <= set(points) or max(points) > tests[-1]:
        yield f"The curve `{promise.curve}` has points at {_steps(points)}."
    whose = "The next step uses" if promise.logs_next else "This step used"
    tested = "averages" if promise.keeps else "weights"
    for step in new:
        rate, truth = (
            promise.rate(step - 1 + promise.logs_next),
            promise.truth(launch.states[step - start]),
        )
        if not np.isclose(log[step][0], rate, atol=1e-4):
            yield f"At step {step} the log says rate {log[step][0]:g}. {whose} {rate:.4g}."
        for place, value in (("log", log[step][1]), ("curve", points[step])):
            if abs(value - truth) > 6e-4:
                yield OTHER_VALUE.format(step, place, value, tested, truth)
    for file, inside in launch.inside.items() if len(promise.kills) > 1 else ():
        if not file.endswith(f"-{inside}"):
            yield f"Inside {file} {f'is step {inside}' if inside >= 0 else 'there is no step'}."


def _steps(found: dict[int, object]) -> str:
    """List the steps at which something was found."""
    return f"steps {listed(found)}" if found else "none of the steps"
