"""Elements chosen by their numbers: gather, where, one_hot, eye, boolean_mask; and unique.

Mirrors these functions of tensorflow/python/ops/array_ops.py and the gradient of gather in array_grad.py.
"""

from collections import namedtuple

import numpy as np

from minitf.framework import dtypes
from minitf.framework.constant_op import constant_value, convert_to_tensor
from minitf.framework.graph import name_scope
from minitf.framework.indexed_slices import IndexedSlices
from minitf.framework.op_def_library import build, build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import kernel, not_differentiable, register
from minitf.framework.tensor_shape import UNKNOWN, TensorShape, UnknownLength, in_message
from minitf.ops import array_ops, axes_ops, shape_ops
from minitf.ops.shape_ops import AT_LEAST, axis_in, called, defines, of_rank, spliced


@kernel
def rows(indices, length: int):
    """`indices`, each of which must be that of one of so many rows."""
    numbers = np.asarray(indices)
    for place in np.argwhere((numbers < 0) | (numbers >= length)):
        shown = f"[{','.join(map(str, place))}]" if len(place) else ""
        raise ValueError(f"indices{shown} = {numbers[tuple(place)]} is not in [0, {length})")
    return indices


@kernel
def take(x, indices, axis: int = 0, batch_dims: int = 0):
    """The slices of `x` that have these numbers along `axis`; one list of numbers for each batch."""
    if batch_dims:
        below = axis - 1 if axis > 0 else axis
        return np.stack(
            [take(*pair, below, batch_dims - 1) for pair in zip(x, indices, strict=True)]
        )
    return np.take(x, rows(indices, np.shape(x)[axis]), axis)


def collected(op: Operation, dy: Tensor) -> list:
    """The gradient of an op that copies elements: each element collects what its copies get."""
    x, *others = op.inputs
    numbers = array_ops.reshape_op(array_ops.range_op(shape_ops.size_of(x)), shape_ops.shape(x))
    copies = build_tensor(op.type, numbers, *others, **op.attrs)  # which element of x each one is
    dx = build_tensor("UnsortedSegmentSum", dy, copies, shape_ops.size_of(x))
    return [array_ops.reshape_op(dx, shape_ops.shape(x)), *[None] * len(others)]


def _gather_gradient(op: Operation, dy: Tensor) -> list:
    """The rows that were gathered; along any axis but the first, a tensor."""
    x, indices, axis = op.inputs
    if op.attrs["batch_dims"] or constant_value(axis) != 0:
        return collected(op, dy)
    shape = shape_ops.shape(x)
    rows = array_ops.reshape_op(dy, build_tensor("ConcatV2", [-1], shape[1:], 0))
    return [IndexedSlices(rows, array_ops.reshape_op(indices, [-1]), shape), None, None]


@defines(
    "GatherV2",
    "params:T indices:length axis:length",
    called("take", axis=0, batch_dims=0),
    _gather_gradient,
)
def _gathered(op: Operation, x: Tensor, indices: Tensor, axis: Tensor) -> TensorShape:
    rank, axis = x.shape.rank, constant_value(axis)
    if rank is None or indices.shape.rank is None:
        return UNKNOWN
    if axis is None:
        return of_rank(rank + indices.shape.rank - 1)
    axis = axis_in(axis, rank, AT_LEAST)
    return spliced(x.shape, axis, axis + 1, *indices.shape.lengths[op.attrs["batch_dims"] :])


def gather(
    params,
    indices,
    validate_indices: bool | None = None,
    name: str | None = None,
    axis=None,
    batch_dims: int = 0,
) -> Tensor:
    """The slices of `params` along `axis` that have the numbers `indices`.

    The gradient by `params` is IndexedSlices. `validate_indices` has no effect: they are always checked.
    A run raises InvalidArgumentError for a number out of range.
    """
    axis = batch_dims if axis is None else axis
    return build_tensor("GatherV2", params, indices, axis, name=name, batch_dims=batch_dims)


