"""Convolutions take a few pictures at a time: the result is the same, and memory stays small."""

import tracemalloc

import numpy as np
import pytest

import minitf as tf
from minitf.extras import convolution


def _gradients(count):
    """A convolution of `count` pictures and its gradients."""
    random = np.random.default_rng(0)
    inputs = [tf.constant(random.normal(size=shape)) for shape in [(count, 6, 5, 2), (3, 3, 2, 4)]]
    y = tf.nn.conv2d(*inputs, [1, 2, 1, 1], "SAME")
    return tf.Session().run([y, *tf.gradients(tf.square(y), inputs)])


@pytest.mark.parametrize("at_once", [1, 900])
def test_parts_give_what_the_whole_gives(monkeypatch, at_once):
    whole = _gradients(7)
    monkeypatch.setattr(convolution, "_AT_ONCE", at_once)
    for one, other in zip(whole, _gradients(7), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_many_pictures_take_little_more_memory_than_the_result():
    x = np.ones((2000, 14, 14, 8), np.float32)
    pictures, w = tf.placeholder(tf.float32, x.shape), tf.ones([5, 5, 8, 4])
    y = tf.nn.conv2d(pictures, w, [1, 1, 1, 1], "VALID")
    session = tf.Session()
    session.run(y, {pictures: x})
    tracemalloc.start()
    value = session.run(y, {pictures: x})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < value.nbytes + 2 * x.nbytes + 20e6
    assert peak < value.nbytes * 50, "all windows would be 50 times as large"


def test_the_gradient_of_the_gradient_of_max_pooling_is_missing():
    x = tf.placeholder(tf.float32, [1, 4, 4, 1])
    (first,) = tf.gradients(tf.square(tf.nn.max_pool(x, 2, 2, "SAME")), x)
    with pytest.raises(LookupError, match="No gradient defined for operation.*MaxPoolGrad"):
        tf.gradients(first, x)


def test_an_unknown_length_that_windows_leave_alone_is_the_same_one():
    x, w = tf.placeholder(tf.float32, [None, None, 4, 1]), tf.ones([3, 3, 1, 1])
    same = tf.nn.conv2d(x, w, [1, 1, 1, 1], "SAME").shape.lengths
    halved = tf.nn.conv2d(x, w, [1, 2, 1, 1], "SAME").shape.lengths
    assert same[:2] == x.shape.lengths[:2]
    assert halved[0] is x.shape.lengths[0]
    assert halved[1] is not x.shape.lengths[1]


def test_groups_of_channels_are_refused():
    y = tf.nn.conv2d(tf.ones([1, 4, 4, 4]), tf.ones([3, 3, 2, 2]), 1, "SAME")
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"4 vs 2 \(in minitf, they must be equal\)"):
        tf.Session().run(y)


def test_what_a_program_shows():
    x, w = tf.placeholder(tf.float32, [8, 6, 6, 1], name="x"), tf.Variable(tf.ones([3, 3, 1, 2]), name="w")
    y = tf.nn.max_pool(tf.nn.conv2d(x, w, [1, 2, 1, 1], "SAME", name="y"), 2, 2, "VALID", name="z")
    text = str(tf.program(tf.gradients(y, w)))
    assert "y = conv2d(x, w, strides=(1, 2, 1, 1), padding='SAME')" in text
    assert "conv2d_filter_gradient(x, (3, 3, 1, 2), d_y, strides=(1, 2, 1, 1), padding='SAME')" in text
