"""group and tuple: one fetch that runs many."""

from __future__ import annotations

import numpy as np
import pytest

import minitf as tf
from tests.support import initialized_session


def test_a_group_runs_all_that_is_in_it_and_gives_none():
    v = [tf.Variable(i) for i in range(4)]
    together = tf.group(tf.assign(v[0], 10), [tf.assign(v[1], 11).op, (tf.assign(v[2], 12),)], v[3])
    assert together.type == "NoOp"
    session = initialized_session()
    assert session.run(together) is None
    assert session.run(v) == [10, 11, 12, 3]


def test_a_group_of_nothing_is_an_op_too():
    assert tf.Session().run(tf.group()) is None
    assert tf.Session().run(tf.no_op(name="nothing")) is None


@pytest.mark.parametrize("wrong", [3, "a", None])
def test_what_is_no_part_of_a_graph_can_not_be_grouped(wrong):
    with pytest.raises(TypeError, match="'inputs' should be zero or more"):
        tf.group(wrong)


def test_a_tuple_gives_each_tensor_only_when_all_are_ready():
    v = tf.Variable(1.0)
    update = tf.assign(v, 5.0)
    x = tf.constant(2.0)
    one, none, two = tf.tuple([x, None, x * 3.0], control_inputs=[update])
    assert none is None
    session = initialized_session()
    assert session.run(one) == 2.0
    assert session.run(v) == 5.0
    session.run(v.initializer)
    assert session.run(two) == 6.0
    assert session.run(v) == 5.0


def test_a_tuple_of_nothing_is_refused():
    for wrong in ([], [None]):
        with pytest.raises(ValueError, match="must have at least one Tensor"):
            tf.tuple(wrong)


def test_a_group_fails_where_what_it_waits_for_fails():
    x = tf.placeholder(tf.float32, name="x")
    with pytest.raises(tf.errors.InvalidArgumentError, match="'x'"):
        tf.Session().run(tf.group(x * 2.0))
    v = tf.Variable([1.0])
    update = tf.assign_add(v, x)
    with pytest.raises(tf.errors.InvalidArgumentError):
        initialized_session().run(tf.group(update), {x: np.ones(2)})
