"""What map_fn and scan do beyond what is recorded from TensorFlow: errors of a run, long loops, lists."""

from __future__ import annotations

import numpy as np
import pytest

import minitf as tf

WHOLE = np.array([1, 2, 3])


@pytest.mark.parametrize(
    "build",
    [lambda: tf.map_fn(tf.to_float, WHOLE), lambda: tf.scan(lambda s, x: tf.to_float(s), WHOLE)],
    ids=["map_fn", "scan"],
)
def test_another_dtype_than_announced(build):
    with pytest.raises(tf.errors.InvalidArgumentError, match="dtype is int64 but Op is trying to write dtype float."):
        build()


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
    x = tf.constant(np.linspace(0.9, 1.1, 3000))
    y = tf.scan(lambda s, n: s * 0.5 + n * n, x)[-1] + tf.reduce_sum(tf.map_fn(lambda n: n * n * n, x))
    (gradient,) = tf.gradients(y, [x])
    powers = 0.5 ** np.arange(2999, -1, -1)
    points = np.linspace(0.9, 1.1, 3000)
    expected = 3 * points**2 + 2 * points * powers
    expected[0] += powers[0] * (1 - 2 * points[0])  # the first row is the first sum itself
    np.testing.assert_allclose(tf.Session().run(gradient), expected)


def test_a_result_without_a_gradient_beside_one_with_it():
    x = tf.constant([1.0, 2.0])
    squares, places = tf.map_fn(lambda n: (n * n, tf.to_int32(n)), x, (tf.float32, tf.int32))
    (gradient,) = tf.gradients(squares, [x])
    assert tf.Session().run([gradient, places])[0].tolist() == [2.0, 4.0]


def test_a_variable_of_the_function_is_made_once():
    def score(row):
        return tf.reduce_sum(row * tf.get_variable("w", [2]))

    tf.map_fn(score, tf.ones([3, 2]))
    assert [v.name for v in tf.trainable_variables()] == ["w:0"]
