"""What has controls must also show where nothing runs: on GitHub, in an untrusted notebook, in plain HTML."""

from __future__ import annotations

from html import escape

import ipywidgets as widgets

from lab.chart import HEIGHT, WIDTH, Chart


class Shown(widgets.VBox):
    """Widgets in a column that leave words, and a picture if they have one, in the stored notebook."""

    def stored_words(self) -> str:
        """Return the words to store: the same in every run."""
        raise NotImplementedError

    def stored_picture(self) -> bytes | None:
        """Return the picture to store, as PNG."""
        return None

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        live = super()._repr_mimebundle_(**kwargs)
        picture, words = self.stored_picture(), self.stored_words()
        if picture is None:
            return {**live, "text/plain": words}, {}
        about = {"width": WIDTH, "height": HEIGHT, "alt": words.replace("\n", " ")}
        return {**live, "text/plain": words, "image/png": picture}, {"image/png": about}


class Still(Shown):
    """A chart that does not move, in the colours of the page's theme."""

    def __init__(self, chart: Chart):
        """Show `chart`."""
        self.chart = chart
        super().__init__([widgets.HTML(drawn(chart))])

    def stored_words(self) -> str:
        """Return the chart's words."""
        return self.chart.words

    def stored_picture(self) -> bytes:
        """Return the chart as PNG."""
        return self.chart.png()


def drawn(chart: Chart) -> str:
    """Return a chart for a widget: the drawing, and the words below it."""
    # Without a line height of its own, a widget's lines stand far apart.
    style = "margin: 4px 0 8px; line-height: 1.5; white-space: pre-line"
    return f'{chart.svg()}<p style="{style}">{escape(chart.words)}</p>'
