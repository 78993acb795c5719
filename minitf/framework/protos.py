"""TensorFlow's protocol buffers, such as `tf.Summary`, and a graph as a GraphDef.

The classes are TensorBoard's, which is loaded on first use. TensorBoard draws a graph from the
name, type and inputs of each operation.

Mirrors the .proto files of tensorflow/core, and Graph.as_graph_def of
tensorflow/python/framework/ops.py.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable
from functools import cache, partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from minitf.framework.dtypes import PROTO_NAMES, DType, as_dtype, string
from minitf.framework.tensor_shape import TensorShape

if TYPE_CHECKING:
    from minitf.framework.operation import Operation

# TensorBoard's modules, and the messages that each defines.
_MODULES = {
    "attr_value": "AttrValue",
    "event": "Event LogMessage SessionLog TaggedRunMetadata",
    "graph": "GraphDef",
    "histogram": "HistogramProto",
    "meta_graph": "MetaGraphDef",
    "node_def": "NodeDef",
    "summary": "Summary SummaryDescription SummaryMetadata",
    "tensor": "TensorProto",
    "tensor_shape": "TensorShapeProto",
    "types": "DataType",
}


def detach_tensorboard() -> None:
    """Make TensorBoard use its stub of TensorFlow instead of importing `tensorflow`."""
    sys.modules.setdefault("tensorboard.compat.notf", ModuleType("tensorboard.compat.notf"))


@cache
def tensorboard(module: str):
    """Return a module of the package tensorboard. Raises ImportError if that isn't installed."""
    detach_tensorboard()
    try:
        return importlib.import_module(f"tensorboard.{module}")
    except ModuleNotFoundError as error:
        words = "Summaries and stored graphs need the package tensorboard (and so do sessions with"
        advice = "a checkpoint_dir, which write both): pip install tensorboard"
        raise ImportError(f"{words} {advice} ({error})") from error


def _load(module: str, name: str):
    return getattr(tensorboard(f"compat.proto.{module}_pb2"), name)


# For each message, a function that loads its class.
MESSAGES = {
    name: partial(_load, module, name)
    for module, names in _MODULES.items()
    for name in names.split()
}


def message(name: str):
    """Return the class of the message `name`."""
    return MESSAGES[name]()


def record_writer(file):
    """Return a writer that adds records, each with its length and checksum, to a binary file."""
    return tensorboard("summary.writer.record_writer").RecordWriter(file)


def graph_def(operations: Iterable[Operation], add_shapes: bool):
    """Return the operations as a GraphDef, including static output shapes if `add_shapes`."""
    return message("GraphDef")(node=[_node_def(op, add_shapes) for op in operations])


def _node_def(op: Operation, add_shapes: bool):
    node = message("NodeDef")(**op.node_def._asdict())
    for name, value in op.all_attrs.items():
        field, encode = _FIELDS.get(name) or _FIELDS.get(type(value), (None, None))
        if field:  # any other attribute exists only in minitf
            node.attr[name].CopyFrom(message("AttrValue")(**{field: encode(value)}))
    if add_shapes and op.outputs:
        node.attr["_output_shapes"].list.shape.extend(_shape_proto(t.shape) for t in op.outputs)
    return node


def tensor_proto(value):
    """Return an array, or a byte string, as a TensorProto."""
    array = np.asarray(value, object if isinstance(value, bytes) else None)
    dtype = as_dtype(array.dtype)
    if dtype is string:
        content = {"string_val": array.ravel()}
    else:
        content = {"tensor_content": array.tobytes()}
    shape = _shape_proto(TensorShape(array.shape))
    return message("TensorProto")(dtype=_data_type(dtype), tensor_shape=shape, **content)


def _shape_proto(shape: TensorShape):
    proto = message("TensorShapeProto")
    if shape.rank is None:
        return proto(unknown_rank=True)
    return proto(dim=[proto.Dim(size=-1 if n is None else n) for n in shape.as_list()])


def _data_type(dtype: DType) -> int:
    name = dtype.base_dtype.name
    return message("DataType").Value(f"DT_{PROTO_NAMES.get(name, name)}".upper())


# By the name or type of an attribute: its field in an AttrValue, and how it is encoded there.
_FIELDS: dict[Any, tuple[str, Callable]] = {
    "value": ("tensor", tensor_proto),
    TensorShape: ("shape", _shape_proto),
    DType: ("type", _data_type),
    bool: ("b", bool),
    int: ("i", int),
    float: ("f", float),
}
