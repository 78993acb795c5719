"""A prediction makes a learner say what will happen before it does; it never stops a run."""

from __future__ import annotations

from collections.abc import Sequence

from lab.choice import Choice, with_code
from lab.shown import Shown


class Prediction(Shown):
    """A question with options. The learner chooses one, and then runs the cells below."""

    def __init__(self, question: str, options: Sequence[str]):
        """Ask `question`; no option is chosen yet."""
        self.question = f"Predict: {question}"
        self.options = list(options)
        self.choice = Choice(self.question, options, reply="Choose one before you read on.")
        super().__init__([self.choice])
        self.choice.observe(self._note, "chosen")

    def stored_words(self) -> str:
        """Return the question and its options."""
        return "\n".join([self.question, *(f"( ) {option}" for option in self.options)])

    def _note(self, change: object = None) -> None:
        said = with_code(self.options[self.choice.chosen])
        self.choice.reply = f"You predict: <b>{said}</b> Now run the cells below, and compare."
