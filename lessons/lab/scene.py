"""A scene is boxes, texts and arrows, described once and drawn twice: as SVG, and as PNG."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from lab.chart import BLUE, GREY, VERMILLION, quiet_matplotlib

INK = "var(--jp-content-font-color1, #222)"  # of the page's theme; in the PNG it is #222
PALE = "var(--jp-content-font-color2, #666)"  # in the PNG it is #666
PAPER = "#fafafa"  # behind the PNG, which shows in every theme
HEAD = 7  # the length of an arrow's head, in pixels

# What a thing is: plain, what happens now, what is done, or what does not matter here. Never told by
# colour alone: "now" has a thick frame, too, and "quiet" a dashed one.
COLORS = {"plain": GREY, "now": VERMILLION, "done": BLUE, "quiet": GREY}
THICK = {"plain": 1.2, "now": 3.0, "done": 1.8, "quiet": 1.0}
FILLED = {"plain": 0.0, "now": 0.18, "done": 0.12, "quiet": 0.0}


@dataclass(frozen=True)
class Box:
    """A rectangle with round corners; `x` and `y` are its upper left corner, in pixels."""

    x: float
    y: float
    width: float
    height: float
    kind: str = "plain"
    key: str = ""  # by which a page finds it again


@dataclass(frozen=True)
class Text:
    """One line of text; `y` is its base line, `anchor` is "start", "middle" or "end"."""

    x: float
    y: float
    text: str
    size: float = 13
    anchor: str = "start"
    mono: bool = False
    bold: bool = False
    kind: str = "plain"  # only "quiet" changes a text: it is grey
    key: str = ""


@dataclass(frozen=True)
class Arrow:
    """A line through `points`, with a head at the last of them."""

    points: Sequence[tuple[float, float]]
    dashed: bool = False
    kind: str = "plain"
    key: str = ""


@dataclass(frozen=True)
class Scene:
    """Shapes on an area of `width` times `height` pixels, and the words that say what they show."""

    width: float
    height: float
    shapes: Sequence[Box | Text | Arrow]
    words: str
    note: str = ""  # stands under the picture that is stored, not under the one that lives

    def svg(self) -> str:
        """Return the drawing as SVG in the colours of the page's theme."""
        parts = [
            f'<svg viewBox="0 0 {self.width:g} {self.height:g}" role="img" '
            f'aria-label="{escape(self.words)}" style="display: block; width: 100%; '
            f'max-width: {self.width:g}px; height: auto">'
        ]
        for shape in self.shapes:
            parts.append(DRAW[type(shape)](shape))
        return "".join([*parts, "</svg>"])

    @property
    def png_height(self) -> float:
        """How high the stored picture is, in pixels: there is a line more for the note."""
        return self.height + (22 if self.note else 0)

    def png(self) -> bytes:
        """Return the drawing as PNG, dark on a light ground, which shows in every theme."""
        quiet_matplotlib()
        from matplotlib.figure import Figure

        height = self.png_height
        figure = Figure(figsize=(self.width / 100, height / 100), dpi=200, facecolor=PAPER)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, self.width)
        axes.set_ylim(height, 0)  # downwards, as in SVG
        for shape in self.shapes:
            PAINT[type(shape)](axes, shape)
        note = Text(self.width - 8, height - 8, self.note, size=11, anchor="end", kind="quiet")
        _paint_text(axes, note)
        file = io.BytesIO()
        figure.savefig(file, format="png", metadata={"Software": None})
        return file.getvalue()


def text_width(text: str, size: float = 13, mono: bool = False) -> float:
    """Return about how many pixels wide a text is: enough for the fonts of the usual systems."""
    return len(text) * size * (0.62 if mono else 0.58)


# As SVG.


def _named(shape: Box | Text | Arrow) -> str:
    return f' data-key="{escape(shape.key)}"' if shape.key else ""


def _draw_box(box: Box) -> str:
    dashes = ' stroke-dasharray="3 3"' if box.kind == "quiet" else ""
    return (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" '
        f'rx="6" stroke="{COLORS[box.kind]}" stroke-width="{THICK[box.kind]}" '
        f'fill="{COLORS[box.kind]}" fill-opacity="{FILLED[box.kind]}"{dashes}{_named(box)}/>'
    )


def _draw_text(text: Text) -> str:
    family = "var(--jp-code-font-family, monospace)" if text.mono else "sans-serif"
    weight = "bold" if text.bold else "normal"
    color = PALE if text.kind == "quiet" else INK
    return (
        f'<text x="{text.x:.1f}" y="{text.y:.1f}" text-anchor="{text.anchor}" '
        f'style="font: {weight} {text.size:g}px {family}; fill: {color}; white-space: pre"'
        f"{_named(text)}>{escape(text.text)}</text>"
    )


def _draw_arrow(arrow: Arrow) -> str:
    path = "L".join(f"{x:.1f},{y:.1f}" for x, y in arrow.points)
    head = "L".join(f"{x:.1f},{y:.1f}" for x, y in _head(arrow.points))
    color, dashes = COLORS[arrow.kind], ' stroke-dasharray="5 4"' if arrow.dashed else ""
    return (
        f"<g{_named(arrow)}>"
        f'<path d="M{path}" stroke="{color}" stroke-width="{THICK[arrow.kind]}" fill="none"{dashes}/>'
        f'<path d="M{head}Z" fill="{color}"/></g>'
    )


def _head(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the triangle at the end of a line."""
    (x0, y0), (x, y) = points[-2:]
    length = max(((x - x0) ** 2 + (y - y0) ** 2) ** 0.5, 1e-9)
    u, v = (x - x0) / length * HEAD, (y - y0) / length * HEAD
    return [(x, y), (x - u - v / 2, y - v + u / 2), (x - u + v / 2, y - v - u / 2)]


DRAW = {Box: _draw_box, Text: _draw_text, Arrow: _draw_arrow}


# As PNG: an axis unit is a pixel of the SVG, and 100 of them are an inch.


def _points(pixels: float) -> float:
    return pixels * 72 / 100


def _paint_box(axes: object, box: Box) -> None:
    from matplotlib.colors import to_rgba
    from matplotlib.patches import FancyBboxPatch

    color = COLORS[box.kind]
    axes.add_patch(
        FancyBboxPatch(
            (box.x, box.y),
            box.width,
            box.height,
            boxstyle="round,pad=0,rounding_size=6",
            edgecolor=color,
            facecolor=to_rgba(color, FILLED[box.kind]),
            linewidth=_points(THICK[box.kind]),
            linestyle=(0, (3, 3)) if box.kind == "quiet" else "-",
        )
    )


def _paint_text(axes: object, text: Text) -> None:
    axes.text(
        text.x,
        text.y,
        text.text.replace("$", r"\$"),
        fontsize=_points(text.size),
        ha={"start": "left", "middle": "center", "end": "right"}[text.anchor],
        va="baseline",
        family="DejaVu Sans Mono" if text.mono else "DejaVu Sans",
        weight="bold" if text.bold else "normal",
        color="#666666" if text.kind == "quiet" else "#222222",
    )


def _paint_arrow(axes: object, arrow: Arrow) -> None:
    from matplotlib.patches import Polygon

    color = COLORS[arrow.kind]
    axes.plot(
        *zip(*arrow.points, strict=True),
        color=color,
        linewidth=_points(THICK[arrow.kind]),
        linestyle=(0, (5, 4)) if arrow.dashed else "-",
    )
    axes.add_patch(Polygon(_head(arrow.points), closed=True, color=color, linewidth=0))


PAINT = {Box: _paint_box, Text: _paint_text, Arrow: _paint_arrow}
