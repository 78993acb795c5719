"""Ops about shapes: what they say, what they make, what they refuse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import assert_same, examples, in_new_graph, initialized_session

SHAPES = st.lists(st.integers(0, 3), max_size=3).map(tuple)


def run(tensor, feeds=None):
    return tf.Session().run(tensor, feeds)


@examples(80)
@given(SHAPES, st.sampled_from(["known", "open", "unknown"]))
@in_new_graph
def test_shape_size_and_rank_say_what_the_value_is_like(shape, kind):
    static = {"known": shape, "open": [None] * len(shape), "unknown": None}[kind]
    x = tf.placeholder(tf.float32, static)
    value = np.zeros(shape, np.float32)
    made = [tf.shape(x), tf.size(x), tf.rank(x), tf.shape(x, out_type=tf.int64)]
    found = run(made, {x: value})
    assert_same(found[0], np.array(shape, np.int32))
    assert_same(found[1], np.int32(value.size))
    assert_same(found[2], np.int32(value.ndim))
    assert_same(found[3], np.array(shape, np.int64))


@examples(80)
@given(SHAPES, st.booleans(), st.sampled_from([tf.float32, tf.int64, tf.float64]))
@in_new_graph
def test_ones_and_zeros_of_every_kind(shape, static, dtype):
    x = tf.placeholder(dtype, shape if static else None)
    value = np.full(shape, 7, dtype.as_numpy_dtype)
    made = [tf.ones_like(x), tf.zeros_like(x), tf.ones(shape, dtype), tf.zeros(shape, dtype)]
    made += [tf.ones(tf.shape(x), dtype), tf.fill(tf.shape(x), tf.constant(1, dtype))]
    one, zero = np.ones_like(value), np.zeros_like(value)
    for found, right in zip(run(made, {x: value}), [one, zero, one, zero, one, one], strict=True):
        assert_same(found, right)
    assert_same(run(tf.ones_like(x, dtype=tf.int32), {x: value}), one.astype(np.int32))


@examples(120)
@given(st.sampled_from([(), (1,), (6,), (2, 3), (3, 2, 1)]), st.data(), st.booleans(), st.booleans())
@in_new_graph
def test_reshape_is_numpys(shape, data, static, fed_shape):
    count = int(np.prod(shape))
    options = [(count,), (-1,), (1, -1), (count, 1)] + ([(2, -1), (3, 2)] if count == 6 else [()])
    wanted = data.draw(st.sampled_from(options))
    value = np.arange(count, dtype=np.float32).reshape(shape)
    x = tf.placeholder(tf.float32, shape if static else None)
    dims = tf.placeholder(tf.int32, [len(wanted)]) if fed_shape else wanted
    made = tf.reshape(x, dims)
    feeds = {x: value} | ({dims: np.array(wanted, np.int32)} if fed_shape else {})
    found = run(made, feeds)
    assert_same(found, value.reshape(wanted))
    assert made.shape.is_compatible_with(found.shape)


def test_a_reshape_that_never_fits_is_refused_while_building():
    with pytest.raises(ValueError, match="Cannot reshape a tensor with 6 elements to shape"):
        tf.reshape(tf.zeros([2, 3]), [4])


@examples(80)
@given(st.sampled_from([(), (1,), (3,), (2, 1), (2, 3)]), st.sampled_from([(2, 3), (4, 2, 3)]),
       st.booleans())  # fmt: skip
@in_new_graph
def test_broadcast_to_is_numpys(shape, wanted, static):
    value = np.random.default_rng(0).normal(size=shape)
    x = tf.placeholder(tf.float64, shape if static else None)
    made = tf.broadcast_to(x, wanted)
    assert_same(run(made, {x: value}), np.broadcast_to(value, wanted))


def test_a_broadcast_that_never_fits_is_refused_while_building():
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 2 and 1"):
        tf.broadcast_to(tf.zeros([2, 3]), [1, 3])
    with pytest.raises(ValueError, match="Shape must be at most rank 0 but is rank 2"):
        tf.broadcast_to(tf.zeros([2, 3]), [])


def test_identity_is_a_tensor_of_its_own():
    x = tf.constant([1.0, 2.0])
    assert tf.identity(x) is not x
    assert tf.identity(x).op.type == "Identity"
    assert tf.identity(x, name="mine").op.name == "mine"
    assert run(tf.identity(3)) == 3


def test_no_gradient_flows_through_stop_gradient_or_ones_like():
    x = tf.constant([1.0, 2.0])
    assert tf.gradients(tf.stop_gradient(x) * 2.0, x) == [None]
    assert tf.gradients(tf.ones_like(x), x) == [None]
    (gradient,) = tf.gradients(x * tf.stop_gradient(x), x)
    assert run(gradient).tolist() == [1.0, 2.0]


def test_a_placeholder_says_its_dtype_and_shape():
    x = tf.placeholder("float32", [None, 2], name="x")
    assert (x.dtype, x.shape.as_list(), x.op.type) == (tf.float32, [None, 2], "Placeholder")
    assert tf.placeholder(tf.int32).shape.ndims is None


def test_the_shape_of_a_variable_is_the_one_it_has_now():
    v = tf.Variable(np.ones(2), validate_shape=False)
    shape = tf.shape(v)
    session = initialized_session()
    assert session.run(shape).tolist() == [2]
    session.run(tf.assign(v, np.ones((3, 1)), validate_shape=False))
    assert session.run(shape).tolist() == [3, 1]


def test_a_program_writes_short_constant_arguments_as_numbers():
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    made = [tf.reshape(x, [3, 2]), tf.expand_dims(x, 0), tf.tile(x, [1, 2]), tf.gather(x, [1, 0]), x[0, 1:]]
    made += [tf.gather(x, [2], axis=1), tf.concat([x, x], 1), tf.stack([x, x], axis=1), tf.unstack(x)[1]]
    text = str(tf.program(made))
    calls = ["reshape(x, (3, 2))", "expand_dims(x, 0)", "tile(x, (1, 2))", "take(x, (1, 0))", "x[0, 1:]"]
    calls += ["take(x, (2,), axis=1)", "concatenate([x, x], axis=1)", "stack([x, x], axis=1)", "unstack(x)"]
    assert [call for call in calls if call not in text] == [], text
    assert "take(x, indices)" in str(tf.program(tf.gather(x, np.arange(1000) % 2)))
