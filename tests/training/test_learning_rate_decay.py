"""Exponential decay is its formula, at whatever step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import assert_same, examples, in_new_graph, initialized_session

decay = tf.train.exponential_decay


@examples(150)
@given(
    st.floats(2**-10, 10, width=32),
    st.integers(0, 500),
    st.integers(1, 100),
    st.floats(0.125, 3, width=32),
    st.booleans(),
    st.sampled_from([tf.int64, tf.int32]),
)
@in_new_graph
def test_the_rate_is_what_the_formula_says(rate, step, steps, factor, staircase, dtype):
    variable = tf.Variable(step, dtype=dtype, trainable=False)
    made = decay(rate, variable, steps, factor, staircase)
    passed = step // steps if staircase else step / steps
    value = initialized_session().run(made)
    assert value.dtype == np.float32 and value.shape == ()
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(
            value, np.float32(rate * float(factor) ** passed), rtol=2e-4, atol=1e-38
        )


@examples(40)
@given(st.integers(1, 20), st.integers(1, 60))
@in_new_graph
def test_with_a_staircase_the_rate_changes_only_every_decay_steps(steps, count):
    step = tf.placeholder(tf.int64, [])
    made = decay(1.0, step, steps, 0.5, staircase=True)
    session = tf.Session()
    rates = [session.run(made, {step: i}) for i in range(count)]
    for i, rate in enumerate(rates[1:], 1):
        assert (rate != rates[i - 1]) == (i % steps == 0)


def test_the_rate_moves_only_if_the_step_does():
    step = tf.train.create_global_step()
    made = decay(1.0, step, 1, 0.5)
    session = initialized_session()
    assert [session.run(made) for _ in range(3)] == [1.0, 1.0, 1.0]
    session.run(tf.assign_add(step, 2))
    assert session.run(made) == 0.25


def test_the_rate_has_the_dtype_of_the_first_rate():
    step = tf.train.create_global_step()
    made = decay(tf.constant(1.0, tf.float64), step, 2, 0.5)
    assert_same(initialized_session().run(made), np.float64(1.0))


def test_all_arguments_may_be_tensors():
    arguments = [tf.placeholder(tf.float32, []) for _ in range(4)]
    made = decay(*arguments)
    assert tf.Session().run(made, dict(zip(arguments, [2.0, 3.0, 3.0, 0.5], strict=True))) == 1.0


def test_without_a_global_step_it_is_refused():
    with pytest.raises(ValueError):
        decay(0.1, None, 10, 0.5)


def test_it_is_named_as_asked():
    step = tf.train.create_global_step()
    assert decay(0.1, step, 10, 0.5).op.name == "ExponentialDecay"
    assert decay(0.1, step, 10, 0.5, name="rate").op.name == "rate"
