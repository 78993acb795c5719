"""What several checks say about a counter: each run should add one to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Real


def miscounted(name: str, held: Sequence[float]) -> str:
    """Say what is wrong with what a counter holds before the first run and after each, if anything is."""
    if held[-1] == held[0]:
        return f"`{name}` stays at {held[0]:g}.\nNothing counts: minimize needs global_step={name}."
    if list(held) != [held[0] + run for run in range(len(held))]:
        return f"`{name}` goes {listed(held[:4])}. Count each run once."
    return ""


def listed(values: Iterable, between: str = ", ") -> str:
    """Return numbers as a list to read, and anything else as Python shows it."""
    return between.join(f"{value:g}" if isinstance(value, Real) else str(value) for value in values)
