"""A failing run names the op, the user's line and what is wrong; the session works on afterwards."""

from __future__ import annotations

import traceback
from collections.abc import Callable

import numpy as np
import pytest

import minitf as tf
from tests.support import here, initialized_session

InvalidArgument = tf.errors.InvalidArgumentError


def failing(session: tf.Session, kind: type, *args: object) -> tf.errors.OpError:
    """The error that the run raises; afterwards the session still runs."""
    with pytest.raises(kind) as caught:
        session.run(*args)
    with session.graph.as_default():
        assert session.run(tf.constant(5.0)) == 5.0
    return caught.value


def check(error: tf.errors.OpError, op: tf.Operation, line: str, words: str) -> None:
    assert error.op is op
    assert words in error.message
    assert words in str(error)
    assert op.name in str(error)
    assert line in str(error)


def test_a_placeholder_that_was_not_fed():
    x, line = tf.placeholder(tf.float32, [2, 3], name="images"), here()
    words = "You must feed a value for placeholder tensor 'images' with dtype float and shape [2,3]"
    for fetch in (x, x * 2.0, tf.group(x)):
        check(failing(tf.Session(), InvalidArgument, fetch), x.op, line, words)


@pytest.mark.parametrize(
    "dtype, shape, words",
    [
        (tf.float32, None, "'x' with dtype float"),
        (tf.float64, [], "'x' with dtype double"),
        (tf.int32, [None, 3], "'x' with dtype int32 and shape [?,3]"),
        (tf.bool, [1], "'x' with dtype bool and shape [1]"),
    ],
)
def test_the_words_for_a_missing_feed_show_dtype_and_shape(dtype, shape, words):
    x = tf.placeholder(dtype, shape, name="x")
    assert failing(tf.Session(), InvalidArgument, x).message.endswith(words)


@pytest.mark.parametrize(
    "use",
    [
        lambda v: v,
        lambda v: v + 1.0,
        lambda v: tf.assign_add(v, 1.0),
        lambda v: tf.identity(v),
        lambda v: tf.group(v * 2.0),
        lambda v: tf.assign(tf.Variable(1.0, name="other"), v),
    ],
)
def test_an_uninitialized_variable(use: Callable):
    v = tf.Variable(1.0, name="weights")
    fetch = use(v)
    session = tf.Session()
    error = failing(session, tf.errors.FailedPreconditionError, fetch)
    assert "Attempting to use uninitialized value weights" in str(error)
    assert "test_blame.py:" in str(error)
    session.run(tf.global_variables_initializer())
    session.run(fetch)


def test_waiting_for_a_variable_is_no_read():
    v = tf.Variable(1.0)
    with tf.control_dependencies([v]):
        after = tf.exp(tf.constant(0.0))
    session = tf.Session()
    assert session.run([after, v.op, tf.group(v)]) == [1.0, None, None]
    failing(session, tf.errors.FailedPreconditionError, v.value().op)
    failing(session, tf.errors.FailedPreconditionError, tf.group(v * 2.0))


def shapes_that_differ() -> dict[tf.Tensor, np.ndarray]:
    a = tf.placeholder(tf.float32, [None], name="a")
    b = tf.placeholder(tf.float32, [None], name="b")
    return {a: np.ones(2, np.float32), b: np.ones(3, np.float32)}


def test_shapes_that_do_not_go_together():
    feeds = shapes_that_differ()
    a, b = feeds
    total, line = tf.add(a, b, name="total"), here()
    error = failing(tf.Session(), InvalidArgument, total, feeds)
    check(error, total.op, line, "Incompatible shapes: [2] vs. [3]")


def test_the_failing_op_is_named_inside_a_longer_statement():
    feeds = shapes_that_differ()
    a, b = feeds
    with tf.name_scope("loss"):
        inner = a * 2.0
        wrong, line = tf.subtract(inner, b, name="difference"), here()
        loss = tf.reduce_mean(tf.square(wrong))
    session = tf.Session()
    check(failing(session, InvalidArgument, loss, feeds), wrong.op, line, "[2] vs. [3]")
    assert session.run(loss, {a: [1.0], b: [1.0]}) == 1.0


def test_the_failing_op_is_named_in_a_program_of_several_functions(monkeypatch):
    monkeypatch.setattr("minitf.client.program.LONGEST_FUNCTION", 2)
    feeds = shapes_that_differ()
    a, b = feeds
    for _ in range(5):
        a = tf.sin(a)
    wrong, line = tf.add(a, b, name="total"), here()
    for _ in range(3):
        wrong_later = tf.sin(wrong)
    error = failing(tf.Session(), InvalidArgument, wrong_later, feeds)
    check(error, wrong.op, line, "Incompatible shapes: [2] vs. [3]")


def test_a_failing_gradient_names_an_op():
    feeds = shapes_that_differ()
    a, b = feeds
    gradients = tf.gradients(a * b, [a, b])
    error = failing(tf.Session(), InvalidArgument, gradients, feeds)
    assert error.op is not None
    assert "[2] vs. [3]" in error.message


