"""The messages are TensorBoard's, loaded when one is first asked for; a graph is stored with all that it draws."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import numpy as np
import pytest

import minitf as tf
from minitf.framework import protos
from minitf.framework.dtypes import NUMBERS, as_dtype
from minitf.framework.protos import tensor_proto, tensorboard
from tests.conformance.record import import_tensorflow


def _printed(program, folder=None):
    path = f"import sys; sys.path.insert(0, {str(folder)!r})\n" if folder else ""
    return subprocess.run([sys.executable, "-c", path + program], capture_output=True, text=True, check=True).stdout


def test_minitf_alone_loads_none_of_it():
    program = "import sys, minitf; print([name for name in sys.modules if name.startswith(('google', 'tensorb'))])"
    assert _printed(program) == "[]\n"


def test_building_a_graph_with_summaries_loads_none_of_it():
    program = """if True:
        import sys, minitf as tf
        tf.summary.scalar("a", tf.placeholder(tf.float32))
        merged = tf.summary.merge_all()
        print("tensorboard" in sys.modules)
        """
    assert _printed(program) == "False\n"


def test_without_tensorboard_it_says_what_to_install(tmp_path):
    (tmp_path / "tensorboard.py").write_text("raise ModuleNotFoundError('No module named tensorboard')")
    program = """if True:
        import minitf as tf
        try:
            tf.summary.FileWriter("unused").add_event(None)
        except ImportError as error:
            print(error)
        try:
            tf.Summary
        except ImportError as error:
            print(error)
        """
    printed = _printed(program.replace("unused", str(tmp_path)), tmp_path)
    assert printed.count("pip install tensorboard") == 2


def test_a_module_called_tensorflow_is_left_alone(tmp_path):
    (tmp_path / "tensorflow.py").write_text("raise RuntimeError('imported')")
    program = f"""if True:
        import sys, minitf as tf
        with tf.summary.FileWriter({str(tmp_path)!r}, tf.get_default_graph()) as writer:
            writer.add_summary(tf.Session().run(tf.summary.scalar("a", 1.0)), 3)
        print("tensorflow" in sys.modules)
        """
    assert _printed(program, tmp_path) == "False\n"


@pytest.mark.parametrize("name", protos.MESSAGES)
def test_each_message_is_there(name):
    assert getattr(tf, name) is protos.message(name)
    assert getattr(tf.compat.v1, name) is protos.message(name)


def test_summary_has_messages_of_its_own():
    assert tf.summary.Summary is tf.Summary
    with pytest.raises(AttributeError, match=r"minitf has no tf\.summary\.audio"):
        _ = tf.summary.audio


def _build():
    """Experiment A, a branch and a loop."""
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    y = tf.placeholder(tf.float32, name="y")
    w = tf.Variable(tf.constant(0.0), name="w")
    step = tf.Variable(0, trainable=False, name="global_step")
    rate = tf.train.exponential_decay(0.1, step, 10, 2, staircase=False)
    loss = tf.pow(w * x - y, 2)
    tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)
    tf.cond(w > 1.0, lambda: w * 2.0, lambda: tf.identity(w))
    tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])
    tf.summary.scalar("loss", tf.reduce_sum(loss))
    return tf.get_default_graph()


def test_every_op_is_there_once_and_reads_what_is_there():
    graph = _build()
    nodes = graph.as_graph_def(add_shapes=True).node
    assert [(node.name, node.op) for node in nodes] == [(op.name, op.type) for op in graph.get_operations()]
    for node, op in zip(nodes, graph.get_operations(), strict=True):
        read = [graph.as_graph_element(name) for name in node.input if not name.startswith("^")]
        tensors = [element.outputs[0] if isinstance(element, tf.Operation) else element for element in read]
        assert tensors == list(op.inputs)
        waited_for = [graph.get_operation_by_name(name[1:]) for name in node.input if name.startswith("^")]
        assert waited_for == list(op.control_inputs)


def test_every_shape_is_there():
    graph = _build()
    for node, op in zip(graph.as_graph_def(add_shapes=True).node, graph.get_operations(), strict=True):
        shapes = node.attr["_output_shapes"].list.shape
        known = [None if s.unknown_rank else [None if d.size == -1 else d.size for d in s.dim] for s in shapes]
        assert known == [t.shape.as_list() if t.shape.rank is not None else None for t in op.outputs]


@pytest.mark.parametrize(
    "dtype", [as_dtype(name) for name in NUMBERS if name != "bfloat16"] + [tf.bool], ids=lambda dtype: dtype.name
)
def test_values_of_each_dtype_keep_their_bits(dtype):
    for array in (np.ones((), dtype.as_numpy_dtype), np.arange(6).reshape(2, 3).astype(dtype.as_numpy_dtype)):
        proto = tensor_proto(array[()])
        assert proto.dtype == tf.DataType.Value(
            "DT_" + {"float32": "float", "float64": "double", "float16": "half"}.get(dtype.name, dtype.name).upper()
        )
        assert [d.size for d in proto.tensor_shape.dim] == list(array.shape)
        assert np.array_equal(np.frombuffer(proto.tensor_content, array.dtype).reshape(array.shape), array)


def test_tensorboard_reads_the_values():
    make_ndarray = tensorboard("util.tensor_util").make_ndarray
    array = np.float32([[1.5, -2.0]])
    assert np.array_equal(make_ndarray(tensor_proto(array)), array)
    strings = np.array([b"a\0", b"\xff"], object)
    assert make_ndarray(tensor_proto(strings)).tolist() == [b"a\0", b"\xff"]
    assert make_ndarray(tensor_proto(b"a\0")).tolist() == b"a\0"


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
def test_tensorflow_reads_the_same_graph():
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    real = import_tensorflow()
    ours = _build().as_graph_def(add_shapes=True)
    theirs = real.GraphDef.FromString(ours.SerializeToString())
    assert str(theirs) == str(ours)
