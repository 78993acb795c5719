"""The test curve of the script that lesson 15 hands down."""

from collections.abc import Sequence

from lab.drawing.curves import two_runs
from lab.drawing.parts import DONE, NOW, axis, chart, line, still
from lab.page.view import View

FULL, HIGH = 640, 0.15  # two runs of 320 steps, and the largest error shown


def plot_error(points: Sequence[tuple[int, float]]) -> View:
    """Return a picture of (step, error), in orange where a run is drawn over the one before."""
    first, again = two_runs(points)
    steps, errors = zip((FULL, HIGH), *points, strict=True)
    named = [(first, "first run", DONE), (again, "second run, over it", NOW)]
    part = chart(
        axis("step", 0, max(steps), ticks=[*range(0, FULL + 1, 80)]),
        axis("error", 0, max(errors), ticks=[0, 0.05, 0.1, 0.15]),
        [line(run, name * bool(again), kind, dots=True) for run, name, kind in named if run],
        rules=[{"x": FULL / 2, "label": "8 epochs of 40 batches"}],
        title="test_error: the error of the averaged weights on the test data",
        height=220,
    )
    ends = [f"{run[0][0]} to {run[-1][0]}" for run in (first, again) if run]
    return still(part, words=f"The points are at steps {', then '.join(ends)}.")
