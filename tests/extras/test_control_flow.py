"""while_loop as a program: a function that is called, errors that name the op."""

from __future__ import annotations

import pytest

import minitf as tf
from minitf.client.session import program_of


def test_a_loop_is_a_function_that_calls_its_condition_and_its_body():
    n = tf.placeholder(tf.int32, [], name="n")
    _, total = tf.while_loop(lambda i, total: i < n, lambda i, total: (i + 1, total * 2), (0, 1))
    assert "    while while_cond(state, i, total, n):\n        i, total = while_body(state, i, total)\n" in str(
        program_of(total)
    )


def test_there_is_no_gradient_through_a_loop():
    x = tf.placeholder(tf.float32, [])
    _, power = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, tf.constant(1.0)))
    with pytest.raises(LookupError, match=r"No gradient defined for operation 'while/Exit_1' \(op type: Exit\)"):
        tf.gradients(power, x)


def test_an_error_in_a_loop_names_its_op():
    x = tf.placeholder(tf.int32, [])
    last = tf.while_loop(lambda i: i < 5, lambda i: i + tf.floordiv(6, x, name="share"), [0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="nteger division by zero") as caught:
        tf.Session().run(last, {x: 0})
    assert caught.value.op.name == "while/share"


def test_random_numbers_differ_from_turn_to_turn():
    drawn = tf.while_loop(
        lambda i, x: i < 3,
        lambda i, x: (i + 1, tf.concat([x, tf.random_uniform([1], seed=1)], 0)),
        (0, tf.zeros([0])),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape([None])),
    )[1]
    assert len(set(tf.Session().run(drawn).tolist())) == 3
