"""Twin runs: two graphs that differ in one argument, shown next to each other."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from html import escape

import minitf as tf
from lab.chart import BLUE, VERMILLION, Chart, Line
from lab.shown import Still
from minitf.client.session import program_of

COLORS, STYLES = (BLUE, VERMILLION), ("solid", "dashed")


def side_by_side(**printed: Sequence[str]) -> Still:
    """Print two runs' lines ("rate step") in columns, and return a picture of their rates.

    side_by_side(with_step=["0.107177 1", ...], without=["0.1 0", ...])
    """
    names = [name.replace("_", " ") for name in printed]
    print("run", *(f"{name:>14}" for name in names))
    for number, lines in enumerate(zip(*printed.values(), strict=True), start=1):
        print(f"{number:3}", *(f"{line:>14}" for line in lines))
    rates = [[float(line.split()[0]) for line in lines] for lines in printed.values()]
    curves = [
        Line(name, list(enumerate(curve, start=1)), color, style)
        for name, curve, color, style in zip(names, rates, COLORS, STYLES, strict=True)
    ]
    words = "; ".join(
        f"{name}: the learning rate "
        + (
            f"stays at {curve[0]:.4g}"
            if len(set(curve)) == 1
            else f"goes from {curve[0]:.4g} to {curve[-1]:.4g}"
        )
        for name, curve in zip(names, rates, strict=True)
    )
    return Still(Chart(curves, "runs of the train op", "learning rate", f"{words}."))


class Comparison:
    """The programs of two train ops, with the statements marked that only one of them has."""

    def __init__(self, names: Sequence[str], programs: Sequence[Sequence[str]]):
        """Compare two programs, given as their statements."""
        self.names = [name.replace("_", " ") for name in names]
        first, second = programs
        self.rows: list[tuple[str, str, bool]] = []  # left, right, whether they are the same
        for tag, a, b, c, d in difflib.SequenceMatcher(None, first, second, False).get_opcodes():
            height = max(b - a, d - c)
            left = [*first[a:b], *[""] * (height - (b - a))]
            right = [*second[c:d], *[""] * (height - (d - c))]
            self.rows += [(*pair, tag == "equal") for pair in zip(left, right, strict=True)]

    @property
    def differences(self) -> list[tuple[str, str]]:
        """The rows in which the two are not the same."""
        return [(left, right) for left, right, same in self.rows if not same]

    @property
    def words(self) -> str:
        """How many statements both have, and which not."""
        both = len(self.rows) - len(self.differences)
        lines = [f"{both} statements are the same in both programs."]
        for pair in self.differences:
            for name, text in zip(self.names, pair, strict=True):
                lines.append(f"Only {name}:  {text}" if text else f"{name}:  nothing here")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return self.words

    def _repr_html_(self) -> str:
        """Two columns; where they differ, a word and a frame, not only a colour."""
        heads = "".join(f'<th style="text-align: left">{escape(name)}</th>' for name in self.names)
        return f"<table><tr>{heads}</tr>{''.join(map(self._row, self.rows))}</table>"

    def _row(self, row: tuple[str, str, bool]) -> str:
        *texts, same = row
        return f"<tr>{''.join(self._cell(text, same) for text in texts)}</tr>"

    def _cell(self, text: str, same: bool) -> str:
        if same:
            return f'<td style="text-align: left"><code>{escape(text)}</code></td>'
        shown = f"<b>only here:</b> <code>{escape(text)}</code>" if text else "<b>nothing here</b>"
        return f'<td style="text-align: left; border: 2px solid {VERMILLION}">{shown}</td>'


def compare_programs(**train_ops: tf.Operation) -> Comparison:
    """Compare the programs that running two ops executes.

    compare_programs(with_step=train_op, without=another_train_op)
    """
    programs = [[s.text for s in program_of(op).statements] for op in train_ops.values()]
    return Comparison(list(train_ops), programs)
