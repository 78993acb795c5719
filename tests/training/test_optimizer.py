"""minimize, compute_gradients and apply_gradients: first the updates, then the step."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import assert_same, examples, in_new_graph, initialized_session

GradientDescent = tf.train.GradientDescentOptimizer


def test_with_a_global_step_the_training_op_is_the_count_itself():
    v, step = tf.Variable(1.0), tf.train.create_global_step()
    train = GradientDescent(0.1).minimize(v * v, global_step=step)
    assert train.type == "AssignAdd"
    assert train.inputs[0] is step._as_graph_element()


def test_without_a_global_step_the_training_op_does_nothing_but_wait():
    v = tf.Variable(1.0)
    train = GradientDescent(0.1).minimize(v * v)
    assert train.type == "NoOp"
    assert [op.type for op in train.control_inputs] == ["ApplyGradientDescent"]


def test_the_count_waits_for_all_updates():
    v, w, step = tf.Variable(1.0), tf.Variable(1.0), tf.train.create_global_step()
    train = GradientDescent(0.1).minimize(v * w, global_step=step)
    one = train.inputs[1].op
    assert train.control_inputs == [] and one.type == "Const"  # what is added waits
    [update] = one.control_inputs
    types = [op.type for op in update.control_inputs]
    assert types == ["ApplyGradientDescent"] * 2


@examples(30)
@given(st.integers(0, 5), st.integers(1, 3), st.booleans())
@in_new_graph
def test_the_step_counts_the_runs_of_the_training_op(runs, count, minimize):
    variables = [tf.Variable(1.0) for _ in range(count)]
    step = tf.train.create_global_step()
    loss = tf.add_n([v * v for v in variables])
    optimizer = GradientDescent(0.1)
    if minimize:
        train = optimizer.minimize(loss, step)
    else:
        train = optimizer.apply_gradients(optimizer.compute_gradients(loss), step)
    session = initialized_session()
    for i in range(runs):
        assert session.run([train, step]) == [None, i + 1]
    assert tf.train.global_step(session, step) == runs
    expected = np.float32(1)
    for _ in range(runs):
        expected -= np.float32(0.1) * (2 * expected)
    np.testing.assert_allclose(session.run(variables), [expected] * count, rtol=1e-6)


def test_a_rate_that_reads_the_step_reads_it_before_the_count():
    v, step = tf.Variable(0.0), tf.train.create_global_step()
    rate = tf.cast(step, tf.float32) + 1.0
    train = GradientDescent(rate).minimize(-v, global_step=step)
    session = initialized_session()
    assert [session.run([train, v])[1] for _ in range(3)] == [1.0, 3.0, 6.0]


def test_the_updates_see_what_the_gradients_saw():
    v, w = tf.Variable(2.0), tf.Variable(3.0)
    train = GradientDescent(1.0).minimize(v * w)
    session = initialized_session()
    session.run(train)
    assert session.run([v, w]) == [-1.0, 1.0]


def test_an_op_after_the_training_op_sees_the_new_values():
    v, step = tf.Variable(2.0), tf.train.create_global_step()
    train = GradientDescent(0.5).minimize(v * v, global_step=step)
    with tf.control_dependencies([train]):
        seen = [v + 0.0, tf.identity(v), tf.identity(step)]
    assert initialized_session().run(seen) == [0.0, 0.0, 1]


@examples(20)
@given(st.sampled_from([0.1, 0.3, 1 / 3, 0.5]), st.floats(-3, 3, allow_subnormal=False))
@in_new_graph
def test_a_python_rate_is_rounded_to_float32_for_a_float64_variable(rate, gradient):
    v = tf.Variable(np.float64(1.0))
    session_train = GradientDescent(rate).minimize(v * tf.constant(np.float64(gradient)))
    session = initialized_session()
    session.run(session_train)
    expected = np.float64(1.0) - np.float64(np.float32(rate)) * np.float64(gradient)
    assert_same(session.run(v), expected)


def test_only_the_variables_that_are_asked_for_change():
    v, w = tf.Variable(1.0), tf.Variable(1.0)
    fixed = tf.Variable(1.0, trainable=False)
    loss = v * w * fixed
    train = GradientDescent(0.5).minimize(loss, var_list=[w])
    both = GradientDescent(0.5).minimize(loss)
    session = initialized_session()
    session.run(train)
    assert session.run([v, w, fixed]) == [1.0, 0.5, 1.0]
    session.run(both)
    assert session.run(fixed) == 1.0


def test_compute_gradients_gives_pairs_and_none_where_nothing_depends():
    v, w = tf.Variable(3.0), tf.Variable(1.0)
    pairs = GradientDescent(0.1).compute_gradients(v * v)
    assert [variable for _, variable in pairs] == [v, w]
    assert pairs[1][0] is None
    assert initialized_session().run(pairs[0][0]) == 6.0
    GradientDescent(0.1).apply_gradients(pairs)


def test_gradients_may_be_changed_between_computing_and_applying():
    v = tf.Variable([3.0, -0.25])
    optimizer = GradientDescent(1.0)
    pairs = optimizer.compute_gradients(tf.reduce_sum(v * v))
    clipped = [(tf.maximum(tf.minimum(g, 1.0), -1.0), w) for g, w in pairs]
    train = optimizer.apply_gradients(clipped)
    session = initialized_session()
    session.run(train)
    assert session.run(v).tolist() == [2.0, 0.25]


def test_grad_loss_weighs_the_loss():
    v = tf.Variable([1.0, 1.0])
    ((gradient, _),) = GradientDescent(0.1).compute_gradients(v * v, grad_loss=tf.constant([1.0, 10.0]))
    assert initialized_session().run(gradient).tolist() == [2.0, 20.0]


@pytest.mark.parametrize("gate", [0, 1, 2])
def test_every_gate_gives_the_same_gradients(gate):
    v, w = tf.Variable(2.0), tf.Variable(3.0)
    pairs = GradientDescent(0.1).compute_gradients(v * w, gate_gradients=gate)
    assert initialized_session().run([g for g, _ in pairs]) == [3.0, 2.0]


def test_the_training_op_joins_its_collection_once():
    v = tf.Variable(1.0)
    train = GradientDescent(0.1).minimize(v * v)
    assert tf.get_collection(tf.GraphKeys.TRAIN_OP) == [train]


def test_two_optimizers_of_one_variable_both_apply_in_one_run():
    v = tf.Variable(0.0)
    one, two = GradientDescent(1.0).minimize(-v), GradientDescent(10.0).minimize(-v)
    session = initialized_session()
    session.run([two, one])
    assert session.run(v) == 11.0


# Refused.


def refused(kind: type, words: str, call: object) -> None:
    with pytest.raises(kind, match=re.escape(words)):
        call()
    v = tf.Variable(1.0)
    session = initialized_session()
    session.run(GradientDescent(0.5).minimize(v * v, var_list=[v]))  # all still works
    assert session.run(v) == 0.0


def test_minimize_without_variables():
    loss = tf.constant(1.0) * 2.0
    refused(ValueError, "No variables to optimize.", lambda: GradientDescent(0.1).minimize(loss))


def test_minimize_of_what_depends_on_no_variable():
    tf.Variable(1.0, name="weights")
    loss = tf.constant(1.0, name="loss")
    words = "No gradients provided for any variable, check your graph for ops that do not support"
    with pytest.raises(ValueError, match=words) as caught:
        GradientDescent(0.1).minimize(loss)
    assert "weights" in str(caught.value)
    assert "loss" in str(caught.value)


def test_apply_gradients_without_pairs_or_gradients():
    v = tf.Variable(1.0)
    optimizer = GradientDescent(0.1)
    refused(ValueError, "No variables provided.", lambda: optimizer.apply_gradients([]))
    refused(ValueError, "No gradients provided", lambda: optimizer.apply_gradients([(None, v)]))


def test_what_is_no_variable_can_not_be_optimized():
    x = tf.constant(1.0)
    optimizer = GradientDescent(0.1)
    words = "Trying to update a Tensor"
    refused(NotImplementedError, words, lambda: optimizer.minimize(x * x, var_list=[x]))
    refused(NotImplementedError, words, lambda: optimizer.apply_gradients([(x, x)]))
    refused(TypeError, "tf.Variable: 3", lambda: optimizer.minimize(x * x, var_list=[3]))
    refused(TypeError, "tf.Variable: 3", lambda: optimizer.apply_gradients([(x, 3)]))


def test_a_wrong_gate_or_an_empty_name_is_refused():
    v = tf.Variable(1.0)
    words = "gate_gradients must be one of"
    refused(ValueError, words, lambda: GradientDescent(0.1).minimize(v * v, gate_gradients=7))
    refused(ValueError, "Must specify the optimizer name", lambda: tf.train.Optimizer(False, ""))


def test_an_optimizer_that_does_not_say_how_to_apply_a_gradient_says_so():
    v = tf.Variable(1.0)
    with pytest.raises(NotImplementedError):
        tf.train.Optimizer(False, "Nothing").minimize(v * v)
