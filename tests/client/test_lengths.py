"""Lengths are asked of what is fed: a training step does not compute a loss only to count its elements."""

from __future__ import annotations

import numpy as np
import pytest

import minitf as tf
from minitf.client.session import program_of
from tests.support import initialized_session


def _mean_of_squares(prediction: tf.Tensor) -> tf.Operation:
    return tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(tf.square(prediction)))


def test_a_step_computes_no_loss_that_nobody_asked_for():
    x = tf.placeholder(tf.float32, [None, 1])
    text = str(program_of(_mean_of_squares(x * tf.Variable(1.0))))
    assert "size(Placeholder)" in text
    assert "square(" not in text


def test_a_step_on_softmax_computes_only_its_slope():
    x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 2])
    loss = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=x @ tf.Variable(tf.ones([3, 2])))
    text = str(program_of(tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(loss))))
    assert "cross_entropy" not in text
    assert "unreduce" not in text


def test_the_count_is_right_whatever_is_fed():
    x = tf.placeholder(tf.float64, [None, 1])
    w = tf.Variable(np.float64(3.0))
    gradient = tf.gradients(tf.reduce_mean(tf.square(x * w)), w)[0]
    with initialized_session() as session:
        for count in (1, 2, 5):
            fed = np.arange(1.0, count + 1).reshape(count, 1)
            np.testing.assert_allclose(session.run(gradient, {x: fed}), 6 * np.mean(fed**2))


def test_what_is_fed_in_the_place_of_a_result_is_counted_itself():
    x = tf.placeholder(tf.float32, [None])
    doubled = 2.0 * x
    mean = tf.size(tf.square(doubled))
    with tf.Session() as session:
        assert session.run(mean, {x: [1, 2, 3], doubled: [1, 2]}) == 2


@pytest.mark.parametrize("lengths", [[None, 3], [3, None], [None, None], [None]])
@pytest.mark.parametrize("axis", [0, 1, None])
def test_the_mean_along_an_axis_of_what_is_fed_counts_that_axis(lengths, axis):
    x = tf.placeholder(tf.float64, lengths)
    axis = 0 if axis and len(lengths) == 1 else axis
    gradient = tf.gradients(tf.reduce_mean(x, axis), x)[0]
    fed = np.ones([2 if d is None else d for d in lengths])
    count = fed.size if axis is None else fed.shape[axis]
    with tf.Session() as session:
        np.testing.assert_allclose(session.run(gradient, {x: fed}), fed / count)
