"""What has controls must also show where nothing runs: on GitHub, in an untrusted notebook, in plain HTML."""

from __future__ import annotations

import ipywidgets as widgets

from lab.chart import picture_and_words


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
        stored, size = picture_and_words(picture, words)
        return {**live, **stored}, size


def paragraph(html: str) -> str:
    """Return a paragraph for a widget, whose lines would else stand far apart."""
    return f'<p style="margin: 4px 0 8px; line-height: 1.5; white-space: pre-line">{html}</p>'
