"""Graphs become TensorFlow's GraphDefs and graphs again, with ops of every type, and run as before."""

from __future__ import annotations

import ast
import gzip
import re

import numpy as np
import pytest
from google.protobuf import text_format
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.client.compiler import compile_program
from minitf.extras import load_all
from minitf.extras.graph_def import as_graph_def, read_nodes
from minitf.framework.registry import OPS
from tests.conformance.outcomes import differences, encode
from tests.extras.stored import FOLDER, GRAPHS, OF_TENSORFLOW, WITHOUT_VALUES, build, values
from tests.support import examples

# No function builds this op, and TensorFlow lacks it.
NEVER_BUILT = {"SparseApplyAdam"}


def stored_by_tensorflow(name):
    """The text of a MetaGraphDef."""
    return gzip.decompress((FOLDER / f"{name}.meta.gz").read_bytes()).decode()


def outcome(library, name):
    """What is fetched gives this in the default graph; None where it isn't compared."""
    if name not in WITHOUT_VALUES:
        return encode([np.asarray(value) for value in values(library, library.get_collection("fetched"))])


def built(library, name):
    """The MetaGraphDef of a graph, and what it gives."""
    with library.Graph().as_default():
        stored = build(library, name)
        return stored, outcome(library, name)


def read(library, stored, name):
    """What a MetaGraphDef gives in a new graph."""
    with library.Graph().as_default():
        library.train.import_meta_graph(library.MetaGraphDef.FromString(stored.SerializeToString()))
        return outcome(library, name)


def stored_again(stored):
    """The MetaGraphDef that minitf makes of one that it reads."""
    with tf.Graph().as_default():
        tf.train.import_meta_graph(stored)
        return tf.train.export_meta_graph()


def same(before, after):
    """Whether two outcomes agree."""
    assert not differences(before, after)


@pytest.mark.parametrize("name", GRAPHS)
def test_a_graph_that_comes_back_runs_as_before(name):
    stored, before = built(tf, name)
    same(before, read(tf, stored, name))
    same(before, read(tf, stored_again(stored), name))


@pytest.mark.parametrize("name", OF_TENSORFLOW)
def test_a_graph_of_tensorflow_runs_as_one_of_minitf(name):
    stored = text_format.Parse(stored_by_tensorflow(name), tf.MetaGraphDef())
    same(built(tf, name)[1], read(tf, stored, name))


def test_there_is_an_op_of_every_type():
    load_all()
    found = set()
    for name in GRAPHS:
        with tf.Graph().as_default() as graph:
            build(tf, name)
            found.update(op.type for op in graph.get_operations())
    for name in OF_TENSORFLOW:
        found.update(re.findall(r'^    op: "(\w+)"', stored_by_tensorflow(name), re.MULTILINE))
    assert OPS.keys() - found == NEVER_BUILT, "tests/conformance/facts/graphs_to_store.md has no graph with these ops"


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", GRAPHS)
def test_tensorflow_runs_what_minitf_stores(tensorflow, name):
    stored, before = built(tf, name)
    same(before, read(tensorflow, stored, name))


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", OF_TENSORFLOW)
def test_tensorflow_runs_its_own_graph_that_minitf_stored_again(tensorflow, name):
    stored, before = built(tensorflow, name)
    same(before, read(tf, stored, name))
    same(before, read(tensorflow, stored_again(tf.MetaGraphDef.FromString(stored.SerializeToString())), name))


def test_storing_a_graph_leaves_it_as_it_is():
    build(tf, "branches")
    graph = tf.get_default_graph()
    before = [(op.name, op.inputs, list(op.control_inputs), op.control) for op in graph.get_operations()]
    graph.finalize()
    first, second = (graph.as_graph_def(add_shapes=True).SerializeToString(deterministic=True) for _ in range(2))
    assert first == second
    assert before == [(op.name, op.inputs, op.control_inputs, op.control) for op in graph.get_operations()]


def test_an_op_of_its_own_becomes_ops_with_names_under_its_name():
    x, w = tf.placeholder(tf.float32, [None, 2], name="x"), tf.placeholder(tf.float32, [2], name="w")
    (dw,) = tf.gradients(x * w, w)
    assert dw.op.type == "Unbroadcast"
    graph = tf.get_default_graph()
    nodes = {node.name: node.op for node in graph.as_graph_def().node}
    assert "Unbroadcast" not in nodes.values()
    assert nodes[dw.op.name] == "Reshape"
    added = nodes.keys() - graph.operations.keys()
    assert added
    assert all(name.startswith(f"{dw.op.name}/") for name in added)


