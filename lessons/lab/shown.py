"""What has controls must also show where nothing runs: on GitHub, in an untrusted notebook, in plain HTML."""

from __future__ import annotations

from html import escape

import ipywidgets as widgets

from lab.chart import Chart
from lab.scene import Scene

Picture = Chart | Scene  # what has svg(), png(), words, a width and a height


class Shown(widgets.VBox):
    """Widgets in a column that leave words, and a picture if they have one, in the stored notebook."""

    def stored_words(self) -> str:
        """Return the words to store: the same in every run."""
        raise NotImplementedError

    def stored_picture(self) -> Picture | None:
        """Return the picture to store."""
        return None

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        live = super()._repr_mimebundle_(**kwargs)
        picture, words = self.stored_picture(), self.stored_words()
        if picture is None:
            return {**live, "text/plain": words}, {}
        about = {
            "width": picture.width,
            "height": picture.png_height,
            "alt": words.replace("\n", " "),
        }
        return {**live, "text/plain": words, "image/png": picture.png()}, {"image/png": about}


class Still(Shown):
    """A picture that does not move, in the colours of the page's theme."""

    def __init__(self, picture: Picture):
        """Show `picture`."""
        self.picture = picture
        super().__init__([widgets.HTML(drawn(picture))])

    def stored_words(self) -> str:
        """Return the picture's words."""
        return self.picture.words

    def stored_picture(self) -> Picture:
        """Return the picture itself."""
        return self.picture


def drawn(picture: Picture) -> str:
    """Return a picture for a widget: the drawing, and the words below it."""
    # The words stand below, so a screen reader need not say them twice.
    drawing = picture.svg().replace('role="img"', 'role="img" aria-hidden="true"', 1)
    # Without a line height of its own, a widget's lines stand far apart.
    style = "margin: 4px 0 8px; line-height: 1.5; white-space: pre-line"
    return f'{drawing}<p style="{style}">{escape(picture.words)}</p>'
