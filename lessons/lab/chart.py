"""A chart is described once and drawn twice: as SVG for a page that is alive, as PNG for one that is not."""

from __future__ import annotations

import io
import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 640, 300  # of the drawing, in pixels
LEFT, RIGHT, TOP, BOTTOM = 60, 20, 40, 46  # margins around the curves

# Of the colours of Okabe and Ito, which colour-blind readers tell apart, those that show on white and
# on black. A line is told from another by its dashes, too.
BLUE, VERMILLION, GREY = "#0072B2", "#D55E00", "#767676"
DASHES = {"solid": (), "dashed": (7, 4), "dotted": (2, 3)}


@dataclass(frozen=True)
class Line:
    """One curve of a chart: its name in the legend, its points, and how it looks."""

    name: str
    points: Sequence[tuple[float, float]]
    color: str = BLUE
    style: str = "solid"
    dots: bool = True


@dataclass(frozen=True)
class Chart:
    """Curves over one axis, starting at zero, and the words that say what they show."""

    lines: Sequence[Line]
    x_label: str
    y_label: str
    words: str
    note: str = ""  # stands under the picture that is stored, not under the one that moves
    scale: tuple[float, float] | None = None  # how far the axes go, if that is to stay as it is
    width: float = WIDTH
    height: float = HEIGHT

    @property
    def png_height(self) -> float:
        """How high the stored picture is, in pixels."""
        return self.height

    def scales(self) -> tuple[list[float], list[float]]:
        """Return the marks of the two axes, from zero to just beyond the farthest point."""
        points = [point for line in self.lines for point in line.points]
        x, y = self.scale or (max(x for x, _ in points), max(y for _, y in points))
        return ticks(x), ticks(y)

    def svg(self) -> str:
        """Return the drawing as SVG in the colours of the page's theme."""
        x_ticks, y_ticks = self.scales()
        right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM

        def x_of(x: float) -> float:
            return LEFT + (right - LEFT) * x / x_ticks[-1]

        def y_of(y: float) -> float:
            return bottom - (bottom - TOP) * y / y_ticks[-1]

        parts = [
            f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(self.words)}" '
            f'style="display: block; width: 100%; max-width: {WIDTH}px; height: auto; '
            'font: 13px sans-serif; fill: var(--jp-content-font-color1, #222)">',
            f'<clipPath id="inside"><rect x="{LEFT - 5}" y="{TOP - 5}" '
            f'width="{right - LEFT + 10}" height="{bottom - TOP + 10}"/></clipPath>',
        ]
        for y in y_ticks:
            parts += [
                f'<path d="M{LEFT},{y_of(y):.1f}H{right}" stroke="{GREY}" stroke-opacity="0.35"/>',
                f'<text x="{LEFT - 8}" y="{y_of(y) + 4:.1f}" text-anchor="end">{y:g}</text>',
            ]
        for x in x_ticks:
            parts.append(
                f'<text x="{x_of(x):.1f}" y="{bottom + 18}" text-anchor="middle">{x:g}</text>'
            )
        parts += [
            f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 8}" text-anchor="middle">'
            f"{escape(self.x_label)}</text>",
            f'<text x="4" y="{TOP - 24}">{escape(self.y_label)}</text>',
        ]
        entries = [36 + 7 * len(line.name) + 16 for line in self.lines]  # the legend's widths
        start = right - sum(entries)
        for line, width in zip(self.lines, entries, strict=True):
            parts += [
                f'<path d="M{start},{TOP - 28}h28" {self._look(line)}/>',
                f'<text x="{start + 34}" y="{TOP - 24}">{escape(line.name)}</text>',
            ]
            start += width
        parts.append('<g clip-path="url(#inside)">')
        for line in reversed(self.lines):  # the last is drawn first, so that the first lies on top
            places = [(x_of(x), y_of(min(y, 2 * y_ticks[-1]))) for x, y in line.points]
            path = "L".join(f"{x:.1f},{y:.1f}" for x, y in places)
            parts.append(f'<path d="M{path}" {self._look(line)}/>')
            if line.dots:
                parts += [
                    f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{line.color}"/>'
                    for x, y in places
                ]
        parts.append("</g>")
        return "".join([*parts, "</svg>"])

    @staticmethod
    def _look(line: Line) -> str:
        dashes = " ".join(map(str, DASHES[line.style]))
        return f'stroke="{line.color}" stroke-width="2" stroke-dasharray="{dashes}" fill="none"'

    def png(self) -> bytes:
        """Return the drawing as PNG, dark on a light ground, which shows in every theme."""
        quiet_matplotlib()
        # Not pyplot: no window, no state. Imported here, for it takes longer than all the rest.
        from matplotlib.figure import Figure

        figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=200, facecolor="#fafafa")
        left, top = LEFT / WIDTH, 1 - TOP / HEIGHT
        bottom = BOTTOM / HEIGHT + (0.06 if self.note else 0.02)
        place = (left, bottom, 1 - RIGHT / WIDTH - left, top - bottom)
        axes = figure.add_axes(place, facecolor="none")
        x_ticks, y_ticks = self.scales()
        axes.set_xlim(-0.01 * x_ticks[-1], 1.01 * x_ticks[-1])
        axes.set_ylim(-0.02 * y_ticks[-1], 1.03 * y_ticks[-1])
        axes.set_xticks(x_ticks, [f"{x:g}" for x in x_ticks])
        axes.set_yticks(y_ticks, [f"{y:g}" for y in y_ticks])
        axes.tick_params(length=0, labelsize=9)
        axes.grid(axis="y", color=GREY, alpha=0.35)
        axes.spines[:].set_visible(False)
        axes.set_xlabel(self.x_label, fontsize=9)
        figure.text(0.01, 0.93, self.y_label, fontsize=9)
        for order, line in enumerate(self.lines):
            axes.plot(
                *zip(*line.points, strict=True),
                color=line.color,
                linestyle=(0, DASHES[line.style]) if DASHES[line.style] else "-",
                marker="o" if line.dots else "",
                markersize=4,
                label=line.name,
                zorder=4 - order,
            )
        figure.legend(
            loc="upper right", ncols=len(self.lines), fontsize=9, frameon=False, handlelength=3
        )
        figure.text(0.99, 0.015, self.note, fontsize=8, style="italic", color="#555555", ha="right")
        file = io.BytesIO()
        figure.savefig(file, format="png", metadata={"Software": None})
        return file.getvalue()


def quiet_matplotlib() -> None:
    """Keep matplotlib from saying in a lesson that its first picture on a machine takes seconds."""
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)


def ticks(largest: float) -> list[float]:
    """Return four to seven round marks from 0 to the first one that is not below `largest`."""
    largest = largest if 0 < largest < math.inf else 1.0
    unit = 10.0 ** math.floor(math.log10(largest))
    step = next(s * unit for s in (0.2, 0.25, 0.5, 1.0, 2.0) if largest <= 6 * s * unit * 1.0001)
    return [n * step for n in range(math.ceil(largest / step - 1e-4) + 1)]
