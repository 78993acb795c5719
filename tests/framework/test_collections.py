"""Collections: lists with names, kept by the graph."""

from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import examples, in_new_graph

ADDED = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3)), max_size=10)


@examples(60)
@given(ADDED)
@in_new_graph
def test_a_collection_keeps_all_in_the_order_it_was_added(added):
    for name, value in added:
        tf.add_to_collection(name, value)
    for name in "abc":
        assert tf.get_collection(name) == [v for n, v in added if n == name]
    found = set(tf.get_default_graph().get_all_collection_keys())
    assert found == {name for name, _ in added}
