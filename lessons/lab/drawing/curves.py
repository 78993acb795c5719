"""Curves of training runs: a weight that runs away, and what the inherited script writes."""

from collections.abc import Sequence

from lab.drawing.parts import DONE, NOW, axis, chart, line, still
from lab.page.view import View


def plot_weight(weights: Sequence[float], goal: float) -> View:
    """Return a picture of a weight that runs away, in millions, and of where it should go."""
    path = [(step, float(weight) / 1e6) for step, weight in enumerate(weights)]
    end = {"at": path[-1], "text": f"{path[-1][1]:.2f} million", "anchor": "end", "kind": NOW}
    part = chart(
        axis("step", 0, len(path) - 1),
        axis("w, in millions", -25, 5, ticks=[-20, -10, 0]),
        [line(path, "", NOW, dots=True)],
        rules=[{"y": goal / 1e6, "label": f"w should be {goal}"}],
        notes=[end | {"dx": -14, "dy": 4}],
    )
    words = f"w stays near 0 on this scale up to step 8, then ends at {path[-1][1]:.2f} million."
    return still(part, words=f"{words} It should be {goal}.")


def plot_accuracy(points: Sequence[tuple[int, float]]) -> View:
    """Return a picture of the inherited script's test curve: (step, share of right answers)."""
    steps, shares = zip(*points, strict=True)
    words = f"{len(points)} points, from {shares[0]:.3f} to {shares[-1]:.3f}, at steps {steps}."
    return still(accuracy_curve(points), words=words)


def accuracy_curve(points: Sequence[tuple[int, float]], **look: object) -> dict:
    """Describe this curve, which has gone wrong if all its points are at one step."""
    kind = NOW if len({step for step, _ in points}) == 1 else DONE
    return chart(
        axis("step", 0, 300, ticks=[*range(0, 301, 50)]),
        axis("share of test digits it gets right", 0, 1, ticks=[0, 0.5, 1]),
        [line(points, "", kind, dots=True)],
        title="test_accuracy: the share of the test digits that the model gets right",
        **look,
    )
