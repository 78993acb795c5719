"""assign, assign_add, assign_sub: what they change, give back and refuse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import assert_same, examples, in_new_graph, initialized_session

UPDATES = {
    tf.assign: lambda old, new: new,
    tf.assign_add: lambda old, new: old + new,
    tf.assign_sub: lambda old, new: old - new,
}


@examples(80)
@given(
    st.lists(st.tuples(st.sampled_from(list(UPDATES)), st.integers(-5, 5)), max_size=6),
    st.sampled_from([np.float32, np.float64, np.int32, np.int64]),
    st.sampled_from([(), (2,), (2, 3)]),
)
@in_new_graph
def test_updates_run_after_another_leave_what_numpy_would(updates, dtype, shape):
    v = tf.Variable(np.ones(shape, dtype))
    session = initialized_session()
    expected = np.ones(shape, dtype)
    for function, number in updates:
        value = np.full(shape, number, dtype)
        expected = UPDATES[function](expected, value)
        assert_same(session.run(function(v, value)), np.asarray(expected, dtype))
    assert_same(session.run(v), np.asarray(expected, dtype))


def test_the_result_is_the_variable_so_it_can_be_assigned_again():
    v = tf.Variable(1.0)
    twice = tf.assign_add(tf.assign(v, 5.0), 2.0)
    assert twice.dtype.name == "float32_ref"
    session = initialized_session()
    assert session.run(twice) == 7.0
    assert session.run(twice * 2.0) == 14.0


def test_the_methods_of_a_variable_do_the_same():
    v = tf.Variable(1.0)
    session = initialized_session()
    assert session.run(v.assign(5.0)) == 5.0
    assert session.run(v.assign_add(2.0)) == 7.0
    assert session.run(v.assign_sub(3.0)) == 4.0
    assert session.run(v.assign(9.0, read_value=False)) is None
    assert session.run(v) == 9.0


def test_another_shape_is_refused_while_building_where_it_is_known():
    v = tf.Variable(np.ones(2))
    for function in UPDATES:
        with pytest.raises(ValueError, match="Dimension 0 in both shapes must be equal"):
            function(v, np.ones(3))
        with pytest.raises(ValueError, match="Shapes must be equal rank, but are 1 and 0"):
            function(v, np.float64(3))


def test_another_dtype_is_refused():
    v = tf.Variable(1.0)
    for function in UPDATES:
        with pytest.raises(TypeError):
            function(v, tf.constant(1))
        with pytest.raises(TypeError):
            function(v, "a")


@pytest.mark.parametrize("wrong", [lambda: tf.constant(1.0), lambda: 3, lambda: None])
def test_only_a_variable_can_be_assigned(wrong):
    for function in UPDATES:
        with pytest.raises(AttributeError, match="has no attribute 'assign"):
            function(wrong(), 1.0)


def test_without_validation_the_shape_may_change():
    v = tf.Variable(np.ones(2))
    session = initialized_session()
    assert session.run(tf.assign(v, np.ones((2, 3)), validate_shape=False)).shape == (2, 3)
    assert session.run([v, v * 2.0])[1].shape == (2, 3)
    assert v.shape.as_list() == [2]
    session.run(tf.assign_add(tf.assign(v, np.ones(4), validate_shape=False), np.ones(4)))
    assert session.run(v).tolist() == [2.0] * 4


def test_whether_a_variable_is_initialized():
    v = tf.Variable(1.0)
    asked = tf.is_variable_initialized(v)
    session = tf.Session()
    assert session.run(asked) == np.False_
    session.run(v.initializer)
    assert session.run(asked) == np.True_
    with tf.control_dependencies([tf.assign(v, 2.0)]):
        later = tf.is_variable_initialized(v)
    assert tf.Session().run(later) == np.True_
