"""A prediction makes a learner say what will happen before it does; it never stops a run."""

from collections.abc import Sequence
from typing import Any

from lab.page.view import Link, View


class Prediction:
    """A question with options. The learner chooses one, runs the cells below, then compares."""

    def __init__(self, question: str, options: Sequence[str]):
        """Ask `question`; no option is chosen yet. Texts may have code in backticks."""
        self.options = list(options)
        data = {
            "kind": "question",
            "question": f"Predict: {question}",
            "options": [{"text": option} for option in options],
            "before": "Choose one before you read on.",
            "after": "You predict: {} Now run the cells below, and compare.",
        }
        words = "\n( ) ".join([data["question"], *options])
        self._view = View(data, words)
        self.link = Link(self._view, {"chosen": -1})  # the number of the option; -1 for none

    def compare(self, answer: str) -> View:
        """Say how the right answer, which is one of the options, compares with the learner's."""
        chosen, right = self.link.state["chosen"], self.options.index(answer)
        said = f"The answer: {answer.removesuffix('.')}."
        if chosen < 0:
            return View({"kind": "verdict", "message": said}, f"{said} You made no prediction.")
        if chosen == right:
            said = f"Your prediction was right. {said}"
        else:
            yours = self.options[chosen].removesuffix(".")
            said += f" You predicted: {yours}. What did you miss?"
        return View({"kind": "verdict", "right": chosen == right, "message": said}, said)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict:
        return self.link.bundle(self._view)
