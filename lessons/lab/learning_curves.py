"""Learning curves: the loss and the accuracy of a few runs over the step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lab.panel import Axis, Curve, Panel
from lab.scene import Scene, Text
from lab.shown import Still

LOOKS = [("plain", True), ("done", False), ("now", False)]  # kind, and whether it is dashed
LATE = 200  # from this step on, the second picture of the loss is close enough to see a difference


@dataclass(frozen=True)
class Round(Axis):
    """An axis whose marks are called by their numbers, logarithmic or not."""

    def name(self, mark: float) -> str:
        """Return the number."""
        return f"{mark:,g}"


def learning_curves(runs: Mapping[str, Sequence[Sequence[float]]]) -> Still:
    """Print (step, loss, accuracy) of each run, and return a picture of them.

    learning_curves({"rate 0.5": [(10, 2.1, 0.56), (20, 0.3, 0.91)], "decay": ...})
    """
    print(" " * 6 + "".join(f"{name:<20}" for name in runs).rstrip())
    print(("step  " + f"{'loss':<8}{'accuracy':<12}" * len(runs)).rstrip())
    for rows in zip(*runs.values(), strict=True):
        line = "".join(f"{row[1]:<8.3f}{row[2]:<12.3f}" for row in rows)
        print(f"{rows[0][0]:<6}{line.rstrip()}")
    rows = [row for run in runs.values() for row in run]
    first, last = min(row[0] for row in rows), max(row[0] for row in rows)
    late = [row[1] for row in rows if row[0] >= LATE]
    low, high = min(late), max(late)
    across = Round(first, last, (first, 100, last), logarithmic=True)
    later = Round(LATE, last, (LATE, last / 2, last))
    ups = [
        ("loss", 1, across, Round(0.1, 3, (0.1, 0.2, 0.5, 1, 2), logarithmic=True)),
        (f"loss from step {LATE} on", 1, later, _fitting(low, high, 0.005)),
        ("accuracy", 2, across, _fitting(min(row[2] for row in rows), 1, 0.1)),
    ]
    shapes: list = []
    for number, (name, column, steps, up) in enumerate(ups):
        panel = Panel(46 + 212 * number, 66, 144, 190, steps, up, "step", name)
        shapes += panel.frame()
        for (kind, dashed), run in zip(LOOKS, runs.values(), strict=False):
            points = [(row[0], row[column]) for row in run if row[0] >= steps.low]
            shapes.append(Curve([panel.place(point) for point in points], kind, 2.2, dashed))
    for number, (name, (kind, dashed)) in enumerate(zip(runs, LOOKS, strict=False)):
        left = 48 + 160 * number
        shapes += [Curve([(left, 16), (left + 30, 16)], kind, 2.2, dashed)]
        shapes += [Text(left + 37, 20, name)]
    starts = "; ".join(f"{name} {run[0][1]:.3f}" for name, run in runs.items())
    ends = "; ".join(f"{name} {run[-1][1]:.3f}" for name, run in runs.items())
    words = (
        f"The loss on the held-back data at step {first}: {starts}. At step {last:,}: {ends}.\n"
        "(The first and the last picture stretch the early steps: their axis is logarithmic.)"
    )
    return Still(Scene(640, 300, shapes, words))


def _fitting(low: float, high: float, unit: float) -> Axis:
    """Return an axis from a multiple of `unit` below `low` to one above `high`, with a few marks."""
    start, end = int(low / unit + 1e-6), -int(-high / unit - 1 + 1e-6)
    every = max(1, round((end - start) / 4))
    return Round(start * unit, end * unit, [unit * n for n in range(start, end + 1, every)])
