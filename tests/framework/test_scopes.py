"""The default graph and session: a stack for each thread."""

import threading

import pytest

import minitf as tf
from minitf.framework.scopes import DefaultStack


def in_thread(function):
    """What the function returns in a new thread."""
    found = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    thread.join()
    return found[0]


def test_a_thread_does_not_see_the_defaults_of_another():
    graph = tf.Graph()
    with graph.as_default(), tf.Session().as_default() as session:
        assert tf.get_default_session() is session
        assert in_thread(tf.get_default_session) is None
        assert in_thread(tf.get_default_graph) is not graph


def test_each_thread_has_an_outermost_default_of_its_own():
    stack = DefaultStack(make_first=object)
    first = stack.get()
    assert stack.get() is first
    assert in_thread(stack.get) is not first
    with stack.pushed("inner"):
        assert stack.get() == "inner"
        assert in_thread(stack.get) != "inner"
    assert stack.get() is first
    stack.reset()
    assert stack.get() is not first


def test_two_stacks_have_nothing_in_common():
    one, other = DefaultStack(make_first=object), DefaultStack(make_first=object)
    assert one.get() is not other.get()
    with one.pushed("a"):
        assert other.depth() == 0


def test_defaults_nest_and_end_with_their_block_even_after_an_error():
    outer, inner = tf.Graph(), tf.Graph()
    with outer.as_default():
        with pytest.raises(ZeroDivisionError), inner.as_default():
            assert tf.get_default_graph() is inner
            raise ZeroDivisionError
        assert tf.get_default_graph() is outer


def test_a_graph_may_be_built_in_several_threads_one_after_the_other():
    graph = tf.Graph()

    def build():
        with graph.as_default():
            return tf.constant(1.0, name="c").op.name

    assert [in_thread(build) for _ in range(3)] == ["c", "c_1", "c_2"]
