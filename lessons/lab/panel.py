"""A panel is a small chart in a scene: its axes may be logarithmic, or go below zero."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lab.scene import COLORS, DRAW, PAINT, Arrow, Text

Point = tuple[float, float]
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Curve:
    """A line without a head through `points`; `kind` is a scene's."""

    points: Sequence[Point]
    kind: str = "plain"
    thick: float = 2
    dashed: bool = False


@dataclass(frozen=True)
class Dot:
    """A small disc around (`x`, `y`)."""

    x: float
    y: float
    kind: str = "plain"
    radius: float = 3


@dataclass(frozen=True)
class Axis:
    """The numbers from `low` to `high`, with a mark at some of them."""

    low: float
    high: float
    marks: Sequence[float]
    logarithmic: bool = False

    def part(self, value: float) -> float:
        """Return how far along the axis a value lies: 0 at `low`, 1 at `high`."""
        low, high = self.low, self.high
        if self.logarithmic:
            low, value, high = (math.log10(max(v, 1e-300)) for v in (low, value, high))
        return (value - low) / (high - low)

    def name(self, mark: float) -> str:
        """Return what stands at a mark."""
        if not self.logarithmic or mark == 1:
            return f"{mark:g}"
        return "10" + str(round(math.log10(mark))).translate(SUPERSCRIPTS)


@dataclass(frozen=True)
class Panel:
    """Two axes in the rectangle whose upper left corner is (`x`, `y`), in a scene's pixels."""

    x: float
    y: float
    width: float
    height: float
    across: Axis
    up: Axis
    x_label: str
    y_label: str

    def place(self, point: Point) -> Point:
        """Return where a point of the axes lies in the scene."""
        return self._pixels((self.across.part(point[0]), self.up.part(point[1])))

    def frame(self) -> list[Curve | Text]:
        """Return the marks of both axes, and what the axes are called."""
        right, bottom = self.x + self.width, self.y + self.height
        shapes: list[Curve | Text] = [
            Text(self.x + self.width / 2, bottom + 36, self.x_label, anchor="middle"),
            Text(self.x - 40, self.y - 14, self.y_label),
        ]
        for mark in self.up.marks:
            _, y = self.place((self.across.low, mark))
            name = self.up.name(mark)
            shapes.append(Curve([(self.x, y), (right, y)], "quiet", 0.35))
            shapes.append(Text(self.x - 8, y + 4, name, size=12, anchor="end"))
        for mark in self.across.marks:
            x, _ = self.place((mark, self.up.low))
            name = self.across.name(mark)
            shapes.append(Text(x, bottom + 17, name, size=12, anchor="middle"))
        return shapes

    def path(self, points: Sequence[Point], kind: str) -> list[Curve | Dot | Arrow]:
        """Return a line through `points` with a dot at each; an arrow, where it leaves the panel."""
        parts = [(self.across.part(x), self.up.part(y)) for x, y in points]
        outside = (
            n for n, part in enumerate(parts) if not all(-1e-9 <= p <= 1 + 1e-9 for p in part)
        )
        end = next(outside, len(parts))
        inside = [self._pixels(part) for part in parts[:end]]
        shapes: list[Curve | Dot | Arrow] = [Curve(inside, kind)]
        if 0 < end < len(parts):
            border = self._pixels(_border(parts[end - 1], parts[end]))
            shapes[0] = Curve([*inside, border], kind)
            shapes.append(Arrow([_short_of(border, inside[-1]), border], kind=kind))
        return [*shapes, *(Dot(x, y, kind) for x, y in inside)]

    def _pixels(self, part: Point) -> Point:
        return self.x + part[0] * self.width, self.y + (1 - part[1]) * self.height


def _border(inside: Point, outside: Point) -> Point:
    """Return where the way from a point inside to one outside crosses the border of the unit square."""
    ways = []
    for a, b in zip(inside, outside, strict=True):
        if not 0 <= b <= 1:
            ways.append(((1 if b > 1 else 0) - a) / (b - a))
    way = min(ways)
    return tuple(a + way * (b - a) for a, b in zip(inside, outside, strict=True))


def _short_of(end: Point, start: Point) -> Point:
    """Return the point a pixel before `end` on the way from `start`: an arrow from there is a head."""
    (u, v), (x, y) = start, end
    length = max(math.hypot(x - u, y - v), 1e-9)
    return x - (x - u) / length, y - (y - v) / length


# A scene draws both.


def _draw_curve(curve: Curve) -> str:
    path = "L".join(f"{x:.1f},{y:.1f}" for x, y in curve.points)
    dashes = ' stroke-dasharray="6 4"' if curve.dashed else ""
    return (
        f'<path d="M{path}" stroke="{COLORS[curve.kind]}" stroke-width="{curve.thick:g}" '
        f'fill="none"{dashes}/>'
    )


def _draw_dot(dot: Dot) -> str:
    return (
        f'<circle cx="{dot.x:.1f}" cy="{dot.y:.1f}" r="{dot.radius:g}" fill="{COLORS[dot.kind]}"/>'
    )


def _paint_curve(axes: object, curve: Curve) -> None:
    axes.plot(
        *zip(*curve.points, strict=True),
        color=COLORS[curve.kind],
        linewidth=curve.thick * 0.72,
        linestyle=(0, (6, 4)) if curve.dashed else "-",
    )


def _paint_dot(axes: object, dot: Dot) -> None:
    axes.plot(dot.x, dot.y, "o", color=COLORS[dot.kind], markersize=2 * dot.radius * 0.72, mew=0)


DRAW |= {Curve: _draw_curve, Dot: _draw_dot}
PAINT |= {Curve: _paint_curve, Dot: _paint_dot}
