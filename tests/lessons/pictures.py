"""Read what a figure of a graph shows: its boxes, and the arrows between them."""

from __future__ import annotations

from typing import NamedTuple

from matplotlib.patches import FancyBboxPatch, PathPatch

NEAR = 1e-6  # how far two sums of floats may be apart
COLOURS = {"#ffffff": "plain", "#e3f0fa": "blue", "#fcebdc": "orange"}


class Box(NamedTuple):
    """A box as it's drawn: its lines of text, its colour, and its place."""

    lines: list[str]
    colour: str
    left: float
    top: float
    right: float
    bottom: float


def boxes(ax):
    """Return the boxes by their names, which are their first lines."""
    return {box.lines[0]: box for box in all_boxes(ax)}


def all_boxes(ax):
    """Return the boxes in the order in which they were drawn."""
    found = []
    for patch in ax.patches:
        if isinstance(patch, FancyBboxPatch):
            left, top = patch.get_x(), patch.get_y()
            right, bottom = left + patch.get_width(), top + patch.get_height()
            inside = [t for t in ax.texts if left < t.get_position()[0] < right and top < t.get_position()[1] < bottom]
            lines = [text.get_text() for text in sorted(inside, key=lambda text: text.get_position()[1])]
            colour = COLOURS["#" + bytes(round(255 * c) for c in patch.get_facecolor()[:3]).hex()]
            found.append(Box(lines, colour, left, top, right, bottom))
    return found


def arrows(ax):
    """Return whether each arrow is dashed, by the names of the boxes it leads from and to."""
    found, places = {}, boxes(ax)
    for patch in ax.patches:
        if isinstance(patch, PathPatch):
            (x, y), (u, v) = patch.get_path().vertices[0], patch.get_path().vertices[-1]
            [start] = [n for n, b in places.items() if b.left < x < b.right and abs(y - b.bottom) < NEAR]
            [end] = [n for n, b in places.items() if b.left < u < b.right and abs(v - b.top) < NEAR]
            assert (start, end) not in found
            found[start, end] = patch.get_linestyle() == "--"
    return found


def cut_texts(figure):
    """Return the texts that stick out of the figure, or of the box that their middle is in."""
    figure.canvas.draw()
    [ax] = figure.axes
    frames = [figure.bbox, *(p.get_window_extent() for p in ax.patches if isinstance(p, FancyBboxPatch))]
    cut = []
    for text in ax.texts:
        if text.get_text():
            place = text.get_window_extent()
            around = [f for f in frames if f.contains((place.x0 + place.x1) / 2, (place.y0 + place.y1) / 2)]
            fits = all(f.x0 <= place.x0 and place.x1 <= f.x1 and f.y0 <= place.y0 and place.y1 <= f.y1 for f in around)
            cut += [] if fits and around else [text.get_text()]
    return cut
