"""Predictions and quizzes take any answer, reply to each, and stop nobody."""

from __future__ import annotations

import json

import pytest

from lab import predict, quiz
from lab.controls.quiz import FOLDER, PREDICTION, ask
from lab.page.view import OURS
from tests.lessons.notebooks import lessons


def test_each_quiz_belongs_to_a_lesson():
    assert {path.stem for path in FOLDER.glob("*.md")} <= {path.stem for path in lessons()}


@pytest.mark.parametrize("lesson", sorted(path.name[:2] for path in FOLDER.glob("*.md")))
def test_a_quiz_has_three_questions_with_a_reply_to_each_answer(lesson):
    bundle = quiz(lesson)._repr_mimebundle_()
    questions = json.loads(bundle[OURS])["questions"]
    words = bundle["text/plain"]
    for number, asked in enumerate(questions, start=1):
        assert asked["question"].startswith(f"{number}. ")
        assert asked["question"].endswith("?")
        assert asked["question"].replace("`", "") in words
        assert len(asked["options"]) >= 3
        assert [option["right"] for option in asked["options"]].count(True) == 1
        for option in asked["options"]:
            assert option["text"]
            assert option["reply"].endswith(".")
            assert f"( ) {option['text'].replace('`', '')}" in words
            assert option["reply"] not in words
    assert len(questions) == 3


def test_a_quiz_is_read_from_text(tmp_path):
    file = tmp_path / "quiz.md"
    file.write_text("# Quiz\n\n## What\nis it?\n\n- [ ] A `cat`\n  No,\n  no.\n- [x] A dog\n  Yes.\n\n## Who?\n")
    [question, other] = ask(file).data["questions"]
    assert question["question"] == "1. What is it?"
    assert other["question"] == "2. Who?"
    assert [[*option.values()] for option in question["options"]] == [
        ["A `cat`", False, "No, no."],
        ["A dog", True, "Yes."],
    ]
    assert ask(file, only=2).data["questions"] == [other]


@pytest.mark.parametrize("file", sorted(FOLDER.with_name("predictions").glob("*.md")), ids=lambda file: file.stem)
def test_a_prediction_has_one_right_answer_and_a_reply_to_each(file):
    asked = ask(file, way=PREDICTION).data["questions"]
    for number, one in enumerate(asked, start=1):
        assert len(one["options"]) >= 3
        assert [option["right"] for option in one["options"]].count(True) == 1
        assert all(option["text"] and option["reply"].endswith(".") for option in one["options"])
        assert predict(file.name[:2], number).words.startswith("Predict: ")
    assert asked


@pytest.mark.parametrize("folder", ["quizzes", "predictions"])
def test_a_place_in_the_list_gives_no_answer_away(folder):
    """The right answer was hardly ever the first one, so a reader could leave that out unread."""
    places = [
        [option["right"] for option in asked["options"]].index(True)
        for file in FOLDER.with_name(folder).glob("*.md")
        for asked in ask(file).data["questions"]
    ]
    shares = [places.count(place) / len(places) for place in (0, 1, 2)]
    assert all(1 / 8 < share < 1 / 2 for share in shares), shares
