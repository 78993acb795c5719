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
from minitf.framework.tensor_shape import SCALAR, Length, TensorShape, UnknownLength


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


register("Shape", "input", _infer_shape_op, _with_out_type("shape_of"), not_differentiable, simplify=_if_known(list))
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


def shape(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """The shape of `input` as a tensor [rank] of int32: what it is in the run."""
    tensor = convert_to_tensor(input)
    return build_tensor("Shape", tensor, name=name, out_type=as_dtype(out_type))


def size_of(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """How many elements `input` has, an int32 scalar (TensorFlow's `tf.size`)."""
    tensor = convert_to_tensor(input)
    return build_tensor("Size", tensor, name=name, out_type=as_dtype(out_type))


def rank(input: Any, name: str | None = None) -> Tensor:
    """How many dimensions `input` has, an int32 scalar."""
    return build_tensor("Rank", convert_to_tensor(input), name=name)


# And back: a shape from a tensor of lengths.


def index_of(op: Operation, begin: Any, end: Any, strides: Any) -> list:
    """What a StridedSlice says, in Python's terms: numbers, slices, None and Ellipsis."""

    def is_set(mask: str, i: int) -> bool:
        return bool(op.attrs[mask] >> i & 1)

    def entry(i: int) -> Any:
        if is_set("ellipsis_mask", i) or is_set("new_axis_mask", i):
            return Ellipsis if is_set("ellipsis_mask", i) else None
        if is_set("shrink_axis_mask", i):
            return begin[i]
        start = None if is_set("begin_mask", i) else begin[i]
        stop = None if is_set("end_mask", i) else end[i]
        return slice(start, stop, None if isinstance(strides[i], int | np.integer) and strides[i] == 1 else strides[i])

    return [entry(i) for i in range(len(begin))]


def known_elements(tensor: Tensor) -> tuple[Length, ...] | None:
    """The elements of a vector, or the one of a scalar, as far as they are known before a run."""
    op, value = tensor.op, constant_value(tensor)
    if value is not None:
        return tuple(int(d) for d in np.ravel(value))
    if op.type == "Shape":
        return op.inputs[0].shape.lengths
    if op.type in ("Pack", "ConcatV2"):
        parts = [known_elements(t) for t in op.inputs[: -1 if op.type == "ConcatV2" else None]]
        return None if None in parts else sum(parts, ())
    if op.type == "StridedSlice" and tensor.shape.rank in (0, 1):
        source, limits = known_elements(op.inputs[0]), [constant_value(t) for t in op.inputs[1:]]
        if source is not None and all(limit is not None and len(limit) == 1 for limit in limits):
            (found,) = index_of(op, *limits)
            return source[found] if isinstance(found, slice) else (source[found],)
    count = tensor.shape.num_elements()
    return None if count is None else tuple(UnknownLength() for _ in range(count))


def as_static_shape(shape_tensor: Tensor) -> TensorShape:
    """The shape that a tensor of lengths says, as far as it is known before a run."""
    elements = known_elements(shape_tensor)
    if elements is None:
        return TensorShape(None)
    for d in elements:
        if isinstance(d, int) and d < -1:
            raise ValueError(f"Invalid value in tensor used for shape: {d}")
    return TensorShape.of(tuple(UnknownLength() if d == -1 else d for d in elements))


def shape_code(dims: Code) -> str:
    """A shape argument: `(2, 3)` where it is constant."""
    if dims.constant is None:
        return dims
    return str(tuple(int(d) for d in np.atleast_1d(dims.constant)))
