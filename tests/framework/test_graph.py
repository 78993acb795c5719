"""Names, scopes and elements of a graph."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import examples, in_new_graph

# Names.

NAMES = st.sampled_from(["a", "A", "b", "a_1", "A_1", "a_2", "mul", "Mul", "x/y", "b_1", "a_1_1"])


@examples(150)
@given(st.lists(st.tuples(NAMES, st.booleans()), max_size=12))
@in_new_graph
def test_names_are_unique_ignoring_case(asked):
    made = []
    for name, in_scope in asked:
        if in_scope:
            with tf.name_scope(name):
                made.append(tf.constant(1.0, name="c").op.name)
        else:
            made.append(tf.constant(1.0, name=name).op.name)
    assert len({name.lower() for name in made}) == len(made)
    graph = tf.get_default_graph()
    assert [op.name for op in graph.get_operations()] == made
    for name in made:
        assert graph.get_operation_by_name(name).name == name
        assert graph.get_tensor_by_name(f"{name}:0").name == f"{name}:0"


@pytest.mark.parametrize("name", ["a b", "-a", "_a", "a:0", "ä", "a$"])
def test_a_name_with_other_characters_is_refused(name):
    with pytest.raises(ValueError):
        tf.constant(1.0, name=name)
    assert tf.get_default_graph().get_operations() == []


# Scopes.


def test_a_scope_ends_with_its_block_even_after_an_error():
    with pytest.raises(ZeroDivisionError), tf.name_scope("outer"):
        raise ZeroDivisionError
    assert tf.constant(0, name="c").op.name == "c"


def test_a_scope_opens_in_the_graph_of_its_values():
    with tf.Graph().as_default() as other:
        x = tf.placeholder(tf.float32, name="x")
    with tf.name_scope("scope", values=[x]):
        assert tf.get_default_graph() is other
    assert tf.get_default_graph() is not other


# Elements.
