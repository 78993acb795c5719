"""cond as a program: functions, steps of a trace, errors, memory."""

from __future__ import annotations

import numpy as np
import pytest

import minitf as tf
from minitf.client.session import program_of
from tests.support import assert_same, here, initialized_session


def branches() -> tuple[tf.Tensor, tf.Tensor]:
    x = tf.placeholder(tf.float64, [], name="x")
    v = tf.Variable(np.float64(2.0), name="v")
    return x, tf.cond(x > 0.0, lambda: tf.exp(x) * v, lambda: tf.assign_add(v, 1.0) * x)


TRUE_BRANCH = """\
def cond_true(state, x):
    Exp = exp(x)
    v_1 = state["v"]
    mul = Exp * v_1
    return mul
"""
PROGRAM = """\
def program(state, x):
    Greater = x > 0.0
    cond = cond_true(state, x) if Greater else cond_false(state, x)
    return cond"""


def test_each_branch_is_a_function_of_the_program():
    _, chosen = branches()
    text = str(program_of(chosen))
    assert TRUE_BRANCH in text
    assert text.endswith(PROGRAM)


def test_only_what_a_branch_gives_is_computed():
    x = tf.placeholder(tf.float32, [])
    one, _ = tf.cond(x > 0, lambda: (x, tf.sin(x)), lambda: (-x, tf.cos(x)))
    text = str(program_of(one))
    assert "sin" not in text
    assert "cos" not in text


def test_work_is_not_shared_between_branches_and_what_is_around():
    x = tf.placeholder(tf.float32, [], name="x")
    chosen = tf.cond(x > 0, lambda: tf.sin(x), lambda: tf.sin(x) + 1.0)
    assert str(program_of([chosen, tf.sin(x)])).count("sin(x)") == 3


def test_an_error_in_a_branch_names_its_op():
    x, y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
    places = []

    def branch() -> tf.Tensor:
        places.append(here())
        return tf.add(x, y, name="total")

    chosen = tf.cond(tf.reduce_sum(x) > 0, branch, lambda: x)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Incompatible shapes: \[2\] vs. \[3\]") as caught:
        tf.Session().run(chosen, {x: [1.0, 2.0], y: [1.0, 2.0, 3.0]})
    assert caught.value.op.name == "cond/total"
    assert places[0].partition(":")[0] in str(caught.value)


def test_a_cond_is_one_step_of_a_trace():
    x, chosen = branches()
    state = {"v": np.float64(2.0)}
    steps = list(program_of([chosen * 2.0]).trace(state, {x: np.float64(-1.0)}))
    assert [value for _, _, value in steps] == [False, -3.0, -6.0]
    assert "cond/AssignAdd" in [op.name for op in steps[1][1]]
    assert state["v"] == 3.0


def test_what_a_branch_gives_of_a_variable_stays_as_it_was():
    v = tf.Variable([1.0, 2.0])
    chosen = tf.cond(tf.placeholder_with_default(True, []), lambda: v, lambda: v * 2.0)
    with tf.control_dependencies([chosen]):
        added = tf.assign_add(v, [10.0, 10.0])
    first, _ = initialized_session().run([chosen, added])
    assert_same(first, np.array([1.0, 2.0], np.float32))


@pytest.mark.parametrize(
    "pass_on",
    [
        lambda x: tf.cond(tf.placeholder_with_default(True, []), lambda: x, lambda: -x),
        lambda x: tf.while_loop(lambda y: False, lambda y: y, [x]),
    ],
    ids=["cond", "while_loop"],
)
def test_what_was_fed_is_not_handed_out(pass_on):
    x, fed = tf.placeholder(tf.float32, [2]), np.array([5.0, 6.0], np.float32)
    tf.Session().run(pass_on(x), {x: fed})[:] = 99.0
    assert fed.tolist() == [5.0, 6.0]
