"""Learning rates over the step: two runs side by side, and many schedules, each in a small picture."""

import math
from collections.abc import Iterable, Mapping, Sequence

from lab.drawing.parts import DONE, NOW, OFF, axis, chart, line, still
from lab.page.view import View


def side_by_side(**printed: Sequence[str]) -> View:
    """Print two runs' lines ("rate step") in columns, and return a picture of their rates.

    side_by_side(with_step=["0.107177 1", ...], without=["0.1 0", ...])
    """
    names = [name.replace("_", " ") for name in printed]
    print("run", *(f"{name:>14}" for name in names))
    for number, lines in enumerate(zip(*printed.values(), strict=True), start=1):
        print(f"{number:3}", *(f"{line:>14}" for line in lines))
    rates = [[float(line.split()[0]) for line in lines] for lines in printed.values()]
    curves, said = [], []
    for name, curve, kind in zip(names, rates, (DONE, NOW), strict=True):
        curves.append(line(list(enumerate(curve, start=1)), name, kind, dots=True))
        goes = f"goes from {curve[0]:.4g} to {curve[-1]:.4g}"
        how = goes if len(set(curve)) > 1 else f"stays at {curve[0]:.4g}"
        said.append(f"{name}: the learning rate {how}")
    runs = axis("runs of the train op", 0, len(rates[0]))
    part = chart(runs, axis("learning rate", 0, _top(rates)), curves)
    return still(part, words=f"{'; '.join(said)}.")


def small_curves(curves: Mapping[str, Sequence[float]], mark: int, first: int = 0) -> View:
    """Return a small picture of each curve, from the step `first` on, with the step `mark` marked.

    small_curves({"exponential_decay": [0.4, 0.39, ...], ...}, mark=20)
    """
    last = first + max(map(len, curves.values())) - 1
    top = 1.2 * _top(curves.values())
    words = "; ".join(
        f"{name} {rates[0]:.4g}, {rates[mark - first]:.4g}, {rates[-1]:.4g}"
        for name, rates in curves.items()
    )
    steps = axis("step", first, last, ticks=[*range(first, last + 1, mark - first)])
    name_of_axis = {"at": [first, top], "text": "rate", "anchor": "end", "dx": -4, "dy": 4}
    more = {"rules": [{"x": mark, "kind": OFF}], "notes": [name_of_axis]}
    room = {"height": 160, "basis": 157, "grow": 0}
    charts = []
    for name, rates in curves.items():
        points, few = list(enumerate(rates, first)), len(rates) < 15
        curve = line(points, "", DONE, steps=jumps(rates), dots=few)
        up = axis("learning rate", 0, top)
        charts.append(chart(steps, up, [curve], title=name, **more, **room))
    return still(*charts, words=f"Learning rates at steps {first}, {mark} and {last}: {words}.")


def jumps(rates: Sequence[float]) -> list[int]:
    """Return the steps at which the rate jumps: it doesn't move that way just before or after."""
    changes = [after - before for before, after in zip(rates, rates[1:], strict=False)]
    around = zip([0.0, *changes], changes, [*changes[1:], 0.0], strict=False)
    jumped = (now and before * now <= 0 and now * after <= 0 for before, now, after in around)
    return [step for step, jump in enumerate(jumped, start=1) if jump]


def _top(curves: Iterable[Sequence[float]]) -> float:
    return max((rate for curve in curves for rate in curve if 0 < rate < math.inf), default=1.0)
