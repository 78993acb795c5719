"""Graphs as matplotlib figures: a box for each op, and an arrow to each op that uses its result."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, PathPatch
from matplotlib.path import Path

import minitf as tf
from lab.experiments.needed import ops_of_a_run
from lab.layout import Layout, layered

FONT = {"family": "monospace", "fontsize": 8.25}
WIDE, HIGH = 5.05, 10.7  # points that a character of this font takes up, and a line
MARGIN = 5  # points around the text in its box, and around a drawing
INK, GREY, BLUE, ORANGE = "#24292f", "#6b7178", "#0969a8", "#b35900"
LOOKS = {  # of a box: its edge, its face, its text, and the width of its edge
    "plain": (GREY, "#ffffff", INK, 1),
    "blue": (BLUE, "#e3f0fa", INK, 1.2),
    "orange": (ORANGE, "#fcebdc", INK, 1.8),
    "pale": ("#d8dbdf", "#ffffff", GREY, 1),
}


class Graph(NamedTuple):
    """Boxes, each with a name and what else it says, and arrows between them, by their indices.

    An arrow that is True is dashed: no value travels along it, but the box at its end has to wait.
    """

    names: Sequence[str]
    details: Sequence[str]
    arrows: Mapping[tuple[int, int], bool]
    looks: Mapping[int, str] = {}  # of a box that isn't plain

    def lines(self, i: int) -> list[str]:
        """Return what box `i` says; if its name is long, only the end of that."""
        name = self.names[i]
        shown = name if len(name) <= 24 else f".../{name.rpartition('/')[2]}"
        return [shown, *self.details[i].splitlines()]

    def laid_out(self) -> Layout:
        """Find a place for each box, which is as large as its text."""
        sizes = {}
        for i in range(len(self.names)):
            lines = self.lines(i)
            sizes[i] = max(map(len, lines)) * WIDE + 2 * MARGIN, len(lines) * HIGH + MARGIN
        return layered(sizes, list(self.arrows))

    def words(self) -> str:
        """List the boxes, then what each of them uses, then what it waits for."""
        boxes = [f"{name} ({text})" for name, text in zip(self.names, self.details, strict=True)]
        lines = [", ".join(boxes) or "none"]
        for verb, dashed in ("uses", False), ("waits for", True):
            for i, name in enumerate(self.names):
                before = [self.names[n] for n in range(i) if self.arrows.get((n, i)) is dashed]
                lines += [f"{name} {verb} {', '.join(before)}"] if before else []
        return "\n".join(lines)


def draw_graph(fetch: Any = None) -> None:
    """Draw every op of the default graph.

    With `fetch`, the ops that its run needs are blue, and the others pale.
    """
    needed = [] if fetch is None else ops_of_a_run(fetch)
    ops = (needed[0].graph if needed else tf.get_default_graph()).get_operations()
    graph = graph_of_ops(ops)
    words = f"The graph has {len(ops)} operations:\n{graph.words()}"
    if needed:
        looks = {i: "blue" if op in needed else "pale" for i, op in enumerate(ops)}
        graph = graph._replace(looks=looks)
        blue, pale = ([op.name for op in ops if (op in needed) is so] for so in (True, False))
        said = f"A run needs {len(blue)} of {len(ops)} operations: {', '.join(blue)}"
        words += f"\n{said}\nNot needed: {', '.join(pale) or 'none'}"
    show(graph, words)


def graph_of_ops(ops: Sequence[tf.Operation]) -> Graph:
    """Return the graph of these ops, which are in an order in which they could run."""
    number, arrows = {op: i for i, op in enumerate(ops)}, {}
    for end, op in enumerate(ops):
        for before, waits in [
            *((b, True) for b in op.control_inputs),
            *((t.op, False) for t in op.inputs),
        ]:
            if number.get(before, end) < end:
                arrows[number[before], end] = waits
    return Graph([op.name for op in ops], [op.type for op in ops], arrows)


def show(graph: Graph, words: str) -> None:
    """Draw a graph in a figure that is as large as it needs."""
    layout = graph.laid_out()
    ax = paper(layout.width + 2 * MARGIN, layout.height + 2 * MARGIN)
    ax.figure.words = words
    draw_boxes(ax, graph, layout, MARGIN, MARGIN)


def paper(width: float, height: float) -> Axes:
    """Return the axes of a new figure of this size; they count in points, from the top left."""
    ax = plt.figure(figsize=(width / 72, height / 72)).add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, width), ylim=(height, 0))
    ax.axis("off")
    return ax


def draw_boxes(ax: Axes, graph: Graph, layout: Layout, left: float, top: float) -> None:
    """Draw a graph's boxes and arrows."""
    looks = [LOOKS[graph.looks.get(i, "plain")] for i in range(len(graph.names))]
    for (start, end), waits in graph.arrows.items():
        points = [(left + x, top + y) for x, y in layout.routes[start, end]]
        style, colour = "--" if waits else "-", looks[end][0]
        ax.add_patch(PathPatch(curve(points), fill=False, edgecolor=colour, linestyle=style))
        ax.plot(points[-1][0], points[-1][1] - 3, "v", color=colour)
    for i, (edge, face, ink, thick) in enumerate(looks):
        (x, y), (wide, high) = layout.centers[i], layout.sizes[i]
        place, shape = (left + x - wide / 2, top + y - high / 2), "round,pad=0,rounding_size=3"
        ax.add_patch(FancyBboxPatch(place, wide, high, shape, ec=edge, fc=face, lw=thick))
        for number, line in enumerate(graph.lines(i)):
            middle = place[1] + MARGIN / 2 + (number + 0.5) * HIGH
            style = FONT | {"weight": "normal" if number else "bold", "color": ink}
            ax.text(left + x, middle, line, ha="center", va="center", **style)


def curve(points: Sequence[tuple[float, float]]) -> Path:
    """Return a smooth line down through these points."""
    corners = [points[0]]
    for (x, y), (u, v) in pairwise(points):
        corners += [(x, (y + v) / 2), (u, (y + v) / 2), (u, v)]
    return Path(corners, [Path.MOVETO] + [Path.CURVE4] * (len(corners) - 1))
