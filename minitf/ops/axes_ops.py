"""The same numbers with other axes: one more, some fewer, in another order.

Stands for expand_dims, squeeze and transpose of tensorflow/python/ops/array_ops.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitf.framework import errors, registry
from minitf.framework.constant_op import constant_value, convert_to_tensor
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.tensor_shape import UNKNOWN, TensorShape, UnknownLength
from minitf.ops import shape_ops
from minitf.ops.array_ops import reshape_op


def _same_shape_as_input(op: Operation, dy: Tensor) -> list:
    """The gradient of an op that only changes the shape of its first input."""
    return [lambda: reshape_op(dy, shape_ops.shape(op.inputs[0])), *[None] * (len(op.inputs) - 1)]


def _infer_expand_dims(op: Operation) -> list:
    x, axis = op.inputs[0], constant_value(op.inputs[1])
    if x.shape.lengths is None or axis is None:
        return [(x.dtype.base_dtype, UNKNOWN)]
    axis, rank = int(np.ravel(axis)[0]), x.shape.rank + 1
    if not -rank <= axis < rank:
        raise ValueError(f"dim {axis} not in the interval [{-rank}, {rank - 1}].")
    lengths = list(x.shape.lengths)
    lengths.insert(axis % rank, 1)
    return [(x.dtype.base_dtype, TensorShape.of(tuple(lengths)))]


def int_code(number: Any) -> str:
    """A whole number, plain where it is constant."""
    return number if number.constant is None else str(int(np.ravel(number.constant)[0]))


registry.KERNELS["expand_dims"] = np.expand_dims
registry.register(
    "ExpandDims",
    "input:T dim:length",
    _infer_expand_dims,
    lambda op, x, axis: f"expand_dims({x}, {int_code(axis)})",
    _same_shape_as_input,
    view=True,
)


def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """`input` with an axis of length 1 put in at `axis` (once called `dim`).

    Raises ValueError for an axis out of range.
    """
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    return build_tensor("ExpandDims", input, axis, name=name)


@registry.kernel
def squeeze(x: Any, axis: Any = None) -> Any:
    """`np.squeeze`, which leaves out axes of length 1, in TensorFlow's words where it can't."""
    for a in axis or ():
        if np.shape(x)[a] != 1:
            raise errors.InvalidArgumentError(None, None, _not_one(a, np.shape(x)[a]))
    return np.squeeze(x, axis)[()]


def _not_one(axis: int, length: int) -> str:
    return f"Can not squeeze dim[{axis}], expected a dimension of 1, got {length}"


def _infer_squeeze(op: Operation) -> list:
    x, axes = op.inputs[0], op.attrs["squeeze_dims"]
    lengths, dtype = x.shape.lengths, x.dtype.base_dtype
    if lengths is None or not axes and not x.shape.is_fully_defined():
        return [(dtype, UNKNOWN)]
    for i, a in enumerate(axes):
        if not -len(lengths) <= a < len(lengths):
            raise ValueError(f"squeeze_dims[{i}] not in [{-len(lengths)},{len(lengths)}).")
        if isinstance(lengths[a], int) and lengths[a] != 1:
            raise ValueError(_not_one(a, lengths[a]))
    gone = [a % len(lengths) for a in axes] or [a for a, d in enumerate(lengths) if d == 1]
    kept = tuple(d for a, d in enumerate(lengths) if a not in gone)
    return [(dtype, TensorShape.of(kept))]


def _axes_code(op: Operation) -> str:
    axes = op.attrs["squeeze_dims"]
    return f", axis={axes}" if axes else ""


registry.register(
    "Squeeze", "input:T", _infer_squeeze, lambda op, x: f"squeeze({x}{_axes_code(op)})", _same_shape_as_input, view=True
)


def squeeze_op(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Tensor:
    """`input` without the axes of length 1, or without just those in `axis` (TensorFlow's `tf.squeeze`).

    Raises ValueError for an axis out of range or of another length.
    """
    if axis is not None and squeeze_dims is not None:
        raise ValueError("Cannot specify both 'axis' and 'squeeze_dims'.")
    axis = squeeze_dims if axis is None else axis
    axes = () if axis is None else tuple(int(a) for a in np.atleast_1d(axis))
    return build_tensor("Squeeze", input, name=name, squeeze_dims=axes)


def _infer_transpose(op: Operation) -> list:
    x, perm = op.inputs[0], constant_value(op.inputs[1])
    dtype, rank = x.dtype.base_dtype, x.shape.rank
    count = op.inputs[1].shape.num_elements()
    if None not in (rank, count) and rank != count:
        raise ValueError(f"Dimension must be {rank} but is {count}")
    rank = count if rank is None else rank
    if perm is None or x.shape.lengths is None:
        lengths = None if rank is None else tuple(UnknownLength() for _ in range(rank))
        return [(dtype, UNKNOWN if lengths is None else TensorShape.of(lengths))]
    for p in perm:
        if not -rank <= p < rank:
            raise ValueError(f"perm dim {p} is out of range of input rank {rank}")
    return [(dtype, TensorShape.of(tuple(x.shape.lengths[p] for p in perm)))]


def _transpose_code(op: Operation, x: Any, perm: Any) -> str:
    perm = perm if perm.constant is None else tuple(int(p) for p in perm.constant)
    if isinstance(perm, tuple) and perm == tuple(range(len(perm)))[::-1]:
        text = f"{registry.atom(x)}.T"
    else:
        text = f"transpose({x}, {perm})"
    return f"conj({text})" if op.type == "ConjugateTranspose" else text


def _explain_transpose(x: Any, perm: Any) -> str:
    missing = [i for i in range(np.ndim(x)) if i not in perm]
    return f"{(missing or [0])[0]} is missing from {{{','.join(map(str, perm))}}}."


def _transpose_gradient(op: Operation, dy: Tensor) -> list:
    def dx() -> Tensor:
        perm = constant_value(op.inputs[1])
        if perm is None:
            back = build_tensor("InvertPermutation", op.inputs[1])
        else:
            back = np.argsort(np.mod(perm, max(len(perm), 1))).astype(np.int32)
        turned = build_tensor(op.type, dy, back, name="transpose")
        turned._shape = op.inputs[0].shape
        return turned

    return [dx, None]


registry.register(
    "InvertPermutation",
    "x:length",
    lambda op: [(op.inputs[0].dtype.base_dtype, op.inputs[0].shape)],
    lambda op, x: f"argsort({x}).astype({op.inputs[0].dtype.base_dtype.name})",
    registry.not_differentiable,
)
registry.KERNELS |= {"transpose": np.transpose, "conj": np.conj, "argsort": np.argsort}
for _type in ("Transpose", "ConjugateTranspose"):
    registry.register(
        _type,
        "x:T perm:length",
        _infer_transpose,
        _transpose_code,
        _transpose_gradient,
        explain=_explain_transpose,
        view=True,
    )


def transpose(a: Any, perm: Any = None, name: str = "transpose", conjugate: bool = False) -> Tensor:
    """`a` with its axes in the order `perm`, reversed by default; `conjugate` for complex numbers.

    Raises ValueError where `perm` is of another length than `a` has axes.
    """
    with name_scope(name, "transpose") as scope:
        a = convert_to_tensor(a, name="a")
        if perm is None and a.shape.rank is not None:
            perm = np.arange(a.shape.rank, dtype=np.int32)[::-1]
        elif perm is None:
            perm = build_tensor("Range", shape_ops.rank(a) - 1, -1, -1, name="Range")
        conjugate = conjugate and a.dtype.is_complex
        return build_tensor("ConjugateTranspose" if conjugate else "Transpose", a, perm, name=scope)
