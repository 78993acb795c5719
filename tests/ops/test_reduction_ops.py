"""Reductions are NumPy's, along whatever axes, however they are given."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.ops.samples import axes_of
from tests.support import assert_same, examples

NUMPY = {"reduce_sum": np.sum, "reduce_mean": np.mean, "reduce_max": np.max, "reduce_min": np.min}


@pytest.mark.parametrize("name", NUMPY)
def test_a_reduction_is_numpys(name):
    @examples(60)
    @given(
        st.lists(st.integers(1, 3), max_size=3),
        st.data(),
        st.booleans(),
        st.sampled_from(["known", "open", "unknown"]),
        st.sampled_from(["none", "python", "tensor", "fed"]),
    )
    def check(shape, data, keep, kind, given_as):
        axes = None if given_as == "none" else data.draw(axes_of(len(shape)))
        value = np.random.default_rng(len(shape)).normal(size=shape)
        with tf.Graph().as_default():
            static = {"known": shape, "open": [None] * len(shape), "unknown": None}[kind]
            x = tf.placeholder(tf.float64, static)
            feeds = {x: value}
            axis = axes
            if given_as == "python":
                axis = axes.tolist()
            elif given_as == "tensor":
                axis = tf.constant(axes)
            elif given_as == "fed":
                axis = tf.placeholder(tf.int32)
                feeds[axis] = axes
            made = getattr(tf, name)(x, axis, keep)
            found = tf.Session().run(made, feeds)
        axis = None if axes is None else tuple(int(a) for a in np.ravel(axes))
        assert_same(found, NUMPY[name](value, axis=axis, keepdims=keep), "", 1e-12)
        assert made.shape.is_compatible_with(found.shape)

    check()


@pytest.mark.parametrize("name", NUMPY)
def test_the_old_names_of_the_arguments_mean_the_same(name):
    x = tf.constant([[1.0, 2.0], [3.0, 5.0]])
    function = getattr(tf, name)
    new = function(x, axis=0, keepdims=True)
    old = function(x, reduction_indices=0, keep_dims=True)
    assert np.array_equal(*tf.Session().run([new, old]))
    with pytest.raises(ValueError):
        function(x, axis=0, reduction_indices=0)
    with pytest.raises(ValueError):
        function(x, keepdims=True, keep_dims=True)


@pytest.mark.parametrize("axis", [2, -3, [0, 5]])
def test_an_axis_that_does_not_exist_is_refused_while_building(axis):
    with pytest.raises(ValueError, match="Invalid reduction dimension"):
        tf.reduce_sum(tf.zeros([2, 3]), axis)


def test_a_computed_axis_that_does_not_exist_fails_when_it_runs():
    x = tf.placeholder(tf.float32, [2, 3])
    total = tf.reduce_sum(x, tf.shape(tf.zeros([2, 3])))  # axes 2 and 3
    with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid reduction dimension"):
        tf.Session().run(total, {x: np.ones((2, 3))})


@pytest.mark.parametrize("axes", [[[0, 5]], [[2]], [0, 0], [0, -2], [0, 1, 0], 2, [-3]])
def test_a_fed_axis_that_does_not_exist_or_comes_twice_fails_when_it_runs(axes):
    x, axis = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.Session().run(tf.reduce_sum(x, axis), {x: np.ones((1, 3)), axis: axes})


def test_an_axis_may_be_given_in_a_tensor_of_any_shape():
    x, axis = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
    total = tf.reduce_sum(x, axis)
    assert tf.Session().run(total, {x: np.ones((1, 3)), axis: [[0, 1]]}) == 3.0


@examples(40)
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=5))
def test_the_mean_of_whole_numbers_is_whole(numbers):
    with tf.Graph().as_default():
        found = tf.Session().run(tf.reduce_mean(tf.constant(numbers)))
    assert_same(found, np.int32(np.trunc(sum(numbers) / len(numbers))))


@pytest.mark.parametrize("dtype", [np.int8, np.float16, np.int64])
def test_a_sum_keeps_its_dtype(dtype):
    found = tf.Session().run(tf.reduce_sum(tf.constant(np.ones(3, dtype))))
    assert_same(found, dtype(3))


def test_ties_of_an_extreme_share_the_gradient():
    x = tf.constant([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]])
    (gradient,) = tf.gradients(tf.reduce_max(x, 1), x)
    thirds = np.array([[0, 0.5, 0.5], [1 / 3] * 3], np.float32)
    assert_same(tf.Session().run(gradient), thirds, "", 1e-6)


def test_reductions_of_nothing():
    x = tf.placeholder(tf.float32, [None])
    made = [tf.reduce_sum(x), tf.reduce_max(x), tf.reduce_min(x), tf.reduce_mean(x)]
    found = tf.Session().run(made, {x: []})
    assert found[:3] == [0.0, -np.inf, np.inf]
    assert np.isnan(found[3])
