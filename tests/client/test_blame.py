"""A failing run names the op, the user's line and what is wrong; the session works on afterwards."""

import traceback

import numpy as np
import pytest

import minitf as tf
from tests.support import initialized_session


def failing(session, *args):
    """The error that the run raises; afterwards the session still runs."""
    with pytest.raises(tf.errors.OpError) as caught:
        session.run(*args)
    with session.graph.as_default():
        assert session.run(tf.constant(5.0)) == 5.0
    return caught.value


def check(error, op, words=""):
    assert error.op is op
    assert words in error.message
    assert error.message in str(error)
    assert f"[[{{{{node {op.name}}}}}]], made at test_blame.py:{op.source_line.lineno}" in str(error)


def test_a_placeholder_that_was_not_fed():
    x = tf.placeholder(tf.float32, [2, 3], name="images")
    for fetch in (x, x * 2.0, tf.group(x)):
        check(failing(tf.Session(), fetch), x.op, "You must feed a value for placeholder tensor 'images'")


USES = [
    lambda v: v,
    lambda v: v + 1.0,
    lambda v: tf.assign_add(v, 1.0),
    lambda v: tf.identity(v),
    lambda v: tf.group(v * 2.0),
    lambda v: tf.assign(tf.Variable(1.0, name="other"), v),
]


@pytest.mark.parametrize("use", USES)
def test_an_uninitialized_variable(use):
    fetch = use(tf.Variable(1.0, name="weights"))
    session = tf.Session()
    error = failing(session, fetch)
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
    failing(session, v.value().op)
    failing(session, tf.group(v * 2.0))


REFUSED = [
    (lambda x: tf.add(x, [1.0, 2.0]), np.ones(3), "Incompatible shapes: [3] vs. [2]"),
    (lambda x: tf.matmul(x, x), np.ones((2, 3)), "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]"),
    (lambda x: tf.matmul(x, x), np.ones(3), "In[0]"),
    (lambda x: tf.matmul(x, x), 1.0, "In[0]"),
    (lambda x: tf.reshape(x, [2, 2]), np.ones(3), "is a tensor with 3 values, but the requested shape has 4"),
    (lambda x: tf.reshape(x, [2, -1]), np.ones(3), "requires a multiple of 2"),
    (lambda x: tf.reduce_sum(x, 2), np.ones((2, 3)), ""),
    (lambda x: tf.broadcast_to(x, [2, 2]), np.ones(3), ""),
    (lambda x: tf.cast(x, tf.int32) // 0, 3, "nteger division by zero"),
    (lambda x: tf.cast(x, tf.int32) % 0, 3, "nteger division by zero"),
]


@pytest.mark.parametrize(("make", "fed", "words"), REFUSED)
def test_an_op_that_refuses_what_it_is_given(make, fed, words):
    x = tf.placeholder(tf.float32)
    made = make(x)
    check(failing(tf.Session(), made, {x: fed}), made.op, words)


def test_a_constant_expression_that_fails_does_so_when_it_runs():
    made = tf.floordiv(tf.constant(1), tf.constant(0), name="bad")
    session = tf.Session()
    assert session.run(tf.constant(1)) == 1
    check(failing(session, made), made.op, "nteger division by zero")


UPDATES = [
    lambda v, value: tf.assign(v, value),
    lambda v, value: tf.assign_add(v, value),
    lambda v, value: tf.assign_sub(v, value),
    lambda v, value: tf.train.GradientDescentOptimizer(0.1).apply_gradients([(value, v)]).control_inputs[0],
]


@pytest.mark.parametrize("update", UPDATES)
def test_an_update_of_another_shape_changes_nothing(update):
    v, value = tf.Variable([1.0, 2.0]), tf.placeholder(tf.float32)
    made = update(v, value)
    session = initialized_session()
    for wrong in (1.0, [1.0, 2.0, 3.0]):
        check(failing(session, made, {value: wrong}), getattr(made, "op", made))
        assert session.run(v).tolist() == [1.0, 2.0]
    session.run(made, {value: [0.0, 0.0]})


# In programs of many statements.


@pytest.fixture
def two():
    """Two vectors of different lengths, and what is fed for them."""
    a, b = (tf.placeholder(tf.float32, [None], name=name) for name in "ab")
    return a, b, {a: [1.0, 1.0], b: [1.0, 1.0, 1.0]}


def test_the_failing_op_is_named_inside_a_longer_statement(two):
    a, b, feeds = two
    with tf.name_scope("loss"):
        wrong = tf.subtract(a * 2.0, b, name="difference")
        loss = tf.reduce_mean(tf.square(wrong))
    session = tf.Session()
    check(failing(session, loss, feeds), wrong.op, "[2] vs. [3]")
    assert session.run(loss, {a: [1.0], b: [1.0]}) == 1.0


def test_the_failing_op_is_named_in_a_program_of_several_functions(monkeypatch, two):
    monkeypatch.setattr("minitf.client.program.LONGEST_FUNCTION", 2)
    a, b, feeds = two
    for _ in range(5):
        a = tf.sin(a)
    wrong = tf.add(a, b, name="total")
    check(failing(tf.Session(), tf.sin(tf.sin(tf.sin(wrong))), feeds), wrong.op)


def test_a_failing_gradient_names_an_op(two):
    a, b, feeds = two
    error = failing(tf.Session(), tf.gradients(a * b, [a, b]), feeds)
    assert error.op is not None
    assert "[2] vs. [3]" in error.message


def test_the_traceback_shows_the_failing_statement(two):
    a, b, feeds = two
    error = failing(tf.Session(), tf.add(a, b, name="total"), feeds)
    assert "total = a + b" in "".join(traceback.format_exception(error))
