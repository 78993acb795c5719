"""The bug switcher: choose one of ten programs; see what it says, its counter, and the lines at fault."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

import ipywidgets as widgets
import numpy as np

from lab.checks.watched_training import counter, rate
from lab.clinic import BROKEN, REPAIRED, programs, seen
from lab.explorer import WIDE, Explorer
from lab.scene import Box, Scene, Text
from lab.watched_program import Seen

CASES = (
    "1: the rate never moves",
    "2: nobody finds the counter",
    "3: the session does not start",
    "4: two steps at a time",
    "5: one step behind",
    "6: a warning",
    "7: no value",
    "8: at 0 again",
    "9: a rate out of control",
    "10: slower and slower",
)
SYMPTOM, FAULT, CURE = SHOW = ("the symptom", "the line at fault", "the cure")
WIDTH, MARGIN, LINE = 760, 12, 19
HALF = 380  # where the second table starts
ROWS, SAID = 5, 5  # at most so many rows of a table, lines of what a program says
COLUMNS = (60, 125, 205, 300)  # the right ends of a table's columns
ROWS_OF = {9: [0, 2, 4, 100, 199]}  # where the rows are not to be spread evenly
MORE = {1: "rate", 9: "rate", 10: "operations"}  # a last column, where it tells something


class BugSwitcher(Explorer):
    """A list of the cases, and a switch: the symptom, the line at fault, the cure."""

    note = "Run this cell, and you get controls: ten cases, with their cures."

    def __init__(self) -> None:
        """Start with the first case as it comes."""
        self.case = widgets.Dropdown(options=CASES, description="case", layout=WIDE)
        self.show = widgets.ToggleButtons(
            options=SHOW, description="show", layout=widgets.Layout(display="flex")
        )
        self.show.style.button_width = "11em"
        super().__init__([self.case, self.show])

    def picture(self) -> Scene:
        """Return the program with its marks, what it says, and its Variables after some updates."""
        number, show = CASES.index(self.case.value) + 1, self.show.value
        kind = REPAIRED if show == CURE else BROKEN
        text = programs(kind)[number].text.splitlines()
        marked = [] if show == SYMPTOM else different(number, kind)
        y = MARGIN + LINE * (max(len(p.text.splitlines()) for p in _both(number)) + 1)
        table = y + LINE * (max(len(_lines(seen(number, k))) for k in (BROKEN, REPAIRED)) + 2.5)
        shapes = [
            *_program(text, marked, "done" if kind == REPAIRED else "now"),
            *_said(seen(number, kind), y),
            *_table(number, BROKEN, MARGIN, table),
        ]
        if show == CURE:
            shapes += _table(number, REPAIRED, HALF, table)
        rows = max(len(_rows(number, k)) for k in (BROKEN, REPAIRED))
        height = table + LINE * (rows + 0.7)
        return Scene(WIDTH, height, shapes, in_words(number, show, text, marked))


def different(number: int, kind: str) -> list[int]:
    """Return which lines of a program (from 0) the other form of it does not have."""
    first, second = (program.text.splitlines() for program in _both(number))
    ops = difflib.SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    found = []
    for what, start, end, other_start, other_end in ops:
        if what != "equal":
            found += range(start, end) if kind == BROKEN else range(other_start, other_end)
    return found


def in_words(number: int, show: str, text: list[str], marked: list[int]) -> str:
    """Say what the picture shows."""
    kind = REPAIRED if show == CURE else BROKEN
    words = [f"Case {CASES[number - 1]}. " + ("As it came:" if kind == BROKEN else "Repaired:")]
    words += [f"    {line}" for line in _lines(seen(number, kind))]
    head, *rows = _rows(number, kind)
    if rows:
        updates, *columns = zip(*rows, strict=True)
        for name, column in zip(head[1:], columns, strict=True):
            words.append(f"After update {', '.join(updates)}: {name} {', '.join(column)}.")
    if marked:
        what = "At fault" if kind == BROKEN else "The cure"
        lines = " | ".join(text[line].strip() for line in marked)
        words.append(f"{what}: {lines}")
    return "\n".join(words)


def _both(number: int) -> tuple:
    return programs(BROKEN)[number], programs(REPAIRED)[number]


def _lines(what: Seen) -> list[str]:
    return what.lines[:SAID]


def _program(text: list[str], marked: list[int], kind: str) -> Iterator[Box | Text]:
    for number in marked:
        if number - 1 not in marked:  # one box for lines that follow each other
            lines = next(n for n in range(1, len(text) + 1) if number + n not in marked)
            y = MARGIN + LINE * number + 4
            yield Box(2, y, WIDTH - 4, LINE * lines, kind, key=f"line {number}")
    for number, line in enumerate(text, start=1):
        yield Text(MARGIN, MARGIN + LINE * number - 1, line, 12, mono=True)


def _said(what: Seen, y: float) -> Iterator[Text]:
    yield Text(MARGIN, y + LINE, "It says", bold=True)
    for number, line in enumerate(_lines(what), start=2):
        yield Text(MARGIN + 8, y + LINE * number, line, 11, mono=True)


def _table(number: int, kind: str, x: float, y: float) -> Iterator[Text]:
    """Draw what the Variables hold after some of the updates."""
    title = "The counter after some updates" if kind == BROKEN else "With the cure"
    yield Text(x, y, title, bold=True)
    rows = _rows(number, kind)
    if len(rows) == 1:
        yield Text(x + 8, y + LINE, "No update: it stops before.", 12)
        return
    for line, row in enumerate(rows, start=1):
        for right, cell in zip(COLUMNS, row, strict=False):
            quiet = "plain" if line > 1 else "quiet"
            yield Text(x + right, y + LINE * line, cell, 12, "end", kind=quiet)


def _rows(number: int, kind: str) -> list[list[str]]:
    """Return the names of a table's columns, then at most five rows: update, counter, w, perhaps more."""
    what = seen(number, kind)
    updates = [run for run in what.runs if any(map(run.moved, run.before))]
    if not updates:
        return [["update"]]
    more = MORE.get(number)
    rows = [["update", "the step", "w", *([more] if more else [])]]
    evenly = {int(n) for n in np.linspace(0, len(updates) - 1, ROWS)}
    for n in ROWS_OF.get(number, sorted(evenly)):
        run = updates[n]
        row = [str(n + 1), str(run.after[counter(what)]), f"{float(run.after['w']):.4g}"]
        if more:
            row.append(str(run.ops) if more == "operations" else f"{rate(run):.4g}")
        rows.append(row)
    return rows
