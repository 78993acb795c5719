"""Controls of ipywidgets above a matplotlib figure that follows them."""

import base64
import io
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout
from html import escape

import ipywidgets
import matplotlib.pyplot as plt
from IPython.display import display
from matplotlib.figure import Figure

from lab.figures import png, svg, words


def explore(**choices: object) -> Callable:
    """Decorate a function that draws with pyplot: show controls for its arguments, and its figure.

    It takes what ipywidgets' `interact` takes. Beyond that, it keeps a picture and its words in the
    notebook, for wherever no kernel runs, and it returns the function: `bend(decay_rate=0.5)` draws
    once, and `bend.controls["decay_rate"].value` reads a slider, or moves it.
    """

    def show(draw: Callable) -> Callable:
        *built, _, _ = ipywidgets.interactive(draw, {"manual": True}, **choices).children
        controls = {control.description: control for control in built}
        picture, printed, seen = ipywidgets.Image(format="svg+xml"), ipywidgets.HTML(), {}

        def follow(change: object = None) -> None:
            values = _values(controls)
            if values == seen:  # a slider that has just appeared may send 0.0999... for 0.1
                return
            seen.update(values)
            try:
                figure, text = _drawn(draw, values)
                picture.value = svg(figure).encode()
            except Exception:  # the reader's own function, and nobody would look into the log
                text = traceback.format_exc()
            printed.value = f"<pre>{escape(text)}</pre>" if text else ""

        for control in built:
            control.style.description_width, control.layout.width = "8em", "27em"
            control.observe(follow, "value")
        figure, text = _drawn(draw, _values(controls))  # an error is now the cell's
        follow()
        picture.layout = {"width": f"{96 * figure.get_figwidth():.0f}px", "max_width": "100%"}
        panel = ipywidgets.Box(built, layout={"flex_flow": "row wrap"})
        _display(ipywidgets.VBox([panel, picture, printed]), figure, text)
        draw.controls = controls
        return draw

    return show


def _values(controls: dict[str, ipywidgets.Widget]) -> dict[str, object]:
    values = {name: control.value for name, control in controls.items()}
    return {name: round(v, 9) if isinstance(v, float) else v for name, v in values.items()}


def _drawn(draw: Callable, values: dict[str, object]) -> tuple[Figure, str]:
    """Return the figure that `draw` makes, and the text that it prints."""
    try:
        with redirect_stdout(io.StringIO()) as text:
            draw(**values)
        return plt.gcf(), text.getvalue()
    finally:
        plt.close("all")  # or the figure would appear once more, below the cell


def _display(widget: ipywidgets.Widget, figure: Figure, text: str) -> None:
    still = {
        "image/png": base64.b64encode(png(figure)).decode(),
        "text/plain": text + words(figure),
    }
    wide, high = (round(96 * inches) for inches in figure.get_size_inches())
    size = {"image/png": {"width": wide, "height": high}}
    display(widget._repr_mimebundle_() | still, metadata=size, raw=True)
