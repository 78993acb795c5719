"""What is fed is converted and checked before anything runs; anything may be fed but an op."""

from __future__ import annotations

import ast
import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.framework.common_shapes import _GIVE_SHAPES, _OF_SAME, known_elements
from minitf.framework.registry import OPS
from tests.support import assert_same, examples, in_new_graph, initialized_session


def refused(kind: type, words: str, key: object, value: object, fetch: object = None) -> None:
    """The run raises; the same session then runs with a right feed."""
    session = tf.Session()
    x = tf.placeholder(tf.float32, [None, 2], name="right")
    with pytest.raises(kind) as caught:
        session.run(x * 2.0 if fetch is None else fetch, {key: value})
    assert words in str(caught.value)
    assert session.run(x * 2.0, {x: [[1.0, 2.0]]}).tolist() == [[2.0, 4.0]]


@pytest.mark.parametrize(
    "static, shape, shown",
    [([None, 2], (3,), "(?, 2)"), ([2, 3], (3, 2), "(2, 3)"), ([], (1,), "()"), ([3], (), "(3,)"), ([1], (2,), "(1,)")],
)
def test_a_value_of_another_shape(static, shape, shown):
    x = tf.placeholder(tf.float32, static, name="x")
    words = f"Cannot feed value of shape {shape} for Tensor x:0, which has shape {shown}"
    for fetch in (x, x * 2.0):
        refused(ValueError, words, x, np.zeros(shape), fetch)


def test_another_shape_is_refused_after_right_ones_were_fed():
    x = tf.placeholder(tf.float32, [None, 2])
    session = tf.Session()
    y = x + 1.0
    for _ in range(2):
        for n in (1, 3):
            assert session.run(y, {x: np.zeros((n, 2), np.float32)}).shape == (n, 2)
        for wrong in ((2,), (2, 3), ()):
            with pytest.raises(ValueError, match="Cannot feed value of shape"):
                session.run(y, {x: np.zeros(wrong, np.float32)})


@pytest.mark.parametrize(
    "dtype, value, kind",
    [
        (tf.float32, "abc", ValueError),
        (tf.float32, {}, TypeError),
        (tf.float32, object(), TypeError),
        (tf.float32, [[1.0], [1.0, 2.0]], ValueError),
        (tf.int32, 2**40, TypeError),
        (tf.int8, 300, TypeError),
        (tf.int32, "5x", ValueError),
    ],
)
def test_a_value_that_the_dtype_can_not_hold(dtype, value, kind):
    x = tf.placeholder(dtype)
    refused(kind, "", x, value, x * 1)


def test_a_tensor_is_no_value():
    x = tf.placeholder(tf.float32)
    for value in (tf.constant(1.0), tf.Variable(1.0), tf.no_op()):
        refused(TypeError, "The value of a feed cannot be a tf.Tensor object", x, value, x)


@pytest.mark.parametrize("key", [3, None, "missing:0", "missing", 2.5, b"x", "x", tf.float32])
def test_a_key_that_is_no_tensor(key):
    tf.placeholder(tf.float32, name="x")
    refused(TypeError, "Cannot interpret feed_dict key as Tensor", key, 1.0)


def test_an_op_and_a_tensor_of_another_graph_are_no_keys():
    with tf.Graph().as_default():
        foreign = tf.placeholder(tf.float32, name="foreign")
    refused(TypeError, "Cannot interpret feed_dict key as Tensor", foreign, 1.0)
    refused(TypeError, "Cannot interpret feed_dict key as Tensor", tf.no_op(), 1.0)


@pytest.mark.parametrize("feeds", [[1], "x", 5, [None], {1}, ("a", "b")])
def test_feeds_that_are_no_dict(feeds):
    c = tf.constant(1.0)
    session = tf.Session()
    for _ in range(2):
        with pytest.raises(TypeError, match="must be a dictionary"):
            session.run(c, feeds)
        assert session.run(c) == 1.0


def test_a_list_of_the_right_keys_is_no_dict_either():
    x = tf.placeholder(tf.float32)
    session = tf.Session()
    session.run(x, {x: 1.0})
    with pytest.raises(TypeError, match="must be a dictionary"):
        session.run(x, [x])


def test_names_and_variables_are_keys_too():
    x = tf.placeholder(tf.float32, name="x")
    v = tf.Variable(1.0)
    session = initialized_session()
    assert session.run(x + v, {"x:0": 2.0, v: 5.0}) == 7.0


@examples(100)
@given(
    st.sampled_from([tf.float32, tf.float64, tf.int32, tf.int64, tf.bool, tf.int8]),
    st.sampled_from([np.float32, np.float64, np.int32, np.int64, np.bool_, np.int8]),
    st.lists(st.integers(0, 100), max_size=3),
    st.booleans(),
)
@in_new_graph
def test_what_is_fed_has_the_dtype_of_the_tensor(dtype, given_dtype, numbers, as_list):
    x = tf.placeholder(dtype)
    value = np.array(numbers, given_dtype)
    fed = value.tolist() if as_list else value
    found = tf.Session().run([x, tf.identity(x)], {x: fed})
    for result in found:
        assert_same(result, value.astype(dtype.as_numpy_dtype))


def test_a_fraction_fed_to_an_integer_is_lost():
    x = tf.placeholder(tf.int32)
    assert tf.Session().run(x * 1, {x: 1.5}) == 1
    assert tf.Session().run(x * 1, {x: [1.9, -1.9]}).tolist() == [1, -1]


def test_strings_are_bytes():
    x = tf.placeholder(tf.string, [None])
    assert tf.Session().run(x, {x: ["a", b"b"]}).tolist() == [b"a", b"b"]


@examples(60)
@given(st.sampled_from(["constant", "read", "middle", "gradient", "fetch"]), st.floats(-5, 5, allow_subnormal=False))
@in_new_graph
def test_any_tensor_may_be_fed_in_place_of_what_it_would_be(which, number):
    c = tf.constant(2.0, tf.float64)
    v = tf.Variable(3.0, dtype=tf.float64)
    middle = c * v
    out = middle * middle + c
    gradient, by_v = tf.gradients(out, [middle, v])
    fed = {"constant": c, "read": v.value(), "middle": middle, "gradient": gradient, "fetch": out}
    values = {"constant": 2.0, "read": 3.0, **{which: number}}
    expected_middle = values.get("middle", values["constant"] * values["read"])
    expected_gradient = values.get("gradient", 2 * expected_middle)
    expected = values.get("fetch", expected_middle**2 + values["constant"])
    found = initialized_session().run([out, middle, gradient, by_v], {fed[which]: number})
    by_v_expected = expected_gradient * values["constant"]  # in a run, a denormal number is zero
    np.testing.assert_allclose(found, [expected, expected_middle, expected_gradient, by_v_expected], 1e-12, 1e-300)


def test_fed_intermediate_results_may_have_another_length():
    x = tf.placeholder(tf.float32, [None, 1])
    y = x * 2.0
    z = y + x
    (gradient,) = tf.gradients(tf.reduce_sum(z), y)
    feeds = {x: np.ones((3, 1)), y: np.ones((1, 1))}
    total, slope = tf.Session().run([z, gradient], feeds)
    assert_same(total, np.full((3, 1), 2, np.float32))
    assert_same(slope, np.full((1, 1), 3, np.float32))


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
    looked_into = _GIVE_SHAPES | set(_OF_SAME)
    assert looked_into == set(LENGTHS) - {"Const"}
    source = ast.walk(ast.parse(inspect.getsource(known_elements)))
    assert {node.value for node in source if isinstance(node, ast.Constant)} & set(OPS) <= looked_into
