"""The same numbers with other axes: one more, some fewer, in another order, or read backwards.

Mirrors expand_dims, squeeze, transpose and reverse of tensorflow/python/ops/array_ops.py.
"""

import numpy as np

from minitf.framework.constant_op import constant_value, convert_to_tensor
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import KERNELS, Code, atom, kernel, not_differentiable, register
from minitf.framework.tensor_shape import UNKNOWN, TensorShape
from minitf.ops import shape_ops
from minitf.ops.array_ops import back_to_shape
from minitf.ops.shape_ops import (
    axis_in,
    called,
    defines,
    renamed,
    same_as_first,
    shape_code,
    spliced,
    with_shape_of,
)


def _no_place(x, axis) -> str:
    return f"Tried to expand dim index {axis} for tensor with {np.ndim(x)} dimensions."


@defines(
    "ExpandDims",
    "input:T dim:length",
    called("expand_dims"),
    back_to_shape,
    view=True,
    explain=_no_place,
)
def _expanded(op: Operation, x: Tensor, axis: Tensor) -> TensorShape:
    axis = constant_value(axis)
    if x.shape.rank is None or axis is None:
        return UNKNOWN
    place = axis_in(
        np.ravel(axis)[0], x.shape.rank + 1, "dim {axis} not in the interval [-{rank}, {last}]."
    )
    return spliced(x.shape, place, place, 1)


def expand_dims(input, axis=None, name: str | None = None, dim=None) -> Tensor:
    """`input` with an axis of length 1 put in at `axis` (once called `dim`).

    Raises ValueError for an axis out of range.
    """
    axis = renamed("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    return build_tensor("ExpandDims", input, axis, name=name)


@kernel
def squeeze(x, axis=None):
    """`np.squeeze`, which leaves out axes of length 1, and gives a scalar where none is left."""
    return np.squeeze(x, axis)[()]


@defines("Squeeze", "input:T", called("squeeze", axis=()), back_to_shape, view=True)
def _squeezed(op: Operation, x: Tensor) -> TensorShape:
    axes, lengths = op.attrs["axis"], x.shape.lengths
    if lengths is None or not axes and not x.shape.is_fully_defined():
        return UNKNOWN
    for a in axes:
        axis_in(a, len(lengths), "squeeze_dims[0] not in [-{rank},{rank}).")
        if isinstance(lengths[a], int) and lengths[a] != 1:
            raise ValueError(
                f"Can not squeeze dim[{a}], expected a dimension of 1, got {lengths[a]}"
            )
    gone = [a % len(lengths) for a in axes] or [a for a, d in enumerate(lengths) if d == 1]
    return TensorShape.of(tuple(d for a, d in enumerate(lengths) if a not in gone))


def squeeze_op(input, axis=None, name: str | None = None, squeeze_dims=None) -> Tensor:
    """`input` without the axes of length 1, or without just those in `axis` (TensorFlow's `tf.squeeze`).

    Raises ValueError for an axis out of range or of another length.
    """
    axis = renamed("axis", axis, "squeeze_dims", squeeze_dims)
    axes = () if axis is None else tuple(np.atleast_1d(axis).tolist())
    return build_tensor("Squeeze", input, name=name, axis=axes)


@kernel
def inverse(perm) -> np.ndarray:
    """The permutation that undoes `perm`."""
    return np.argsort(perm % max(len(perm), 1)).astype(perm.dtype)


register("InvertPermutation", "x:length", same_as_first, "inverse", not_differentiable)


def _transpose_code(op: Operation, x: Code, perm: Code) -> str:
    if (
        perm.constant is not None
        and x.rank is not None
        and list(perm.constant) == list(range(x.rank))[::-1]
    ):
        return f"{atom(x)}.T"
    return f"transpose({x}, {shape_code(perm)})"


def _transpose_gradient(op: Operation, dy: Tensor) -> list:
    x, perm = op.inputs
    turned_back = build_tensor(
        "Transpose", dy, build_tensor("InvertPermutation", perm), name="transpose"
    )
    return [with_shape_of(x, turned_back), None]


def _explain_transpose(x, perm) -> str:
    missing = min(set(range(np.ndim(x))).difference(perm), default=0)
    return f"{missing} is missing from {{{','.join(map(str, perm))}}}."


KERNELS["transpose"] = np.transpose


@defines(
    "Transpose",
    "x:T perm:length",
    _transpose_code,
    _transpose_gradient,
    explain=_explain_transpose,
    view=True,
)
def _transposed(op: Operation, x: Tensor, perm: Tensor) -> TensorShape:
    rank = shape_ops.check_entries(x, perm, "Dimension must be {rank} but is {count}")
    if constant_value(perm) is None or x.shape.rank is None:
        return shape_ops.of_rank(rank)
    words = "perm dim {axis} is out of range of input rank {rank}"
    return TensorShape.of(
        tuple(x.shape.lengths[axis_in(p, rank, words)] for p in constant_value(perm))
    )


def transpose_op(a, perm=None, name: str = "transpose", conjugate: bool = False) -> Tensor:
    """`a` with its axes in the order `perm`, reversed by default; `conjugate` for complex numbers.

    (TensorFlow's `tf.transpose`.) Raises ValueError unless `perm` has one entry for each axis of `a`.
    """
    with name_scope(name, "transpose") as scope:
        a = convert_to_tensor(a, name="a")
        if perm is None and a.shape.rank is None:
            perm = build_tensor("Range", shape_ops.rank(a) - 1, -1, -1)
        elif perm is None:
            perm = np.arange(a.shape.rank, dtype=np.int32)[::-1]
        if conjugate and a.dtype.is_complex:
            a = build_tensor("Conj", a)
        return build_tensor("Transpose", a, perm, name=scope)


@kernel
def flip(x, axis):
    """`np.flip`, which reads `x` backwards along these axes."""
    return np.flip(x, tuple(axis))


@defines(
    "ReverseV2",
    "tensor:T axis:length",
    called("flip"),
    lambda op, dy: [reverse(dy, op.inputs[1]), None],
    view=True,
)
def _reversed_shape(op: Operation, x: Tensor, axes: Tensor) -> TensorShape:
    shape_ops.check_rank(axes, 1)
    if constant_value(axes) is not None and x.shape.rank is not None:
        words = "'axis'[0] = {axis} is out of valid range [0, {last}"
        places = [axis_in(a, x.shape.rank, words) for a in constant_value(axes)]
        if len(set(places)) < len(places):
            raise ValueError(f"axis {max(places, key=places.count)} specified more than once.")
    return x.shape


def reverse(tensor, axis, name: str | None = None) -> Tensor:
    """`tensor` backwards along each axis in the list `axis`."""
    return build_tensor("ReverseV2", tensor, axis, name=name)
