"""What a Python or NumPy value becomes as a tensor."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import assert_same, examples, in_new_graph


@pytest.mark.parametrize(
    "value, dtype",
    [
        (1, tf.int32), (1.0, tf.float32), (True, tf.bool), ("a", tf.string), (2**40, tf.int64),
        ([1, 2.5], tf.float32), ([[1], [2]], tf.int32), (1j, tf.complex128), ([], tf.float32),
        (np.float64(1), tf.float64), (np.ones(2), tf.float64), (np.int8(1), tf.int8),
        ([np.float64(1.0)], tf.float32), (b"a", tf.string), ([True], tf.bool),
    ],
)  # fmt: skip
def test_the_dtype_that_a_value_gets(value, dtype):
    c = tf.constant(value)
    assert c.dtype is dtype
    assert c.shape.as_list() == list(np.shape(value))


@examples(100)
@given(
    st.sampled_from([tf.float32, tf.float64, tf.int32, tf.int64, tf.float16]),
    st.lists(st.integers(-100, 100), min_size=1, max_size=5),
)
@in_new_graph
def test_a_constant_has_the_value_in_every_run(dtype, numbers):
    c = tf.constant(numbers, dtype)
    session = tf.Session()
    for _ in range(2):
        assert_same(session.run(c), np.array(numbers, dtype.as_numpy_dtype))


def test_changing_the_array_afterwards_changes_no_constant():
    array = np.array([1.0, 2.0])
    c = tf.constant(array)
    array[0] = 99
    assert tf.Session().run(c).tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    "value, dtype, kind",
    [
        (None, None, ValueError), (1.5, tf.int32, TypeError), ("a", tf.float32, TypeError),
        (1, tf.bool, TypeError), ([[1], [1, 2]], None, ValueError),
        (1, tf.string, TypeError), (object(), None, (TypeError, ValueError)),
        ([1, "a"], None, (TypeError, ValueError)), ([None], None, (TypeError, ValueError)),
    ],
)  # fmt: skip
def test_a_value_that_can_not_be_held_is_refused(value, dtype, kind):
    with pytest.raises(kind):
        tf.constant(value, dtype)


def test_a_hint_is_followed_only_where_it_fits():
    assert tf.convert_to_tensor(1, dtype_hint=tf.float64).dtype is tf.float64
    assert tf.convert_to_tensor(1.5, preferred_dtype=tf.int32).dtype is tf.float32
