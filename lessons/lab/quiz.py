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
from html import escape
from pathlib import Path

import ipywidgets as widgets

from lab.choice import choice
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


class Asked(widgets.VBox):
    """One question with its radio buttons, a button to answer, and the reply."""

    def __init__(self, number: int, question: Question):
        """Ask; the answer can be given again."""
        self.question = question
        self.choice = choice([option.text for option in question.options])
        self.button = widgets.Button(description="That is my answer", disabled=True)
        self.reply = widgets.HTML()
        title = widgets.HTML(f"<b>{number}. {with_code(question.text)}</b>")
        super().__init__([title, self.choice, self.button, self.reply])
        self.choice.observe(self._chosen, "value")
        self.button.on_click(self._answered)

    @property
    def right(self) -> bool:
        """Whether the reply that stands there says yes."""
        return self.reply.value.startswith("<p><b>Yes.")

    def _chosen(self, change: object) -> None:
        self.button.disabled = self.choice.value is None
        self.reply.value = ""

    def _answered(self, button: object) -> None:
        [option] = [o for o in self.question.options if o.text == self.choice.value]
        verdict = "Yes." if option.right else "Not quite."
        self.reply.value = f"<p><b>{verdict}</b> {with_code(option.reply)}</p>"


class Quiz(Shown):
    """Some questions, one below the other."""

    def __init__(self, questions: list[Question]):
        """Ask all of `questions`."""
        self.asked = [Asked(number, question) for number, question in enumerate(questions, start=1)]
        super().__init__(self.asked)

    def stored_words(self) -> str:
        """Return the questions and their options, without the answers."""
        lines = []
        for number, asked in enumerate(self.asked, start=1):
            lines.append(f"{number}. {asked.question.text}")
            lines += [f"   ( ) {option.text}" for option in asked.question.options]
        return "\n".join(lines)


def with_code(text: str) -> str:
    """Return `text` as HTML, with what stands in backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
