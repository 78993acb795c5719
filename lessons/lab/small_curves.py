"""Small curves: many learning rates over the same steps, each in a little picture of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lab.chart import ticks
from lab.panel import Axis, Curve, Panel
from lab.scene import Scene, Text
from lab.shown import Still

WIDTH, COLUMNS = 640, 4
CELL, LEFT, ROW = 157, 38, 138  # pixels: a column, the room for an axis in it, a row


def small_curves(curves: Mapping[str, Sequence[float]], at: Sequence[int]) -> Still:
    """Print each curve's rates at the steps `at`, and return a picture of all curves from step 0 on.

    small_curves({"exponential_decay": [0.4, 0.39, ...], ...}, at=[0, 20, 40])
    """
    width = max(map(len, curves)) + 1
    print("step".ljust(width), *(f"{step:7}" for step in at))
    for name, rates in curves.items():
        print(name.ljust(width), *(f"{_short(rates[step]):>7}" for step in at))
    last = max(len(rates) for rates in curves.values()) - 1
    highest = ticks(max(max(rates) for rates in curves.values()))
    up = Axis(0, highest[-1], [0, highest[-1] / 2, highest[-1]])
    shapes: list = []
    for number, (name, rates) in enumerate(curves.items()):
        row, column = divmod(number, COLUMNS)
        x, y = CELL * column + LEFT, ROW * row + 26
        across = Axis(0, last, [0, last / 2, last])
        panel = Panel(x, y, CELL - LEFT - 12, ROW - 58, across, up, "", "")
        points = [panel.place(point) for point in enumerate(rates)]
        title = Text(x - LEFT + 8, y - 10, name, size=11, mono=True, bold=True)
        shapes += [*panel.frame(), Curve(points, "done"), title]
    rows = -(-len(curves) // COLUMNS)
    words = "; ".join(
        f"{name} from {rates[0]:.4g} to {rates[-1]:.4g}" for name, rates in curves.items()
    )
    return Still(
        Scene(WIDTH, ROW * rows, shapes, f"Learning rates over steps 0 to {last}: {words}.")
    )


def _short(rate: float) -> str:
    """The rate with at most four digits; what a rounding leaves near zero is zero."""
    return f"{rate if abs(rate) > 1e-7 else 0:.4g}"
