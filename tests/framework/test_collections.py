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


def test_a_copy_is_given_and_the_list_itself_only_by_ref():
    tf.add_to_collection("a", 1)
    tf.get_collection("a").append(2)
    assert tf.get_collection("a") == [1]
    tf.get_collection_ref("a").append(2)
    assert tf.get_collection("a") == [1, 2]


def test_one_value_may_join_several_collections_each_once():
    tf.add_to_collections(["a", "b", "a"], 1)
    assert (tf.get_collection("a"), tf.get_collection("b")) == ([1], [1])


def test_a_scope_picks_what_has_a_name_that_begins_with_it():
    with tf.name_scope("one"):
        v = tf.Variable(1.0, name="v")
    w = tf.Variable(1.0, name="two_one")
    tf.add_to_collection(tf.GraphKeys.GLOBAL_VARIABLES, 5)
    assert tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="one") == [v]
    assert tf.global_variables("t.o") == [w]


def test_a_cleared_collection_is_empty():
    graph = tf.get_default_graph()
    graph.add_to_collection("a", 1)
    graph.clear_collection("a")
    assert graph.get_collection("a") == []


def test_graphs_have_collections_of_their_own():
    tf.add_to_collection("a", 1)
    with tf.Graph().as_default():
        assert tf.get_collection("a") == []
