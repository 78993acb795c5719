"""The case of `w`: which suspects are left after a lesson, and on which of them the reader bets.

Lesson 00 lists the suspects of `lessons/suspects.csv`, lessons 01 to 05 each clear one, and lesson 06
closes the case.
"""

import csv
from pathlib import Path

from lab.page.view import View

SUSPECTS = Path(__file__).resolve().parents[2] / "suspects.csv"
CLOSES = "06"


def case(lesson: str) -> View:
    """Return the board of the case after a lesson: `case("03")`; `case("06")` shows the reader's bets."""
    with open(SUSPECTS, encoding="utf-8", newline="") as rows:
        suspects = list(csv.DictReader(rows))
    left = [
        one["suspect"]
        for one in suspects
        if one["cleared"] > lesson or lesson == one["cleared"] == CLOSES
    ]
    cleared = [one for one in suspects if one["suspect"] not in left]
    data = {"kind": "case", "lesson": lesson, "cleared": cleared, "left": left}
    if lesson == CLOSES:
        words = f"Cleared: {_listed(cleared)}.\nGuilty, together: {' and '.join(left)}."
    elif not cleared:
        words = f"The suspects: {'; '.join(left)}. Who's behind it?"
    else:
        now = cleared[-1]
        words = f"Cleared in this lesson: {now['suspect']}. {now['why']}\nStill suspected: {'; '.join(left)}."
    return View(data | {"closed": lesson == CLOSES}, words.replace("`", ""))


def _listed(suspects: list[dict[str, str]]) -> str:
    return "; ".join(f"{one['suspect']} (lesson {one['cleared']})" for one in suspects)
