"""The look of the lessons' matplotlib figures: sharp, readable in both themes, and described in words."""

import importlib
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from IPython import get_ipython
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.container import BarContainer
from matplotlib.figure import Figure

# Each colour of figures.mplstyle (and a few tints), and what it becomes in a dark theme.
DARK = {
    "#0969a8": "#63b3ed",
    "#b35900": "#f6a04d",
    "#6b7178": "#9aa1a9",
    "#24292f": "#dfe2e6",
    "#d8dbdf": "#3a3f45",
    "#ffffff": "#111111",
    "#e3f0fa": "#10273a",
    "#fcebdc": "#3a2410",
}


def use() -> None:
    """Draw all figures of this notebook in the course's style, and describe each of them in words."""
    plt.style.use(Path(__file__).with_name("figures.mplstyle"))
    if shell := get_ipython():
        inline = importlib.import_module("matplotlib_inline.backend_inline")
        inline.set_matplotlib_formats("retina")  # PNG with two pixels to the point
        formatters = shell.display_formatter.formatters
        formatters["image/svg+xml"].for_type(Figure, svg)
        formatters["text/plain"].for_type(
            Figure, lambda figure, printer, _: printer.text(words(figure))
        )


def svg(figure: Figure) -> str:
    """Return the figure as SVG whose colours follow the theme."""
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    drawn = file.getvalue()
    for number, light in enumerate(DARK):
        drawn = drawn.replace(light, f"var(--c{number})")
    light, dark = (
        ";".join(f"--c{n}:{c}" for n, c in enumerate(each)) for each in (DARK, DARK.values())
    )
    style = (
        f"<style>:root{{{light}}} @media (prefers-color-scheme: dark) {{:root{{{dark}}}}}</style>"
    )
    return drawn.replace("<defs>", f"{style}<defs>", 1)


def png(figure: Figure) -> bytes:
    """Return the figure as PNG, with two pixels to the point."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=2 * figure.dpi)
    return file.getvalue()


def words(figure: Figure) -> str:
    """Describe what a figure shows: screen readers read it aloud, and the tests compare it.

    A figure that is no chart brings its own description, in its attribute `words`.
    """
    described = "\n".join("\n  ".join(_described(ax)) for ax in figure.axes)
    return getattr(figure, "words", described)


def _described(ax: Axes) -> Iterator[str]:
    title = ax.get_title("left") or ax.get_title()
    over = " over ".join(filter(None, [ax.get_ylabel(), ax.get_xlabel()]))
    yield ": ".join(filter(None, [title, over])) or "a picture"
    for line in ax.lines:
        yield _name(line) + _curve(*line.get_data())
    for dots in ax.collections:
        if len(dots.get_offsets()) and isinstance(dots, PathCollection):
            yield _name(dots) + _curve(*dots.get_offsets().T)
    for bars in ax.containers:
        if isinstance(bars, BarContainer):
            yield f"{_name(bars)}bars {', '.join(f'{value:.4g}' for value in bars.datavalues)}"
    for image in ax.images:
        pixels = np.asarray(image.get_array(), float)
        size, mean = " x ".join(map(str, pixels.shape)), pixels.mean()
        yield f"an image of {size}, mean {mean:.4g}, spread {pixels.std():.4g}"
    if ax.texts:
        yield "text: " + ", ".join(" ".join(text.get_text().split()) for text in ax.texts)


def _name(artist: Artist) -> str:
    label = artist.get_label()
    return "" if label.startswith("_") else f"{label}: "


def _curve(x: Sequence, y: Sequence) -> str:
    x, y = (np.ma.filled(np.ma.asarray(values, float), np.nan) for values in (x, y))
    points = [f"({a:.4g}, {b:.4g})" for a, b in zip(x, y, strict=True)]
    if len(points) < 4:
        return ", ".join(points)
    known = y[np.isfinite(y)]
    said = f"{len(points)} points, {points[0]} to {points[-1]}"
    if len(known) < len(points):
        said += f", {len(points) - len(known)} not finite"
    if not len(known):
        return said
    return f"{said}, from {known.min():.4g} to {known.max():.4g}, mean {known.mean():.4g}"
