"""The shape of a tensor as a tensor: ops that give it, and what is known of one before a run.

Stands for shape, size and rank of tensorflow/python/ops/array_ops.py and constant_value_as_shape of
tensorflow/python/framework/tensor_util.py.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitf.framework import dtypes
from minitf.framework.constant_op import constant_value, convert_to_tensor
from minitf.framework.dtypes import DType, as_dtype
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import Code, atom, kernel, not_differentiable, register
from minitf.framework.tensor_shape import SCALAR, TensorShape


def _int_attr(op: Operation) -> DType:
    return op.attrs.get("out_type", dtypes.int32)


def _infer_shape_op(op: Operation) -> list:
    rank = op.inputs[0].shape.rank
    return [(_int_attr(op), TensorShape([rank]))]


@kernel
def shape_of(x: Any) -> np.ndarray:
    """The shape of an array, as an int32 array."""
    return np.array(np.shape(x), np.int32)


@kernel
def size(x: Any) -> np.int32:
    """The number of elements of an array."""
    return np.int32(np.size(x))


def _with_out_type(function: str) -> Any:
    def code(op: Operation, x: str) -> str:
        text = f"{function}({x})"
        return text if _int_attr(op) is dtypes.int32 else f"{_int_attr(op).name}({text})"

    return code


def _if_known(rule: Any) -> Any:
    """The answer of `rule` to a shape that is known before the run."""

    def simplify(result: Any, x: Any) -> Any:
        if x.known_shape is None:
            return None
        dtype = result.tensor.dtype.as_numpy_dtype
        return np.array(rule(x.known_shape), dtype)[()]

    return simplify


register(
    "Shape",
    "input",
    _infer_shape_op,
    _with_out_type("shape_of"),
    not_differentiable,
    simplify=_if_known(list),
)
register(
    "Size",
    "input",
    lambda op: [(_int_attr(op), SCALAR)],
    _with_out_type("size"),
    not_differentiable,
    simplify=_if_known(math.prod),
)
register(
    "Rank",
    "input",
    lambda op: [(dtypes.int32, SCALAR)],
    lambda op, x: f"int32({atom(x)}.ndim)",
    not_differentiable,
    simplify=_if_known(len),
)


def shape(
    input: Any,
    name: str | None = None,
    out_type: Any = dtypes.int32,
) -> Tensor:
    """The shape of `input` as a tensor [rank] of int32: what it is in the run."""
    tensor = convert_to_tensor(input)
    return build_tensor("Shape", tensor, name=name, out_type=as_dtype(out_type))


def size_of(
    input: Any,
    name: str | None = None,
    out_type: Any = dtypes.int32,
) -> Tensor:
    """How many elements `input` has, an int32 scalar (TensorFlow's `tf.size`)."""
    tensor = convert_to_tensor(input)
    return build_tensor("Size", tensor, name=name, out_type=as_dtype(out_type))


def rank(input: Any, name: str | None = None) -> Tensor:
    """How many dimensions `input` has, an int32 scalar."""
    return build_tensor("Rank", convert_to_tensor(input), name=name)


# And back: a shape from a tensor of lengths.


def as_static_shape(shape_tensor: Tensor) -> TensorShape:
    """The shape that a tensor of lengths says, as far as it is known before a run."""
    value = constant_value(shape_tensor)
    if value is not None:
        for d in np.atleast_1d(value):
            if d < -1:
                raise ValueError(f"Invalid value in tensor used for shape: {d}")
        return TensorShape([None if d < 0 else int(d) for d in np.atleast_1d(value)])
    if shape_tensor.op.type == "Shape":
        return shape_tensor.op.inputs[0].shape
    known = shape_tensor.shape.lengths
    if known and isinstance(known[0], int):
        return TensorShape([None] * known[0])
    return TensorShape(None)


def shape_code(dims: Code) -> str:
    """A shape argument: `(2, 3)` where it is constant."""
    if dims.constant is None:
        return dims
    return str(tuple(int(d) for d in np.atleast_1d(dims.constant)))
