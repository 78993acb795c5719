"""Reductions make one number of many: sums, means and extremes along axes.

Stand for the reduce_ functions of tensorflow/python/ops/math_ops.py and their gradients in math_grad.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework.constant_op import constant_value, convert_to_tensor
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import (
    KERNELS,
    NUMBERS,
    REALS,
    atom,
    kernel,
    not_differentiable,
    register,
)
from minitf.framework.tensor_shape import SCALAR, TensorShape, UnknownLength
from minitf.ops import comparison_ops, math_ops, shape_ops


@kernel
def sum(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The sum along `axis`, in the dtype of `x`."""
    if axis is not None:
        _check_is_no_scalar(x, axis)
    return np.add.reduce(x, axis, x.dtype, None, keepdims)


@kernel
def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The mean along `axis`, in the dtype of `x`; that of whole numbers loses its fraction."""
    whole = x.dtype.kind in "iu"
    total = sum(x.astype(np.int64) if whole else x, axis, keepdims)
    count = np.size(x) // max(np.size(total), 1)
    if whole:
        return x.dtype.type(np.sign(total) * (np.abs(total) // count))
    return total / x.dtype.type(count)


@kernel
def amax(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The largest number along `axis`; of none, the smallest that there is."""
    _check_is_no_scalar(x, axis)
    return np.maximum.reduce(x, axis, keepdims=keepdims, initial=_limit(x.dtype, "min"))


