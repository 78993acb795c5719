"""Scatters: single rows change, as a plain loop would change them."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.client import interpreter
from tests.support import assert_same, examples, in_new_graph

SCATTERS = ["scatter_update", "scatter_add", "scatter_sub"]


@examples(60)
@given(
    st.lists(st.tuples(st.sampled_from(SCATTERS), st.lists(st.integers(0, 2)), st.booleans()), max_size=5),
    st.sampled_from([(3,), (3, 2)]),
    st.data(),
)
@in_new_graph
def test_scatters_change_rows_as_a_loop_does(changes: list, shape: tuple[int, ...], data: Any):
    v = tf.Variable(np.arange(np.prod(shape), dtype=np.float32).reshape(shape), name="v")
    read = v + 0.0
    session = tf.Session()
    session.run(v.initializer)
    state = {"v": session.run(v)}
    for name, indices, one_number in changes:
        indices = sorted(set(indices)) if name == "scatter_update" else indices
        length = () if one_number else (len(indices), *shape[1:])
        updates = np.float32(data.draw(st.integers(-3, 3))) + np.zeros(length, np.float32)
        change = getattr(tf, name)(v, np.array(indices, np.int32), updates)
        before, after = session.run([read, change])
        assert_same(before, state["v"])
        interpreter.interpret(state, [change], {})
        assert_same(after, state["v"])


@examples(40)
@given(st.lists(st.tuples(st.integers(-2, 1), st.booleans(), st.integers(-3, 3)), max_size=5))
@in_new_graph
def test_parts_change_as_numpy_changes_them(changes: list):
    v = tf.Variable(np.arange(6, dtype=np.float32).reshape(2, 3), name="v")
    place = tf.placeholder(tf.int32, [])
    session = tf.Session()
    session.run(v.initializer)
    expected, state = session.run(v), {"v": session.run(v)}
    for row, all_of_it, number in changes:
        change = (v[place] if all_of_it else v[place, 1:]).assign(np.float32(number))
        expected[row if all_of_it else (row, slice(1, None))] = number
        assert_same(session.run(change, {place: row}), expected)
        interpreter.interpret(state, [change], {place: np.array(row, np.int32)})
        assert_same(state["v"], expected)
