"""Lengths are asked of what is fed: a training step does not compute a loss only to count its elements."""

import numpy as np
import pytest

import minitf as tf
from minitf.client.session import program_of


def step_of(losses):
    """The program of a step on the mean of the losses, as text."""
    return str(program_of(tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(losses))))


def test_a_step_computes_no_loss_that_nobody_asked_for():
    x = tf.placeholder(tf.float32, [None, 1])
    text = step_of(tf.square(x * tf.Variable(1.0)))
    assert "size(Placeholder)" in text
    assert "square(" not in text


def test_a_step_on_softmax_computes_only_its_slope():
    x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 2])
    logits = x @ tf.Variable(tf.ones([3, 2]))
    text = step_of(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
    assert "cross_entropy" not in text
    assert "unreduce" not in text


def test_what_is_fed_in_the_place_of_a_result_is_counted_itself():
    x = tf.placeholder(tf.float32, [None])
    doubled = 2.0 * x
    size = tf.size(tf.square(doubled))
    assert tf.Session().run(size, {x: [1, 2, 3], doubled: [1, 2]}) == 2


@pytest.mark.parametrize("lengths", [[None, 3], [3, None], [None, None]])
@pytest.mark.parametrize("axis", [0, 1, None])
def test_the_mean_along_an_axis_of_what_is_fed_counts_that_axis(lengths, axis):
    x = tf.placeholder(tf.float64, lengths)
    (gradient,) = tf.gradients(tf.reduce_mean(x, axis), x)
    fed = np.ones([2 if d is None else d for d in lengths])
    np.testing.assert_allclose(tf.Session().run(gradient, {x: fed}), fed / np.size(fed, axis))
