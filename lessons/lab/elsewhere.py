"""The explorer of other libraries: the experiment in four of them, and what a mistake makes of it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

import ipywidgets as widgets

from lab.explorer import WIDE, Explorer
from lab.panel import Axis, Curve, Panel
from lab.recorded import recorded
from lab.scene import Box, Scene, Text

LIBRARIES = {
    "TensorFlow 1": "tensorflow",
    "Keras": "keras",
    "PyTorch": "pytorch",
    "optax": "optax",
}
RIGHT = "no mistake"  # the program as it should be
LINE, TOP, LEFT, RIGHT_EDGE = 18, 44, 14, 632
ROWS = 15  # the longest program, with what is left out of it
TABLE = TOP + LINE * ROWS + 22
COLUMNS = (28, 110, 160, 230)  # of the table: where each column ends


class ElsewhereExplorer(Explorer):
    """Choose a library and a mistake: the program, the ten lines that it printed, and its counter."""

    note = "Run this cell, and you get controls: another library, another mistake."

    def __init__(self) -> None:
        """Start with TensorFlow 1, without a mistake."""
        self._runs = {name: recorded("elsewhere", file) for name, file in LIBRARIES.items()}
        self.library = widgets.ToggleButtons(
            options=list(LIBRARIES), description="library", layout=widgets.Layout(display="flex")
        )
        self.library.style.button_width = "9.5em"
        self.mistake = widgets.Dropdown(description="mistake", layout=WIDE)
        self._offer()
        self.library.observe(self._offer, "value")  # before the picture follows
        super().__init__([self.library, self.mistake])

    def _offer(self, change: object = None) -> None:
        """Offer the mistakes of the library, and keep the chosen one if it has that, too."""
        chosen, mistakes = self.mistake.value, list(self._runs[self.library.value]["runs"])
        self.mistake.options = mistakes
        self.mistake.value = chosen if chosen in mistakes else RIGHT

    def picture(self) -> Scene:
        """Return the program, with what is new and what is left out, and below it what it printed."""
        name, mistake = self.library.value, self.mistake.value
        recording = self._runs[name]
        runs, version = recording["runs"], recording[LIBRARIES[name]]
        if mistake not in runs:  # the library has changed, its mistakes will in a moment
            mistake = RIGHT
        right, run = runs[RIGHT], runs[mistake]
        rows = list(compared(right["program"], run["program"]))
        title = (
            f"TensorFlow {version}, as TensorFlow 1"
            if name == "TensorFlow 1"
            else f"{name} {version}"
        )
        shapes = [
            Text(LEFT, 20, title, bold=True),
            Text(RIGHT_EDGE, 20, mistake, anchor="end", bold=mistake != RIGHT),
            *program(rows),
            *table(run["printed"], right["printed"]),
            *counters(run["printed"], right["printed"]),
        ]
        words = in_words(f"{title}, {mistake}", rows, run["printed"], right["printed"])
        words += "\n".join(["", *(run["warnings"] or ["No error, no warning."])])
        return Scene(640, TABLE + LINE * 12 + 24, shapes, words)


def compared(right: Sequence[str], wrong: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Give the lines of both programs without imports: (line, "same", "new" or "left out")."""
    programs = [
        [line for line in lines if line and not line.startswith(("import ", "from "))]
        for lines in (right, wrong)
    ]
    for tag, a, b, c, d in difflib.SequenceMatcher(None, *programs, False).get_opcodes():
        if tag == "equal":
            yield from ((line, "same") for line in programs[0][a:b])
        else:
            yield from ((line, "left out") for line in programs[0][a:b])
            yield from ((line, "new") for line in programs[1][c:d])


def program(rows: Sequence[tuple[str, str]]) -> Iterator[Box | Text]:
    """Draw a program: what is new in a thick frame, what is left out in a dashed one."""
    for number, (line, how) in enumerate(rows):
        y = TOP + LINE * number
        if how != "same":
            yield Box(8, y - 13, RIGHT_EDGE - 8, LINE - 1, "now" if how == "new" else "quiet")
            yield Text(RIGHT_EDGE - 6, y, how, size=12, anchor="end", bold=how == "new")
        kind = "quiet" if how == "left out" else "plain"
        yield Text(LEFT, y, line, size=12, mono=True, kind=kind)


def table(printed: Sequence[str], right: Sequence[str]) -> Iterator[Text]:
    """Draw the ten lines: one that differs from the right program's is bold, and has a mark."""
    yield Text(LEFT, TABLE, "It printed", bold=True)
    rows = [("", "rate", "step", "w")]
    for line, other in zip(printed, right, strict=True):
        rows.append(("" if line == other else "≠", *line.split()))
    for number, row in enumerate(rows):
        y, kind = TABLE + LINE * (number + 1), "plain" if number else "quiet"
        for x, text in zip(COLUMNS, row, strict=True):
            yield Text(x, y, text, 12, "end", mono=True, bold=bool(row[0]), kind=kind)


def counters(printed: Sequence[str], right: Sequence[str]) -> list:
    """Draw the counter over the updates of w, and the right one dashed."""
    counted, meant = (
        [(0, 0), *((n, int(line.split()[1])) for n, line in enumerate(lines, start=1))]
        for lines in (printed, right)
    )
    top = 20 if max(step for _, step in counted) > 10 else 10
    across, up = Axis(0, 10, range(0, 11, 2)), Axis(0, top, range(0, top + 1, top // 5))
    panel = Panel(340, TABLE + 18, 285, 165, across, up, "updates of w", "step")
    dashes = Curve([panel.place(point) for point in meant], dashed=True, thick=1.6)
    return [*panel.frame(), dashes, *panel.path(counted, "now" if counted != meant else "done")]


def in_words(
    title: str, rows: Sequence[tuple[str, str]], printed: Sequence[str], right: Sequence[str]
) -> str:
    """Say what the picture shows: what differs, and how both programs end."""
    said = [f"{title}."]
    for how in ("left out", "new"):
        lines = [line.strip() for line, is_so in rows if is_so == how]
        if lines:
            said.append(f"{how.capitalize()}: {' | '.join(lines)}")
    rate, step, w = printed[-1].split()
    ends = f"After ten updates the step is {step}, the rate {rate}, w {w}."
    if printed != right:
        other_rate, other_step, other_w = right[-1].split()
        ends += f"\nWithout the mistake: {other_step}, {other_rate}, {other_w}."
    said.append(ends)
    return "\n".join(said)