def test_a_program_looks_as_it_did():
    """What was stored as several ops is one again, so that people can read it."""
    x, w = tf.placeholder(tf.float32, [None, 2], name="x"), tf.Variable([1.0, 2.0], name="w")
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(tf.square(x * w)))
    stored = tf.get_default_graph().as_graph_def()
    before = str(tf.program(train))
    with tf.Graph().as_default():
        (op,) = tf.import_graph_def(stored, return_elements=[train.name], name="")
        after = str(tf.program(op))
    assert "unbroadcast" in before
    assert "unbroadcast" in after
    assert len(after.splitlines()) == len(before.splitlines())


@pytest.mark.parametrize("name", ["loops", "branches"])
def test_nodes_can_be_in_any_order(name):
    stored, before = built(tf, name)
    nodes = list(stored.graph_def.node)[::-1]
    del stored.graph_def.node[:]
    stored.graph_def.node.extend(nodes)
    same(before, read(tf, stored, name))


def parse(text):
    """The GraphDef of a text."""
    return text_format.Parse(text, tf.GraphDef())


CONST = """node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value {
  tensor { dtype: DT_FLOAT tensor_shape { } float_val: 1 } } } }"""


def node(op, *inputs, **attrs):
    """The text of a node called "a"; attributes are texts of AttrValues."""
    given = "".join(f' input: "{name}"' for name in inputs)
    given += "".join(f' attr {{ key: "{key}" value {{ {value} }} }}' for key, value in attrs.items())
    return f'node {{ name: "a" op: "{op}"{given} }}'


