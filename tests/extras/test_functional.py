"""What map_fn and scan do beyond what is recorded from TensorFlow: errors of a run, long loops, lists."""

from __future__ import annotations

import numpy as np
import pytest

import minitf as tf

WHOLE = np.array([1, 2, 3])
ANOTHER_DTYPE = {
    "map_fn": lambda: tf.map_fn(tf.to_float, WHOLE),
    "scan": lambda: tf.scan(lambda s, x: tf.to_float(s), WHOLE),
}


@pytest.mark.parametrize("name", ANOTHER_DTYPE)
def test_another_dtype_than_announced(name):
    with pytest.raises(tf.errors.InvalidArgumentError, match="dtype is int64 but Op is trying to write dtype float."):
        ANOTHER_DTYPE[name]()


def test_rows_of_different_lengths():
    ragged = tf.map_fn(lambda n: tf.ones([n]), WHOLE, dtype=tf.float32)
    words = r"index 1 because the value shape is \[2\] .* inferred element shape: \[1\]"
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        tf.Session().run(ragged)


@pytest.mark.parametrize("function", [tf.map_fn, tf.scan])
def test_what_cannot_be_called(function):
    with pytest.raises(TypeError, match="must be callable"):
        function(3, WHOLE)


def test_gradients_of_many_rows():
    points = np.linspace(0.9, 1.1, 3000)
    x = tf.constant(points)
    last_sum = tf.scan(lambda s, n: s * 0.5 + n, x)[-1]
    cubes = tf.map_fn(lambda n: n * n * n, x)
    weights, slopes = tf.Session().run([tf.gradients(last_sum, x), tf.gradients(cubes, x)])
    np.testing.assert_allclose(weights[0], 0.5 ** np.arange(2999, -1, -1), atol=1e-300)
    np.testing.assert_allclose(slopes[0], 3 * points**2)
