"""Where a weight goes if its gradients are pushed late."""

from collections.abc import Mapping, Sequence

from lab.drawing.parts import DONE, NOW, PLAIN, axis, chart, line, still
from lab.page.view import View


def plot_delays(paths: Mapping[int, Sequence[float]]) -> View:
    """Return a picture of the paths of `w` to 1 for three delays: plain, good, and bad."""
    kinds = zip(paths.items(), (PLAIN, DONE, NOW), strict=True)
    lines = [line([*enumerate(path)], f"delay {late}", kind) for (late, path), kind in kinds]
    steps = axis("step", 0, len(lines[0]["points"]) - 1)
    up = axis("w, which should reach 1", -2, 3, ticks=[-2, -1, 0, 1, 2, 3])
    words = "; ".join(f"delay {late}: w goes up to {max(path):.2f}" for late, path in paths.items())
    return still(chart(steps, up, lines, rules=[{"y": 1}], height=230), words=f"{words}.")