WRONG = {
    "a variable in a resource": node("VarHandleOp"),
    "several unknown ops": node("One") + node("Two").replace('"a"', '"b"'),
    "too many inputs": CONST + node("Sum", "c", "c", "c"),
    "no value": node("Const", dtype="type: DT_FLOAT"),
    "no dtype that minitf has": node("Placeholder", dtype="type: DT_RESOURCE", shape="shape { }"),
    "a list for a number": CONST + node("Unpack", "c", num="list { i: 1 }", axis="i: 0"),
    "a text for a number": CONST + node("Unpack", "c", num="i: 1", axis='s: "0"'),
    "another layout": CONST.replace("tensor_shape { }", "tensor_shape { dim { size: 1 } dim { size: 1 } }")
    + CONST.replace('"c"', '"b"').replace("tensor_shape { }", "tensor_shape { dim { size: 1 } }")
    + node("BiasAdd", "c", "b", data_format='s: "NCHW"'),
    "a Merge of nothing": CONST + node("Merge", "c", "c"),
    "a Switch without a predicate": CONST + node("Switch", "c", "c"),
    "a loop without an end": CONST
    + node("Enter", "c", frame_name='s: "f"')
    + node("Merge", "a", "a").replace('"a" op', '"m" op'),
    "a NextIteration of nothing": CONST + node("NextIteration", "c"),
    "a number that is too large": CONST + node("Unpack", "c", num="i: 100000000", axis="i: 0"),
    "a tensor with too little in it": CONST.replace("float_val: 1", 'tensor_content: "abc"'),
    "a negative length": CONST.replace("tensor_shape { }", "tensor_shape { dim { size: -2 } }"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_graph_that_is_wrong_adds_nothing(what):
    tf.constant(1.0, name="before")
    graph = tf.get_default_graph()
    with pytest.raises((ValueError, tf.errors.NotFoundError)) as caught:
        tf.import_graph_def(parse(WRONG[what]), name="")
    assert str(caught.value)
    assert list(graph.operations) == ["before"]
    assert tf.constant(1.0, name="a").op.name == "a"
    assert not graph.get_all_collection_keys()


def test_what_minitf_lacks_is_named_with_who_needs_it():
    with pytest.raises(tf.errors.NotFoundError) as caught:
        tf.import_graph_def(
            parse(node("VarHandleOp") + node("VarHandleOp").replace('"a"', '"b"') + node("Other").replace('"a"', '"c"'))
        )
    assert str(caught.value) == "Op type not registered 'VarHandleOp' (a, b), 'Other' (c) in minitf"


EVIL = "__import__('os').abort()"


def graph_def(name):
    """The nodes of a graph."""
    with tf.Graph().as_default():
        return build(tf, name).graph_def


def part(stored, name):
    """The nodes that one of them needs; all where loops go in circles."""
    nodes = {node.name: node for node in stored.node}
    if any(node.op == "Enter" for node in nodes.values()):
        return stored
    found, waiting = {}, [name]
    while waiting:
        node = nodes[waiting.pop()]
        found[node.name] = node
        waiting += [source.strip("^").partition(":")[0] for source in node.input]
    return tf.GraphDef(node=found.values())


def code_of(stored, name):
    """The program of a run of this op, or "" if minitf refuses to build it."""
    try:
        with tf.Graph().as_default() as graph:
            tf.import_graph_def(stored, name="")
            op = graph.get_operation_by_name(name)
            fed = [each.outputs[0] for each in graph.get_operations() if each.type == "Placeholder" and each is not op]
            return str(compile_program(graph, op.outputs or [op], fed))
    except (AttributeError, ValueError, tf.errors.OpError):
        return ""


def test_no_attribute_of_any_op_becomes_code():
    """A text in its place is refused, or stays a text in the program of a run."""
    seen = set()
    for stored in map(graph_def, GRAPHS):
        for node in stored.node:
            new = {attr for attr in node.attr if (node.op, attr) not in seen}
            needed = part(stored, node.name) if new else None
            for attr in new:
                seen.add((node.op, attr))
                changed = tf.GraphDef.FromString(needed.SerializeToString())
                (target,) = (each for each in changed.node if each.name == node.name)
                target.attr[attr].CopyFrom(tf.AttrValue(s=f"0\n{EVIL}\n0".encode()))
                parts = ast.walk(ast.parse(code_of(changed, node.name)))
                assert "abort" not in [getattr(part, "attr", "") for part in parts], (node.op, attr)
    assert len(seen) > 300


@pytest.fixture(scope="module")
def content():
    """Graphs as bytes."""
    return {name: graph_def(name).SerializeToString() for name in ["branches", "loops", "cross_entropies"]}


@examples(100)
@given(st.sampled_from(["branches", "loops", "cross_entropies"]), st.data())
def test_a_damaged_graph_is_read_or_refused(content, name, data):
    damaged = bytearray(content[name])
    for _ in range(data.draw(st.integers(1, 3))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    try:
        nodes = tf.GraphDef.FromString(bytes(damaged)).node
    except DecodeError:
        return
    with tf.Graph().as_default() as graph:
        try:
            read_nodes(graph, nodes, "", {})
        except (ValueError, tf.errors.NotFoundError, MemoryError):
            assert not graph.operations


def test_a_graph_of_many_ops_is_stored_and_read_without_recursion():
    x = tf.constant(1.0)
    for _ in range(3000):
        x = tf.identity(x)
    stored = as_graph_def(tf.get_default_graph())
    with tf.Graph().as_default():
        (found,) = tf.import_graph_def(stored, return_elements=[x.name])
        assert tf.Session().run(found) == 1.0


@pytest.mark.parametrize("name", ["an_update_in_a_branch", "an_update_in_a_loop"])
def test_a_variable_enters_as_itself(name):
    """In TensorFlow, only a RefSwitch or RefEnter hands on what can be assigned to."""
    nodes = {node.name: node for node in graph_def(name).node}
    (update,) = (node for node in nodes.values() if node.op == "AssignAdd")
    source = nodes[update.input[0].partition(":")[0]]
    assert source.op in ("RefSwitch", "RefEnter")
    assert source.input[0] == "w"


def test_a_random_op_keeps_its_seeds():
    tf.random_uniform([2], seed=3, name="r")
    tf.random_uniform([2], name="s")
    stored = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default():
        seeded, other = tf.import_graph_def(stored, return_elements=["r/RandomUniform", "s/RandomUniform"])
    assert seeded.attrs["seed2"] == 3
    assert (other.attrs["seed"], other.attrs["seed2"]) == (0, 0)


def test_values_keep_shape_and_dtype():
    kept = [np.zeros([0, 2], np.float32), np.array([True]), np.array([b"a", b"\xff"], object), np.array(b"x", object)]
    names = [tf.constant(value).name for value in kept]
    stored = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default():
        found = tf.Session().run(tf.import_graph_def(stored, return_elements=names))
    for before, after in zip(kept, map(np.asarray, found), strict=True):
        assert (before.tolist(), before.shape) == (after.tolist(), after.shape)


def test_gradients_of_one_op_wait_for_each_other():
    """As in TensorFlow, where an optimizer could otherwise change what the second one reads."""
    v, w = tf.Variable([1.0], name="v"), tf.Variable([2.0], name="w")
    tf.train.GradientDescentOptimizer(0.1).minimize(v * w)
    stored = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(stored, name="")
        again = graph.as_graph_def()
    for nodes in (stored.node, again.node):
        inputs = {node.name: set(node.input) for node in nodes}
        for name in ("control_dependency", "control_dependency_1"):
            assert inputs[f"gradients/mul_grad/tuple/{name}"] >= {
                "^gradients/mul_grad/Reshape",
                "^gradients/mul_grad/Reshape_1",
            }
