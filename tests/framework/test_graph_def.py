"""A graph as a message says all that TensorBoard draws."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

import minitf as tf
from minitf.framework.dtypes import NUMBERS, as_dtype
from minitf.framework.graph_def import tensor_proto
from minitf.framework.protos import tensorboard
from tests.conformance.record import import_tensorflow


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
