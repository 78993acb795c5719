"""The check of lesson 13: how many steps an epoch takes, and in which epoch a step lies."""

from __future__ import annotations

import numbers
from collections.abc import Callable

from lab.checks.verdict import Verdict, judge, type_and_first_line

# examples, batch size, workers: even, with a smaller last batch, with a smaller last round, with both
CASES = [
    (4000, 10, 4),
    (4000, 100, 1),
    (1030, 100, 4),
    (1000, 100, 4),
    (1005, 100, 8),
    (30, 100, 4),
]
HINTS = {
    "all examples": "A step uses a batch, not one example: divide by batch_size.",
    "no workers in rounds": "In a synchronous round the workers compute a batch each, and the step adds one.",
    "workers without rounds": "Asynchronous: each push adds one, whoever pushes. The workers change nothing.",
    "multiplied": "More workers cannot make more rounds. Divide by them.",
    "dropped": "The last batch of an epoch may be smaller, and the last round may have fewer batches. "
    "They count: round up.",
}


@judge
def check_epochs(steps_per_epoch: Callable, epoch_at: Callable) -> Verdict:
    """Both functions give the right numbers, for both ways of working."""
    for name, function in {"steps_per_epoch": steps_per_epoch, "epoch_at": epoch_at}.items():
        if not callable(function):
            return Verdict(False, f"`{name}` has to be a function. Run the exercise cell again.")
    for case in CASES:
        for synchronous in (False, True):
            if (wrong := _steps(steps_per_epoch, case, synchronous)) is not None:
                return wrong
    for case in CASES:
        for synchronous in (False, True):
            if (wrong := _epoch(epoch_at, case, synchronous)) is not None:
                return wrong
    return Verdict(
        True,
        "4,000 examples in batches of 10, four workers: an epoch takes 400 steps if they are "
        "asynchronous, and 100 if they are synchronous.",
    )


def _right(case: tuple[int, int, int], synchronous: bool) -> int:
    examples, batch_size, workers = case
    batches = -(-examples // batch_size)
    return -(-batches // workers) if synchronous else batches


def _called(case: tuple[int, int, int], synchronous: bool) -> str:
    examples, batch_size, workers = case
    return f"examples={examples}, batch_size={batch_size}, workers={workers}, synchronous={synchronous}"


def _steps(function: Callable, case: tuple[int, int, int], synchronous: bool) -> Verdict | None:
    """Say so if the number of steps is wrong, and why it may be."""
    try:
        got = function(*case, synchronous)
    except Exception as error:
        return _stopped(f"steps_per_epoch({_called(case, synchronous)})", error)
    right = _right(case, synchronous)
    if _number(got) == right:
        return None
    return Verdict(
        False,
        f"`steps_per_epoch({_called(case, synchronous)})` gives {got!r}, not {right}.\n"
        f"{_hint(got, case, synchronous)}",
    )


def _hint(got: object, case: tuple[int, int, int], synchronous: bool) -> str:
    """Name the mistake behind a wrong number of steps."""
    examples, batch_size, workers = case
    if _number(got) is None:
        return "It has to be a whole number."
    if got == examples:
        return HINTS["all examples"]
    if synchronous:
        if got == _right(case, False) * workers:
            return HINTS["multiplied"]
        if got == _right(case, False):
            return HINTS["no workers in rounds"]
    elif got == _right(case, True):
        return HINTS["workers without rounds"]
    if _right(case, synchronous) > got >= _right(case, synchronous) - workers:
        return HINTS["dropped"]
    return "How many batches has an epoch? And how many batches make one step?"


def _epoch(function: Callable, case: tuple[int, int, int], synchronous: bool) -> Verdict | None:
    """Say so if the number of the epoch is wrong: just before an epoch ends, and just after."""
    size = _right(case, synchronous)
    for step in (0, size - 1, size, 3 * size - 1, 3 * size):
        asked = f"epoch_at({step}, {_called(case, synchronous)})"
        try:
            got = function(step, *case, synchronous)
        except Exception as error:
            return _stopped(asked, error)
        right = step // size
        if _number(got) == right:
            continue
        if _number(got) is None:
            hint = "It has to be a whole number: divide with //."
        elif got == right + 1:
            hint = "Epochs are counted from 0: at step 0, none is over."
        elif step and got == step // _right(case, not synchronous):
            hint = "Ask steps_per_epoch for the same way of working."
        else:
            hint = "How many whole epochs fit into that many steps?"
        return Verdict(False, f"`{asked}` gives {got!r}, not {right}.\n{hint}")
    return None


def _number(got: object) -> int | None:
    """Return a whole number, in whatever form it comes; None for anything else."""
    if isinstance(got, bool) or not isinstance(got, numbers.Real):
        return None
    return int(got) if got == got and abs(got) < 1e15 and got == int(got) else None


def _stopped(called: str, error: Exception) -> Verdict:
    return Verdict(False, f"`{called}` stops: {type_and_first_line(error)}")
