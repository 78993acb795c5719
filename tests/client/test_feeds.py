"""What is fed is converted and checked before anything runs; anything may be fed but an op."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.framework.common_shapes import _RULES
from tests.support import assert_same, examples, in_new_graph


def refused(kind, words, feeds):
    """The run raises, also again; the same session then runs."""
    session, one = tf.Session(), tf.constant(1.0)
    for _ in range(2):
        with pytest.raises(kind) as caught:
            session.run(one, feeds)
        assert words in str(caught.value)
        assert session.run(one) == 1.0


def test_another_shape_is_refused_after_right_ones_were_fed():
    x = tf.placeholder(tf.float32, [None, 2])
    session = tf.Session()
    y = x + 1.0
    for n in (1, 3, 1):
        assert session.run(y, {x: np.zeros((n, 2), np.float32)}).shape == (n, 2)
        for wrong in ((2,), (2, 3), ()):
            with pytest.raises(ValueError, match="Cannot feed value of shape"):
                session.run(y, {x: np.zeros(wrong, np.float32)})


VALUES = [
    (tf.float32, {}, TypeError),
    (tf.float32, object(), TypeError),
    (tf.int8, 300, TypeError),
    (tf.int32, "5x", ValueError),
]


@pytest.mark.parametrize(("dtype", "value", "kind"), VALUES)
def test_a_value_that_the_dtype_can_not_hold(dtype, value, kind):
    refused(kind, "", {tf.placeholder(dtype): value})


def test_a_tensor_is_no_value():
    x = tf.placeholder(tf.float32)
    for value in (tf.constant(1.0), tf.Variable(1.0), tf.no_op()):
        refused(TypeError, "The value of a feed cannot be a tf.Tensor object", {x: value})


@pytest.mark.parametrize("key", ["missing", 2.5, b"x", tf.float32])
def test_a_key_that_is_no_tensor(key):
    refused(TypeError, "Cannot interpret feed_dict key as Tensor", {key: 1.0})


@pytest.mark.parametrize("feeds", [[1], "x", 5, [None], {1}, ("a", "b")])
def test_feeds_that_are_no_dict(feeds):
    refused(TypeError, "must be a dictionary", feeds)


DTYPES = [tf.float32, tf.float64, tf.int32, tf.int64, tf.bool, tf.int8]
NUMBERS = st.lists(st.integers(0, 100), max_size=3)


@examples(60)
@given(st.sampled_from(DTYPES), st.sampled_from(DTYPES), NUMBERS, st.booleans())
@in_new_graph
def test_what_is_fed_has_the_dtype_of_the_tensor(dtype, other, numbers, as_list):
    x = tf.placeholder(dtype)
    value = np.array(numbers, other.as_numpy_dtype)
    fed = value.tolist() if as_list else value
    for result in tf.Session().run([x, tf.identity(x)], {x: fed}):
        assert_same(result, value.astype(dtype.as_numpy_dtype))


# What static shapes are computed from, each with the value 3 in every element.
LENGTHS = {
    "Const": lambda: tf.constant([3]),
    "Shape": lambda: tf.shape(tf.placeholder(tf.float32, [3])),
    "Identity": lambda: tf.identity(tf.constant([3])),
    "Reshape": lambda: tf.reshape(tf.constant([[3]]), [1]),
    "Cast": lambda: tf.cast(tf.constant([3], tf.int64), tf.int32),
    "Rank": lambda: tf.rank(tf.zeros([1, 1, 1])),
    "Size": lambda: tf.size(tf.zeros([3])),
    "Prod": lambda: tf.reduce_prod(tf.constant([3, 1])),
    "AddV2": lambda: tf.constant([2]) + 1,
    "Sub": lambda: tf.constant([4]) - 1,
    "Mul": lambda: tf.constant([3]) * 1,
    "FloorDiv": lambda: tf.constant([6]) // 2,
    "Pack": lambda: tf.stack([tf.constant(3)]),
    "ConcatV2": lambda: tf.concat([tf.constant([3]), tf.zeros([0], tf.int32)], 0),
    "StridedSlice": lambda: tf.constant([3, 4])[:1],
}


@pytest.mark.parametrize("op_type", LENGTHS)
def test_a_fed_length_may_contradict_the_static_shapes_computed_from_it(op_type):
    length = LENGTHS[op_type]()
    assert length.op.type == op_type
    x = tf.placeholder(tf.float32)
    y = tf.reshape(x, length if length.shape.rank else [length])
    assert y.shape == [3]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes"):
        tf.Session().run(y * tf.ones([3]), {x: np.zeros(6), length: np.full(length.shape, 6)})


def test_these_are_all_ops_from_which_static_shapes_are_computed():
    assert set(_RULES) == set(LENGTHS) - {"Const"}
