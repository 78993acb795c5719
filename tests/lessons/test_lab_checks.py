"""What all checks share: a verdict, and watching a train op."""

from __future__ import annotations

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