@kernel
def places(indices, shape: tuple[int, ...], words: str = "shape") -> tuple:
    """What NumPy takes for the elements or slices at these places: each row of `indices` is one."""
    for place in np.argwhere(
        np.any((indices < 0) | (indices >= shape[: np.shape(indices)[-1]]), -1)
    ):
        wrong = (
            f"indices[{','.join(map(str, place))}] = {np.asarray(indices)[tuple(place)].tolist()}"
        )
        raise ValueError(f"{wrong} does not index into {words} {in_message(shape)}")
    return tuple(np.moveaxis(indices, -1, 0))


@kernel
def take_nd(x, indices):
    """The elements or slices of `x` at these places."""
    return x[places(indices, np.shape(x), "param shape")]


@defines("GatherNd", "params:T indices:length", "take_nd", collected)
def _gathered_nd(op: Operation, x: Tensor, indices: Tensor) -> TensorShape:
    depth = indices.shape[-1].value if indices.shape.rank else None
    return UNKNOWN if depth is None else spliced(x.shape, 0, depth, *indices.shape.lengths[:-1])


def gather_nd(params, indices, name: str | None = None) -> Tensor:
    """The elements or slices of `params` at the places that the last axis of `indices` says."""
    return build_tensor("GatherNd", params, indices, name=name)


@kernel
def segment_sum(rows, indices, count: int):
    """`count` sums: of the rows with each index."""
    if np.shape(rows)[: np.ndim(indices)] != np.shape(indices):
        shapes = f"{in_message(np.shape(rows))} does not start with segment_ids.shape = {in_message(np.shape(indices))}"
        raise ValueError(f"data.shape = {shapes}")
    sums = np.zeros((int(count), *np.shape(rows)[np.ndim(indices) :]), rows.dtype)
    np.add.at(sums, indices, rows)
    return sums


def _segment_sum_gradient(op: Operation, dy: Tensor) -> list:
    return [gather(dy, op.inputs[1]), None, None]


@defines(
    "UnsortedSegmentSum",
    "data:T segment_ids num_segments:length",
    called("segment_sum"),
    _segment_sum_gradient,
)
def _segment_sum_shape(op: Operation, rows: Tensor, indices: Tensor, count: Tensor) -> TensorShape:
    known = shape_ops.known_elements(count) or (UnknownLength(),)
    return (
        UNKNOWN
        if indices.shape.rank is None
        else spliced(rows.shape, 0, indices.shape.rank, *known)
    )


def _infer_where(op: Operation) -> list:
    return [(dtypes.int64, TensorShape([None, op.inputs[0].shape.rank]))]


register("Where", "input", _infer_where, "argwhere", not_differentiable)


def where(condition, x=None, y=None, name: str | None = None) -> Tensor:
    """`x` where `condition` holds, else `y`; without both, the places where it holds, int64 [n, rank].

    `condition` has the shape of x and y, or is a vector that chooses rows, or a scalar.
    Raises ValueError where shapes differ or only one of x and y is given.
    """
    if (x is None) != (y is None):
        raise ValueError("x and y must both be non-None or both be None.")
    if x is None:
        return build_tensor("Where", condition, name=name)
    return build_tensor("Select", condition, x, y, name=name, alike=True)


@kernel
def one_hot(indices, depth: int, on=1.0, off=0.0, axis: int = -1):
    """`on` at the place that each index says, along a new axis of length `depth`; `off` elsewhere."""
    if axis > np.ndim(indices):
        raise ValueError(
            f"Expected axis to be -1 or between [0, {np.ndim(indices) + 1}).  But received: {axis}"
        )
    hot = np.expand_dims(indices, -1) == np.arange(depth)
    return np.moveaxis(np.where(hot, on, off), -1, axis)


def _infer_one_hot(op: Operation) -> list:
    indices, depth, on_value, _ = op.inputs
    axis, number = op.attrs["axis"], shape_ops.known_number(depth)
    if axis < -1:
        raise ValueError("axis must be >= -1")
    if depth.shape.rank not in (None, 0):
        raise ValueError(f"Input must be scalar but has rank {depth.shape.rank}")
    if number is not None and number < 0:
        raise ValueError(
            f"Dimension size, given by scalar input 1, must be non-negative but is {number}"
        )
    place = indices.shape.rank if axis == -1 else axis
    length = UnknownLength() if number is None else int(number)
    return [(on_value.dtype.base_dtype, spliced(indices.shape, place, place, length))]


