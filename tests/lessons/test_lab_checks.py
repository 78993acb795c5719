"""What all checks share: a verdict, and watching a train op."""

from __future__ import annotations

import pytest

import minitf as tf
from lab.checks.verdict import Verdict, watched


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph."""
    with tf.Graph().as_default():
        yield


def experiment(*, twice=False, counted=True):
    global_step = tf.Variable(0, trainable=False)
    rate = tf.train.exponential_decay(0.1, global_step, 5, 0.5)
    optimizer = tf.train.GradientDescentOptimizer(rate)
    loss = (tf.Variable(0.0) - 1.0) ** 2
    train_op = optimizer.minimize(loss, global_step=global_step if counted else None)
    if twice:
        train_op = tf.group(train_op, optimizer.minimize(loss, global_step=global_step))
    return rate, global_step, train_op


def test_a_verdict_is_true_if_the_answer_is_right():
    assert Verdict(True, "Well.")
    assert not Verdict(False, "Well.")
    assert repr(Verdict(True, "So.")) == "Right! So."
    assert repr(Verdict(False, "So.")) == "Not yet. So."


def test_watching_looks_before_the_first_run_and_after_each():
    _, global_step, train_op = experiment()
    assert [int(step) for [step] in watched(train_op, global_step, runs=3)] == [0, 1, 2, 3]
