"""A prediction makes a learner say what will happen before it does; it never stops a run."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import ipywidgets as widgets

from lab.choice import choice
from lab.shown import Shown


class Prediction(Shown):
    """A question with options. The learner chooses one, and then runs the cells below."""

    def __init__(self, question: str, options: Sequence[str]):
        """Ask `question`; no option is chosen yet."""
        self.question = question
        self.options = list(options)
        self.choice = choice(self.options)
        self._reply = widgets.HTML("<p>Choose one before you read on.</p>")
        super().__init__(
            [widgets.HTML(f"<b>Predict:</b> {escape(question)}"), self.choice, self._reply]
        )
        self.choice.observe(self._noted, "value")

    def stored_words(self) -> str:
        """Return the question and its options."""
        return "\n".join(
            [f"Predict: {self.question}", *(f"( ) {option}" for option in self.options)]
        )

    def _noted(self, change: object = None) -> None:
        said = escape(str(self.choice.value))
        self._reply.value = (
            f"<p>You predict: <b>{said}</b> Now run the cells below and compare.</p>"
        )
