"""Graphs become TensorFlow's GraphDefs and graphs again, with ops of every type, and run as before."""

from __future__ import annotations

import ast
import gzip
import json
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
from tests.extras.stored import FOLDER, GRAPHS, WITHOUT_VALUES, build, run
from tests.support import examples

# No function builds this op, and TensorFlow lacks it.
NEVER_BUILT = {"SparseApplyAdam"}


def parse(text):
    """The GraphDef of a text."""
    return text_format.Parse(text, tf.GraphDef())


def same(before, after, names):
    """Whether two lists of values agree: text exactly, numbers as the tests of conformance want it."""
    for name, one, other in zip(names, before, after, strict=True):
        if one.dtype.kind in "OS":
            assert one.tolist() == other.tolist(), name
        else:
            assert not differences(encode(one), encode(other)), name


def read(library, stored, fetched, name):
    """Import a graph into a new one and run it; return the values (None where none are compared)."""
    with library.Graph().as_default():
        library.train.import_meta_graph(library.MetaGraphDef.FromString(stored.SerializeToString()))
        return None if name == "a_function_of_python" else run(library, fetched)


@pytest.mark.parametrize("name", GRAPHS)
def test_a_graph_that_comes_back_runs_as_before(name):
    with tf.Graph().as_default():
        stored, fetched = build(tf, name)
        before = None if name in WITHOUT_VALUES else run(tf, fetched)
    with tf.Graph().as_default():
        tf.train.import_meta_graph(stored)
        again = tf.train.export_meta_graph()
    for each in (stored, again):
        after = read(tf, each, fetched, name)
        if before is not None:
            same(before, after, fetched)


@pytest.mark.parametrize("name", GRAPHS)
def test_a_graph_of_tensorflow_runs_as_there(name):
    recorded = json.loads((FOLDER / "values.json").read_text())[name]
    text = gzip.decompress((FOLDER / f"{name}.meta.gz").read_bytes()).decode()
    stored = text_format.Parse(text, tf.MetaGraphDef())
    after = read(tf, stored, recorded["fetched"], name)
    if recorded["values"] is not None:
        lines = differences(recorded["values"], encode(after))
        assert not lines, "\n".join(lines)


def test_there_is_an_op_of_every_type():
    load_all()
    found = set()
    for name in GRAPHS:
        with tf.Graph().as_default() as graph:
            build(tf, name)
            found.update(op.type for op in graph.get_operations())
        text = gzip.decompress((FOLDER / f"{name}.meta.gz").read_bytes()).decode()
        found.update(re.findall(r'^    op: "(\w+)"', text, re.MULTILINE))
    assert OPS.keys() - found == NEVER_BUILT, "tests/extras/stored/__init__.py has no graph with these ops"


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("stores", ["minitf", "tensorflow"])
def test_one_runs_what_the_other_stores(tensorflow, stores, name):
    first, second = (tf, tensorflow) if stores == "minitf" else (tensorflow, tf)
    with first.Graph().as_default():
        stored, fetched = build(first, name)
        before = None if name in WITHOUT_VALUES else run(first, fetched)
    after = read(second, stored, fetched, name)
    if before is not None:
        same(before, after, fetched)


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", GRAPHS)
def test_tensorflow_runs_its_own_graph_that_minitf_stored_again(tensorflow, name):
    recorded = json.loads((FOLDER / "values.json").read_text())[name]
    text = gzip.decompress((FOLDER / f"{name}.meta.gz").read_bytes()).decode()
    with tf.Graph().as_default():
        tf.train.import_meta_graph(text_format.Parse(text, tf.MetaGraphDef()))
        again = tf.train.export_meta_graph()
    after = read(tensorflow, again, recorded["fetched"], name)
    if recorded["values"] is not None:
        assert not differences(recorded["values"], encode(after))


def test_storing_a_graph_leaves_it_as_it_is():
    build(tf, "branches")
    graph = tf.get_default_graph()
    before = [(op.name, op.inputs, list(op.control_inputs), op.control) for op in graph.get_operations()]
    graph.finalize()
    first, second = (graph.as_graph_def(add_shapes=True).SerializeToString(deterministic=True) for _ in range(2))
    assert first == second
    assert before == [(op.name, op.inputs, op.control_inputs, op.control) for op in graph.get_operations()]


def test_every_op_has_its_name_its_inputs_and_its_shapes():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    ones = tf.ones([2, 3])
    with tf.control_dependencies([tf.no_op(name="first")]):
        y = tf.matmul(x, ones, name="y")
    tf.identity(tf.unstack(y, axis=1)[1], name="second")
    nodes = {node.name: node for node in tf.get_default_graph().as_graph_def(add_shapes=True).node}
    assert list(nodes) == [op.name for op in tf.get_default_graph().get_operations()]
    assert list(nodes["y"].input) == ["x", "ones", "^first"]
    assert list(nodes["second"].input) == ["unstack:1"]
    assert [d.size for d in nodes["y"].attr["_output_shapes"].list.shape[0].dim] == [-1, 3]


