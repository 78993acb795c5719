"""Convolutions take a few pictures at a time: the result is the same, and memory stays small."""

import tracemalloc

import numpy as np
import pytest

import minitf as tf
from minitf.extras import convolution


def _gradients(count):
    """A convolution of `count` pictures and its gradients."""
    random = np.random.default_rng(0)
    x, w = random.normal(size=(count, 6, 5, 2)), random.normal(size=(3, 3, 2, 4))
    with tf.Graph().as_default(), tf.Session() as session:
        inputs = [tf.constant(a) for a in (x, w)]
        y = tf.nn.conv2d(*inputs, [1, 2, 1, 1], "SAME")
        return session.run([y, *tf.gradients(tf.square(y), inputs)])


@pytest.mark.parametrize("at_once", [1, 900])
def test_parts_give_what_the_whole_gives(monkeypatch, at_once):
    whole = _gradients(7)
    monkeypatch.setattr(convolution, "_AT_ONCE", at_once)
    for one, other in zip(whole, _gradients(7), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_many_pictures_take_little_more_memory_than_the_result():
    x = np.ones((2000, 14, 14, 8), np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        pictures, w = tf.placeholder(tf.float32, x.shape), tf.ones([5, 5, 8, 4])
        y = tf.nn.conv2d(pictures, w, [1, 1, 1, 1], "VALID")
        session.run(y, {pictures: x})
        tracemalloc.start()
        value = session.run(y, {pictures: x})
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < value.nbytes + 2 * x.nbytes + 20e6 < value.nbytes * 50  # all windows would be 50 times as large


def test_the_gradient_of_the_gradient_of_max_pooling_is_missing():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [1, 4, 4, 1])
        first = tf.gradients(tf.square(tf.nn.max_pool(x, 2, 2, "SAME")), x)[0]
        with pytest.raises(LookupError, match="No gradient defined for operation.*MaxPoolGrad"):
            tf.gradients(first, x)


def test_an_unknown_length_that_windows_leave_alone_is_the_same_one():
    with tf.Graph().as_default():
        x, w = tf.placeholder(tf.float32, [None, None, 4, 1]), tf.ones([3, 3, 1, 1])
        same, halved = (tf.nn.conv2d(x, w, [1, step, 1, 1], "SAME").shape.lengths for step in (1, 2))
        assert same[:2] == x.shape.lengths[:2]
        assert halved[0] is x.shape.lengths[0]
        assert halved[1] is not x.shape.lengths[1]


def test_windows_move_by_one_unless_told_otherwise():
    with tf.Graph().as_default():
        assert tf.nn.conv2d(tf.ones([1, 8, 8, 3]), tf.ones([3, 3, 3, 1]), padding="VALID").shape == [1, 6, 6, 1]


def test_groups_of_channels_are_refused():
    with tf.Graph().as_default(), tf.Session() as session:
        y = tf.nn.conv2d(tf.ones([1, 4, 4, 4]), tf.ones([3, 3, 2, 2]), 1, "SAME")
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"4 vs 2 \(in minitf, they must be equal\)"):
            session.run(y)


def test_what_a_program_shows():
    with tf.Graph().as_default():
        x, w = tf.placeholder(tf.float32, [8, 6, 6, 1], name="x"), tf.Variable(tf.ones([3, 3, 1, 2]), name="w")
        y = tf.nn.max_pool(tf.nn.conv2d(x, w, [1, 2, 1, 1], "SAME", name="y"), 2, 2, "VALID", name="z")
        text = str(tf.program(tf.gradients(y, w)))
    assert "y = conv2d(x, w, strides=(1, 2, 1, 1), padding='SAME')" in text
    assert "conv2d_filter_gradient(x, (3, 3, 1, 2), d_y, strides=(1, 2, 1, 1), padding='SAME')" in text
