"""group and tuple: one fetch that runs many; cond as a program: functions, steps of a trace, errors."""

from __future__ import annotations

import numpy as np
import pytest

import minitf as tf
from minitf.client.session import program_of
from tests.support import assert_same, here, initialized_session


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


def branches() -> tuple[tf.Tensor, tf.Tensor]:
    x = tf.placeholder(tf.float64, [], name="x")
    v = tf.Variable(np.float64(2.0), name="v")
    return x, tf.cond(x > 0.0, lambda: tf.exp(x) * v, lambda: tf.assign_add(v, 1.0) * x)


def test_each_branch_is_a_function_of_the_program():
    _, chosen = branches()
    assert str(program_of(chosen)).split("\n\n")[1:] == [
        'def cond_true(state, x):\n    Exp = exp(x)\n    v_1 = state["v"]\n    mul = Exp * v_1\n    return mul',
        "def program(state, x):\n    Greater = x > 0.0\n"
        "    cond = cond_true(state, x) if Greater else cond_false(state, x)\n    return cond",
    ]


def test_only_what_a_branch_gives_is_computed():
    x = tf.placeholder(tf.float32, [])
    one, _ = tf.cond(x > 0, lambda: (x, tf.sin(x)), lambda: (-x, tf.cos(x)))
    assert "sin" not in str(program_of(one))
    assert "cos" not in str(program_of(one))


def test_work_is_not_shared_between_branches_and_what_is_around():
    x = tf.placeholder(tf.float32, [], name="x")
    chosen = tf.cond(x > 0, lambda: tf.sin(x), lambda: tf.sin(x) + 1.0)
    assert str(program_of([chosen, tf.sin(x)])).count("sin(x)") == 3


@pytest.mark.parametrize("at", [0.7, -0.3, 12.0])
def test_gradients_through_conds_are_those_of_differences(at):
    x, w = tf.placeholder(tf.float64, []), tf.Variable(np.float64(1.5))

    def inner() -> tf.Tensor:
        return tf.cond(x > 10.0, lambda: w * w * x, lambda: tf.sin(x * w))

    y = tf.square(tf.cond(x > 0.0, inner, lambda: w / x)) + x
    gradients = tf.gradients(y, [x, w])
    session = initialized_session()
    found, step = session.run(gradients, {x: at}), 1e-6
    higher, lower = (session.run(y, {x: at + s}) for s in (step, -step))
    assert np.isclose(found[0], (higher - lower) / (2 * step), rtol=1e-5)
    higher, lower = (session.run(y, {x: at, w.value(): 1.5 + s}) for s in (step, -step))
    assert np.isclose(found[1], (higher - lower) / (2 * step), rtol=1e-5)


def test_an_error_in_a_branch_names_its_op():
    x, y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
    places = []

    def branch() -> tf.Tensor:
        total = tf.add(x, y, name="total")
        places.append(here())
        return total

    chosen = tf.cond(tf.reduce_sum(x) > 0, branch, lambda: x)
    session, feeds = tf.Session(), {x: [1.0, 2.0], y: [1.0, 2.0, 3.0]}
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Incompatible shapes: \[2\] vs. \[3\]") as caught:
        session.run(chosen, feeds)
    assert caught.value.op.name == "cond/total"
    assert places[0].partition(":")[0] in str(caught.value)
    assert session.run(chosen, {**feeds, x: [-1.0, 0.0]}).tolist() == [-1.0, 0.0]


def test_a_cond_is_one_step_of_a_trace():
    x, chosen = branches()
    program = program_of([chosen * 2.0])
    state = {"v": np.float64(2.0)}
    steps = list(program.trace(state, {x: np.float64(-1.0)}))
    assert [value for _, _, value in steps] == [False, -3.0, -6.0]
    assert any(op.name == "cond/AssignAdd" for op in steps[1][1])
    assert state["v"] == 3.0


def test_what_a_branch_gives_is_memory_of_its_own():
    p, v = tf.placeholder(tf.bool, []), tf.Variable([1.0, 2.0])
    x = tf.placeholder(tf.float32, [2])
    chosen = tf.cond(p, lambda: v, lambda: x)
    with tf.control_dependencies([chosen]):
        added = tf.assign_add(v, [10.0, 10.0])
    session, fed = initialized_session(), np.array([5.0, 6.0], np.float32)
    first, _ = session.run([chosen, added], {p: True, x: fed})
    assert_same(first, np.array([1.0, 2.0], np.float32))
    session.run(chosen, {p: False, x: fed})[:] = 99.0
    session.run(tf.while_loop(lambda y: False, lambda y: y, [x]), {x: fed})[:] = 99.0
    assert fed.tolist() == [5.0, 6.0]


def test_a_fed_value_reaches_a_branch():
    p, v = tf.placeholder(tf.bool, []), tf.Variable(1.0)
    c = tf.constant(3.0)
    chosen = tf.cond(p, lambda: v * c, lambda: tf.cond(p, lambda: c, lambda: v + c))
    session = initialized_session()
    assert session.run(chosen, {p: True, c: 5.0, v.value(): 2.0}) == 10.0
    assert session.run(chosen, {p: False, c: 5.0, v.value(): 2.0}) == 7.0
    assert session.run(chosen, {p: False}) == 4.0


def test_a_gradient_sees_what_one_inner_cond_hands_to_another():
    x, p = tf.Variable(3.0), tf.placeholder(tf.bool, [])

    def branch() -> tf.Tensor:
        square = tf.cond(p, lambda: x * x, lambda: -x)
        return tf.cond(p, lambda: square * square, lambda: square)

    (gradient,) = tf.gradients(tf.cond(p, branch, lambda: x), x)
    session = initialized_session()
    assert [session.run(gradient, {p: value}) for value in (True, False)] == [108.0, 1.0]