def test_an_op_of_its_own_becomes_ops_with_names_under_its_name():
    x, w = tf.placeholder(tf.float32, [None, 2], name="x"), tf.placeholder(tf.float32, [2], name="w")
    (dw,) = tf.gradients(x * w, w)
    graph = tf.get_default_graph()
    assert dw.op.type == "Unbroadcast"
    nodes = {node.name: node.op for node in graph.as_graph_def().node}
    assert set(nodes.values()) <= {
        "Placeholder",
        "Mul",
        "Shape",
        "Fill",
        "Const",
        "Sum",
        "Reshape",
        "BroadcastGradientArgs",
    }
    assert nodes[dw.op.name] == "Reshape"
    added = nodes.keys() - graph.operations.keys()
    assert added
    assert all(name.startswith(f"{dw.op.name}/") for name in added)


def test_a_program_looks_as_it_did():
    """What was stored as several ops is one again, so that people can read it."""
    x, w = tf.placeholder(tf.float32, [None, 2], name="x"), tf.Variable([1.0, 2.0], name="w")
    loss = tf.reduce_sum(tf.square(x * w))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    stored = tf.get_default_graph().as_graph_def()
    before = str(tf.program(train))
    with tf.Graph().as_default():
        (op,) = tf.import_graph_def(stored, return_elements=[train.name], name="")
        after = str(tf.program(op))
    assert "unbroadcast" in before
    assert "unbroadcast" in after
    assert len(after.splitlines()) == len(before.splitlines())


@pytest.mark.parametrize("name", ["loops", "branches", "optimizers"])
def test_nodes_can_be_in_any_order(name):
    stored, fetched = build(tf, name)
    before = run(tf, fetched)
    nodes = list(stored.graph_def.node)[::-1]
    del stored.graph_def.node[:]
    stored.graph_def.node.extend(nodes)
    updates = {"optimizers"}  # which come in the order of the file
    after = read(tf, stored, fetched, name)
    if name not in updates:
        same(before, after, fetched)


def test_gradients_of_what_was_imported():
    x = tf.placeholder(tf.float32, [], name="x")
    tf.identity(tf.cond(x > 0, lambda: x * x * x, lambda: -x), name="y")
    stored = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default(), tf.Session() as sess:
        x, y = tf.import_graph_def(stored, return_elements=["x:0", "y:0"])
        (dx,) = tf.gradients(y, x)
        assert [sess.run(dx, {x: value}) for value in (2.0, -2.0)] == [12.0, -1.0]


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
    "too few inputs": CONST + node("Mul", "c"),
    "too many inputs": CONST + node("Sum", "c", "c", "c"),
    "no dtype": node("Placeholder", shape="shape { unknown_rank: true }"),
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
    "an Exit from nowhere": CONST + node("Exit", "c"),
    "a NextIteration of nothing": CONST + node("NextIteration", "c"),
    "an update of no variable": CONST + node("AssignAdd", "c", "c"),
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


@pytest.mark.parametrize(
    "text",
    [
        CONST + node("Print", "c", "c", message=f's: "\\"); {EVIL}; (\\""', summarize="i: 3"),
        CONST + node("Print", "c", "c", message='s: "a\\nb"', summarize="i: 3"),
        CONST + node("Print", "c", "c", message='s: ""', summarize=f's: "{EVIL}"'),
        CONST + node("Unpack", "c", num="i: 1", axis=f's: "{EVIL}"'),
        CONST + node("RandomUniform", "c", seed=f's: "{EVIL}"', seed2="i: 1", dtype="type: DT_FLOAT"),
        CONST + node("PyFunc", "c", token=f's: "pyfunc_{EVIL}"', Tout="list { type: DT_FLOAT }"),
        CONST + node("Softplus", "c").replace('name: "a"', f'name: "{EVIL}"'),
        CONST + node("Enter", "c", frame_name=f's: "{EVIL}"'),
    ],
    ids=str,
)
def test_text_in_a_file_never_runs(text, capsys):
    """`os.abort` would end this process."""
    try:
        (op,) = tf.import_graph_def(parse(text), return_elements=["a"], name="")
        tf.Session().run(op)
    except (ValueError, tf.errors.OpError, TypeError):
        pass
    assert "a\nb" in capsys.readouterr().err or "a\\nb" not in text


def code_of(graph_def, name):
    """The program of a run of this op, or "" if minitf refuses to build it."""
    try:
        with tf.Graph().as_default() as graph:
            tf.import_graph_def(graph_def, name="")
            op = graph.get_operation_by_name(name)
            return str(compile_program(graph, op.outputs or [op], []))
    except (ValueError, tf.errors.OpError):
        return ""