_INDICES = ("uint8", "int8", *dtypes.LENGTHS)
_ONE_HOT = "indices depth:length on_value:T off_value:T"
register(
    "OneHot",
    _ONE_HOT,
    _infer_one_hot,
    called("one_hot", axis=-1),
    not_differentiable,
    allowed=_INDICES,
)


def one_hot_op(
    indices,
    depth,
    on_value=None,
    off_value=None,
    axis: int | None = None,
    dtype=None,
    name: str | None = None,
) -> Tensor:
    """For each index a vector of `depth` numbers: `on_value` (1) at its place, else `off_value` (0).

    The vectors lie along a new `axis`, the last by default; an index out of range gives `off_value`s only.
    (TensorFlow's `tf.one_hot`.) Raises TypeError where the values' dtypes differ.
    """
    with name_scope(name, "one_hot", [indices]) as scope:
        on, off = (
            None if v is None else convert_to_tensor(v, dtype) for v in (on_value, off_value)
        )
        if on is None:
            on = convert_to_tensor(
                1, dtype or (dtypes.float32 if off is None else off.dtype), "on_value"
            )
        if off is None:
            off = convert_to_tensor(0, on.dtype, "off_value")
        if on.dtype != off.dtype:
            raise TypeError(
                f"dtype {on.dtype} of on_value does not match dtype {off.dtype} of off_value"
            )
        return build_tensor(
            "OneHot", indices, depth, on, off, name=scope, axis=-1 if axis is None else axis
        )


def eye(
    num_rows, num_columns=None, batch_shape=None, dtype=dtypes.float32, name: str | None = None
) -> Tensor:
    """A matrix with ones on its diagonal and zeros elsewhere, once for each place in the list `batch_shape`.

    (TensorFlow's in linalg_ops.py.) Row i has its one in place i.
    """
    number, columns = (
        dtypes.as_dtype(dtype).as_numpy_dtype,
        num_rows if num_columns is None else num_columns,
    )
    with name_scope(name, "eye"):
        name = "diag" if num_columns is None else "set_diag"
        matrix = one_hot_op(array_ops.range_op(num_rows), columns, number(1), number(0), name=name)
        return (
            build_tensor("BroadcastTo", matrix, [*batch_shape, num_rows, columns])
            if batch_shape
            else matrix
        )


def boolean_mask(tensor, mask, name: str = "boolean_mask", axis: int | None = None) -> Tensor:
    """The elements (or rows) of `tensor` where `mask` holds, one after another; the mask starts at `axis`.

    Raises ValueError for a scalar mask, or one whose shape is not that of the first axes.
    """
    with name_scope(name, "boolean_mask", [tensor]):
        tensor, mask = convert_to_tensor(tensor), convert_to_tensor(mask, name="mask")
        if mask.shape.rank == 0:
            raise ValueError("mask cannot be scalar.")
        if mask.shape.rank is None:
            raise ValueError(
                "Number of mask dimensions must be specified, even if some dimensions are None."
            )
        start, stop = axis or 0, (axis or 0) + mask.shape.rank
        tensor.shape[start:stop].assert_is_compatible_with(mask.shape)
        if not start:
            return gather_nd(tensor, where(mask), name="GatherV2")
        rest = [*range(start), *range(stop, tensor.shape.rank)]
        found = gather_nd(axes_ops.transpose_op(tensor, [*range(start, stop), *rest]), where(mask))
        return axes_ops.transpose_op(
            found, [*range(1, start + 1), 0, *range(start + 1, len(rest) + 1)]
        )


@kernel
def distinct(x) -> tuple:
    """Return the different elements of `x` in their order, and for each element, the number of it among them."""
    _, first, which = np.unique(x, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return x[first[order]], np.argsort(order)[which].astype(np.int32)


Unique = namedtuple("Unique", "y idx")
register(
    "Unique",
    "x",
    lambda op: [
        (op.inputs[0].dtype.base_dtype, TensorShape([None])),
        (dtypes.int32, op.inputs[0].shape),
    ],
    "distinct",
    not_differentiable,
)


def unique(x, name: str | None = None) -> Unique:
    """Return the different elements `y` of the vector `x`, and `idx` (int32) so that `y[idx] = x`."""
    return Unique(*build("Unique", x, name=name).outputs)
