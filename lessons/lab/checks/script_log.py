"""Lessons 11 and 14 ask for the log of the inherited script; this says how another one differs from it."""

import re
from collections.abc import Sequence
from itertools import zip_longest

FORM = "Only the form differs: the words, or `:.4f` and `:.3f`."


def log_differs(when: str, mine: Sequence[str], script: Sequence[str], hints: Sequence[str]) -> str:
    """Show the first line that differs, and help with its first wrong number; return "" if none differs.

    Each line has a step, a rate and an accuracy, and there is a hint for each of them.
    """
    pairs = zip_longest(mine, script, fillvalue="nothing")
    got, wanted = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
    numbers = (re.findall(r"\d+\.?\d*", line) for line in (got, wanted))
    places = zip_longest(hints, *numbers, fillvalue="nan")
    hint = next((hint for hint, a, b in places if not abs(float(a) - float(b)) < 6e-4), FORM)
    said = f"{when}, the log differs.\nyours:       {got}\nthe script:  {wanted}\n{hint}"
    return said if got != wanted else ""
