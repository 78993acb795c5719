"""Updates that change several variables: the compiled statements give what the plain interpreter gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.framework.registry import OPS
from tests.client.interpreter import RULES, interpret
from tests.support import examples, initialized_session

OPTIMIZERS = [
    lambda: tf.train.GradientDescentOptimizer(0.1),
    lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    lambda: tf.train.AdamOptimizer(0.1),
    lambda: tf.train.AdagradOptimizer(0.1),
    lambda: tf.train.RMSPropOptimizer(0.1, momentum=0.5),
    lambda: tf.train.RMSPropOptimizer(0.1, centered=True),
    lambda: tf.train.AdadeltaOptimizer(0.1),
    lambda: tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01),
    lambda: tf.train.ProximalGradientDescentOptimizer(0.1, 0.01, 0.02),
    lambda: tf.train.ProximalAdagradOptimizer(0.1, 0.1, 0.01, 0.02),
    lambda: tf.train.AdagradDAOptimizer(0.1, tf.train.get_or_create_global_step(), 0.1, 0.01, 0.02),
]


def assert_interpreted(session, op, runs=1):
    """So many runs change the variables as the interpreter says."""
    state = {name: np.array(value) for name, value in session.state.items()}
    for _ in range(runs):
        interpret(state, [op], {})
        session.run(op)
    for name, value in session.state.items():
        np.testing.assert_allclose(value, state[name], rtol=1e-12, err_msg=name)


def test_every_rule_has_its_optimizer_here():
    for make in OPTIMIZERS:
        make().minimize(tf.Variable(1.0) * 2.0)
    built = {op.type for op in tf.get_default_graph().get_operations()}
    assert {name for name in RULES if name in OPS} - built == set(), "OPTIMIZERS has none with these rules"


@pytest.mark.parametrize("make", OPTIMIZERS)
@examples(10)
@given(seed=st.integers(0, 9), scalar=st.booleans())
def test_a_gradient_that_is_a_slot_or_the_variable_is_read_before_the_update(make, seed, scalar):
    with tf.Graph().as_default():
        w = tf.Variable(np.random.default_rng(seed).normal(size=() if scalar else (2, 3)))
        optimizer = make()
        first = optimizer.apply_gradients([(tf.ones_like(w), w)])
        slots = [optimizer.get_slot(w, name) for name in optimizer.get_slot_names()]
        chosen = [w, *slots][seed % (1 + len(slots))]
        gradient = tf.identity(chosen) if seed % 2 else chosen.value()
        step = optimizer.apply_gradients([(gradient, w)])
        session = initialized_session()
        session.run(first)
        assert_interpreted(session, step)


@pytest.mark.parametrize("make", OPTIMIZERS)
@examples(10)
@given(seed=st.integers(0, 9), rows=st.lists(st.integers(0, 3), max_size=5))
def test_rows_change_as_the_rule_says_row_by_row(make, seed, rows):
    with tf.Graph().as_default():
        w = tf.Variable(np.random.default_rng(seed).normal(size=(4, 2)))
        loss = tf.reduce_sum(tf.gather(w, np.array(rows, np.int32)) ** 3)
        step = make().minimize(loss)
        assert_interpreted(initialized_session(), step, runs=2)
