"""Predictions and quizzes take any answer, reply to each, and stop nobody."""

from __future__ import annotations

import pytest

from lab import Prediction, quiz
from lab.choice import with_code
from lab.quiz import FOLDER, read
from tests.lessons.notebooks import lessons

QUIZZES = sorted(path.name[:2] for path in FOLDER.glob("*.md"))


@pytest.mark.parametrize("lesson", QUIZZES)
def test_a_quiz_has_three_questions_with_a_reply_to_each_answer(lesson):
    questions = quiz(lesson).questions
    assert len(questions) == 3
    for question in questions:
        assert question.text.endswith("?")
        assert len(question.options) >= 3
        assert [option.right for option in question.options].count(True) == 1
        assert all(option.text and option.reply.endswith(".") for option in question.options)


def test_each_quiz_belongs_to_a_lesson():
    assert {path.stem for path in FOLDER.glob("*.md")} <= {path.stem for path in lessons()}


@pytest.mark.parametrize("lesson", QUIZZES)
def test_every_answer_gets_its_own_reply(lesson):
    for asked in quiz(lesson).children:
        assert (asked.chosen, asked.reply) == (-1, "")
        for number, option in enumerate(asked.asked.options):
            asked.chosen = number
            assert asked.reply == ""  # what was said about another answer is gone
            asked.answers += 1
            assert asked.reply.startswith("<b>Yes.</b>" if option.right else "<b>Not yet.</b>")
            assert asked.reply.endswith(with_code(option.reply))


@pytest.mark.parametrize("lesson", QUIZZES)
def test_what_is_stored_has_the_questions_but_not_the_answers(lesson):
    asked = quiz(lesson)
    words = asked._repr_mimebundle_()[0]["text/plain"]
    for question in asked.questions:
        assert question.text.replace("`", "") in words
        for option in question.options:
            assert f"( ) {option.text.replace('`', '')}" in words
            assert option.reply not in words


def test_a_quiz_is_read_from_text():
    [question] = read("# Quiz\n\n## What\nis it?\n\n- [ ] A `cat`\n  No,\n  no.\n- [x] A dog\n  Yes.\n")
    assert question.text == "What is it?"
    cat, dog = question.options
    assert (cat.text, cat.right, cat.reply) == ("A `cat`", False, "No, no.")
    assert (dog.text, dog.right, dog.reply) == ("A dog", True, "Yes.")


def test_a_prediction_is_noted():
    prediction = Prediction("Which?", ["This.", "`that` & more."])
    assert prediction.stored_words() == "Predict: Which?\n( ) This.\n( ) `that` & more."
    assert prediction.choice.reply == "Choose one before you read on."
    prediction.choice.chosen = 1
    assert "You predict: <b><code>that</code> &amp; more.</b>" in prediction.choice.reply


def test_a_prediction_ends_with_one_point():
    prediction = Prediction("How many?", ["12", "None."])
    for number, said in enumerate(["<b>12.</b> Now", "<b>None.</b> Now"]):
        prediction.choice.chosen = number
        assert said in prediction.choice.reply


def test_a_prediction_is_compared_with_the_answer():
    prediction = Prediction("How many?", ["12", "None."])
    assert repr(prediction.compare("12")) == "The answer: 12. You made no prediction."
    prediction.choice.chosen = 0
    assert repr(prediction.compare("12")) == "The answer: 12. Your prediction was right."
    assert "The answer: None. You predicted: 12." in repr(prediction.compare("None."))
    with pytest.raises(ValueError):
        prediction.compare("13")
