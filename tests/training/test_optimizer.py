"""Errors of optimizers for which minitf has better words; all else is in tests/conformance/facts."""

import pytest

import minitf as tf


@pytest.mark.parametrize("wrong", [3, "w"])
def test_what_is_no_variable_is_named(wrong):
    loss, optimizer = tf.square(tf.Variable(1.0)), tf.train.GradientDescentOptimizer(0.1)
    with pytest.raises(TypeError, match=f"tf.Variable: {wrong}"):
        optimizer.minimize(loss, var_list=[wrong])
    with pytest.raises(TypeError, match=f"tf.Variable: {wrong}"):
        optimizer.apply_gradients([(loss, wrong)])
