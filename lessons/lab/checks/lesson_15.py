"""The checks of lesson 15's six cases: programs, judged by what their runs do to the Variables."""

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from lab.checks import watched_training as watched
from lab.checks.solved import solved
from lab.checks.verdict import first_that_holds, judge, listed, no_function
from lab.experiments.clinic import SAVED_AS, checkpoint
from lab.experiments.watched_program import Seen, rate, watch

OTHER_OUTPUT = """The graph no longer grows, but the program prints other numbers. The first should be the
loss after the first update: 16, not 25. Try reading it after the update, in its own run."""
STILL = """The hook still warns, because it watches every run, and some don't count.
Try counting in the run that trains."""


@judge
def check_case(number: int, program: Callable) -> Iterator:
    """Call the learner's program number `number` in an empty graph, and say whether it is repaired."""
    if number not in CASES:
        yield f"There's no case {number}: the cases are 1 to 6."
    yield no_function(**{f"case_{number}": program})
    if number == 5:
        yield from _case_5(program)
    else:
        seen = watch(program)
        yield watched.no_training(seen)
        yield from CASES[number](seen)
    yield solved(f"Case {number}")


def _said(seen: Seen, wanted: Sequence[float]) -> list[float]:
    """Return the numbers in one place of the printed lines: where they are as wanted, else change."""
    lines = filter(None, (re.findall(r"\d+(?:\.\d+)?", line) for line in seen.printed))
    places = [[float(number) for number in place] for place in zip(*lines, strict=False)]
    return max(places[::-1], key=lambda said: (_close(said, wanted), len(set(said))), default=[])


def _close(said: Sequence[float], wanted: Sequence[float]) -> bool:
    return len(said) == len(wanted) and np.allclose(said, wanted, rtol=1e-2)


def _case_1(seen: Seen) -> Iterator[str]:
    yield watched.grows(seen)
    used = [rate(run) for run in seen.training]
    change = next((n for n, now in enumerate(used) if not np.isclose(now, 0.1, rtol=1e-3)), None)
    if change is None:
        yield f"The rate is 0.1 for all {len(used)} updates. Look at what moves it, and when."
    then, batches = f"{used[change]:.4g}", f"{change} {'batch' if change == 1 else 'batches'}"
    halved = np.allclose(used[100:], 0.05, rtol=1e-3)
    yield first_that_holds(
        (change == 0, f"The rate starts at {then}. Let it start at 0.1."),
        (change != 100, f"The rate is 0.1 for {batches}, then {then}. Two epochs are 100 batches."),
        (not halved, f"After two epochs the rate is {then}. It should be 0.05, for two epochs."),
    )
    yield watched.counts(seen, 200)


def _case_2(seen: Seen) -> Iterator[str]:
    yield watched.several_steps(seen)
    if "episode" not in seen.runs[-1].after:
        yield "The program needs `episode`, too. Try to keep it, but not as a global step."
    step = watched.variable(seen)
    if step is not None and step.op.name == "episode":
        yield "Now get_global_step() finds `episode`. To which of the two does training add one?"
    yield watched.counts(seen, 1) or watched.watched_by_a_hook(seen)


def _case_3(seen: Seen) -> Iterator[str]:
    yield watched.grows(seen) or watched.counts(seen, 5)
    wanted, step = [1, 2, 3, 4, 5], watched.variable(seen)
    race = step is not None and any(watched.races(run, step) for run in seen.training)
    if (said := _said(seen, wanted)) != wanted:
        other = (
            "\nAnd in TensorFlow the numbers may differ: what makes the read wait?" if race else ""
        )
        yield f"After updates 1 to 5 it prints {listed(said) or 'no number'}.{other}"
    if race:
        yield watched.LUCK


def _case_4(seen: Seen) -> Iterator[str]:
    yield watched.grows(seen) or watched.counts(seen, 5) or watched.ends(seen, w=5 * 0.8**5)
    wanted = 25 * 0.64 ** np.arange(1, 6)
    if not _close(_said(seen, wanted), wanted):
        yield OTHER_OUTPUT


def _case_5(program: Callable) -> Iterator[str]:
    """Hand the program two checkpoints, both named model-1000, with different steps inside."""
    for runs in (5, 7):
        with tempfile.TemporaryDirectory() as folder:
            path, saved = checkpoint(folder, runs)
            seen = watch(program, path)
        inside = f"step {saved['global_step']} and w {saved['w']:.4f} inside."
        if wrong := watched.no_training(seen) or _not_resumed(seen, saved):
            yield f"{wrong}\nThe check tried a checkpoint of its own, model-1000, with {inside}"


def _not_resumed(seen: Seen, saved: dict[str, float]) -> str:
    updates = [run for run in seen.training if not np.isclose(run.after["w"], saved["w"])]
    start, end = [*updates, seen.runs[-1]][0].before, seen.runs[-1].after
    first, last = (int(held.get("global_step", -1)) for held in (start, end))
    w, goes_on, gone = start["w"], f"The step continues from {first}.", "that isn't what was saved."
    then = f"w is {listed([float(w), *(float(run.after['w']) for run in updates)], ', then ')}"
    return first_that_holds(
        (
            not np.isclose(w, saved["w"]),
            f"The update starts with w at {w:.4f}, and {gone}",
        ),
        (len(updates) != 1, f"After the restore, {then}: {len(updates)} runs change it, not one."),
        (first == 0, "w picks up where it left off, but the step starts at 0 again."),
        (first == SAVED_AS, f"{goes_on} But that's only the number in the name."),
        (first != saved["global_step"], f"{goes_on} You could take the step that's inside."),
        (
            last != first + 1,
            f"After one update, the step goes from {first} to {last}. It should go up by one.",
        ),
    )


def _case_6(seen: Seen) -> Iterator[str]:
    yield watched.counts(seen, 9) or watched.ends(seen, w=4.1) or watched.watched_by_a_hook(seen)
    if any("has not been increased" in line for line in seen.log):
        yield STILL


CASES = dict(enumerate([_case_1, _case_2, _case_3, _case_4, _case_5, _case_6], start=1))
