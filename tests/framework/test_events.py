"""Listeners hear of the calls that matter for a step, with all arguments and the result."""

import inspect

import pytest

import minitf as tf
from minitf.framework.events import announced, listeners, listening


@announced
def divided(x, by=2):
    """Return a quotient."""
    return x / by


def test_an_event_has_all_arguments_and_the_result():
    with listening((heard := []).append):
        divided(4)
        divided(4, by=1)
        divided(4, 8)
    divided(4)
    assert [(event.name, event.arguments, event.result, event.by_user) for event in heard] == [
        ("divided", {"x": 4, "by": 2}, 2, True),
        ("divided", {"x": 4, "by": 1}, 4, True),
        ("divided", {"x": 4, "by": 8}, 0.5, True),
    ]
    assert listeners == []


def test_a_call_that_fails_is_no_event():
    with listening((heard := []).append), pytest.raises(ZeroDivisionError):
        divided(4, 0)
    assert heard == []


def test_a_function_keeps_its_name_its_words_and_its_arguments():
    assert (divided.__name__, divided.__doc__) == ("divided", "Return a quotient.")
    assert str(inspect.signature(divided)) == "(x, by=2)"


def test_what_is_heard_of_training(tmp_path):
    with tf.Graph().as_default(), listening((heard := []).append):
        step = tf.train.get_or_create_global_step()
        rate = tf.train.exponential_decay(0.1, step, 10, 0.5)
        train = tf.train.GradientDescentOptimizer(rate).minimize(tf.Variable(1.0) ** 2, step)
        hooks = [tf.train.StopAtStepHook(2)]
        with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), hooks=hooks) as sess:
            while not sess.should_stop():
                sess.run(train)
    tf.summary.FileWriterCache.clear()
    names = [event.name for event in heard]
    assert [n for n in names if n not in ("get_global_step", "add_summary")] == [
        "create_global_step",
        "get_or_create_global_step",
        "exponential_decay",
        "apply_gradients",
        "__init__",
        "save",
        "should_stop",
        "should_stop",
        "should_stop",
        "save",
    ]
    assert [event.name for event in heard if event.by_user] == [
        "get_or_create_global_step",
        "exponential_decay",
        "should_stop",
        "should_stop",
        "should_stop",
    ]
