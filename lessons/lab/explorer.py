"""An explorer is a few controls above a picture and a line of words, which follow them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import ipywidgets as widgets

from lab.shown import Picture, Shown, drawn
from lab.view import View

WIDE = widgets.Layout(width="min(32em, 98%)")


def slider(name: str, value: float, least: float, most: float, step: float = 1) -> widgets.Widget:
    """Return a slider: of whole numbers if `step` is one."""
    kind = widgets.IntSlider if isinstance(step, int) else _Fractions
    return kind(value=value, min=least, max=most, step=step, description=name, layout=WIDE)


class _Fractions(widgets.FloatSlider):
    """A slider whose page keeps still when Python sets the value.

    Else it answers what it makes of 2.5 (2.5000000000000004), and this undoes what Python has set in between.
    """

    def send_state(self, key: str | Iterable[str] | None = None) -> None:
        """Send what has changed; while it is the value, the page follows without an answer."""
        if key != "value":
            super().send_state(key)
            return
        self.continuous_update = False
        super().send_state(key)
        self.continuous_update = True


class Explorer(Shown):
    """Controls, a picture, words. A subclass says in `picture` what the controls' values lead to."""

    note = "Run this cell, and you get controls that change the picture."  # where nothing runs

    def __init__(self, controls: Sequence[widgets.Widget]):
        """Show `controls` in a column, from the first on, and follow each of them."""
        self._shown = View()
        super().__init__([*controls, self._shown])
        named = [c for c in controls if not isinstance(c, widgets.Checkbox)]  # in front of them
        longest = max((len(control.description) for control in named), default=0)
        for control in named:  # no name is cut, and all sliders start at the same place
            control.style.description_width = f"{0.6 * longest + 1:.1f}em"
        for control in controls:
            control.observe(self._follow, "value")
        self._follow()

    def picture(self) -> Picture:
        """Return what to show for the controls' present values."""
        raise NotImplementedError

    @property
    def words(self) -> str:
        """What the picture shows, in words."""
        return self._picture.words

    def stored_words(self) -> str:
        """Return the words to store."""
        return self.words

    def stored_picture(self) -> Picture:
        """Return the picture to store."""
        return replace(self._picture, note=self.note)

    def _follow(self, change: object = None) -> None:
        self._picture = self.picture()
        # One value for picture and words: the page gets one message, and draws once.
        self._shown.value = drawn(self._picture)
