"""The smoothing explorer: two noisy runs, and the curves that TensorBoard draws through them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import ipywidgets as widgets

from lab.explorer import Explorer, slider
from lab.panel import Axis, Curve, Dot, Panel
from lab.scene import Scene, Text, text_width

KINDS = ("done", "now")  # of the first run, which has a solid line, and of the second: a dashed one
HIGH = 5.0  # how far up the picture goes: what lies above is cut
MOST = 0.99


def smoothed(values: Sequence[float], weight: float) -> list[float]:
    """Return the values as TensorBoard smooths them: the old sum keeps `weight` of itself."""
    total, curve = 0.0, []
    count = 0
    for value in values:
        if math.isfinite(value):
            count += 1
            total = weight * total + (1 - weight) * value
            value = total / (1 - weight**count)  # so far, the weights add up to 1 - weight**count
        curve.append(value)
    return curve


class SmoothingExplorer(Explorer):
    """A slider for the smoothing, and a box to tick for the points themselves."""

    note = "Run this cell, and you get a slider that smooths the curves."

    def __init__(self, runs: Mapping[str, Sequence[float]]):
        """Show one or two runs: their names, and their losses from step 1 on."""
        kept = [(name, list(map(float, values))) for name, values in runs.items() if len(values)]
        self._runs = dict(kept[: len(KINDS)]) or {"no points": [0.0]}
        self.smoothing = slider("smoothing", 0.0, 0.0, MOST, 0.01)
        self.points = widgets.Checkbox(value=True, description="show the points, too", indent=False)
        super().__init__([self.smoothing, self.points])

    def picture(self) -> Scene:
        """Return the curves of all runs, smoothed, over what they smooth."""
        weight = self.smoothing.value
        curves = {name: smoothed(values, weight) for name, values in self._runs.items()}
        last = max(map(len, curves.values()))
        marks = [last * part // 6 for part in range(7)]
        up = Axis(0, HIGH, range(6))
        panel = Panel(52, 40, 566, 270, Axis(0, last, marks), up, "step", "loss")
        shapes = panel.frame()
        if self.points.value:
            for values, kind in zip(self._runs.values(), KINDS, strict=False):
                shapes.append(Curve(_places(panel, values), kind, 0.5))
        start = 618.0
        for number, (name, curve) in reversed(list(enumerate(curves.items()))):
            kind = KINDS[number]
            shapes.append(Curve(_places(panel, curve), kind, 2.4, dashed=number > 0))
            shapes.append(Dot(*_places(panel, curve)[-1], kind))
            start -= text_width(name, 13) + 44
            look = Curve([(start, 22), (start + 26, 22)], kind, 2.4, dashed=number > 0)
            shapes += [look, Text(start + 32, 26, name)]
        return Scene(640, 360, shapes, in_words(curves, weight, self.points.value))


def _places(panel: Panel, values: Sequence[float]) -> list[tuple[float, float]]:
    """Where the points from step 1 on lie; what is too high lies on the upper border."""
    return [
        panel.place((step, value if value < HIGH else HIGH))
        for step, value in enumerate(values, start=1)
    ]


def in_words(curves: Mapping[str, Sequence[float]], weight: float, points: bool) -> str:
    """Say where the curves end, and how much they jump."""
    thin = "the points are thin lines" if points else "the points are hidden"
    lines = [f"Smoothing {weight:.2f}; {thin}."]
    for name, curve in curves.items():
        jumps = [abs(b - a) for a, b in zip(curve, curve[1:], strict=False)]
        jump = sum(jumps) / max(len(jumps), 1)
        middle = curve[(len(curve) - 1) // 2]
        lines.append(
            f"{name}: {middle:.3f} at step {(len(curve) - 1) // 2 + 1}, "
            f"{curve[-1]:.3f} at step {len(curve)}; from one step to the next it jumps by {jump:.3f}."
        )
    if len(curves) == 2:
        (one, first), (other, second) = curves.items()
        crossed = sum(
            (a > b) != (c > d)
            for a, b, c, d in zip(first, second, first[1:], second[1:], strict=False)
        )
        lines.append(
            f"The curves of {one} and {other} cross {crossed} time{'s' if crossed != 1 else ''}."
        )
    return "\n".join(lines)
