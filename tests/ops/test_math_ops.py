"""Division of whole numbers is Python's, whatever their signs."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import assert_same, examples, in_new_graph


@examples(60)
@given(st.integers(-20, 20), st.integers(-5, 5).filter(bool), st.sampled_from([tf.int32, tf.int64]))
@in_new_graph
def test_whole_numbers_are_divided_as_python_does(x, y, dtype):
    a, b = tf.constant(x, dtype), tf.placeholder(dtype, [])
    quotient, floored, remainder = tf.Session().run([a / b, a // b, a % b], {b: y})
    kind = dtype.as_numpy_dtype
    assert_same(quotient, np.float64(x / y))
    assert_same(floored, kind(x // y))
    assert_same(remainder, kind(x % y))
