"""A graph as a message, which TensorBoard draws: for each operation its name, its type, and what it reads.

Mirrors tensorflow/core/framework/graph.proto and for as_graph_def of tensorflow/python/framework/ops.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from minitf.framework.dtypes import PROTO_NAMES, DType, as_dtype, string
from minitf.framework.protos import message
from minitf.framework.tensor_shape import TensorShape

if TYPE_CHECKING:
    from minitf.framework.operation import Operation


def graph_def(operations: Iterable[Operation], add_shapes: bool):
    """The operations as a GraphDef; with `add_shapes`, each says the static shapes of what it gives."""
    return message("GraphDef")(node=[_node_def(op, add_shapes) for op in operations])


def _node_def(op: Operation, add_shapes: bool):
    node = message("NodeDef")(**op.node_def._asdict())
    for name, value in op.all_attrs.items():
        field, encode = _FIELDS.get(name) or _FIELDS.get(type(value), (None, None))
        if field:  # else it is a value that only minitf keeps there
            node.attr[name].CopyFrom(message("AttrValue")(**{field: encode(value)}))
    if add_shapes and op.outputs:
        node.attr["_output_shapes"].list.shape.extend(_shape_proto(t.shape) for t in op.outputs)
    return node


def tensor_proto(value):
    """An array as a message."""
    array = np.asarray(value, object if isinstance(value, bytes) else None)
    dtype = as_dtype(array.dtype)
    content = (
        {"string_val": array.ravel()} if dtype is string else {"tensor_content": array.tobytes()}
    )
    shape = _shape_proto(TensorShape(array.shape))
    return message("TensorProto")(dtype=_data_type(dtype), tensor_shape=shape, **content)


def _shape_proto(shape: TensorShape):
    proto = message("TensorShapeProto")
    if shape.rank is None:
        return proto(unknown_rank=True)
    return proto(
        dim=[proto.Dim(size=-1 if length is None else length) for length in shape.as_list()]
    )


def _data_type(dtype: DType) -> int:
    """The number by which messages call a dtype."""
    name = dtype.base_dtype.name
    return message("DataType").Value(f"DT_{PROTO_NAMES.get(name, name)}".upper())


# In which field of an AttrValue an attribute of this name, or of this type, is, and in what form.
_FIELDS: dict[Any, tuple[str, Callable]] = {
    "value": ("tensor", tensor_proto),
    TensorShape: ("shape", _shape_proto),
}
_FIELDS |= {DType: ("type", _data_type), bool: ("b", bool), int: ("i", int), float: ("f", float)}
