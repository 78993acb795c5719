"""Whatever is passed to `run`, the error is understandable, and the session works on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import examples, in_new_graph, initialized_session

NAMES = ["x:0", "v:0", "v", "init", "y:1", "x", "c:x", "c:0:0", "", ":0", "c:-1"]
OBJECTS = [object, len, np.ones(2), tf.int32, {1, 2}, bytearray(b"x")]
PARTS = ["x", "y", "v", "update", "group", "foreign", "read", "wrong"]
ODD = st.one_of(
    st.none(),
    st.integers(),
    st.floats(),
    st.text(max_size=4),
    st.binary(max_size=3),
    st.booleans(),
    st.sampled_from(NAMES + OBJECTS),
)
PART = st.sampled_from([("part", name) for name in PARTS])
SOME = ODD | PART


def collections(inner):
    """Lists, tuples and dicts of these."""
    several = st.lists(inner, max_size=3)
    keys = st.text(max_size=2) | st.integers()
    return several | several.map(tuple) | st.dictionaries(keys, inner, max_size=2)


FETCHES = st.recursive(SOME, collections, max_leaves=5)
ARRAYS = [np.ones(3), np.ones((2, 2)), np.array("a"), np.array(None), np.ones(2) * 1j]
VALUES = st.one_of(
    SOME,
    st.lists(st.floats() | st.integers() | st.text(max_size=2), max_size=3),
    st.lists(st.lists(st.floats(width=32), max_size=2), max_size=3),
    st.sampled_from(ARRAYS),
)
PAIRS = st.lists(st.tuples(SOME, VALUES), max_size=3)
UNDERSTANDABLE = (tf.errors.OpError, TypeError, ValueError, RuntimeError)
BARE = (KeyError, IndexError, AttributeError, RecursionError, UnicodeError)


def resolved(value, parts):
    """Put the parts of the graph in the place of their names."""
    if isinstance(value, tuple) and value[:1] == ("part",):
        return parts[value[1]]
    if isinstance(value, list | tuple):
        return type(value)(resolved(v, parts) for v in value)
    if isinstance(value, dict):
        return {k: resolved(v, parts) for k, v in value.items()}
    return value


def parts_of_a_graph():
    """One thing of each kind, by its name."""
    with tf.Graph().as_default():
        foreign = tf.constant(1.0)
    x = tf.placeholder(tf.float32, name="x")
    v = tf.Variable(np.ones(2, np.float32), name="v")
    y = x + v
    parts = {"x": x, "y": y, "v": v, "foreign": foreign, "read": v.value()}
    parts["update"] = tf.assign(v, y)
    parts["group"] = tf.group(y)
    parts["wrong"] = tf.constant([1.0, 2.0, 3.0]) + y
    return parts


@pytest.mark.filterwarnings("ignore:overflow encountered in cast:RuntimeWarning")
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@examples(200)
@given(FETCHES, ODD | PAIRS)
@in_new_graph
def test_whatever_is_passed_to_run_the_error_is_understandable_and_the_session_works_on(fetches, feeds):
    parts = parts_of_a_graph()
    session = initialized_session()
    if isinstance(feeds, list):
        pairs = [(resolved(key, parts), resolved(value, parts)) for key, value in feeds]
        feeds = {key: value for key, value in pairs if not isinstance(key, np.ndarray | set | bytearray)}
    for _ in range(2):
        try:
            session.run(resolved(fetches, parts), feeds)
        except OverflowError as error:
            assert "too large" in str(error) or "infinity" in str(error)  # as TensorFlow
        except UNDERSTANDABLE as error:
            assert not isinstance(error, BARE), repr(error)
            assert str(error)
    session.run(parts["v"].initializer)
    assert session.run(parts["y"], {parts["x"]: [1.0, 2.0]}).tolist() == [2.0, 3.0]
