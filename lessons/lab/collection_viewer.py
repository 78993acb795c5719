"""The collection viewer: ways to make a counter, the collections it joins, and who finds it there."""

from __future__ import annotations

import ipywidgets as widgets

import minitf as tf
from lab.explorer import WIDE, Explorer, slider
from lab.scene import Arrow, Box, Scene, Text
from lab.ways_to_count import COLLECTIONS, WAYS, Look, look

MOST = 10


class CollectionViewer(Explorer):
    """A list of ways to make the counter, and a slider: how many times the train op runs."""

    note = "Run this cell, and you get controls: another counter, more runs."

    def __init__(self) -> None:
        """Start with a counter that nobody finds."""
        self.way = widgets.Dropdown(
            options=list(WAYS), value=list(WAYS)[1], description="the counter", layout=WIDE
        )
        self.runs = slider("runs of the train op", 3, 0, MOST)
        super().__init__([self.way, self.runs])

    def picture(self) -> Scene:
        """Return the code, the collections, and the two places where get_global_step looks."""
        code = WAYS[self.way.value]
        seen = look(code, self.runs.value)
        shapes = [
            Text(1, 16 + 18 * number, line, mono=True)
            for number, line in enumerate(code.splitlines())
        ]
        for number, key in enumerate(COLLECTIONS):
            shapes += _collection(1 + 219 * number, 70, key, seen)
        shapes += _search(seen)
        return Scene(640, 372, shapes, in_words(seen, self.runs.value))


def in_words(seen: Look, runs: int) -> str:
    """Say what the picture shows."""
    times = "1 run" if runs == 1 else f"{runs} runs"
    values = ", ".join(f"{name} holds {_number(value)}" for name, value in seen.values.items())
    held = "\n".join(f"{key}: {', '.join(held) or 'empty'}." for key, held in seen.held.items())
    return (
        f"After {times}, {values}.\n{held}\nget_global_step() gives {seen.found!r}: {_why(seen)}."
    )


def _number(value: float) -> str:
    return f"{value:.4g}"


def _why(seen: Look) -> str:
    several = len(seen.held["GLOBAL_STEP"])
    if several > 1:
        return f"GLOBAL_STEP holds {several}, and it takes none of them, but logs an error"
    if several:
        return "it is in GLOBAL_STEP"
    if seen.named:
        return "GLOBAL_STEP is empty, but something is named global_step:0"
    return "GLOBAL_STEP is empty, and nothing is named global_step:0"


def _collection(x: float, y: float, key: str, seen: Look) -> list[Box | Text]:
    """Draw one collection: its names, and in it the Variables with what they hold."""
    held = seen.held[key]
    shapes = [
        Box(x, y, 200, 150, key=key),
        Text(x + 10, y + 20, key, bold=True, size=12),
        Text(x + 10, y + 36, f'"{getattr(tf.GraphKeys, key)}"', mono=True, size=11, kind="quiet"),
    ]
    if not held:
        shapes.append(Text(x + 100, y + 85, "empty", anchor="middle", kind="quiet"))
    for number, name in enumerate(held):
        top = y + 45 + 34 * number
        kind = "done" if seen.found is not None and name == seen.found.name else "plain"
        text = f"{name} = {_number(seen.values[name])}"
        shapes.append(Box(x + 8, top, 184, 28, kind))
        shapes.append(Text(x + 16, top + 19, text, mono=True, size=11))
    return shapes


def _search(seen: Look) -> list[Box | Text | Arrow]:
    """Draw the two questions of get_global_step, the second only if the first finds nothing."""
    several = len(seen.held["GLOBAL_STEP"])
    if several:
        first, second = "yes, one" if several == 1 else f"yes, {several}: which one?", "not asked"
        kinds = ("done" if several == 1 else "now", "quiet")
    else:
        first, second = "no, it is empty", "yes" if seen.named else "no"
        kinds = ("plain", "done" if seen.named else "plain")
    x = 151 if several else 489  # the middle of the question that was asked last
    error = f"   {seen.log[0].replace(':tensorflow:', ': ')}" if seen.log else ""
    shapes = [
        Text(1, 250, "tf.train.get_global_step()", mono=True, bold=True),
        Text(214, 250, "asks"),
        Box(1, 262, 300, 48, kinds[0], key="first"),
        Text(12, 281, "1. Is anything in GLOBAL_STEP?"),
        Text(12, 300, first, bold=True),
        Box(339, 262, 300, 48, kinds[1], key="second"),
        Text(350, 281, "2. Is anything named global_step:0?"),
        Text(350, 300, second, bold=True, kind=kinds[1]),
        Arrow([(x, 310), (x, 330)]),
        Text(12, 350, "and gives"),
        Box(90, 330, 549, 32, "now" if seen.found is None else "done", key="result"),
        Text(102, 351, f"{seen.found!r}{error}", mono=True, size=12),
    ]
    return shapes if several else [*shapes, Arrow([(301, 286), (339, 286)])]
