"""Gradient descent: variable -= learning_rate * gradient."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import assert_same, examples, in_new_graph, initialized_session


@examples(40)
@given(
    st.sampled_from([np.float32, np.float64]),
    st.sampled_from([(), (1,), (3,), (2, 3)]),
    st.floats(2**-10, 2, width=32),
    st.integers(1, 3),
    st.integers(0, 9),
)
@in_new_graph
def test_a_step_takes_the_rate_times_the_gradient_away(dtype, shape, rate, steps, seed):
    start = np.random.default_rng(seed).normal(size=shape).astype(dtype)
    v = tf.Variable(start)
    train = tf.train.GradientDescentOptimizer(rate).minimize(tf.reduce_sum(tf.square(v)))
    session = initialized_session()
    expected = start
    for _ in range(steps):
        session.run(train)
        expected = expected - dtype(rate) * (dtype(2) * expected)
    tolerance = 1e-5 if dtype is np.float32 else 1e-12
    assert_same(session.run(v), np.asarray(expected, dtype), "", tolerance * 10.0**steps)


@pytest.mark.parametrize("rate", [0.5, np.float32(0.5), lambda: 0.5, lambda: tf.constant(0.5)])
def test_the_rate_may_be_a_number_a_tensor_or_a_function(rate):
    v = tf.Variable(1.0)
    session_op = tf.train.GradientDescentOptimizer(rate).minimize(v * v)
    session = initialized_session()
    session.run(session_op)
    assert session.run(v) == 0.0


def test_a_fed_rate_is_used():
    rate, v = tf.placeholder(tf.float32, []), tf.Variable(0.0)
    train = tf.train.GradientDescentOptimizer(rate).minimize(-v)
    session = initialized_session()
    for value in (1.0, 10.0):
        session.run(train, {rate: value})
    assert session.run(v) == 11.0


def test_its_ops_are_named_after_it():
    v = tf.Variable(1.0, name="v")
    train = tf.train.GradientDescentOptimizer(0.1).minimize(v * v)
    assert train.name == "GradientDescent"
    names = {op.name for op in v.graph.get_operations()}
    assert "GradientDescent/update_v/ApplyGradientDescent" in names
    assert tf.train.GradientDescentOptimizer(0.1, name="Mine").get_name() == "Mine"
