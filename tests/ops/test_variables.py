"""Variables: made of four things in the graph, kept by each session."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import assert_same, examples, in_new_graph, initialized_session


def test_a_variable_is_four_things_in_the_graph():
    v = tf.Variable(1.0, name="v")
    names = [op.name for op in v.graph.get_operations()]
    assert names == ["v/initial_value", "v", "v/Assign", "v/read"]
    assert (v.op.name, v.initializer.name, v.value().name) == ("v", "v/Assign", "v/read:0")
    assert v.initial_value.name == "v/initial_value:0"
    assert v.op.type == "VariableV2"


@examples(60)
@given(
    st.sampled_from([np.float32, np.float64, np.int32, np.int64, np.bool_]),
    st.sampled_from([(), (1,), (2, 3), (0,)]),
    st.sampled_from(["array", "tensor", "function", "function of a tensor"]),
)
@in_new_graph
def test_a_variable_begins_with_its_initial_value(dtype, shape, kind):
    value = np.full(shape, 1, dtype)
    initial = {
        "array": value,
        "tensor": tf.constant(value),
        "function": lambda: value,
        "function of a tensor": lambda: tf.constant(value),
    }[kind]
    v = tf.Variable(initial)
    assert v.shape.as_list() == list(shape)
    session = tf.Session()
    session.run(v.initializer)
    assert_same(session.run(v), value)
    assert_same(v.eval(session), value)


def test_a_variable_may_begin_with_the_initial_value_of_another():
    v = tf.Variable([1.0, 2.0])
    w = tf.Variable(v.initial_value * 2.0)
    assert_same(initialized_session().run(w), np.array([2, 4], np.float32))


@pytest.mark.parametrize("wrong", [None, lambda: tf.placeholder(tf.float32)])
def test_without_an_initial_value_or_its_shape_it_is_refused(wrong):
    with pytest.raises(ValueError, match="initial_value must"):
        tf.Variable(wrong)


def test_an_initial_value_of_an_open_shape_is_refused_unless_any_shape_is_allowed():
    x = tf.placeholder(tf.float32, [None, 1])
    with pytest.raises(ValueError, match="initial_value must have a shape specified"):
        tf.Variable(x)
    v = tf.Variable(x, validate_shape=False)
    session = tf.Session()
    session.run(v.initializer, {x: np.ones((3, 1))})
    assert session.run(v * 2.0).shape == (3, 1)
    session.run(v.initializer, {x: np.ones((1, 1))})
    assert session.run(v + np.ones((2, 1), np.float32)).shape == (2, 1)


def test_the_collections_that_a_variable_joins():
    v = tf.Variable(1.0)
    fixed = tf.Variable(1.0, trainable=False)
    local = tf.Variable(1.0, trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    assert tf.global_variables() == [v, fixed]
    assert tf.trainable_variables() == [v]
    assert tf.local_variables() == [local]
    session = tf.Session()
    session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    assert session.run([v, fixed, local]) == [1.0] * 3


def test_an_initializer_covers_the_variables_that_exist_when_it_is_made():
    v = tf.Variable(1.0)
    init = tf.global_variables_initializer()
    w = tf.Variable(1.0)
    session = tf.Session()
    session.run(init)
    assert session.run(v) == 1.0
    with pytest.raises(tf.errors.FailedPreconditionError):
        session.run(w)
    session.run(tf.variables_initializer([w]))
    assert session.run(w) == 1.0
    assert session.run(tf.variables_initializer([])) is None


def test_running_the_initializer_again_begins_anew():
    v = tf.Variable(np.zeros(3))
    add = tf.assign_add(v, np.ones(3))
    init = tf.global_variables_initializer()
    session = tf.Session()
    for _ in range(3):
        session.run(init)
        session.run(add)
        assert session.run(v).tolist() == [1.0] * 3


def test_reading_gives_a_new_tensor_each_time_and_value_the_same():
    v = tf.Variable(1.0)
    assert v.value() is v.value()
    assert v.read_value() is not v.read_value()


def test_a_variable_is_no_sequence():
    with pytest.raises(TypeError):
        iter(tf.Variable([1.0]))


def test_load_sets_the_value_and_checks_its_shape():
    v = tf.Variable([1.0, 2.0])
    session = initialized_session()
    v.load([3.0, 4.0], session)
    assert session.run(v).tolist() == [3.0, 4.0]
    with pytest.raises(ValueError, match="Cannot feed value of shape"):
        v.load([1.0], session)
    with pytest.raises(ValueError, match="session"):
        v.load([1.0, 2.0])
    with session.as_default():
        v.load([5.0, 6.0])
        assert v.eval().tolist() == [5.0, 6.0]
