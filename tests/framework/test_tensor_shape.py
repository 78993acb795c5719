"""Static shapes: what is known of a shape before a run, and NumPy's broadcasting of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf import Dimension, TensorShape
from tests.support import examples

LENGTHS = st.one_of(st.none(), st.integers(0, 4))
SHAPES = st.one_of(st.none(), st.lists(LENGTHS, max_size=4))


def allows(static, shape):
    if static.ndims is None:
        return True
    known = static.as_list()
    return len(known) == len(shape) and all(k in (None, d) for k, d in zip(known, shape, strict=True))


CONCRETE = st.lists(st.integers(0, 2), max_size=2).map(tuple)


@examples(200)
@given(SHAPES, SHAPES, CONCRETE)
def test_merging_says_both(a, b, shape):
    a, b = TensorShape(a), TensorShape(b)
    try:
        merged = a.merge_with(b)
    except ValueError:
        assert not a.is_compatible_with(b)
        assert not (allows(a, shape) and allows(b, shape))
    else:
        assert a.is_compatible_with(b) and b.is_compatible_with(a)
        assert allows(merged, shape) == (allows(a, shape) and allows(b, shape))


@examples(200)
@given(SHAPES)
def test_a_shape_equals_another_of_the_same_lengths(dims):
    a, b = TensorShape(dims), TensorShape(dims)
    assert a == b and hash(a) == hash(b)
    assert (a == dims) or dims is None
    assert TensorShape(a) == a
    assert a.is_fully_defined() == (dims is not None and None not in dims)
    if a.is_fully_defined():
        assert a.num_elements() == int(np.prod(dims, dtype=int))
        assert a.as_list() == dims
    else:
        assert a.num_elements() is None
        with pytest.raises(ValueError):
            a.assert_is_fully_defined()


def some_shape_of(dims, hidden):
    return [None if h else d for d, h in zip(dims, hidden, strict=False)]


@examples(200)
@given(
    st.lists(st.sampled_from([1, 3]), max_size=3), st.lists(st.sampled_from([1, 3]), max_size=3),
    st.lists(st.booleans(), min_size=3, max_size=3), st.lists(st.booleans(), min_size=3, max_size=3),
)  # fmt: skip
def test_the_static_shape_of_a_sum_allows_the_shape_that_a_run_gives(x, y, hide_x, hide_y):
    with tf.Graph().as_default():
        a = tf.placeholder(tf.float32, some_shape_of(x, hide_x))
        b = tf.placeholder(tf.float32, some_shape_of(y, hide_y))
        total = a + b
        value = tf.Session().run(total, {a: np.ones(x), b: np.ones(y)})
        assert value.shape == np.broadcast_shapes(tuple(x), tuple(y))
        assert allows(total.shape, value.shape)
        if not any(hide_x[: len(x)] + hide_y[: len(y)]):
            assert total.shape.as_list() == list(value.shape)


def test_an_unknown_rank_has_no_length():
    shape = TensorShape(None)
    assert not shape
    assert shape.ndims is None and shape.dims is None
    for use in (len, list, lambda s: s.as_list()):
        with pytest.raises(ValueError):
            use(shape)


@pytest.mark.parametrize("wrong", [[-1], "ab", [1.5], [[1]], object()])
def test_what_is_no_shape_is_refused(wrong):
    with pytest.raises((TypeError, ValueError)):
        TensorShape(wrong)


@examples(100)
@given(LENGTHS, LENGTHS)
def test_dimensions_compare_and_compute_where_both_are_known(a, b):
    x, y = Dimension(a), Dimension(b)
    known = a is not None and b is not None
    assert (x == y) is ((a == b) if known else None)
    assert (x != y) is ((a != b) if known else None)
    assert (x + y).value == (a + b if known else None)
    assert (x * y).value == (a * b if known else None)
    if known and a >= b:
        assert (x - y).value == a - b
    if known and b:
        assert (x // y).value == a // b
    assert str(x) == ("?" if a is None else str(a))