def test_matrices_that_do_not_go_together():
    a = tf.placeholder(tf.float32, [None, None])
    product, line = tf.matmul(a, a, name="product"), here()
    error = failing(tf.Session(), InvalidArgument, product, {a: np.ones((2, 3))})
    check(error, product.op, line, "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]")


def test_matmul_of_what_is_no_matrix():
    a = tf.placeholder(tf.float32)
    product, line = tf.matmul(a, a, name="product"), here()
    for value in (np.ones(3), 1.0):
        error = failing(tf.Session(), InvalidArgument, product, {a: value})
        check(error, product.op, line, "In[0]")


@pytest.mark.parametrize("update", [tf.assign_add, tf.assign_sub])
def test_an_update_of_another_shape(update: Callable):
    v = tf.Variable([1.0, 2.0])
    value = tf.placeholder(tf.float32)
    made, line = update(v, value, name="more"), here()
    session = initialized_session()
    error = failing(session, InvalidArgument, made, {value: [1.0, 2.0, 3.0]})
    check(error, made.op, line, "must")
    error = failing(session, InvalidArgument, made, {value: 1.0})
    assert session.run(v).tolist() == [1.0, 2.0]
    session.run(made, {value: [0.0, 0.0]})


def test_an_assignment_of_another_shape():
    v = tf.Variable([1.0, 2.0])
    value = tf.placeholder(tf.float32)
    made, line = tf.assign(v, value, name="set"), here()
    session = initialized_session()
    error = failing(session, InvalidArgument, made, {value: [1.0, 2.0, 3.0]})
    words = "Assign requires shapes of both tensors to match. lhs shape= [2] rhs shape= [3]"
    check(error, made.op, line, words)
    assert session.run(v).tolist() == [1.0, 2.0]


def test_a_gradient_step_of_another_shape():
    v = tf.Variable([1.0, 2.0])
    gradient = tf.placeholder(tf.float32)
    train = tf.train.GradientDescentOptimizer(0.1).apply_gradients([(gradient, v)])
    session = initialized_session()
    error = failing(session, InvalidArgument, train, {gradient: [1.0, 2.0, 3.0]})
    assert error.op.type == "ApplyGradientDescent"
    assert session.run(v).tolist() == [1.0, 2.0]


def test_a_reshape_that_does_not_fit():
    x = tf.placeholder(tf.float32)
    made, line = tf.reshape(x, [2, 2], name="square"), here()
    error = failing(tf.Session(), InvalidArgument, made, {x: np.ones(3)})
    words = "Input to reshape is a tensor with 3 values, but the requested shape has 4"
    check(error, made.op, line, words)
    made = tf.reshape(x, [2, -1])
    error = failing(tf.Session(), InvalidArgument, made, {x: np.ones(3)})
    assert "requires a multiple of 2" in error.message


def test_whole_division_by_zero():
    x = tf.placeholder(tf.int32)
    for made, line in [(x // 0, here()), (x % 0, here()), (3 // (x - x), here())]:
        error = failing(tf.Session(), InvalidArgument, made, {x: 3})
        check(error, made.op, line, "nteger division by zero")


def test_an_axis_that_does_not_exist():
    x = tf.placeholder(tf.float32)
    made, line = tf.reduce_sum(x, 2, name="total"), here()
    error = failing(tf.Session(), InvalidArgument, made, {x: np.ones((2, 3))})
    check(error, made.op, line, "")


def test_a_broadcast_to_a_shape_that_does_not_fit():
    x = tf.placeholder(tf.float32)
    made, line = tf.broadcast_to(x, [2, 2], name="wide"), here()
    check(failing(tf.Session(), InvalidArgument, made, {x: np.ones(3)}), made.op, line, "")


def test_a_constant_expression_that_fails_does_so_when_it_runs():
    made, line = tf.floordiv(tf.constant(1), tf.constant(0), name="bad"), here()
    session = tf.Session()
    assert session.run(tf.constant(1)) == 1
    check(failing(session, InvalidArgument, made), made.op, line, "nteger division by zero")


def test_the_traceback_shows_the_failing_statement():
    feeds = shapes_that_differ()
    a, b = feeds
    total = tf.add(a, b, name="total")
    try:
        tf.Session().run(total, feeds)
    except tf.errors.InvalidArgumentError:
        shown = traceback.format_exc()
    assert "total = a + b" in shown


def test_an_error_can_be_caught_by_its_number_and_kind():
    error = failing(tf.Session(), tf.errors.OpError, tf.placeholder(tf.float32))
    assert isinstance(error, tf.errors.InvalidArgumentError)
    assert error.error_code == 3


def test_a_failing_run_leaves_variables_that_later_runs_use():
    v = tf.Variable([1.0])
    x = tf.placeholder(tf.float32)
    update = tf.assign_add(v, x)
    session = initialized_session()
    for _ in range(3):
        failing(session, InvalidArgument, update, {x: [1.0, 2.0]})
        session.run(update, {x: [1.0]})
    assert session.run(v).tolist() == [4.0]
