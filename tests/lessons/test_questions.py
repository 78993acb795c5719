"""Predictions, quizzes and the case of `w` are Markdown: every answer is a fold with a reply inside."""

from __future__ import annotations

import re

import pytest

from tests.lessons.notebooks import cells, lessons, read

ANSWER = re.compile(r"<details><summary>(.+?)</summary>\n\n\*\*(Right|No)\.\*\* (.+?)\n\n</details>", re.DOTALL)


def questions(path, tag):
    """Return the questions of a lesson that are tagged so: each with its answers."""
    for cell in cells(read(path), "markdown", tag):
        parts = re.split(r"^\*\*(?:Predict|\d)\.\*\*\s", cell.source, flags=re.MULTILINE)[1:]
        yield from ((part.partition("\n\n<details>")[0], ANSWER.findall(part), part) for part in parts)


def asked(tag):
    """Return all lessons' questions of a kind."""
    return [
        pytest.param(*one, id=f"{path.name[:2]}-{n}")
        for path in lessons()
        for n, one in enumerate(questions(path, tag))
    ]


@pytest.mark.parametrize("question, answers, part", [*asked("predict"), *asked("quiz")])
def test_one_answer_is_right_and_each_has_a_reply(question, answers, part):
    assert "?" in question
    assert len(answers) == part.count("<details>") >= 3
    assert [sign for _, sign, _ in answers].count("Right") == 1
    assert all(re.search(r"[.!?`)*]$", reply) for *_, reply in answers)


def test_each_lesson_asks():
    for path in lessons():
        assert len([*questions(path, "quiz")]) >= 2, path.name
    assert len(asked("predict")) >= 25


@pytest.mark.parametrize("tag", ["predict", "quiz"])
def test_a_place_in_the_list_gives_no_answer_away(tag):
    """A reader who has noticed that the first answer is never right leaves it out unread."""
    replies = [answers for path in lessons() for _, answers, _ in questions(path, tag)]
    places = [[sign for _, sign, _ in answers].index("Right") for answers in replies]
    shares = [places.count(place) / len(places) for place in (0, 1, 2)]
    assert all(1 / 8 < share < 1 / 2 for share in shares), shares


def test_what_follows_a_prediction_is_folded():
    for path in lessons():
        notebook = read(path)
        for at, cell in enumerate(notebook.cells):
            if "predict" in cell.metadata.get("tags", []):
                result = next(cell for cell in notebook.cells[at:] if cell.cell_type == "code")
                assert result.metadata.get("jupyter", {}).get("outputs_hidden"), (path.name, result.id)


SUSPECTS = [
    "the prints in the loop",
    "a leftover from an earlier run",
    "the argument `global_step`",
    "the order of updating and counting",
    "the decay that doubles",
    "the first rate of 0.1",
]


@pytest.mark.parametrize("number", range(7))
def test_each_lesson_up_to_05_clears_a_suspect(number):
    [board] = [cell.source for cell in read(lessons(f"{number:02}")[0]).cells if cell.id == "case"]
    lines = [re.sub(r"</?code>", "`", line[2:]) for line in board.splitlines() if line.startswith("- ")]
    out = min(number, 5)
    formula = "`(w * x - y) ** 2`"
    last = f"the formula {formula}" if number < 3 else f"the loss, {formula}" if number == 3 else "the loss"
    assert lines == [f"<s>{suspect}</s>" for suspect in SUSPECTS[:out]] + [*SUSPECTS[out:], last]
