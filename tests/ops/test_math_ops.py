"""Elementwise arithmetic: NumPy's values, TensorFlow's dtypes and names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import assert_same, examples, in_new_graph

SHAPES = [(), (1,), (3,), (2, 1), (1, 3), (2, 3)]
UNARY = {
    "negative": np.negative, "abs": np.abs, "sign": np.sign, "square": np.square, "exp": np.exp,
    "sin": np.sin, "cos": np.cos, "tanh": np.tanh, "floor": np.floor, "sqrt": np.sqrt, "log": np.log,
}  # fmt: skip
BINARY = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
    "truediv": np.divide, "floordiv": np.floor_divide, "floormod": np.mod, "mod": np.mod,
    "maximum": np.maximum, "minimum": np.minimum, "pow": np.power, "greater": np.greater,
    "greater_equal": np.greater_equal, "less": np.less, "less_equal": np.less_equal,
    "equal": np.equal, "not_equal": np.not_equal,
}  # fmt: skip
OPERATORS = {
    "add": lambda x, y: x + y, "subtract": lambda x, y: x - y, "multiply": lambda x, y: x * y,
    "truediv": lambda x, y: x / y, "floordiv": lambda x, y: x // y, "mod": lambda x, y: x % y,
    "pow": lambda x, y: x**y,
}  # fmt: skip
FLOATS = st.sampled_from([np.float32, np.float64])


@st.composite
def arrays(draw, shape=None, dtype=None):
    shape = draw(st.sampled_from(SHAPES)) if shape is None else shape
    dtype = draw(FLOATS) if dtype is None else dtype
    random = np.random.default_rng(draw(st.integers(0, 99)))
    return random.uniform(0.25, 3, shape).astype(dtype)[()]


def run(tensor, feeds=None):
    return tf.Session().run(tensor, feeds)


@pytest.mark.parametrize("name", UNARY)
def test_an_op_of_one_input_is_numpys(name):
    @examples(12)
    @given(arrays(), st.booleans())
    def check(x, negative):
        x = -x if negative else x
        with tf.Graph().as_default(), np.errstate(all="ignore"):
            p = tf.placeholder(x.dtype)
            for tensor in (getattr(tf, name)(p), getattr(tf, name)(tf.constant(x))):
                assert_same(run(tensor, {p: x}), UNARY[name](x), name, 1e-6)

    check()


@pytest.mark.parametrize("name", BINARY)
def test_an_op_of_two_inputs_is_numpys_with_broadcasting(name):
    @examples(15)
    @given(st.data(), FLOATS)
    def check(data, dtype):
        x, y = data.draw(arrays(dtype=dtype)), data.draw(arrays(dtype=dtype))
        with tf.Graph().as_default():
            p, q = tf.placeholder(dtype, x.shape), tf.placeholder(dtype)
            function = getattr(tf, name)
            made = [function(p, q), function(tf.constant(x), q), function(p, y)]
            expected = BINARY[name](x, y)
            for value in run(made, {p: x, q: y}):
                assert_same(value, expected, name, 1e-6)

    check()


@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_takes_tensors_numbers_arrays_and_variables_on_either_side(name):
    @examples(8)
    @given(st.data(), FLOATS)
    def check(data, dtype):
        x, y = data.draw(arrays((2, 3), dtype)), data.draw(arrays((2, 3), dtype))
        with tf.Graph().as_default():
            operator = OPERATORS[name]
            v = tf.Variable(x)
            c = tf.constant(y)
            made = [operator(v, c), operator(c, v), operator(v, 2.0), operator(2.0, v)]
            made += [operator(v, y), operator(y, v), operator(v, np.float64(2)), operator(v, 2)]
            two = dtype(2)
            expected = [operator(x, y), operator(y, x), operator(x, two), operator(two, x)]
            expected += [operator(x, y), operator(y, x), operator(x, two), operator(x, two)]
            session = tf.Session()
            session.run(v.initializer)
            for value, right in zip(session.run(made), expected, strict=True):
                assert_same(value, right, name, 1e-5)

    check()


@examples(60)
@given(st.integers(-20, 20), st.integers(-5, 5).filter(bool), st.sampled_from([tf.int32, tf.int64]))
@in_new_graph
def test_whole_numbers_are_divided_as_python_does(x, y, dtype):
    a, b = tf.constant(x, dtype), tf.placeholder(dtype, [])
    found = run([a / b, a // b, a % b], {b: y})
    assert_same(found[0], np.float64(x / y))
    kind = dtype.as_numpy_dtype
    assert_same(found[1], kind(x // y))
    assert_same(found[2], kind(x % y))


def test_small_whole_numbers_are_divided_as_float32():
    for dtype in (tf.int8, tf.int16, tf.uint8):
        assert (tf.constant(1, dtype) / tf.constant(2, dtype)).dtype is tf.float32


@pytest.mark.parametrize(
    "make",
    [
        lambda f, i: f * i,
        lambda f, i: i + f,
        lambda f, i: f - i,
        lambda f, i: tf.maximum(f, i),
        lambda f, i: tf.matmul(tf.reshape(f, [1, 1]), tf.reshape(i, [1, 1])),
    ],
)
def test_two_dtypes_do_not_mix(make):
    f, i = tf.constant(1.0), tf.constant(1)
    with pytest.raises(TypeError, match=r"has type .* that does not match type"):
        make(f, i)


def test_the_words_for_two_dtypes_name_the_op_and_both_arguments():
    words = "Input 'y' of 'Mul' Op has type float32 that does not match type int32 of argument 'x'."
    with pytest.raises(TypeError, match=words):
        tf.multiply(tf.constant(1), tf.constant(1.0))


@pytest.mark.parametrize("function", [tf.exp, tf.log, tf.sqrt, tf.sin, tf.floor])
def test_a_function_of_floats_takes_no_whole_numbers(function):
    with pytest.raises(TypeError, match="not in list of allowed values"):
        function(tf.constant(1))


def test_rounding_and_powers_of_special_numbers_are_numpys():
    x = tf.placeholder(tf.float64)
    made = [x**2.0, x**1.0, x**0.0, x**-1.0, x * 1.0, x / 1.0, 1.0 * x, x * 0.0, -x, x - x]
    for value in (0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, 1e307):
        with np.errstate(all="ignore"):
            n = np.float64(value)
            expected = [n**2, n, n**0, n**-1.0, n, n, n, n * 0, -n, n - n]
        for found, right in zip(run(made, {x: value}), expected, strict=True):
            assert_same(found, right)
            if not np.isnan(right):
                assert np.signbit(found) == np.signbit(right)


@examples(60)
@given(
    st.sampled_from([tf.float32, tf.float64, tf.int32, tf.int64, tf.bool]),
    st.sampled_from([tf.float32, tf.float64, tf.int32, tf.int64, tf.bool]),
    st.lists(st.sampled_from([0, 1, 2, -3, 7]), max_size=4),
)
@in_new_graph
def test_a_cast_is_numpys(source, target, numbers):
    x = np.array(numbers).astype(source.as_numpy_dtype)
    p = tf.placeholder(source, [None])
    made = tf.cast(p, target)
    assert made.dtype is target
    assert_same(run(made, {p: x}), x.astype(target.as_numpy_dtype))
    assert_same(run(tf.cast(x, target)), x.astype(target.as_numpy_dtype))


def test_a_cast_to_its_own_dtype_is_the_tensor_itself():
    x = tf.constant(1.0)
    assert tf.cast(x, tf.float32) is x
    assert tf.cast(1.9, tf.int32).dtype is tf.int32
    assert run(tf.cast([1.9, -1.9], tf.int32)).tolist() == [1, -1]


@examples(30)
@given(st.lists(st.integers(0, 99), min_size=1, max_size=5))
@in_new_graph
def test_add_n_adds_all(seeds):
    values = [np.random.default_rng(s).normal(size=(2, 3)) for s in seeds]
    p = tf.placeholder(tf.float64)
    made = tf.add_n([p, *values[1:]])
    assert_same(run(made, {p: values[0]}), np.sum(values, axis=0), "", 1e-12)


def test_add_n_of_nothing_is_refused():
    for wrong, error in (([], ValueError), ([None], ValueError), (None, TypeError), (tf.constant(1.0), TypeError)):
        with pytest.raises(error):
            tf.add_n(wrong)


def test_ties_of_maximum_and_minimum_give_the_gradient_to_the_first():
    x, y = tf.constant(1.0), tf.constant(1.0)
    for function in (tf.maximum, tf.minimum):
        assert run(tf.gradients(function(x, y), [x, y])) == [1.0, 0.0]


def test_the_gradient_of_a_power_with_base_zero_is_not_nan():
    x, y = tf.constant([0.0, -1.0]), tf.constant([2.0, 2.0])
    dx, dy = run(tf.gradients(x**y, [x, y]))
    assert dx.tolist() == [0.0, -2.0]
    assert dy.tolist() == [0.0, 0.0]


def test_equals_on_tensors_is_identity_and_tf_equal_compares():
    a, b = tf.constant(1.0), tf.constant(1.0)
    assert (a == b) is False
    assert run(tf.equal(a, b)) == np.True_


def test_comparisons_of_comparisons_are_no_chain():
    a, b, c = (tf.placeholder(tf.float32, name=n) for n in ("a", "b", "s"))
    with tf.name_scope("s/"):
        first = tf.equal(a, b)
        found = tf.equal(first, tf.equal(b, c))
        nested = tf.not_equal(tf.not_equal(first, True), False)
    feeds = {a: 1.0, b: 1.0, c: 2.0}
    assert run([found, nested], feeds) == [False, False]


# Matrices.


@examples(80)
@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.booleans(), st.booleans(),
       st.sampled_from([(), (2,)]), st.booleans())  # fmt: skip
@in_new_graph
def test_matmul_is_numpys_with_either_side_transposed(n, k, m, ta, tb, batch, static):
    random = np.random.default_rng(n + 3 * k + 9 * m)
    a, b = random.normal(size=(*batch, n, k)), random.normal(size=(*batch, k, m))
    x = np.swapaxes(a, -1, -2) if ta else a
    y = np.swapaxes(b, -1, -2) if tb else b
    p, q = (tf.placeholder(tf.float64, v.shape if static else None) for v in (x, y))
    made = tf.matmul(p, q, transpose_a=ta, transpose_b=tb)
    assert_same(run(made, {p: x, q: y}), a @ b, "", 1e-12)
    if static:
        assert made.shape.as_list() == [*batch, n, m]


def test_matrices_that_can_not_be_multiplied_are_refused_while_building():
    a = tf.placeholder(tf.float32, [2, 3])
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 3 and 2"):
        tf.matmul(a, a)
    with pytest.raises(ValueError, match="must be"):
        tf.matmul(tf.placeholder(tf.float32, [3]), a)
