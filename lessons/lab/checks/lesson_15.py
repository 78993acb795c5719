"""The check of lesson 15's six cases: a program is watched beside its repaired version."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise, zip_longest

import numpy as np

from clinic import repaired
from lab.checks.solved import Solved, solved
from lab.checks.verdict import judge
from lab.checks.watched_training import by_luck, grows
from lab.experiments.clinic import watch_case
from lab.experiments.watched_program import Seen

HOOK_GONE = "The hook is gone. It only told you about the mistake, so try to keep it."
FROM_INSIDE = "\n(The check saved step 7 as model-1000. You could take the step that's inside.)"


@judge
def check_case(number: int, program: Callable) -> Iterator[str | Solved]:
    """Call the learner's program number `number` in an empty graph, and say whether it is repaired."""
    seen = watch_case(program, steps=7)
    ours = watch_case(getattr(repaired, f"case_{number}"), steps=7)
    if seen.complaints:
        yield "\n".join(["It still complains:", *seen.complaints])
    if (times := len(seen.training)) != (wanted := len(ours.training)):
        yield f"Training runs: {times} instead of {wanted}. Keep the training as it was."
    yield grows(seen)
    if number == 1:
        yield _of_the_rates(seen, ours)
    if said := _of_the_updates(seen, ours):
        yield said + FROM_INSIDE * (number == 5)
    if number in (2, 6) and len(seen.training[0].fetched) < 2:  # no hook reads the step there
        yield HOOK_GONE
    yield _of_the_print(seen, ours)
    yield from by_luck(seen)
    yield solved(f"Case {number}")


def _held(seen: Seen) -> list[tuple[int, float]]:
    """Return the step and w before the first update, and after each."""
    states = [*(run.before for run in seen.training), seen.runs[-1].after]
    return [(seen.step(state), float(state["w"])) for state in states]


def _of_the_rates(seen: Seen, ours: Seen) -> str:
    """Name the first rate that is wrong: where the loss is w ** 2, w is multiplied by 1 - 2 * rate."""
    used, due = (
        [(1 - new / old) / 2 for (_, old), (_, new) in pairwise(_held(it))] for it in (seen, ours)
    )
    wrong = ~np.isclose(used, due, rtol=1e-3)
    n = wrong.argmax()
    return f"Update {n + 1} uses the rate {used[n]:.4g}, not {due[n]:.4g}." if wrong.any() else ""


def _of_the_updates(seen: Seen, ours: Seen) -> str:
    """Name the first update after which the step or w is wrong."""
    for n, (got, due) in enumerate(zip(_held(seen), _held(ours), strict=True)):
        if not np.allclose(got, due, rtol=1e-4):
            when = f"After update {n}" if n else "Before the first update"
            now, wanted = ("the step is {} and w is {:.4g}".format(*held) for held in (got, due))
            return f"{when}, {now}.\nIn the repaired program, {wanted}."
    return ""


def _of_the_print(seen: Seen, ours: Seen) -> str:
    """Show the first printed line that lacks a number."""
    lines = ([line for line in it.printed if _numbers(line).size] for it in (seen, ours))
    for line, due in zip_longest(*lines, fillvalue="nothing"):
        if not np.isclose(_numbers(due)[:, None], _numbers(line), rtol=1e-2).any(1).all():
            return f"It prints: {line}\nIt should: {due}"
    return ""


def _numbers(line: str) -> np.ndarray:
    return np.array(re.findall(r"\d+(?:\.\d+)?", line), float)
