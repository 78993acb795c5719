"""The checkpoint timeline: how often to save, how many to keep, when the run is killed; then it goes on."""

from __future__ import annotations

from lab.explorer import Explorer, slider
from lab.panel import Curve, Dot
from lab.scene import Arrow, Box, Scene, Text
from lab.stop_and_resume import LAST, Half, stop_and_resume

LEFT, STEP = 32, 24.5  # where step 0 stands, and how far steps are apart, in pixels
SIDE = 21  # of the box of a checkpoint
FIRST, SECOND, BOTTOM = 58, 180, 250  # the heights of the two runs, and of the axis


class CheckpointTimeline(Explorer):
    """Three sliders: save every so many steps, keep so many, killed after this step."""

    note = "Run this cell, and you get controls: save more often, keep more, kill it later."

    def __init__(self) -> None:
        """Start with a run that saved four times and keeps two."""
        self.every = slider("save every ... steps", 4, 1, 12)
        self.keep = slider("max_to_keep", 2, 1, 6)
        self.killed = slider("killed after step", 18, 1, LAST - 1)
        super().__init__([self.every, self.keep, self.killed])

    def picture(self) -> Scene:
        """Return both runs over one axis, each with its checkpoints below it."""
        every, keep, killed = self.every.value, self.keep.value, self.killed.value
        first, second = stop_and_resume(every, keep, killed)
        shapes = [
            *_key(keep),
            *_axis(),
            *_run("first run", first, FIRST, 27),
            *_kill(killed),
            *_restore(second),
            *_twice(first, second),
            *_run("second run", second, SECOND, 32),
        ]
        return Scene(640, BOTTOM + 44, shapes, in_words(every, keep, first, second))


def in_words(every: int, keep: int, first: Half, second: Half) -> str:
    """Say what the picture shows."""
    steps = "step" if every == 1 else f"{every} steps"
    deleted = [step for step in first.saved if step not in first.kept]
    return (
        f"It saves every {steps}; max_to_keep is {keep}.\n"
        f"First run: it is killed after step {first.end}. Checkpoints kept: {_list(first.kept)}. "
        f"Deleted: {_list(deleted)}.\n"
        f"Second run: it {_from(second)}. Done twice: {_twice_in_words(first, second)}.\n"
        f"In the folder at step {second.end}: {_list(second.found)}."
    )


def _list(steps: tuple[int, ...] | list[int]) -> str:
    return ", ".join(str(step) for step in steps) or "none"


def _from(second: Half) -> str:
    if second.start:
        return f"restores {second.start}, and starts with step {second.start + 1}"
    return "finds no checkpoint, and starts with step 1"


def _twice_in_words(first: Half, second: Half) -> str:
    lost = first.end - second.start
    if lost == 0:
        return "no step"
    begin = second.start + 1
    return f"step {begin}" if lost == 1 else f"steps {begin} to {first.end}"


def _x(step: float) -> float:
    return LEFT + STEP * step


def _key(keep: int) -> list[Box | Text]:
    """Say what the boxes are: kept or deleted."""
    return [
        Box(330, 4, SIDE, SIDE, "done"),
        Text(357, 19, "kept", size=12),
        Box(402, 4, SIDE, SIDE, "quiet"),
        Text(429, 19, f"deleted (max_to_keep is {keep})", size=12),
    ]


def _axis() -> list[Curve | Text]:
    shapes: list = [Curve([(_x(0), BOTTOM), (_x(LAST), BOTTOM)], thick=1)]
    for step in range(LAST + 1):
        long = step % 4 == 0
        shapes.append(Curve([(_x(step), BOTTOM), (_x(step), BOTTOM + (6 if long else 3))], thick=1))
        if long:
            shapes.append(Text(_x(step), BOTTOM + 20, f"{step}", size=12, anchor="middle"))
    shapes.append(Text(_x(LAST / 2), BOTTOM + 38, "step", anchor="middle"))
    return shapes


def _run(name: str, half: Half, y: float, lift: float) -> list[Curve | Dot | Text | Box]:
    """Draw the steps of one program as dots, its name above, its checkpoints as boxes below them."""
    start = _x(half.start)
    shapes: list = [
        _beside(start, y - lift, name, bold=True),
        Curve([(start, y), (_x(half.end), y)], "done", 1.5),
        *(Dot(_x(step), y, "done", 4) for step in range(half.start + 1, half.end + 1)),
    ]
    for step in half.saved:
        kind = "done" if step in half.kept else "quiet"
        shapes.append(Box(_x(step) - SIDE / 2, y + 14, SIDE, SIDE, kind, key=f"checkpoint {step}"))
        shapes.append(Text(_x(step), y + 29, f"{step}", size=12, anchor="middle", kind=_text(kind)))
    return shapes


def _beside(x: float, y: float, text: str, bold: bool = False) -> Text:
    """Write to the right of `x`, or to the left of it where the picture ends."""
    right = x < _x(LAST - 4)
    return Text(x + 8 if right else x - 8, y, text, 12, "start" if right else "end", bold=bold)


def _text(kind: str) -> str:
    return "quiet" if kind == "quiet" else "plain"


def _kill(killed: int) -> list[Curve | Text]:
    """Draw a cross behind the last step of the first run."""
    x, y, arm = _x(killed + 0.5), FIRST, 5
    return [
        Curve([(x - arm, y - arm), (x + arm, y + arm)], "now", 3),
        Curve([(x - arm, y + arm), (x + arm, y - arm)], "now", 3),
        Text(x, y - 12, "killed", size=12, anchor="middle"),
    ]


def _restore(second: Half) -> list[Arrow | Text]:
    """Draw the way from the checkpoint that is restored to the start of the second run."""
    if not second.start:
        return []
    x, top = _x(second.start), FIRST + 14 + SIDE
    return [Arrow([(x, top), (x, SECOND - 5)], kind="done"), _beside(x, top + 22, "restored")]


def _twice(first: Half, second: Half) -> list[Box | Text]:
    """Draw a frame around the steps that both runs do."""
    if first.end == second.start:
        return []
    left, right = _x(second.start + 0.5), _x(first.end + 0.5)
    return [
        Box(left, SECOND - 9, right - left, 18, "now", key="twice"),
        _beside(_x(second.start), SECOND - 14, "done twice"),
    ]
