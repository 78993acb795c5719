"""What all checks share: a verdict, and watching a train op."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import minitf as tf
from lab.checks.verdict import Verdict, judge, watched


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph."""
    with tf.Graph().as_default():
        yield


def test_a_verdict_is_true_if_the_answer_is_right():
    assert Verdict(True, "Well.")
    assert not Verdict(False, "Well.")


def test_a_verdict_begins_with_what_it_is():
    assert repr(Verdict(True, "So.")) == "Right! So."
    assert repr(Verdict(False, "So.")) == "Not yet. So."


def test_what_cannot_run_is_said_and_not_raised():
    @judge
    def check(answer):
        raise ValueError("no such thing\nat all")

    verdict = check(None)
    assert not verdict
    assert verdict.message.startswith("The check couldn't run what you built: ValueError: no such thing\n")


def test_advice_follows_an_error_that_is_known():
    @judge
    def check(answer):
        tf.train.create_global_step()
        tf.train.create_global_step()

    assert check(None).message.endswith(
        "already exists.\nLet one of the two make the step, and let the other one find it."
    )


@judge
def check_kinds(step: tf.Variable, train: Callable) -> Verdict:
    """Accept what is of these kinds."""
    return Verdict(True, "Well.")


def test_an_answer_has_to_be_what_the_annotations_say():
    step = tf.Variable(0)
    assert check_kinds(None, print).message == "`step` should be a Variable. So far it's None."
    assert check_kinds(step, 3).message == "`train` should be a function. So far it's 3."
    assert check_kinds(step, print)


def test_an_answer_has_to_be_in_the_default_graph():
    step = tf.Variable(0)
    with tf.Graph().as_default():
        assert check_kinds(step, print).message.startswith("`step` is in another graph.")


@pytest.mark.parametrize("answer, said", [("", "It's empty."), ("a", "It's too short."), ("abc", "Well.")])
def test_a_check_may_yield_what_is_wrong_one_thing_after_the_other(answer, said):
    @judge
    def check(answer):
        yield "" if answer else "It's empty."
        yield "" if len(answer) > 2 else "It's too short."
        yield Verdict(True, "Well.")

    assert check(answer).message == said


def test_watching_looks_before_the_first_run_and_after_each():
    step = tf.Variable(0, trainable=False)
    loss = tf.Variable(5.0) ** 2
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    assert [int(now) for [now] in watched(train_op, step, runs=3)] == [0, 1, 2, 3]
