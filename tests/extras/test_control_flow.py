"""while_loop as a program: a function that is called, its gradient, errors that name the op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.client.session import program_of
from tests.support import examples, in_new_graph, initialized_session

CALLS = """\
    while while_cond(state, i, total, n):
        i, total = while_body(state, i, total)
"""


def test_a_loop_is_a_function_that_calls_its_condition_and_its_body():
    n = tf.placeholder(tf.int32, [], name="n")
    _, total = tf.while_loop(lambda i, total: i < n, lambda i, total: (i + 1, total * 2), (0, 1))
    assert CALLS in str(program_of(total))


POWER = """\
def while_cond(state, i, y, count, y_list):
    Less = i < 3
    return Less

def while_body(state, i, y, count, y_list, x):
    add = i + 1
    mul = y * x
    count_1 = count + 1
    y_list_1 = push(y_list, y)
    return (add, mul, count_1, copy(y_list_1))
"""
ITS_GRADIENT = """\
def d_while_body(state, count_2, y_list_2, d_y, d_x, x):
    sub = count_2 - 1
    y_0, y_1 = pop(y_list_2)
    d_y_1 = unbroadcast(d_y * x, y_1)
    Reshape_1 = sum(d_y * y_1)
    d_x_1 = add_same_shapes("gradients/AddN", d_x, Reshape_1)
    return (sub, copy(y_0), copy(d_y_1), d_x_1)
"""


def test_the_values_that_a_gradient_needs_are_loop_variables():
    x = tf.placeholder(tf.float32, [], name="x")
    _, power = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, tf.constant(1.0)))
    before = str(program_of(power))
    text = str(program_of(tf.gradients(power, x)))
    assert text.startswith(POWER)
    assert ITS_GRADIENT in text
    assert str(program_of(power)) == before, "without the gradient, the loop is as it was"


def test_each_gradient_is_a_loop_with_its_own_name():
    x = tf.constant(1.0)
    y = tf.while_loop(lambda y: y < 9.0, lambda y: y * x, [x])
    tf.gradients(y, x)
    tf.gradients(y * y, x)
    nodes = tf.get_default_graph().as_graph_def().node
    frames = {node.attr["frame_name"].s.decode() for node in nodes if node.op == "Enter"}
    assert frames == {"while/while_context", "gradients/d_while/while_context", "gradients_1/d_while/while_context"}


def test_no_list_has_the_values_of_a_constant():
    start = tf.constant(1.0)
    y = tf.while_loop(lambda y: y < 9.0, lambda y: y * 2.0, [start])
    text = str(program_of(tf.gradients(y, start)))
    assert text.count(" = push(") == 1
    assert "d_y * 2.0" in text


def test_a_gradient_uses_what_a_variable_was_in_each_turn():
    """TensorFlow's uses what it became: 536."""
    v, x = tf.Variable([1.0, 2.0]), tf.constant(2.0)

    def body(i, y):
        product = y * v.read_value() * x
        with tf.control_dependencies([product]), tf.control_dependencies([tf.assign_add(v, [1.0, 1.0])]):
            return i + 1, tf.identity(product)

    _, y = tf.while_loop(lambda i, y: i < 3, body, (0, tf.ones([2])))
    gradients = tf.gradients(y, x)
    assert initialized_session().run([tf.reduce_sum(y), *gradients]) == [240.0, 3 * 240.0 / 2]


def test_an_error_in_a_loop_names_its_op():
    x = tf.placeholder(tf.int32, [])
    last = tf.while_loop(lambda i: i < 5, lambda i: i + tf.floordiv(6, x, name="share"), [0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="nteger division by zero") as caught:
        tf.Session().run(last, {x: 0})
    assert caught.value.op.name == "while/share"


# Functions of i, y, w and a number that stands for itself.
SIMPLE: dict[str, Callable] = {
    "sin": lambda i, y, w, n: tf.sin(n * y + w),
    "product": lambda i, y, w, n: y * w * n,
    "sum": lambda i, y, w, n: tf.reduce_sum(y * y) * w[0] + n * w,
    "shape": lambda i, y, w, n: tf.concat([y[1:], y[:1] * w[:1]], 0),
    "noise": lambda i, y, w, n: y + n * w * tf.random_uniform([2], 0.9, 1.1, tf.float64, seed=1),
}


@st.composite
def bodies(draw: Any, depth: int = 2) -> Callable:
    """A random function of i, y and w, with conds, loops and random numbers in it."""
    kinds = [*SIMPLE, "both"] + ["cond", "loop"] * (depth > 0)
    kind, number = draw(st.sampled_from(kinds)), draw(st.sampled_from([0.3, -0.7, 1.1]))
    if kind in SIMPLE:
        return lambda i, y, w: SIMPLE[kind](i, y, w, number)
    one, other = draw(bodies(depth - 1)), draw(bodies(depth - 1))

    def cond(i, y, w):
        return tf.cond(tf.equal(i % 2, 0), lambda: one(i, y, w), lambda: number * other(i, y, w))

    def loop(i, y, w):
        return tf.while_loop(lambda j, z: j < i, lambda j, z: (j + 1, one(j, z, w * y)), (0, other(i, y, w)))[1]

    def both(i, y, w):
        return one(i, other(i, y, w), w)

    return {"cond": cond, "loop": loop, "both": both}[kind]


@examples(40)
@given(bodies(), st.integers(0, 3), st.integers(0, 9))
@in_new_graph
def test_a_gradient_through_a_random_loop_is_that_of_differences(body, turns, seed):
    tf.set_random_seed(seed)
    start, w = (tf.placeholder(tf.float64, [2]) for _ in range(2))
    _, y = tf.while_loop(lambda i, y: i < turns, lambda i, y: (i + 1, body(i, y, w)), (0, start))
    y = tf.reduce_sum(tf.tanh(y) * [1.0, 2.0])
    gradients = tf.gradients(y, [start, w], unconnected_gradients="zero")
    point = np.random.default_rng(seed).uniform(-1, 1, (2, 2))

    def value(fetches: Any, at: Any) -> Any:
        return tf.Session().run(fetches, {start: at[0], w: at[1]})  # draws the same numbers again

    moves = [1e-6 * np.eye(4)[i].reshape(2, 2) for i in range(4)]
    slopes = [(value(y, point + move) - value(y, point - move)) / 2e-6 for move in moves]
    assert np.allclose(np.ravel(value(gradients, point)), slopes, 1e-4, 1e-6)
