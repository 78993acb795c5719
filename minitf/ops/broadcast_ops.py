"""Broadcasting repeats a value to fill a shape; `unbroadcast` sums a gradient back over the repetitions.

Stands for broadcast_to of tensorflow/python/ops/array_ops.py and BroadcastGradientArgs of math_grad.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import kernel, register
from minitf.framework.tensor_shape import TensorShape, difference
from minitf.ops.shape_ops import as_static_shape, shape, shape_code


def merged(a: TensorShape, b: TensorShape) -> TensorShape:
    """What is known of two tensors that have one shape. Raises ValueError where they can't."""
    if not a.is_compatible_with(b):
        raise ValueError(difference(a, b))
    return a.merge_with(b)


@kernel
def unbroadcast(gradient: Any, like: Any) -> Any:
    """`gradient`, summed over the axes along which a value of the shape of `like` was repeated."""
    wanted, shape = like.shape, gradient.shape
    if shape == wanted:
        return gradient
    extra = len(shape) - len(wanted)
    axes = tuple(range(extra))
    axes += tuple(i + extra for i, d in enumerate(wanted) if d == 1 and shape[i + extra] != 1)
    return np.add.reduce(gradient, axes).reshape(wanted)[()]


def _unbroadcast_code(op: Operation, gradient: str, like: str) -> str:
    if like.rank == 0:
        return f"sum({gradient})"
    return f"unbroadcast({gradient}, {like})"


register(
    "Unbroadcast",
    "gradient:T like:T",
    lambda op: [(op.inputs[0].dtype.base_dtype, op.inputs[1].shape)],
    _unbroadcast_code,
    lambda op, dy: [lambda: build_tensor("BroadcastTo", dy, shape(op.inputs[0])), None],
    simplify=lambda result, gradient, like: gradient if gradient.same_shape(like) else None,
    view=True,
)


@kernel
def broadcast_to(x: Any, shape: Any) -> np.ndarray:
    """`x` repeated to fill `shape` (a read-only view)."""
    return np.broadcast_to(x, shape)[()]


def _infer_broadcast_to(op: Operation) -> list:
    x, wanted = op.inputs[0].shape, as_static_shape(op.inputs[1])
    if x.lengths is not None and wanted.lengths is not None:
        if x.rank > wanted.rank:
            raise ValueError(f"Shape must be at most rank {wanted.rank} but is rank {x.rank}")
        for a, b in zip(x.as_list()[::-1], wanted.as_list()[::-1], strict=False):
            if None not in (a, b) and a not in (1, b):
                raise ValueError(f"Dimensions must be equal, but are {a} and {b}")
    return [(op.inputs[0].dtype.base_dtype, wanted)]


register(
    "BroadcastTo",
    "input:T shape:length",
    _infer_broadcast_to,
    lambda op, x, dims: f"broadcast_to({x}, {shape_code(dims)})",
    lambda op, dy: [lambda: build_tensor("Unbroadcast", dy, op.inputs[0]), None],
    simplify=lambda result, x, dims: x if x.same_shape(result) else None,
    view=True,
    spreads=0,
)


def broadcast_to_op(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """`input` repeated to fill `shape` (TensorFlow's `tf.broadcast_to`)."""
    return build_tensor("BroadcastTo", input, shape, name=name)


@kernel
def unreduce(gradient: Any, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The gradient of a reduction, repeated along the axes of `x` that were reduced."""
    if axis is not None and not keepdims and np.ndim(gradient):
        axes = tuple(int(a) for a in np.atleast_1d(axis))
        gradient = np.expand_dims(gradient, axes)
    return np.broadcast_to(gradient, x.shape)[()]
