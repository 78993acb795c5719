"""What can't be fetched says so in TensorFlow's words; nothing that a caller passes breaks a session."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import examples, in_new_graph, initialized_session


def refused(kind: type, words: str, fetches: object) -> None:
    session = tf.Session()
    one = tf.constant(1.0)
    for _ in range(2):
        with pytest.raises(kind) as caught:
            session.run(fetches)
        assert words in str(caught.value)
        assert session.run(one) == 1.0


@pytest.mark.parametrize("wrap", [lambda n: n, lambda n: [n], lambda n: {"a": (n,)}, lambda n: [[], [n]]])
def test_none_is_no_fetch_not_even_nested(wrap):
    refused(TypeError, 'has invalid type "NoneType"', wrap(None))


def test_a_tensor_or_op_of_another_graph():
    with tf.Graph().as_default():
        foreign, op = tf.constant(1.0, name="foreign"), tf.no_op(name="nothing")
        v = tf.Variable(1.0)
    refused(ValueError, "is not an element of this graph", foreign)
    refused(ValueError, "foreign:0", [foreign])
    refused(ValueError, "is not an element of this graph", {"a": op})
    refused(ValueError, "is not an element of this graph", v)


@pytest.mark.parametrize("fetch", [3, 2.5, True, object(), {1, 2}, bytearray(b"x"), tf.float32, np.ones(2), len])
def test_what_is_no_part_of_a_graph(fetch):
    refused(TypeError, "has invalid type", fetch)
    refused(TypeError, "has invalid type", [fetch])


@pytest.mark.parametrize("name", ["missing", b"missing", "missing:0", "c:1", "c:x", "c:0:0", "", ":0", "c:-1"])
def test_a_name_of_nothing(name):
    tf.constant(1.0, name="c")
    refused(ValueError, "cannot be interpreted as a Tensor", name)


def test_an_empty_graph():
    with pytest.raises(RuntimeError, match="The Session graph is empty"):
        tf.Session().run([])


def test_a_closed_session():
    c = tf.constant(1.0)
    session = tf.Session()
    session.run(c)
    session.close()
    for fetches in (c, [c], None, "c"):
        with pytest.raises(RuntimeError, match="Attempted to use a closed Session."):
            session.run(fetches)
    with tf.Session() as session:
        session.run(c)
    with pytest.raises(RuntimeError, match="Attempted to use a closed Session."):
        session.run(c)
    session.close()


# Anything at all.

ODD = st.one_of(
    st.none(), st.integers(), st.floats(), st.text(max_size=4), st.binary(max_size=3), st.booleans(),
    st.sampled_from(["x:0", "v:0", "v", "init", "y:1", "x", object, len, np.ones(2), tf.int32]),
)  # fmt: skip
PARTS = ["x", "y", "v", "update", "group", "foreign", "read", "wrong"]
SOME = st.one_of(ODD, st.sampled_from(PARTS).map(lambda name: ("part", name)))
NESTED = st.recursive(
    SOME,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.one_of(st.text(max_size=2), st.integers()), inner, max_size=2),
    ),
    max_leaves=5,
)
VALUES = st.one_of(
    ODD,
    st.sampled_from(PARTS).map(lambda name: ("part", name)),
    st.lists(st.one_of(st.floats(), st.integers(), st.text(max_size=2)), max_size=3),
    st.lists(st.lists(st.floats(width=32), max_size=2), max_size=3),
    st.sampled_from([np.ones(3), np.ones((2, 2)), np.array("a"), np.array(None), np.ones(2) * 1j]),
)
UNDERSTANDABLE = (tf.errors.OpError, TypeError, ValueError, RuntimeError)
BARE = (KeyError, IndexError, AttributeError, RecursionError, UnicodeError)


def resolved(value: object, parts: dict) -> object:
    """Put the parts of the graph in the place of their names."""
    if isinstance(value, tuple) and len(value) == 2 and value[0] == "part":
        return parts[value[1]]
    if isinstance(value, list | tuple):
        return type(value)(resolved(v, parts) for v in value)
    if isinstance(value, dict):
        return {k: resolved(v, parts) for k, v in value.items()}
    return value


@pytest.mark.filterwarnings("ignore:overflow encountered in cast:RuntimeWarning")
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@examples(400)
@given(NESTED, st.one_of(ODD, st.lists(st.tuples(SOME, VALUES), max_size=3)))
@in_new_graph
def test_whatever_is_passed_to_run_the_error_is_understandable_and_the_session_works_on(fetches, feeds):
    with tf.Graph().as_default():
        foreign = tf.constant(1.0)
    x = tf.placeholder(tf.float32, name="x")
    v = tf.Variable(np.ones(2, np.float32), name="v")
    y = x + v
    parts = {"x": x, "y": y, "v": v, "foreign": foreign, "read": v.value()}
    parts |= {"update": tf.assign(v, y), "group": tf.group(y), "wrong": tf.constant([1.0, 2.0, 3.0]) + y}
    session = initialized_session()
    if isinstance(feeds, list):
        feeds = [(resolved(k, parts), resolved(value, parts)) for k, value in feeds]
        feeds = {k: value for k, value in feeds if not isinstance(k, np.ndarray)}
    for _ in range(2):
        try:
            session.run(resolved(fetches, parts), feeds)
        except OverflowError as error:
            assert "too large" in str(error) or "infinity" in str(error)  # as TensorFlow
        except UNDERSTANDABLE as error:
            assert not isinstance(error, BARE), repr(error)
            assert str(error)
    session.run(v.initializer)
    assert session.run(y, {x: [1.0, 2.0]}).tolist() == [2.0, 3.0]
