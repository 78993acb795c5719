"""Curves of training runs: a weight that swings, and what the inherited script writes."""

from collections.abc import Mapping, Sequence

from lab.drawing.parts import DONE, NOW, PLAIN, Point, axis, chart, line, still
from lab.page.view import View


def plot_delays(paths: Mapping[int, Sequence[float]]) -> View:
    """Return a picture of the paths of `w` to 1 for three delays: plain, good, and bad."""
    kinds = zip(paths.items(), (PLAIN, DONE, NOW), strict=True)
    lines = [line([*enumerate(path)], f"delay {late}", kind) for (late, path), kind in kinds]
    batches = axis("batch", 0, len(lines[0]["points"]) - 1)
    up = axis("w, which should reach 1", -2, 3, ticks=[-2, -1, 0, 1, 2, 3])
    words = "; ".join(f"delay {late}: w goes up to {max(path):.2f}" for late, path in paths.items())
    return still(chart(batches, up, lines, rules=[{"y": 1}], height=230), words=f"{words}.")


def plot_curves(loss: Sequence[Point], accuracy: Sequence[Point]) -> View:
    """Return a picture of both curves that two runs of the inherited script write: (step, value).

    What is drawn over the loss that was there before is orange.
    """
    first, again = two_runs(loss)
    runs = [(first, "first run", DONE, -24), (again, "second run, over it", NOW, -8)]
    names = [{"at": r[-1], "text": name, "kind": kind, "dy": dy} for r, name, kind, dy in runs if r]
    steps = axis("step", 0, 800, ticks=[*range(0, 801, 100)])
    up, lines = axis("loss", 0, 2.5, ticks=[0, 1, 2]), [line(r, "", kind) for r, _, kind, _ in runs]
    start = {"x": 400, "label": "the second run starts"}
    look = {"height": 150, "inset": (40, 14)}
    notes = names if names[1:] else []
    above = chart(steps, up, lines, title="loss", notes=notes, rules=[start], **look)
    title = "test_accuracy: the share of the test digits that the model gets right"
    up, lines = axis("share", 0, 1, ticks=[0, 0.5, 1]), [line(accuracy, "", DONE, dots=True)]
    below = chart(steps, up, lines, title=title, rules=[start | {"low": True}], **look)
    said = ", then ".join(f"{run[0][0]} to {run[-1][0]}" for run, *_ in runs if run)
    last = f"Steps of the test accuracy: {accuracy[0][0]} to {accuracy[-1][0]}."
    return still(above, below, words=f"Steps of the loss: {said}. {last}")


def two_runs(points: Sequence[Point]) -> tuple[Sequence[Point], Sequence[Point]]:
    """Return the points up to where the step goes back, and those after it, which are drawn over them."""
    later = (n for n in range(1, len(points)) if points[n][0] <= points[n - 1][0])
    back = next(later, len(points))
    return points[:back], points[back:]
