"""A quiz: a few questions, each with a reply to every answer that one can give.

Its text stands in lessons/quizzes, one file a lesson:

    ## Who adds one to the counter?

    - [ ] The session
      What to say to who chose this.
    - [x] An operation in the graph
      The right answer has the x, and a reply, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from lab.choice import Choice, with_code
from lab.shown import Shown

FOLDER = Path(__file__).resolve().parents[1] / "quizzes"


@dataclass(frozen=True)
class Option:
    """One answer, whether it is right, and what to reply to it."""

    text: str
    right: bool
    reply: str


@dataclass(frozen=True)
class Question:
    """A question and its options."""

    text: str
    options: list[Option]


def quiz(lesson: str) -> Quiz:
    """Return the quiz of a lesson, named by its number: `quiz("03")`."""
    [file] = FOLDER.glob(f"{lesson}_*.md")
    return Quiz(read(file.read_text(encoding="utf-8")))


def read(text: str) -> list[Question]:
    """Read the questions out of a quiz's text."""
    questions = []
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        asks, *rest = re.split(r"^- \[([ x])\] ", part, flags=re.MULTILINE)
        options = []
        for mark, option in zip(rest[::2], rest[1::2], strict=True):
            says, _, reply = option.partition("\n")
            options.append(Option(says.strip(), mark == "x", " ".join(reply.split())))
        questions.append(Question(" ".join(asks.split()), options))
    return questions


class Asked(Choice):
    """One question; the reply comes with the button, and another answer may follow."""

    def __init__(self, number: int, asked: Question):
        """Ask."""
        self.asked = asked
        options = [option.text for option in asked.options]
        super().__init__(f"{number}. {asked.text}", options, button="That is my answer")
        self.observe(self._forget, "chosen")
        self.observe(self._answer, "answers")

    def _forget(self, change: object) -> None:
        self.reply = ""

    def _answer(self, change: object) -> None:
        option = self.asked.options[self.chosen]
        verdict = "Yes." if option.right else "Not yet."
        self.reply = f"<b>{verdict}</b> {with_code(option.reply)}"


class Quiz(Shown):
    """Some questions, one below the other."""

    def __init__(self, questions: list[Question], first: int = 1):
        """Ask all of `questions`, numbered from `first` on."""
        self.questions, self.first = questions, first
        super().__init__([Asked(number, q) for number, q in enumerate(questions, start=first)])

    def stored_words(self) -> str:
        """Return the questions and their options, without the answers."""
        lines = []
        for number, question in enumerate(self.questions, start=self.first):
            lines.append(f"{number}. {question.text}")
            lines += [f"   ( ) {option.text}" for option in question.options]
        return "\n".join(lines).replace("`", "")
