"""Predictions and quizzes take any answer, reply to each, and stop nobody."""

from __future__ import annotations

import json

import pytest

from lab import Prediction, quiz
from lab.controls.quiz import FOLDER, ask
from lab.page.view import OURS
from tests.lessons.notebooks import lessons


def test_each_quiz_belongs_to_a_lesson():
    assert {path.stem for path in FOLDER.glob("*.md")} <= {path.stem for path in lessons()}


@pytest.mark.parametrize("lesson", sorted(path.name[:2] for path in FOLDER.glob("*.md")))
def test_a_quiz_has_three_questions_with_a_reply_to_each_answer(lesson):
    bundle = quiz(lesson)._repr_mimebundle_()
    questions, words = json.loads(bundle[OURS])["questions"], bundle["text/plain"]
    for number, asked in enumerate(questions, start=1):
        assert asked["question"].startswith(f"{number}. ") and asked["question"].endswith("?")
        assert asked["question"].replace("`", "") in words
        assert len(asked["options"]) >= 3
        assert [option["right"] for option in asked["options"]].count(True) == 1
        for option in asked["options"]:
            assert option["text"] and option["reply"].endswith(".")
            assert f"( ) {option['text'].replace('`', '')}" in words
            assert option["reply"] not in words
    assert len(questions) == 3


def test_a_quiz_is_read_from_text(tmp_path):
    file = tmp_path / "quiz.md"
    file.write_text("# Quiz\n\n## What\nis it?\n\n- [ ] A `cat`\n  No,\n  no.\n- [x] A dog\n  Yes.\n\n## Who?\n")
    [question, other] = ask(file).data["questions"]
    assert (question["question"], other["question"]) == ("1. What is it?", "2. Who?")
    assert [[*option.values()] for option in question["options"]] == [
        ["A `cat`", False, "No, no."],
        ["A dog", True, "Yes."],
    ]
    assert ask(file, only=2).data["questions"] == [other]


def test_a_prediction_is_asked():
    prediction = Prediction("Which?", ["This.", "`that` & more."])
    bundle = prediction._repr_mimebundle_()
    assert bundle["text/plain"] == "Predict: Which?\n( ) This.\n( ) `that` & more."
    view = json.loads(bundle[OURS])
    assert [option["text"] for option in view["options"]] == ["This.", "`that` & more."]
    assert prediction.link.state == {"chosen": -1}


def test_a_prediction_is_compared_with_the_answer():
    prediction = Prediction("How many?", ["12", "None."])

    def compared(answer):
        view = prediction.compare(answer)._repr_mimebundle_()
        return view["text/plain"], json.loads(view[OURS]).get("right")

    assert compared("12") == ("The answer: 12. You made no prediction.", None)
    prediction.link.state = {"chosen": 0}  # as the page says it
    assert compared("12") == ("Your prediction was right. The answer: 12.", True)
    assert compared("None.") == ("The answer: None. You predicted: 12. What did you miss?", False)
    with pytest.raises(ValueError):
        prediction.compare("13")
