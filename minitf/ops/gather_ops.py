"""Ops that choose elements by condition or by index: where, boolean_mask, gather, one_hot, unique.

Mirrors these functions of tensorflow/python/ops/array_ops.py, and the gradient of gather in
array_grad.py.
"""

from collections import namedtuple

import numpy as np

from minitf.framework import dtypes
from minitf.framework.common_shapes import (
    AT_LEAST,
    axis_in,
    check_rank,
    check_rank_at_least,
    check_scalar,
    known_count,
    known_elements,
    length_of,
    merged,
    of_rank,
    spliced,
)
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import (
    IndexedSlices,
    build,
    build_tensor,
    constant_value,
    convert_to_tensor,
)
from minitf.framework.operation import Tensor
from minitf.framework.registry import (
    atom,
    call_code,
    defines,
    no_gradient,
    not_differentiable,
    quoted,
    register,
)
from minitf.framework.tensor_shape import (
    UNKNOWN,
    TensorShape,
    UnknownLength,
    broadcast,
    in_message,
    same_for_certain,
)
from minitf.ops.array_ops import range, reshape, shape, size, transpose, zeros_like

# By condition. Select takes three tensors of the same shape, or a condition that chooses whole rows
# (a vector) or everything (a scalar); SelectV2 broadcasts.


def _select_gradient(op, dz):
    condition, t, e = op.inputs

    def gradient(x, *chosen):
        selected = build_tensor(op.type, condition, *chosen, name="Select")
        return build_tensor("Unbroadcast", selected, x)

    return [None, lambda: gradient(t, dz, zeros_like(dz)), lambda: gradient(e, zeros_like(dz), dz)]


def _selected_already(z, condition, t, e):
    """The input that a constant condition always chooses, if it has the shape of the result."""
    chosen = t if condition.is_all(True) else e if condition.is_all(False) else None
    return chosen if chosen is not None and chosen.same_shape(z) else None


def _infer_select(op):
    condition, t, e = (i.shape for i in op.inputs)
    common = merged([t, e])
    if condition.rank == 1 and t.rank:
        merged([condition, t[:1]])
    elif condition.rank != 0:
        common = merged([common, condition])
    return [(op.inputs[1].dtype.base_dtype, common)]


def _infer_select_v2(op):
    condition, t, e = (i.shape for i in op.inputs)
    return [(op.inputs[1].dtype.base_dtype, broadcast(broadcast(condition, t), e))]


def _select_code(op, condition, t, e):
    shapes = [t.shape, e.shape, TensorShape([]) if condition.rank == 0 else condition.shape]
    same = same_for_certain(*shapes[:2])
    if same and (condition.rank == 0 or same_for_certain(*shapes[1:])):
        return f"where({condition}, {t}, {e})"
    known = all(shape.rank for shape in shapes)
    if same and condition.rank == 1 and known and same_for_certain(condition.shape, t.shape[:1]):
        return f"where({atom(condition)}[:{', None' * (t.rank - 1)}], {t}, {e})"
    return f"select({quoted(op.name)}, {condition}, {t}, {e})"


_CHOICE = "condition:bool t:T e:T"
_CHOSEN = {"gradient": _select_gradient, "simplify": _selected_already}
register("Select", _CHOICE, _infer_select, _select_code, **_CHOSEN)
register("SelectV2", _CHOICE, _infer_select_v2, "where", **_CHOSEN)


def _infer_where(op):
    return [(dtypes.int64, TensorShape([None, op.inputs[0].shape.rank]))]


_TRUE_OR_FALSE = (*dtypes.NUMBERS, "bool")
register("Where", "input", _infer_where, "argwhere", no_gradient, allowed=_TRUE_OR_FALSE)


def where(condition, x=None, y=None, name=None) -> Tensor:
    """Elements of `x` where `condition` is true and of `y` elsewhere, or the true places.

        tf.where([True, False], [1, 2], [3, 4])  # [1, 4]
        tf.where([False, True])  # [[1]]

    `condition` has the shape of `x` and `y`, or is a vector that chooses whole rows, or a scalar.
    Without `x` and `y`, the result has the indices of true elements: int64 of shape [n, rank].
    Raises ValueError if the shapes differ or only one of `x` and `y` is given.
    """
    if (x is None) != (y is None):
        raise ValueError("x and y must both be non-None or both be None.")
    if x is None:
        return build_tensor("Where", condition, name=name)
    return build_tensor("Select", condition, x, y, name=name)


