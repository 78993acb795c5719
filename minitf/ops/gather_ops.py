"""Elements chosen by their numbers: gather, where, one_hot, boolean_mask.

Stands for these functions of tensorflow/python/ops/array_ops.py and the gradient of gather in array_grad.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitf.framework import dtypes, errors, registry
from minitf.framework.constant_op import constant_value, convert_to_tensor
from minitf.framework.graph import name_scope
from minitf.framework.indexed_slices import IndexedSlices
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.tensor_shape import UNKNOWN, TensorShape, UnknownLength
from minitf.ops import array_ops, shape_ops
from minitf.ops.axes_ops import int_code


@registry.kernel
def take(x: Any, indices: Any, axis: int = 0, batch_dims: int = 0) -> Any:
    """The slices of `x` that have these numbers along `axis`; one list of numbers for each batch."""
    if batch_dims:
        below = axis - 1 if axis > 0 else axis
        return np.stack([take(*pair, below, batch_dims - 1) for pair in zip(x, indices, strict=True)])
    length = np.shape(x)[axis]
    wrong = np.argwhere((np.asarray(indices) < 0) | (np.asarray(indices) >= length))
    if len(wrong):
        place = ",".join(map(str, wrong[0]))
        problem = f"indices[{place}] = {np.asarray(indices)[tuple(wrong[0])]} is not in [0, {length})"
        raise errors.InvalidArgumentError(None, None, problem)
    return np.take(x, indices, axis)


@registry.kernel
def untake(dy: Any, x: Any, indices: Any, axis: int = 0, batch_dims: int = 0) -> Any:
    """The gradient of `take`: each element of `x` collects what its copies get."""
    numbers = take(np.arange(np.size(x)).reshape(np.shape(x)), indices, axis, batch_dims)
    dx = np.zeros(np.size(x), dy.dtype)
    np.add.at(dx, numbers, dy)
    return dx.reshape(np.shape(x))


def _infer_gather(op: Operation) -> list:
    (x, indices, axis), batch_dims = op.inputs, op.attrs["batch_dims"]
    dtype, rank, axis = x.dtype.base_dtype, x.shape.rank, constant_value(axis)
    if rank == 0:
        raise ValueError("Shape must be at least rank 1 but is rank 0")
    if rank is None or indices.shape.rank is None:
        return [(dtype, UNKNOWN)]
    if axis is None:
        return [(dtype, TensorShape([None] * (rank + indices.shape.rank - 1)))]
    if not -rank <= axis < rank:
        least = axis + 1 if axis >= 0 else -axis
        raise ValueError(f"Shape must be at least rank {least} but is rank {rank}")
    axis = int(axis) % rank
    before, after = x.shape.lengths[:axis], x.shape.lengths[axis + 1 :]
    return [(dtype, TensorShape.of(before + indices.shape.lengths[batch_dims:] + after))]


def _gather_gradient(op: Operation, dy: Tensor) -> list:
    """The rows that were gathered; along another axis than the first, a tensor."""
    x, indices, axis = op.inputs

    def dx() -> IndexedSlices | Tensor:
        if op.attrs["batch_dims"] or constant_value(axis) != 0:
            attrs = {"batch_dims": op.attrs["batch_dims"]}
            return build_tensor("GatherGrad", dy, x, indices, axis, name="Reshape_2", **attrs)
        if x.shape.is_fully_defined():
            shape = convert_to_tensor(np.array(x.shape.as_list(), np.int32), name="Shape")
        else:
            shape = shape_ops.shape(x)
        row = [d if isinstance(d, int) else shape[i] for i, d in enumerate(x.shape.lengths or ())][1:]
        size = indices.shape.num_elements()
        if x.shape.rank is None:
            values = build_tensor("ConcatV2", [-1], shape[1:], 0)
        else:
            values = [-1 if size is None else size, *row]
        rows = array_ops.reshape_op(dy, values)
        return IndexedSlices(rows, array_ops.reshape_op(indices, [-1 if size is None else size]), shape)

    return [dx, None, None]


def _take_code(function: str) -> Any:
    def code(op: Operation, *arguments: Any) -> str:
        axis, batch = int_code(arguments[-1]), op.attrs["batch_dims"]
        more = f", axis={axis}" if axis != "0" or batch else ""
        return f"{function}({', '.join(arguments[:-1])}{more}{f', batch_dims={batch}' * bool(batch)})"

    return code


registry.register("GatherV2", "params:T indices axis:length", _infer_gather, _take_code("take"), _gather_gradient)
registry.register(
    "GatherGrad",
    "gradient:T params:T indices axis:length",
    lambda op: [(op.inputs[0].dtype.base_dtype, op.inputs[1].shape)],
    _take_code("untake"),
    lambda op, ddx: [
        lambda: build_tensor("GatherV2", ddx, *op.inputs[2:], batch_dims=op.attrs["batch_dims"]),
        *[None] * 3,
    ],
)


def gather(
    params: Any,
    indices: Any,
    validate_indices: bool | None = None,
    name: str | None = None,
    axis: Any = None,
    batch_dims: int = 0,
) -> Tensor:
    """The slices of `params` along `axis` that have the numbers `indices`.

    The gradient by `params` is IndexedSlices. `validate_indices` has no effect: they are always checked.
    A run raises InvalidArgumentError for a number out of range.
    """
    indices = convert_to_tensor(indices, name="indices")
    if indices.dtype.base_dtype.name not in ("int16", *registry.LENGTHS):
        raise TypeError(
            f"Value passed to parameter 'indices' has DataType {indices.dtype.base_dtype.name} not in list of allowed values: int16, int32, int64"  # noqa: E501
        )
    axis = batch_dims if axis is None else axis
    return build_tensor("GatherV2", params, indices, axis, name=name or "GatherV2", batch_dims=batch_dims)


@registry.kernel
def segment_sum(rows: Any, indices: Any, count: int) -> Any:
    """`count` sums: of the rows with each index."""
    sums = np.zeros((int(count), *np.shape(rows)[np.ndim(indices) :]), rows.dtype)
    np.add.at(sums, indices, rows)
    return sums


def _infer_segment_sum(op: Operation) -> list:
    rows, indices, count = op.inputs
    if rows.shape.lengths is None or indices.shape.rank is None:
        return [(rows.dtype.base_dtype, UNKNOWN)]
    first = shape_ops.known_elements(count) or (UnknownLength(),)
    lengths = (*first, *rows.shape.lengths[indices.shape.rank :])
    return [(rows.dtype.base_dtype, TensorShape.of(lengths))]


registry.register(
    "UnsortedSegmentSum",
    "data:T segment_ids:length num_segments:length",
    _infer_segment_sum,
    lambda op, rows, indices, count: f"segment_sum({rows}, {indices}, {int_code(count)})",
    lambda op, dy: [lambda: gather(dy, op.inputs[1]), None, None],
)


@registry.kernel
def argwhere(x: Any) -> Any:
    """Where `x` is not zero: a row of int64 numbers for each place."""
    return np.argwhere(x)


registry.register(
    "Where",
    "input",
    lambda op: [(dtypes.int64, TensorShape([None, op.inputs[0].shape.rank]))],
    "argwhere",
    registry.not_differentiable,
)


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """`x` where `condition` holds, else `y`; without both, the places where it holds, int64 [n, rank].

    `condition` has the shape of x and y, or is a vector that chooses rows, or a scalar.
    Raises ValueError where shapes differ or only one of x and y is given.
    """
    if (x is None) != (y is None):
        raise ValueError("x and y must both be non-None or both be None.")
    if x is None:
        return build_tensor("Where", condition, name=name)
    return build_tensor("Select", condition, x, y, name=name, alike=True)


def _infer_one_hot(op: Operation) -> list:
    indices, depth, on_value, _ = op.inputs
    axis, lengths = op.attrs["axis"], indices.shape.lengths
    number = constant_value(depth)
    if axis < -1:
        raise ValueError("axis must be >= -1")
    if depth.shape.rank not in (None, 0):
        raise ValueError(f"Input must be scalar but has rank {depth.shape.rank}")
    if number is not None and number < 0:
        raise ValueError(f"Dimension size, given by scalar input 1, must be non-negative but is {number}")
    if lengths is None:
        return [(on_value.dtype.base_dtype, UNKNOWN)]
    place = len(lengths) if axis == -1 else axis
    depth = UnknownLength() if number is None else int(number)
    shape = TensorShape.of((*lengths[:place], depth, *lengths[place:]))
    return [(on_value.dtype.base_dtype, shape)]


@registry.kernel
def one_hot(indices: Any, depth: int, on: Any = 1.0, off: Any = 0.0, axis: int = -1) -> Any:
    """`on` at the place that each index says, along a new axis of length `depth`; `off` elsewhere."""
    if axis > np.ndim(indices):
        problem = f"Expected axis to be -1 or between [0, {np.ndim(indices) + 1}).  But received: {axis}"
        raise errors.InvalidArgumentError(None, None, problem)
    hot = np.expand_dims(indices, -1) == np.arange(depth)
    return np.moveaxis(np.where(hot, on, off), -1, axis)


registry.register(
    "OneHot",
    "indices depth:length on_value:T off_value:T",
    _infer_one_hot,
    lambda op, x, depth, on, off: f"one_hot({x}, {int_code(depth)}, {on}, {off}{_axis_code(op)})",
    registry.not_differentiable,
)


def _axis_code(op: Operation) -> str:
    return "" if op.attrs["axis"] == -1 else f", axis={op.attrs['axis']}"


def one_hot_op(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: int | None = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """For each index a vector of `depth` numbers: `on_value` (1) at its place, else `off_value` (0).

    The vectors lie along a new `axis`, the last by default; an index out of range gives `off_value`s only.
    (TensorFlow's `tf.one_hot`.) Raises TypeError where the values' dtypes differ.
    """
    with name_scope(name, "one_hot", [indices]) as scope:
        given = [None if v is None else convert_to_tensor(v, dtype) for v in (on_value, off_value)]
        kinds = [v.dtype.base_dtype for v in given if v is not None]
        if len(set(kinds)) > 1:
            raise TypeError(f"dtype {kinds[0]} of on_value does not match dtype {kinds[1]} of off_value")
        kind = kinds[0] if kinds else dtypes.as_dtype(dtype or dtypes.float32)
        on, off = (
            convert_to_tensor(default, kind, name) if v is None else v
            for v, default, name in zip(given, (1, 0), ("on_value", "off_value"), strict=True)
        )
        indices = convert_to_tensor(indices, name="indices")
        if indices.dtype.base_dtype.name not in (allowed := ("uint8", "int8", "int32", "int64")):
            raise TypeError(
                f"Value passed to parameter 'indices' has DataType {indices.dtype.base_dtype.name} not in list of allowed values: {', '.join(allowed)}"  # noqa: E501
            )
        axis = -1 if axis is None else axis
        return build_tensor("OneHot", indices, depth, on, off, name=scope, axis=axis)


def boolean_mask(tensor: Any, mask: Any, name: str = "boolean_mask", axis: int | None = None) -> Tensor:
    """The elements (or rows) of `tensor` where `mask` holds, one after another.

    Raises ValueError for a scalar mask, or one whose shape is not that of the masked axes.
    """
    with name_scope(name, "boolean_mask", [tensor]):
        tensor, mask = convert_to_tensor(tensor), convert_to_tensor(mask, name="mask")
        if mask.shape.rank == 0:
            raise ValueError("mask cannot be scalar.")
        if mask.shape.rank is None:
            raise ValueError("Number of mask dimensions must be specified, even if some dimensions are None.")
        first, masked = axis or 0, tensor.shape[axis or 0 : (axis or 0) + mask.shape.rank]
        if not masked.is_compatible_with(mask.shape):
            raise ValueError(f"Shapes {masked} and {mask.shape} are incompatible")
        lengths = shape_ops.shape(tensor)
        before, after = lengths[:first], lengths[first + mask.shape.rank :]
        flat = array_ops.reshape_op(tensor, build_tensor("ConcatV2", before, [-1], after, 0))
        chosen = where(array_ops.reshape_op(mask, [-1]))[:, 0]
        return gather(flat, chosen, axis=first)
