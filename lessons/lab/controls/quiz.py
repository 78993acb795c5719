"""Questions with a reply to every answer you can choose: a lesson's predictions, and its quiz.

Their texts are in lessons/predictions and lessons/quizzes, one file per lesson, so that no lesson's
code gives an answer away:

    ## Who adds one to the counter?

    - [ ] The session
      What to say if you chose this.
    - [x] An operation in the graph
      The right answer has an x, and a reply as well.
"""

import re
from pathlib import Path

from lab.page.view import View

LESSONS = Path(__file__).resolve().parents[2]
FOLDER = LESSONS / "quizzes"
QUIZ = {"button": "Check my answer", "said": ["Not yet.", "Right!"]}
PREDICTION = {
    "before": "Choose one before you read on.",
    "after": "Now run the next cell, then come back and compare.",
    "button": "Compare",
    "said": ["Not this time.", "You saw it coming."],
}


def quiz(lesson: str) -> View:
    """Return a lesson's quiz, given its number: `quiz("03")`."""
    [file] = FOLDER.glob(f"{lesson}_*.md")
    return ask(file)


def predict(lesson: str, number: int = 1) -> View:
    """Return one of a lesson's predictions: `predict("03", 2)` is the second one of lesson 03.

    The learner chooses, runs the next cell, and comes back to compare.
    """
    [file] = (LESSONS / "predictions").glob(f"{lesson}_*.md")
    return ask(file, only=number, way=PREDICTION)


def predictions(first: str = "00", last: str = "06") -> View:
    """Return how many predictions of these lessons the learner saw coming, as the browser knows."""
    files = sorted((LESSONS / "predictions").glob("*.md"))
    part = [file for file in files if first <= file.name[:2] <= last]
    ids = [name for file in part for name in _ids(file, PREDICTION)]
    words = (
        f"The page counts here how many of the {len(ids)} predictions in lessons {first} to {last} "
        "you saw coming."
    )
    return View({"kind": "predictions", "ids": ids}, words)


def ask(file: Path, only: int = 0, way: dict = QUIZ) -> View:
    """Return all questions of a file, one below another, or `only` the one with this number."""
    questions, lines = [], []
    for number, (name, part) in enumerate(zip(_ids(file, way), _parts(file), strict=True), start=1):
        if only not in (0, number):
            continue
        asks, *rest = re.split(r"^- \[([ x])\] ", part, flags=re.MULTILINE)
        options = []
        for mark, option in zip(rest[::2], rest[1::2], strict=True):
            text, _, reply = option.partition("\n")
            reply = " ".join(reply.split())
            options.append({"text": text.strip(), "right": mark == "x", "reply": reply})
        start = f"{number}." if way is QUIZ else "Predict:"
        question = f"{start} {' '.join(asks.split())}"
        questions.append({"id": name, "question": question, "options": options, **way})
        lines += [question, *(f"   ( ) {option['text']}" for option in options)]
    return View({"kind": "quiz", "questions": questions}, "\n".join(lines).replace("`", ""))


def _parts(file: Path) -> list[str]:
    """Return the questions of a file, each with its options."""
    return re.split(r"^## ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]


def _ids(file: Path, way: dict) -> list[str]:
    """Return the names by which a browser remembers the answers: "04-2", or "quiz-04-2"."""
    start = "quiz-" if way is QUIZ else ""
    return [f"{start}{file.name[:2]}-{number}" for number, _ in enumerate(_parts(file), start=1)]