def where_v2(condition, x, y, name="Select") -> Tensor:
    """Elements of `x` where `condition` is true and of `y` elsewhere, with broadcasting."""
    return build_tensor("SelectV2", condition, x, y, name=name)


# By index.


def collected(op, dy):
    """The gradient of an op that copies elements: each one adds up its copies' gradients."""
    x, *others = op.inputs
    numbers = reshape(range(size(x)), shape(x))
    copies = build_tensor(op.type, numbers, *others, **op.attrs)  # where in x each comes from
    dx = build_tensor("UnsortedSegmentSum", dy, copies, size(x))
    return [reshape(dx, shape(x))]


def _gather_gradient(op, dy):
    """IndexedSlices of the gathered rows, or a tensor if the axis isn't the first."""
    x, indices, axis = op.inputs
    if op.attrs["batch_dims"] or constant_value(axis) != 0:
        return collected(op, dy)
    dims = shape(x)
    rows = reshape(dy, build_tensor("ConcatV2", [-1], dims[1:], 0))
    return [IndexedSlices(rows, reshape(indices, [-1]), dims)]


def _explain_gather(x, indices, axis):
    if np.ndim(axis):
        return "axis must be scalar"
    if not np.ndim(x):
        return "params must be at least 1 dimensional"
    if -np.ndim(x) <= axis < np.ndim(x):
        return None
    return AT_LEAST.format(least=axis + 1 if axis >= 0 else -axis, rank=np.ndim(x))


_TAKE = call_code("take", axis=0, batch_dims=0)
_GATHER = "params:T=Tparams indices:index=Tindices"


@defines(
    "GatherV2",
    f"{_GATHER} axis:length=Taxis",
    _TAKE,
    _gather_gradient,
    explain=_explain_gather,
    defaults={"batch_dims": 0},
)
def _gathered(op, x, indices, axis):
    check_rank(axis, 0)
    rank, axis = x.shape.rank, constant_value(axis)
    if rank is None or indices.shape.rank is None:
        return UNKNOWN
    if axis is None:
        return of_rank(rank + indices.shape.rank - 1)
    axis = axis_in(axis, rank, AT_LEAST)
    return spliced(x.shape, axis, axis + 1, *indices.shape.lengths[op.attrs["batch_dims"] :])


def gather(params, indices, validate_indices=None, name=None, axis=None, batch_dims=0) -> Tensor:
    """The slices of `params` along `axis` at `indices`.

        tf.gather([[1, 2], [3, 4], [5, 6]], [2, 0])  # [[5, 6], [1, 2]]

    The first `batch_dims` axes of `params` and `indices` correspond; `axis` is by default the next
    one. In the result, the other axes of `indices` replace `axis`. The gradient with respect to
    `params` is IndexedSlices if whole rows are gathered. `validate_indices` is ignored: a run
    always raises InvalidArgumentError for an index out of range.
    """
    batch_dims = 0 if batch_dims is None else batch_dims
    axis = batch_dims if axis is None else axis
    return build_tensor("GatherV2", params, indices, axis, name=name, batch_dims=batch_dims)


def _explain_gather_nd(x, indices):
    if not np.ndim(indices):
        return "indices must be at least a vector"
    depth, rank = np.shape(indices)[-1], np.ndim(x)
    words = f"index innermost dimension length must be <= params rank; saw: {depth} vs. {rank}"
    return words if depth > rank else None


@defines("GatherNd", _GATHER, "take_nd", collected, explain=_explain_gather_nd)
def _gathered_nd(op, x, indices):
    check_rank_at_least(indices, 1)
    depth = length_of(indices, -1)
    if None not in (depth, x.shape.rank) and depth > x.shape.rank:
        raise ValueError(
            "indices.shape[-1] must be <= params.rank, but saw indices shape: "
            f"{in_message(indices.shape)} and params shape: {in_message(x.shape)}"
        )
    return UNKNOWN if depth is None else spliced(x.shape, 0, depth, *indices.shape.lengths[:-1])


def gather_nd(params, indices, name=None) -> Tensor:
    """The elements or slices of `params` at the coordinates along the last axis of `indices`.

        tf.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]])  # [2, 3]
        tf.gather_nd([[1, 2], [3, 4]], [[1]])  # [[3, 4]]

    Coordinates for only the first axes select whole slices.
    """
    return build_tensor("GatherNd", params, indices, name=name)