@kernel
def amin(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The smallest number along `axis`; of none, the largest that there is."""
    _check_is_no_scalar(x, axis)
    return np.minimum.reduce(x, axis, keepdims=keepdims, initial=_limit(x.dtype, "max"))


def _check_is_no_scalar(x: Any, axis: Any) -> None:
    """NumPy reduces a number along axis 0 or -1, TensorFlow does not."""
    if not x.ndim and axis not in (None, ()):
        raise np.exceptions.AxisError(axis, 0)


def _limit(dtype: np.dtype, which: str) -> Any:
    if dtype.kind == "f":
        return -np.inf if which == "min" else np.inf
    return getattr(np.iinfo(dtype), which)


def _explain(x: Any, axis: Any) -> str | None:
    for a in np.ravel(axis):
        if not -np.ndim(x) <= a < np.ndim(x):
            return f"Invalid reduction dimension ({a} for input with {np.ndim(x)} dimension(s)"
    return None


def _axes(x: TensorShape, axis: Any) -> tuple[int, ...]:
    """The axes as numbers from 0. Raises ValueError for one that `x` does not have."""
    axes = [int(a) for a in np.atleast_1d(axis)]
    for a in axes:
        if not -x.rank <= a < x.rank:
            raise ValueError(f"Invalid reduction dimension {a} for input with {x.rank} dimensions.")
    return tuple(a % x.rank for a in axes)


def _unknown_like(x: TensorShape) -> TensorShape:
    """A shape of the same rank of which nothing else is known."""
    return x if x.lengths is None else TensorShape.of(tuple(UnknownLength() for _ in x.lengths))


def _infer(op: Operation) -> list:
    x, axis = op.inputs[0], constant_value(op.inputs[1])
    dtype, keep = x.dtype.base_dtype, op.attrs["keep_dims"]
    if x.shape.lengths is None:
        return [(dtype, TensorShape(None))]
    if axis is None:
        return [(dtype, _unknown_like(x.shape) if keep else TensorShape(None))]
    axes = _axes(x.shape, axis)
    kept = [1 if i in axes else d for i, d in enumerate(x.shape.lengths) if keep or i not in axes]
    return [(dtype, TensorShape.of(tuple(kept)))]


def axis_code(op: Operation, x: Any, axis: Any) -> str:
    """`, axis=0, keepdims=True`, without what is the default: all axes, none of them kept."""
    keep = ", keepdims=True" if op.attrs["keep_dims"] else ""
    if axis.constant is None:
        return f", axis=tuple({atom(axis)}.ravel()){keep}"
    axes = tuple(int(a) for a in np.atleast_1d(axis.constant))
    all_axes = range(x.rank or 0)
    if axes and sorted(a + x.rank if x.rank and a < 0 else a for a in axes) == list(all_axes):
        return keep
    return f", axis={axes[0] if len(axes) == 1 else axes}{keep}"


KERNELS["tuple"] = tuple


def _code(function: str) -> Callable:
    return lambda op, x, axis: f"{function}({x}{axis_code(op, x, axis)})"


register(
    "Unreduce",
    "gradient:T x:T axis:length",
    lambda op: [(op.inputs[0].dtype.base_dtype, op.inputs[1].shape)],
    lambda op, gradient, x, axis: f"unreduce({gradient}, {x}{axis_code(op, x, axis)})",
    lambda op, dy: [
        lambda: build_tensor("Sum", dy, op.inputs[2], keep_dims=op.attrs["keep_dims"]),
        None,
        None,
    ],
    view=True,
    spreads=0,
)


def _spread(op: Operation, gradient: Tensor) -> Tensor:
    """`gradient` of a reduction's output repeated over its input."""
    return build_tensor("Unreduce", gradient, *op.inputs, keep_dims=op.attrs["keep_dims"])


def _mean_gradient(op: Operation, dy: Tensor) -> list:
    def dx() -> Tensor:
        count = shape_ops.size_of(op.inputs[0]) // shape_ops.size_of(op.outputs[0])
        return _spread(op, dy / math_ops.cast(count, dy.dtype))

    return [dx, None]


def _extreme_gradient(op: Operation, dy: Tensor) -> list:
    """Where several numbers are the extreme one, they share the gradient evenly."""

    def dx() -> Tensor:
        is_extreme = comparison_ops.equal(op.inputs[0], _spread(op, op.outputs[0]))
        share = math_ops.cast(is_extreme, dy.dtype)
        count = build_tensor("Sum", share, op.inputs[1], keep_dims=op.attrs["keep_dims"])
        return share / _spread(op, count) * _spread(op, dy)

    return [dx, None]


def _register(
    op_type: str, function: str, gradient: Callable, allowed: tuple[str, ...] = NUMBERS
) -> None:
    register(
        op_type,
        "input:T reduction_indices:length",
        _infer,
        _code(function),
        gradient,
        explain=_explain,
        allowed=allowed,
    )


_register("Sum", "sum", lambda op, dy: [lambda: _spread(op, dy), None])
_register("Mean", "mean", _mean_gradient)
_register("Max", "amax", _extreme_gradient, REALS)
_register("Min", "amin", _extreme_gradient, REALS)


def _reduction(op_type: str, doc: str) -> Callable:
    """The public function that builds an op of this type."""

    def reduce(
        input_tensor: Any,
        axis: Any = None,
        keepdims: bool | None = None,
        name: str | None = None,
        reduction_indices: Any = None,
        keep_dims: bool | None = None,
    ) -> Tensor:
        if axis is not None and reduction_indices is not None:
            raise ValueError("Cannot specify both 'axis' and 'reduction_indices'.")
        if keepdims is not None and keep_dims is not None:
            raise ValueError("Cannot specify both 'keepdims' and 'keep_dims'.")
        axis = reduction_indices if axis is None else axis
        keep = bool(keep_dims if keepdims is None else keepdims)
        x = convert_to_tensor(input_tensor, name=f"{op_type}/input")
        to_scalar = axis is None and not keep
        if axis is None:
            axis = _all_axes(x)
        elif isinstance(axis, list | tuple):
            axis = np.array(axis, np.int32)
        result = build_tensor(op_type, x, axis, name=name, keep_dims=keep)
        if to_scalar:
            result._shape = SCALAR  # whatever the rank of x
        return result

    reduce.__doc__ = f"""{doc}

    `axis` is an int or a list of ints, None for all axes; `keepdims` leaves reduced axes at length 1.
    `reduction_indices` and `keep_dims` are the older names of the two. Raises ValueError for an axis that
    `input_tensor` does not have.
    """
    reduce.__name__ = reduce.__qualname__ = f"reduce_{op_type.lower()}"
    return reduce


def _all_axes(x: Tensor) -> Tensor:
    if x.shape.rank is not None:
        return convert_to_tensor(np.arange(x.shape.rank, dtype=np.int32))
    return build_tensor("Range", 0, shape_ops.rank(x), 1, name="range")


register(
    "Range",
    "start limit delta",
    lambda op: [(op.inputs[0].dtype.base_dtype, TensorShape([None]))],
    lambda op, start, limit, delta: f"arange({start}, {limit}, {delta})",
    not_differentiable,
)
KERNELS["arange"] = np.arange


reduce_sum = _reduction("Sum", "The sum along `axis`, in the dtype of the input.")
reduce_mean = _reduction("Mean", "The mean along `axis`; that of whole numbers loses its fraction.")
reduce_max = _reduction("Max", "The largest number along `axis`.")
reduce_min = _reduction("Min", "The smallest number along `axis`.")
