"""The smoothing explorer: two noisy runs, and the curves that TensorBoard draws through them."""

import math
from collections.abc import Mapping, Sequence

from lab.controls.controls import slider
from lab.controls.explorer import Explorer
from lab.drawing.parts import DONE, NOW, Picture, axis, chart, line

HIGH, ZOOM = 5.0, (0.5, 2.5)  # where the points and the averages are cut off
NOISY = 0.5  # with less smoothing than this, an average is drawn as thin as the points


def smoothed(values: Sequence[float], weight: float) -> list[float]:
    """Return the values as TensorBoard smooths them: the old sum keeps the fraction `weight`."""
    total, count, curve = 0.0, 0, []
    for value in values:
        if math.isfinite(value):
            count += 1
            total = weight * total + (1 - weight) * value
            value = total / (1 - weight**count)  # so far, the weights add up to 1 - weight**count
        curve.append(value)
    return curve


class SmoothingExplorer(Explorer):
    """A slider for the smoothing, starting where TensorBoard's does."""

    controls = (slider("smoothing", "smoothing", 0.6, 0, 0.99, 0.01, format=2),)

    def __init__(self, runs: Mapping[str, Sequence[float]], least: float):
        """Show one or two runs: their names, and their losses from step 1 on; noise alone costs `least`."""
        self._runs, self._least = runs, least

    def settings(self) -> list[dict]:
        """Return only a few settings, because each stores curves of hundreds of points."""
        return [{"smoothing": weight} for weight in (0, 0.3, 0.6, 0.8, 0.9, 0.95, 0.99)]

    def picture(self, smoothing: float) -> Picture:
        """Return the averages of all runs, and below them each run's points with its average."""
        averages, apart, words = [], [], [f"Smoothing {smoothing:.2f}."]
        loss, best = axis("loss", 0, HIGH, ticks=[0, 2, 4]), {"y": self._least}
        steps = axis("step", 0, max(map(len, self._runs.values())))
        for (name, values), kind in zip(self._runs.items(), (DONE, NOW), strict=False):
            curve, last = smoothed(values, smoothing), len(values)
            averages.append(line(_places(curve), name, kind, thin=smoothing < NOISY))
            lines = [line(_places(values), "", kind, thin=True)]
            lines += [line(_places(curve), "", kind, silent=True)] if smoothing >= NOISY else []
            title = f"{name}: the points, and their average" if lines[1:] else f"{name}: the points"
            apart.append(chart(steps, loss, lines, title=title, height=170, basis=330))
            words.append(f"{name}: {curve[-1]:.3f} at step {last}.")
        title = f"both averages (at {self._least:g}: what noise alone costs)"
        both = chart(steps, axis("loss", *ZOOM), averages, title=title, height=260, rules=[best])
        return Picture([both, *apart], "\n".join(words))


def _places(values: Sequence[float]) -> list[tuple[int, float]]:
    """Return the points from step 1 on, without decimals and heights that can't be seen."""
    return [(step, round(min(value, 2 * HIGH), 3)) for step, value in enumerate(values, start=1)]
