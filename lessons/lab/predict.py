"""A prediction makes a learner say what will happen before it does; it never stops a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lab.choice import Choice, with_code
from lab.shown import Shown


@dataclass(frozen=True)
class Compared:
    """What was predicted, and what is so."""

    words: str

    def __repr__(self) -> str:
        return self.words


class Prediction(Shown):
    """A question with options. The learner chooses one, then runs the cells below, then compares."""

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

    def compare(self, answer: str) -> Compared:
        """Say how the right answer, which is one of the options, compares with the learner's."""
        right, chosen = self.options.index(answer), self.choice.chosen
        is_so = f"The answer: {_sentence(answer)}"
        if chosen < 0:
            return Compared(f"{is_so} You made no prediction.")
        if chosen == right:
            return Compared(f"{is_so} Your prediction was right.")
        return Compared(
            f"{is_so} You predicted: {_sentence(self.options[chosen])} What did you miss?"
        )

    def _note(self, change: object = None) -> None:
        said = with_code(_sentence(self.options[self.choice.chosen]))
        self.choice.reply = f"You predict: <b>{said}</b> Now run the cells below, and compare."


def _sentence(option: str) -> str:
    return option if option.endswith(".") else f"{option}."
