"""An explorer has controls, and a picture below that follows them.

The page computes the picture from the values of the controls, by a rule in lab/page/rules; it does so in
every notebook and on the web site, whether Python runs or not. Where it runs, each control is also a
trait of the explorer, as in ipywidgets: `explorer.decay_rate = 0.5` moves the slider, and when the reader
drags it, `explorer.decay_rate` follows. `explorer.observe` and ipywidgets' `link` work as usual.
"""

import itertools
from collections.abc import Sequence
from typing import Any

from lab.controls.controls import trait, values
from lab.drawing.parts import Picture
from lab.page.plain import delta, key_of, plain
from lab.page.view import View, Widget


class Explorer(Widget):
    """A subclass names its rule and its controls."""

    rule = ""
    controls: Sequence[dict] = ()
    hint = ""  # shown above the picture while Python isn't there
    wide = False  # wider than the text, if there is room
    rows: int | None = None  # the most controls visible at once, if some come and go

    def __init__(self, words: str, **data: Any):
        """Show these words where nothing can be drawn; the rule gets `data`."""
        state = {control["name"]: control["value"] for control in self.controls}
        look = {"hint": self.hint, "wide": self.wide, "rows": self.rows}
        known = {"controls": self.controls, "state": state, "data": data}
        self.add_traits(**{control["name"]: trait(control) for control in self.controls})
        view = View({"kind": "explorer", "rule": self.rule, **known, **look}, words)
        super().__init__(view, **state)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict:
        self._view.data["state"] = plain(self.state)  # what is stored is what is shown
        return super()._repr_mimebundle_(**kwargs)

    @property
    def state(self) -> dict:
        """The values that the controls have now."""
        return {control["name"]: getattr(self, control["name"]) for control in self.controls}


class Stored(Explorer):
    """An explorer of what the page can't compute, such as the runs of a graph: each picture is stored.

    A subclass defines the `picture` that the values of its controls lead to.
    """

    rule = "stored"

    def __init__(self) -> None:
        """Draw and store the picture of each setting."""
        names = [control["name"] for control in self.controls]
        every = [
            dict(zip(names, one, strict=True))
            for one in itertools.product(*map(values, self.controls))
        ]
        first = self.picture(**{control["name"]: control["value"] for control in self.controls})
        base = plain(first.data())
        held = {
            key_of(list(setting.values())): delta(base, plain(self.picture(**setting).data()))
            for setting in every
        }
        super().__init__(self.stored_words(first), base=base, held=held)

    def picture(self, **state: Any) -> Picture:
        """Return what to show for these control values."""
        raise NotImplementedError

    def stored_words(self, first: Picture) -> str:
        """Return the words to store: those of the first picture, unless a subclass has better ones."""
        return first.words