def boolean_mask(tensor, mask, name="boolean_mask", axis=None) -> Tensor:
    """The elements or slices of `tensor` where `mask` is true.

        tf.boolean_mask([1, 2, 3], [True, False, True])  # [1, 3]

    The mask covers as many axes of `tensor` as it has, from `axis` on, and the result has one axis
    in their place. Raises ValueError if the mask is a scalar, or has an unknown rank or a shape
    that doesn't match these axes.
    """
    with name_scope(name, "boolean_mask", [tensor]):
        tensor, mask = convert_to_tensor(tensor), convert_to_tensor(mask, name="mask")
        if mask.shape.rank == 0:
            raise ValueError("mask cannot be scalar.")
        if mask.shape.rank is None:
            raise ValueError(
                "Number of mask dimensions must be specified, even if some dimensions are None."
                "  E.g. shape=[None] is ok, but shape=None is not."
            )
        axis = constant_value(axis) if isinstance(axis, Tensor) else axis
        start, stop = axis or 0, (axis or 0) + mask.shape.rank
        tensor.shape[start:stop].assert_is_compatible_with(mask.shape)
        if not start:
            return gather_nd(tensor, where(mask), name="GatherV2")
        axes = np.arange(tensor.shape.rank)
        others = np.delete(axes, axes[start:stop])
        first = transpose(tensor, np.append(axes[start:stop], others))
        found = gather_nd(first, where(mask))
        return transpose(found, np.insert(np.arange(1, len(others) + 1), start, 0))


def _segment_sum_gradient(op, dy):
    return [gather(dy, op.inputs[1])]


_SEGMENTS = "data:T segment_ids=Tindices num_segments:length=Tnumsegments"


@defines("UnsortedSegmentSum", _SEGMENTS, call_code("segment_sum"), _segment_sum_gradient)
def _segment_sums(op, rows, indices, count):
    length, depth = known_elements(count) or (UnknownLength(),), indices.shape.rank
    return UNKNOWN if depth is None else spliced(rows.shape, 0, depth, *length)


# One-hot vectors, and distinct values.


def _infer_one_hot(op):
    indices, depth, on_value, _ = op.inputs
    axis = op.attrs["axis"]
    if axis < -1:
        raise ValueError("axis must be >= -1")
    check_scalar(depth)
    place, length = indices.shape.rank if axis == -1 else axis, known_count(depth)
    length = UnknownLength() if length is None else length
    return [(on_value.dtype.base_dtype, spliced(indices.shape, place, place, length))]


register(
    "OneHot",
    "indices:length64=TI depth:int32 on_value:T off_value:T",
    _infer_one_hot,
    call_code("one_hot", axis=-1),
    not_differentiable,
    allowed=("uint8", "int8", *dtypes.LENGTHS),
    defaults={"axis": -1},
)


def one_hot(
    indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None
) -> Tensor:
    """For each index, a vector of `depth` numbers: `on_value` at the index, `off_value` elsewhere.

        tf.one_hot([0, 2], 3)  # [[1, 0, 0], [0, 0, 1]]

    The vectors run along a new axis, `axis`, by default the last; an index out of range yields only
    `off_value`. The values are 1 and 0 by default, and float32 if nothing gives their dtype. Raises
    TypeError if their dtypes differ.
    """
    with name_scope(name, "one_hot", [indices]) as scope:
        on, off = (
            None if v is None else convert_to_tensor(v, dtype) for v in (on_value, off_value)
        )
        if on is None:
            usual = dtypes.float32 if off is None else off.dtype
            on = convert_to_tensor(1, dtype or usual, "on_value")
        if off is None:
            off = convert_to_tensor(0, on.dtype, "off_value")
        if on.dtype != off.dtype:
            raise TypeError(
                f"dtype {on.dtype} of on_value does not match dtype {off.dtype} of off_value"
            )
        axis = -1 if axis is None else axis
        return build_tensor("OneHot", indices, depth, on, off, name=scope, axis=axis)


def _infer_unique(op):
    (x,) = op.inputs
    check_rank(x, 1)
    return [(x.dtype.base_dtype, TensorShape([None])), (dtypes.int32, x.shape)]


Unique = namedtuple("Unique", "y idx")
register("Unique", "x", _infer_unique, "distinct", no_gradient)


def unique(x, name=None) -> Unique:
    """The distinct elements `y` of the vector `x`, and int32 indices `idx` with `y[idx] == x`.

        tf.unique([7, 5, 7])  # y = [7, 5], idx = [0, 1, 0]

    The elements are in the order in which they first occur.
    """
    return Unique(*build("Unique", x, name=name).outputs)
