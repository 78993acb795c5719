"""Names, scopes and elements of a graph."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import examples, here, in_new_graph

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


@pytest.mark.parametrize(
    "asked, given_names",
    [
        (["c", "C", "c"], ["c", "C_1", "c_2"]),
        (["c", "c", "c_1"], ["c", "c_1", "c_1_1"]),
        (["c_1", "c", "c"], ["c_1", "c", "c_2"]),
    ],
)
def test_a_taken_name_gets_a_number(asked, given_names):
    assert [tf.constant(0, name=name).op.name for name in asked] == given_names


def test_an_op_without_a_name_is_named_after_what_made_it():
    x = tf.placeholder(tf.float32)
    made = [x + x, x - x, x * x, x / x, -x, tf.add(x, x), tf.multiply(x, x), x**x, tf.exp(x)]
    made += [x + x, tf.constant(1), tf.matmul(x, x), tf.reduce_sum(x), tf.Variable(1.0)]
    names = "add sub mul truediv Neg Add Mul pow Exp add_2 Const MatMul Sum Variable"
    found = [t.op.name for t in made]
    assert found[:5] == names.split()[:5]
    assert len(set(found)) == len(found)


def test_a_constant_operand_is_named_after_op_and_argument():
    x = tf.placeholder(tf.float32, name="x")
    assert [t.name for t in (x * 2.0).op.inputs] == ["x:0", "mul/y:0"]
    assert [t.name for t in (2.0 - x).op.inputs] == ["sub/x:0", "x:0"]


@pytest.mark.parametrize("name", ["a b", "-a", "_a", "a:0", "ä", "a$"])
def test_a_name_with_other_characters_is_refused(name):
    with pytest.raises(ValueError):
        tf.constant(1.0, name=name)
    assert tf.get_default_graph().get_operations() == []


# Scopes.


def test_scopes_nest_and_are_numbered_when_opened_again():
    found = []
    with tf.name_scope("outer") as outer:
        found.append(tf.constant(0, name="c").op.name)
        with tf.name_scope("inner"):
            found.append(tf.constant(0, name="c").op.name)
    with tf.name_scope("outer"):
        found.append(tf.constant(0, name="c").op.name)
    with tf.name_scope(outer):
        found.append(tf.constant(0, name="d").op.name)
        with tf.get_default_graph().name_scope(None):
            found.append(tf.constant(0, name="c").op.name)
    assert found == ["outer/c", "outer/inner/c", "outer_1/c", "outer/d", "c"]


def test_a_scope_ends_with_its_block_even_after_an_error():
    with pytest.raises(ZeroDivisionError), tf.name_scope("outer"):
        raise ZeroDivisionError
    assert tf.constant(0, name="c").op.name == "c"


def test_a_scope_takes_its_default_name_where_none_is_given():
    with tf.name_scope(None, "default") as scope:
        assert scope == "default/"
    with tf.name_scope("given", "default") as scope:
        assert scope == "given/"


def test_a_scope_opens_in_the_graph_of_its_values():
    with tf.Graph().as_default() as other:
        x = tf.placeholder(tf.float32, name="x")
    with tf.name_scope("scope", values=[x]):
        assert tf.get_default_graph() is other
    assert tf.get_default_graph() is not other


@pytest.mark.parametrize("name", ["a b", "/a", "_a"])
def test_a_wrong_name_of_a_scope_is_refused(name):
    with pytest.raises(ValueError), tf.name_scope(name):
        pass


# Elements.


def test_elements_are_found_by_what_they_are_or_are_called():
    graph = tf.get_default_graph()
    c = tf.constant(1.0, name="c")
    v = tf.Variable(1.0, name="v")
    assert graph.as_graph_element("c:0") is c
    assert graph.as_graph_element("c") is c.op
    assert graph.as_graph_element(c) is c
    assert graph.as_graph_element(v).name == "v:0"


@pytest.mark.parametrize(
    "name, kind, words",
    [
        ("d:0", KeyError, "does not exist in the graph"),
        ("c:1", KeyError, "only has 1 outputs"),
        ("c:x", ValueError, "looks a like a Tensor name"),
        ("d", KeyError, "refers to an Operation not in the graph"),
        (3, TypeError, "Can not convert a int into a Tensor or Operation"),
        (None, TypeError, "Can not convert a NoneType into a Tensor or Operation"),
    ],
)
def test_what_is_no_element_is_refused(name, kind, words):
    tf.constant(1.0, name="c")
    with pytest.raises(kind) as caught:
        tf.get_default_graph().as_graph_element(name)
    assert words in str(caught.value)


def test_a_name_of_the_wrong_type_is_refused():
    graph = tf.get_default_graph()
    for find in (graph.get_operation_by_name, graph.get_tensor_by_name):
        with pytest.raises(TypeError, match="names are strings"):
            find(3)


def test_tensors_of_two_graphs_do_not_meet():
    with tf.Graph().as_default():
        foreign = tf.constant(1.0, name="foreign")
    mine = tf.constant(1.0, name="mine")
    for meet in (lambda: mine + foreign, lambda: tf.add_n([mine, foreign])):
        with pytest.raises(ValueError, match="must be from the same graph as"):
            meet()


def test_an_op_made_of_foreign_tensors_only_is_made_in_their_graph():
    with tf.Graph().as_default() as graph:
        foreign = tf.constant(1.0)
    assert tf.square(foreign).graph is graph
    assert (foreign + 1.0).graph is graph


def test_a_finalized_graph_takes_no_more_operations():
    c = tf.constant(1.0)
    graph = tf.get_default_graph()
    graph.finalize()
    assert graph.finalized
    for change in (lambda: c + 1.0, lambda: graph.add_to_collection("a", 1), lambda: tf.Variable(1)):
        with pytest.raises(RuntimeError, match="Graph is finalized and cannot be modified."):
            change()
    assert tf.Session().run(c) == 1.0


def test_an_op_knows_where_the_user_made_it():
    c, line = tf.constant(1.0), here()
    total, other_line = c + 1.0, here()
    assert line in str(c.op.source_line)
    assert other_line in str(total.op.source_line)


def test_an_op_knows_what_it_reads_and_who_reads_it():
    a, b = tf.constant(1.0), tf.constant(2.0)
    with tf.control_dependencies([b]):
        c = tf.negative(a)
    assert c.op.inputs == (a,) or list(c.op.inputs) == [a]
    assert list(c.op.control_inputs) == [b.op]
    assert a.consumers() == [c.op]
    assert b.consumers() == []


def test_what_a_tensor_prints_as():
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    assert repr(x) == "<tf.Tensor 'x:0' shape=(?, 1) dtype=float32>"
    assert str(x) == 'Tensor("x:0", shape=(?, 1), dtype=float32)'
    assert repr(x.op) == "<tf.Operation 'x' type=Placeholder>"
    assert repr(tf.Variable(1, name="v")) == "<tf.Variable 'v:0' shape=() dtype=int32_ref>"


def test_a_tensor_has_no_truth_value_no_length_and_no_elements_before_a_run():
    x = tf.constant([1.0, 2.0])
    for use in (bool, list, lambda t: t and 1, lambda t: 1 if t > 0 else 2):
        with pytest.raises(TypeError, match="tf.Tensor"):
            use(x)
    with pytest.raises(TypeError, match="len is not well defined"):
        len(x)


def test_tensors_are_compared_by_identity_and_can_be_keys():
    a, b = tf.constant(1.0), tf.constant(1.0)
    assert a == a
    assert a != b
    assert {a: 1, b: 2}[b] == 2


def test_a_promise_about_a_shape_adds_to_what_is_known():
    x = tf.placeholder(tf.float32, [None, 3])
    x.set_shape([2, None])
    assert x.shape.as_list() == [2, 3]
    with pytest.raises(ValueError):
        x.set_shape([4, 3])


def test_reset_default_graph_begins_anew_but_not_inside_with():
    with pytest.raises(AssertionError, match="Do not use tf.reset_default_graph"):
        tf.reset_default_graph()
