"""The parts of a picture, as plain data. The page draws each in a function of the same name.

One more is described where it is made: `pixels` in digits.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from lab.page.view import View

Point = Sequence[float]
MARGIN = 3  # pixels around a graph

# What kind of thing it is. The page gives each kind a colour; CONTRIBUTING.md explains the colours.
PLAIN, NOW, DONE, OFF, WAIT, GONE = "plain", "now", "done", "off", "wait", "gone"


@dataclass(frozen=True)
class Picture:
    """Parts, and words that say what they show; `controls` hides some: {name: {"hidden": True}}."""

    parts: Sequence[dict]
    words: str
    controls: dict = field(default_factory=dict)

    def data(self) -> dict:
        """Return the picture in the form that the page reads."""
        return {"parts": list(self.parts), "words": self.words, "controls": self.controls}


def still(*parts: dict, words: str, wide: bool = False) -> View:
    """Return a picture that does not move."""
    picture = {"parts": parts, "words": words}
    return View({"kind": "picture", "picture": picture, "wide": wide}, words)


def axis(
    label: str, low: float, high: float, log: bool = False, ticks: Sequence[float] | None = None
) -> dict:
    """Describe an axis from `low` to `high`; without `ticks`, the page chooses what to mark."""
    return _of(label=label, min=low, max=high, log=log, ticks=ticks)


def line(points: Sequence[Point], name: str = "", kind: str = PLAIN, **look: object) -> dict:
    """Describe a curve.

    look: `dots` at its points; `steps` instead of slopes (True, or the indices of points to jump
    to); `thin`; `silent`, which leaves it out when values are read.
    """
    return _of(points=points, name=name, kind=kind, **look)


def chart(x: dict, y: dict, lines: Sequence[dict], **more: object) -> dict:
    """Describe curves over two axes.

    more: `title`, `height` and `basis` (the width it would like) in pixels;
    `inset`: pixels to the left and right of the axis, so that the axes of stacked parts line up;
    `rules`: {"x" or "y": value, "label", "kind"};
    `notes`: {"at": point, "text", "anchor", "dx", "dy", "kind"};
    `bands`: {"from", "to", "kind", "label"}; `handles`: {"control", "at": point, "name"}, to be
    dragged sideways.
    """
    return _of(type="chart", x=x, y=y, lines=lines, **more)


def graph(
    nodes: Sequence[dict], edges: Sequence[dict], size: tuple[int, int], **more: object
) -> dict:
    """Describe boxes and what joins them; `size` is that of the drawing, in pixels.

    more: `linked` (as in a program), `basis`.
    """
    width, height = (round(length) + 2 * MARGIN for length in size)
    more = {"basis": width, **more}
    return _of(type="graph", nodes=nodes, edges=edges, width=width, height=height, **more)


def box(label: str, detail: str, middle: Point, size: Point, **look: object) -> dict:
    """Describe a node of a graph; look: `kind`, `value` (a third line), `key`, `inside`."""
    (x, y), (width, height) = middle, size
    corner = {"x": round(x - width / 2) + MARGIN, "y": round(y - height / 2) + MARGIN}
    room = {**corner, "width": round(width), "height": height}
    return {"label": label, "detail": detail, **look, **room}


def link(
    ends: tuple[int, int], points: Sequence[Point], order: bool = False, **look: object
) -> dict:
    """Describe an edge from one node to another, by their indices, through these points.

    `order`: it carries no value. look: `kind`, `name`, `bare` (without an arrow head).
    """
    places = [(round(x) + MARGIN, round(y) + MARGIN) for x, y in points]
    return {"ends": ends, "order": order, "points": places, "kind": "", **look}


def code(lines: Sequence[dict], **more: object) -> dict:
    """Describe a program: lines {"text", "kind", "note", "key"}.

    more: `title`, `reserve` (the least height, in pixels), `wrap` (to break long lines),
    `linked` (a line lights up together with whatever has its key elsewhere).
    """
    return _of(type="code", lines=lines, **more)


def table(rows: Sequence[Sequence], head: Sequence | None = None, **more: object) -> dict:
    """Describe a table: a cell is a string or {"text", "kind", "span", "key"}.

    more: `title`, `groups` (a row above the head), `widths` (the columns' least widths;
    on a phone, their shares), `reserve`.
    """
    return _of(type="table", rows=rows, head=head, **more)


def note(*lines: str, **more: object) -> dict:
    """Describe lines of text; more: `title`, `kind`, `reserve`."""
    return _of(type="note", lines=lines, **more)


def frame(address: str, name: str, link: str) -> dict:
    """Describe a page of this machine, framed below a link to it; no other address is drawn."""
    return _of(type="frame", src=address, name=name, link=link)


def stack(*parts: dict, **more: object) -> dict:
    """Describe parts (not charts), one below the other; more: `basis`."""
    return _of(type="stack", parts=parts, **more)


def _of(**fields: object) -> dict:
    """Return the fields that have a value."""
    return {
        name: value
        for name, value in fields.items()
        if value is not None and value is not False and value != ""
    }
