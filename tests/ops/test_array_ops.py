"""A program shows the arguments of an op as a person would write them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import minitf as tf

CALLS: dict[str, Callable] = {
    "reshape(x, (3, 2))": lambda x: tf.reshape(x, [3, 2]),
    "expand_dims(x, 0)": lambda x: tf.expand_dims(x, 0),
    "tile(x, (1, 2))": lambda x: tf.tile(x, [1, 2]),
    "take(x, (1, 0))": lambda x: tf.gather(x, [1, 0]),
    "take(x, (2,), axis=1)": lambda x: tf.gather(x, [2], axis=1),
    "x[0, 1:]": lambda x: x[0, 1:],
    "concatenate([x, x], axis=1)": lambda x: tf.concat([x, x], 1),
    "stack([x, x], axis=1)": lambda x: tf.stack([x, x], axis=1),
    "unstack(x)": lambda x: tf.unstack(x)[1],
    "take(x, indices)": lambda x: tf.gather(x, np.arange(1000) % 2),  # too many to show
}


@pytest.mark.parametrize("call", CALLS)
def test_short_constants_are_written_as_numbers(call):
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    assert call in str(tf.program(CALLS[call](x)))
