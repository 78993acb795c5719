"""The stability explorer: drag `w` and the rate, and see whether ten steps find w = 1."""

import numpy as np

from lab.controls.controls import segments, slider, values
from lab.controls.explorer import Explorer
from lab.drawing.parts import DONE, NOW, PLAIN, Picture, axis, chart, line, note
from lab.experiments.descent import STEPS, Descent

LEAST, MOST = 0.0025, 0.5  # the rates
TOP = {"sum": 100.0, "mean": 10.0}  # the top of the picture, for each loss
ROOM = {"basis": 330, "height": 270}  # for a chart, in pixels


class StabilityExplorer(Explorer):
    """A rate, a start, a switch between sum and mean, and the number of examples."""

    controls = (
        slider("rate", "learning rate", 0.045, LEAST, MOST, LEAST, format=4),
        slider("start", "w at the start", 0.0, -1.0, 3.0, 0.1, format=1),
        segments("loss", "loss", list(TOP)),
        slider("examples", "examples", 10, 2, 40),
    )

    def __init__(self, limit: bool = True) -> None:
        """Start just above the limit; without `limit`, the reader is to find it, for the sum alone."""
        self._descent, self._limit = Descent(), limit
        if not limit:
            self.controls = self.controls[:2]

    def settings(self) -> list[dict]:
        """Return what a reader without Python can reach.

        Fine rates around both limits, every start, and some of the rest together.
        """
        rates, starts, *_ = map(values, self.controls)
        some = [0.045, *rates[9::10]]
        moves = [{"rate": rate} for rate in rates[:40] + rates[49::10]]
        moves += [{"start": start} for start in starts]
        if not self._limit:
            moves += [{"start": start, "rate": rate} for start in starts[::10] for rate in some]
        else:
            moves += [{"rate": rate, "loss": "mean"} for rate in [*some, *rates[163:176]]]
            both = [{"loss": loss} for loss in TOP]
            moves += [one | {"examples": n} for n in range(5, 41, 5) for one in both]
            moves += [
                one | {"examples": n, "rate": r}
                for n in (20, 40)
                for r in some[::4]
                for one in both
            ]
        return [self.state | move for move in moves]

    def picture(self, rate: float, start: float, loss: str = "sum", examples: int = 10) -> Picture:
        """Return the path of `w` on the loss, its distance from 1, and the rate beside its limit."""
        bends, weights = self._descent(loss, rate, examples, start)
        bend, limit = bends[loss], 2 / bends[loss]
        factor = (weights[1] - 1) / (start - 1) if start != 1 else 0.0  # as measured
        verdict, kind = judged(start, factor)
        bends_by = f"curvature {bend:.4g}, limit 2 / {bend:.4g} = {limit:.4g}"
        goes = (
            f"each step multiplies w - 1 by {factor:.4g}. After ten steps w is {weights[-1]:.4g}."
        )
        words = (
            f"The {loss} over {examples} examples: {bends_by}.\nRate {rate:.4g}: {goes}\n{verdict}"
        )
        if not self._limit:
            words = f"Rate {rate:.4g}: after ten steps w is {weights[-1]:.4g}.\n{verdict}"
            bends, limit = {loss: bend}, None
        charts = valley(loss, bends, weights), distances(weights), strip(rate, limit)
        return Picture([note(verdict, kind=kind, reserve=26), *charts], words)


def judged(start: float, factor: float) -> tuple[str, str]:
    """Say whether `w` gets closer to 1, and return the kind of this verdict."""
    if start == 1:
        return "w starts at 1, so every step leaves it there.", DONE
    if 0.99 <= abs(factor) <= 1.01:
        return "The rate is at the limit: w stays about as far away as it was.", PLAIN
    if factor >= 0:
        return "It converges: w approaches 1 from one side.", DONE
    if factor > -1:
        return "It converges: w jumps from side to side, closer each time.", DONE
    return "It diverges: w jumps from side to side, farther away each time.", NOW


def valley(loss: str, bends: dict[str, float], weights: list[float]) -> dict:
    """Draw the losses over `w`, and the path of the steps on one of them."""

    def points(name: str, ws: np.ndarray) -> list[tuple]:
        return [(w, bends[name] / 2 * (w - 1) ** 2) for w in ws]

    ws = np.linspace(-1.2, 3.2, 89)
    path = points(loss, np.clip(np.round(weights, 3), -99, 101))  # anything farther is out of sight
    lines = [line(points(name, ws), name, DONE if name == loss else PLAIN) for name in bends]
    lines.append(line(path, "", NOW, dots=True, silent=True))
    at = [weights[0], min(path[0][1], TOP[loss])]
    handle = {"control": "start", "at": at, "name": "w at the start"}
    along, up = axis("w", -1.2, 3.2, ticks=[-1, 0, 1, 2, 3]), axis("loss", 0, TOP[loss])
    return chart(along, up, lines, handles=[handle], **ROOM)


def distances(weights: list[float]) -> dict:
    """Draw how far `w` is from 1 after each step; each gridline is 100 times the one below."""
    path = [(step, abs(w - 1)) for step, w in enumerate(weights)]
    at = [STEPS, path[0][1] or 1e-4]
    text = "the distance at the start" if path[0][1] else "0 at every step"
    aside = 16 if path[-1][1] >= at[1] else -6  # the note keeps out of the path's way
    words = {"at": at, "text": text, "anchor": "end", "dx": 0, "dy": aside}
    ticks = [1e-4, 1e-2, 1, 1e2, 1e4, 1e6]
    up = axis("|w − 1|, the distance", 1e-4, 1e6, log=True, ticks=ticks)
    curve = line(path, "", NOW, dots=True)
    return chart(axis("step", 0, STEPS), up, [curve], rules=[{"y": at[1]}], notes=[words], **ROOM)


def strip(rate: float, limit: float | None) -> dict:
    """Draw all rates as a strip, split into converging and diverging, with a handle for `rate`."""
    bands, rules = [{"from": LEAST, "to": MOST, "kind": PLAIN}], []
    if limit is not None:
        converging = {"from": LEAST, "to": limit, "kind": DONE, "label": "converges"}
        bands = [converging, {"from": limit, "to": MOST, "kind": NOW, "label": "diverges"}]
        rules = [{"x": limit, "label": f"limit {limit:.4g}", "low": True}]
    side = {"anchor": "end", "dx": -14} if rate > 0.1 else {"dx": 14}
    at = [rate, 0.5]
    notes = [{"at": at, "text": f"your rate {rate:.4g}", "kind": NOW, "dy": 4, **side}]
    handles = [{"control": "rate", "at": at, "name": "learning rate"}]
    along = axis("learning rate", LEAST, MOST, log=True, ticks=[0.0025, 0.01, 0.1, MOST])
    up = axis("your rate and the limit" if rules else "your rate", 0, 1, ticks=[])
    more = {"bands": bands, "rules": rules, "notes": notes, "handles": handles}
    return chart(along, up, [], **more, inset=[24, 20], height=118)
