"""A tensor with a margin around it, and a tensor read backwards.

Stands for pad and reverse of tensorflow/python/ops/array_ops.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitf.framework import errors, registry
from minitf.framework.constant_op import constant_value
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.tensor_shape import TensorShape, UnknownLength
from minitf.ops import shape_ops
from minitf.ops.slicing_ops import slice_op


@registry.kernel
def pad(x: Any, paddings: Any, mode: str = "constant", value: Any = 0) -> Any:
    """`np.pad`, where a mirror shows no more than there is."""
    if mode != "constant":
        for (before, after), d in zip(paddings, np.shape(x), strict=True):
            if max(before, after) > d - (mode == "reflect"):
                than = "less than" if mode == "reflect" else "no greater than"
                problem = (
                    f"paddings must be {than} the dimension size: {before}, {after} not {than.removeprefix('no ')} {d}"
                )
                raise errors.InvalidArgumentError(None, None, problem)
        return np.pad(x, paddings, mode)
    return np.pad(x, paddings, constant_values=value)


@registry.kernel
def unpad(dy: Any, paddings: Any, mode: str) -> Any:
    """The gradient of `pad` with a mirror: each number collects what its copies get."""
    shape = [n - sum(pair) for n, pair in zip(dy.shape, paddings, strict=True)]
    dx = np.zeros(int(np.prod(shape)), dy.dtype)
    np.add.at(dx, np.pad(np.arange(dx.size).reshape(shape), paddings, mode), dy)
    return dx.reshape(shape)


def _infer_pad(op: Operation) -> list:
    x, paddings = op.inputs[:2]
    value, dtype = constant_value(paddings), x.dtype.base_dtype
    rank = x.shape.rank
    count = paddings.shape[0].value if paddings.shape.rank else None
    if None not in (rank, count) and rank != count:
        raise ValueError(f"Shape must be rank {count} but is rank {rank}")
    if value is not None and np.min(value, initial=0) < 0:
        raise ValueError("Paddings must be non-negative")
    rank = count if rank is None else rank
    if value is None or x.shape.lengths is None:
        return [(dtype, TensorShape(None if rank is None else [None] * rank))]
    sign = -1 if op.type == "MirrorPadGrad" else 1
    lengths = tuple(
        d if not a + b else d + sign * int(a + b) if isinstance(d, int) else UnknownLength()
        for d, (a, b) in zip(x.shape.lengths, value, strict=True)
    )
    return [(dtype, TensorShape.of(lengths))]


def _pad_code(op: Operation, x: Any, paddings: Any, value: Any = None) -> str:
    if paddings.constant is not None:
        paddings = np.asarray(paddings.constant).tolist()
    mode = f', "{op.attrs["mode"].lower()}"' if "mode" in op.attrs else ""
    filler = f", value={value}" if value is not None else ""
    function = "unpad" if op.type == "MirrorPadGrad" else "pad"
    return f"{function}({x}, {paddings}{mode}{filler})"


def _pad_gradient(op: Operation, dy: Tensor) -> list:
    def dx() -> Tensor:
        x, paddings = op.inputs[:2]
        sliced = slice_op(dy, paddings[:, 0], shape_ops.shape(x), name="Slice_1")
        sliced._shape = x.shape
        return sliced

    return [dx, None]


def _mirrored(op_type: str) -> Any:
    return lambda op, dy: [lambda: build_tensor(op_type, dy, op.inputs[1], mode=op.attrs["mode"]), None]


registry.register("Pad", "input:T paddings:length", _infer_pad, _pad_code, _pad_gradient)
registry.register("MirrorPad", "input:T paddings:length", _infer_pad, _pad_code, _mirrored("MirrorPadGrad"))
registry.register("MirrorPadGrad", "input:T paddings:length", _infer_pad, _pad_code, _mirrored("MirrorPad"))


def pad_op(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", name: str | None = None, constant_values: Any = 0
) -> Tensor:
    """`tensor` with `paddings[i]` = (before, after) more numbers along each axis i (TensorFlow's `tf.pad`).

    They are `constant_values`, or with REFLECT and SYMMETRIC a mirror image. Raises ValueError for another
    mode and for paddings that don't fit.
    """
    mode = mode.upper()
    if mode not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
        raise ValueError(
            f'Value of argument `mode` expected to be one of "CONSTANT", "REFLECT", or "SYMMETRIC". Received `mode` = {mode}'  # noqa: E501
        )
    if mode != "CONSTANT":
        return build_tensor("MirrorPad", tensor, paddings, name=name, mode=mode)
    if isinstance(constant_values, Tensor) or constant_values != 0:
        return build_tensor("PadV2", tensor, paddings, constant_values, name=name)
    return build_tensor("Pad", tensor, paddings, name=name)


def _pad_value_gradient(op: Operation, dy: Tensor) -> list:
    """The filler gets what the padded part does not."""
    x, paddings, value = op.inputs
    inside = _pad_gradient(op, dy)[0]
    total = lambda t: build_tensor("Unbroadcast", t, value)  # noqa: E731
    return [inside, None, lambda: total(dy) - total(inside())]


registry.register("PadV2", "input:T paddings:length constant_values:T", _infer_pad, _pad_code, _pad_value_gradient)


def _infer_reverse(op: Operation) -> list:
    x, axis = op.inputs[0], constant_value(op.inputs[1])
    if op.inputs[1].shape.rank not in (None, 1):
        raise ValueError(f"Shape must be rank 1 but is rank {op.inputs[1].shape.rank}")
    if axis is not None and x.shape.rank is not None:
        for i, a in enumerate(axis):
            if not -x.shape.rank <= a < x.shape.rank:
                raise ValueError(f"'axis'[{i}] = {a} is out of valid range [0, {x.shape.rank - 1}")
            if a % x.shape.rank in [b % x.shape.rank for b in axis[:i]]:
                raise ValueError(f"axis {a % x.shape.rank} specified more than once.")
    return [(x.dtype.base_dtype, x.shape)]


registry.KERNELS["flip"] = np.flip
registry.register(
    "ReverseV2",
    "tensor:T axis:length",
    _infer_reverse,
    lambda op, x, axis: f"flip({x}, {shape_ops.shape_code(axis) if axis.constant is not None else f'tuple({axis})'})",
    lambda op, dy: [lambda: reverse(dy, op.inputs[1]), None],
    view=True,
)


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Tensor:
    """`tensor` backwards along each axis in the list `axis`."""
    return build_tensor("ReverseV2", tensor, axis, name=name)