def test_no_attribute_of_any_op_becomes_code():
    """A text in its place is refused, or stays a text in the program of a run."""
    seen = set()
    for name in GRAPHS:
        stored = tf.GraphDef.FromString(stored_bytes(name))
        for node in stored.node:
            for attr in node.attr.keys() - {attr for op, attr in seen if op == node.op}:
                seen.add((node.op, attr))
                before = node.attr[attr].SerializeToString()
                for text in (EVIL, f"0\n{EVIL}\n0"):
                    node.attr[attr].CopyFrom(tf.AttrValue(s=text.encode()))
                    parts = ast.walk(ast.parse(code_of(stored, node.name)))
                    assert "abort" not in [getattr(part, "attr", "") for part in parts], (node.op, attr)
                node.attr[attr].CopyFrom(tf.AttrValue.FromString(before))
    assert len(seen) > 300


def test_names_that_are_in_use_stay_with_their_ops():
    x = tf.placeholder(tf.float32, [2], name="x")
    w = tf.Variable(3.0, name="w")
    tf.multiply(x, w, name="z")
    graph = tf.get_default_graph()
    before = graph.get_operations()
    tf.import_graph_def(graph.as_graph_def(), name="")
    assert graph.get_operations()[: len(before)] == before
    assert len(graph.get_operations()) == 2 * len(before)
    assert graph.get_operation_by_name("w/Assign") is w.initializer


def test_a_tag_is_quoted():
    tf.summary.scalar("a", 1.0)
    stored = tf.get_default_graph().as_graph_def()
    stored.node[0].attr["value"].tensor.string_val[0] = f'"); {EVIL}; ("'.encode()
    with tf.Graph().as_default():
        (found,) = tf.import_graph_def(stored, return_elements=["a:0"])
        summary = tf.Summary.FromString(tf.Session().run(found))
    assert summary.value[0].tag == f'"); {EVIL}; ("'


BYTES = {}


def stored_bytes(name):
    """A GraphDef in bytes."""
    if name not in BYTES:
        with tf.Graph().as_default() as graph:
            GRAPHS[name](tf)
            BYTES[name] = graph.as_graph_def().SerializeToString()
    return BYTES[name]


@examples(100)
@given(st.sampled_from(["branches", "loops", "cross_entropies"]), st.data())
def test_a_damaged_graph_is_read_or_refused(name, data):
    content = bytearray(stored_bytes(name))
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        damaged = tf.GraphDef.FromString(bytes(content))
    except DecodeError:
        return
    graph = tf.Graph()
    with graph.as_default():
        try:
            read_nodes(graph, damaged.node, "", {})
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


def test_numbers_are_written_as_tensorflow_prints_them():
    tf.constant(3)
    tf.constant(0.5)
    tf.constant([1, 2])
    text = str(tf.get_default_graph().as_graph_def())
    assert "int_val: 3" in text
    assert "float_val: 0.5" in text
    assert text.count("tensor_content") == 1


@pytest.mark.parametrize("name", ["an_update_in_a_branch", "an_update_in_a_loop"])
def test_a_variable_enters_as_itself(name):
    """In TensorFlow, only a RefSwitch or RefEnter hands on what can be assigned to."""
    GRAPHS[name](tf)
    nodes = {node.name: node for node in tf.get_default_graph().as_graph_def().node}
    (update,) = (node for node in nodes.values() if node.op == "AssignAdd")
    source = nodes[update.input[0].partition(":")[0]]
    assert source.op in ("RefSwitch", "RefEnter")
    assert source.input[0] == "w"


def test_a_random_op_keeps_its_seeds():
    tf.random_uniform([2], seed=3, name="r")
    tf.random_uniform([2], name="s")
    stored = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default():
        found = tf.import_graph_def(stored, return_elements=["r/RandomUniform", "s/RandomUniform"])
        seeds = [(op.attrs["seed"], op.attrs["seed2"]) for op in found]
    assert seeds[0][1] == 3
    assert seeds[1] == (0, 0)


def test_values_keep_shape_and_dtype():
    values = [np.zeros([0, 2], np.float32), np.float16(1.5), np.array([True]), np.array([b"a", b"\xff"], object), b"x"]
    tensors = [tf.constant(v).name for v in values]
    stored = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default():
        found = tf.Session().run(tf.import_graph_def(stored, return_elements=tensors))
    for value, after in zip(values, found, strict=True):
        assert np.array_equal(value, after)
        assert np.shape(value) == np.shape(after)


def test_gradients_of_one_op_wait_for_each_other():
    """As in TensorFlow, where an optimizer could otherwise change what the second one reads."""
    v, w = tf.Variable([1.0], name="v"), tf.Variable([2.0], name="w")
    tf.train.GradientDescentOptimizer(0.1).minimize(v * w)
    stored = tf.get_default_graph().as_graph_def()
    nodes = {node.name: node for node in stored.node}
    gradients = {"^gradients/mul_grad/Reshape", "^gradients/mul_grad/Reshape_1"}
    for name in ("control_dependency", "control_dependency_1"):
        assert gradients == {*nodes[f"gradients/mul_grad/tuple/{name}"].input[1:]}
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(stored, name="")
        again = {node.name: node.input for node in graph.as_graph_def().node}
    assert {*again["gradients/mul_grad/tuple/control_dependency"][1:]} == gradients
