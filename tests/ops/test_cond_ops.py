"""cond and while_loop as programs: functions that are called, steps of a trace, errors that name the op."""

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


def test_each_branch_is_a_function_of_the_program():
    _, chosen = branches()
    assert str(program_of(chosen)).split("\n\n")[1:] == [
        'def cond_true(state, x):\n    Exp = exp(x)\n    v_1 = state["v"]\n    mul = Exp * v_1\n    return mul',
        "def program(state, x):\n    Greater = x > 0.0\n"
        "    cond = cond_true(state, x) if Greater else cond_false(state, x)\n    return cond",
    ]


def test_a_loop_is_a_function_that_calls_its_condition_and_its_body():
    n = tf.placeholder(tf.int32, [], name="n")
    _, total = tf.while_loop(lambda i, total: i < n, lambda i, total: (i + 1, total * 2), (0, 1))
    assert "    while while_cond(state, i, total, n):\n        i, total = while_body(state, i, total)\n" in str(
        program_of(total)
    )


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


def test_there_is_no_gradient_through_a_loop():
    x = tf.placeholder(tf.float32, [])
    _, power = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, tf.constant(1.0)))
    with pytest.raises(LookupError, match=r"No gradient defined for operation 'while/Exit_1' \(op type: Exit\)"):
        tf.gradients(power, x)


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


def test_an_error_in_a_loop_names_its_op():
    x = tf.placeholder(tf.int32, [])
    last = tf.while_loop(lambda i: i < 5, lambda i: i + tf.floordiv(6, x, name="share"), [0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="nteger division by zero") as caught:
        tf.Session().run(last, {x: 0})
    assert caught.value.op.name == "while/share"


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


def test_random_numbers_differ_from_turn_to_turn():
    drawn = tf.while_loop(
        lambda i, x: i < 3,
        lambda i, x: (i + 1, tf.concat([x, tf.random_uniform([1], seed=1)], 0)),
        (0, tf.zeros([0])),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape([None])),
    )[1]
    assert len(set(tf.Session().run(drawn).tolist())) == 3


def test_a_gradient_sees_what_one_inner_cond_hands_to_another():
    x, p = tf.Variable(3.0), tf.placeholder(tf.bool, [])

    def branch() -> tf.Tensor:
        square = tf.cond(p, lambda: x * x, lambda: -x)
        return tf.cond(p, lambda: square * square, lambda: square)

    (gradient,) = tf.gradients(tf.cond(p, branch, lambda: x), x)
    session = initialized_session()
    assert [session.run(gradient, {p: value}) for value in (True, False)] == [108.0, 1.0]
