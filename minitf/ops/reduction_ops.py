"""Reductions make one number of many: sums, means and extremes along axes.

Stand for the reduce_ functions of tensorflow/python/ops/math_ops.py and their gradients in math_grad.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework import dtypes
from minitf.framework.constant_op import constant_value, convert_to_tensor
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import _check_allowed, build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import KERNELS, NUMBERS, REALS, atom, kernel, not_differentiable, register
from minitf.framework.tensor_shape import SCALAR, TensorShape, UnknownLength, in_message
from minitf.ops import array_ops, comparison_ops, math_ops, shape_ops


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


@kernel
def prod(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The product along `axis`, in the dtype of `x`."""
    _check_is_no_scalar(x, axis)
    return np.multiply.reduce(x, axis, x.dtype, None, keepdims)


@kernel
def all(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether all along `axis` are true."""
    _check_is_no_scalar(x, axis)
    return np.logical_and.reduce(x, axis, None, None, keepdims)


@kernel
def any(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether one along `axis` is true."""
    _check_is_no_scalar(x, axis)
    return np.logical_or.reduce(x, axis, None, None, keepdims)


@kernel
def argmax(x: Any, axis: Any) -> Any:
    """The place of the first largest number along `axis`."""
    _check_is_no_scalar(x, axis)
    return np.argmax(x, axis)


@kernel
def argmin(x: Any, axis: Any) -> Any:
    """The place of the first smallest number along `axis`."""
    _check_is_no_scalar(x, axis)
    return np.argmin(x, axis)


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
    lambda op, dy: [lambda: build_tensor("Sum", dy, op.inputs[2], keep_dims=op.attrs["keep_dims"]), None, None],
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


def _prod_gradient(op: Operation, dy: Tensor) -> list:
    """Each number's slope is the product of the others: 0 where one of these is 0."""

    def along(op_type: str, x: Tensor) -> Tensor:
        made = build_tensor(op_type, x, op.inputs[1], keep_dims=op.attrs["keep_dims"])
        return _spread(op, made)

    def dx() -> Tensor:
        x, one = op.inputs[0], array_ops.ones_like(op.inputs[0])
        is_zero = comparison_ops.equal(x, one - one)
        zeros = math_ops.cast(is_zero, x.dtype)
        others = build_tensor("Select", is_zero, one, x)
        others = along("Prod", others) / others
        alone = comparison_ops.equal(along("Sum", zeros), zeros)
        return _spread(op, dy) * build_tensor("Select", alone, others, one - one)

    return [dx, None]


for _type, _function, _gradient, _kind, _allowed in (
    ("Sum", "sum", lambda op, dy: [lambda: _spread(op, dy), None], "T", NUMBERS),
    ("Mean", "mean", _mean_gradient, "T", NUMBERS),
    ("Prod", "prod", _prod_gradient, "T", NUMBERS),
    ("Max", "amax", _extreme_gradient, "T", REALS),
    ("Min", "amin", _extreme_gradient, "T", REALS),
    ("All", "all", not_differentiable, "bool", ()),
    ("Any", "any", not_differentiable, "bool", ()),
):
    register(
        _type,
        f"input:{_kind} reduction_indices:length",
        _infer,
        _code(_function),
        _gradient,
        explain=_explain,
        allowed=_allowed,
    )


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


reduce_sum = _reduction("Sum", "The sum along `axis`, in the dtype of the input.")
reduce_mean = _reduction("Mean", "The mean along `axis`; that of whole numbers loses its fraction.")
reduce_prod = _reduction("Prod", "The product along `axis`, in the dtype of the input.")
reduce_all = _reduction("All", "Whether all truth values along `axis` are true.")
reduce_any = _reduction("Any", "Whether any truth value along `axis` is true.")
reduce_max = _reduction("Max", "The largest number along `axis`.")
reduce_min = _reduction("Min", "The smallest number along `axis`.")


def reduce_logsumexp(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """log(sum(exp(input_tensor))) along `axis`, which no large number overflows.

    The arguments are those of `reduce_sum`.
    """
    where = {"reduction_indices": reduction_indices}
    with name_scope(name, "ReduceLogSumExp", [input_tensor]) as scope:
        largest = reduce_max(input_tensor, axis, True, **where)
        finite = math_ops.is_finite(largest)
        largest = array_ops.stop_gradient(build_tensor("SelectV2", finite, largest, 0))
        exponentials = math_ops.exp(math_ops.subtract(input_tensor, largest))
        logarithm = math_ops.log(reduce_sum(exponentials, axis, keepdims, keep_dims=keep_dims, **where))
        if not (keepdims or keep_dims):
            largest = array_ops.reshape_op(largest, shape_ops.shape(logarithm))
        return math_ops.add(logarithm, largest, name=scope)


# Where the largest and the smallest numbers are.


def _infer_arg(op: Operation) -> list:
    shape, axis, dtype = op.inputs[0].shape, constant_value(op.inputs[1]), op.attrs["output_type"]
    if np.ndim(axis):
        raise ValueError(f"Shape must be rank 0 but is rank {np.ndim(axis)}")
    if not shape.rank or axis is None:
        return [(dtype, TensorShape([None] * (shape.rank - 1) if shape.rank else shape))]
    if not -shape.rank <= axis < shape.rank:
        raise ValueError(
            f"Dimension ({axis}) must be in the range [{-shape.rank}, {shape.rank}), where {shape.rank} is "
            "the number of dimensions in the input."
        )
    rest = [d for i, d in enumerate(shape.lengths) if i != axis % shape.rank]
    return [(dtype, TensorShape.of(tuple(rest)))]


def _explain_arg(x: Any, axis: Any) -> str:
    if -np.ndim(x) <= axis < np.ndim(x):
        return f"Reduction axis {axis} is empty in shape {in_message(np.shape(x))}"
    return f"Expected dimension in the range [{-np.ndim(x)}, {np.ndim(x)}), but got {axis}"


def _arg(op_type: str, doc: str) -> Callable:
    function = op_type.lower()

    def code(op: Operation, x: str, axis: str) -> str:
        found, dtype = f"{function}({x}, {axis})", op.attrs["output_type"]
        return found if dtype is dtypes.int64 else f"{dtype.name}({found})"

    register(
        op_type,
        "input:T dimension:length",
        _infer_arg,
        code,
        not_differentiable,
        explain=_explain_arg,
        allowed=(*REALS, "bool"),
    )

    def arg(
        input: Any, axis: Any = None, name: str | None = None, dimension: Any = None, output_type: Any = dtypes.int64
    ) -> Tensor:
        if axis is not None and dimension is not None:
            raise ValueError("Cannot specify both 'dimension' and 'axis'.")
        axis = dimension if axis is None else axis
        axis = 0 if axis is None else axis
        dtype = dtypes.as_dtype(output_type)
        _check_allowed("output_type", dtype, ("int16", "uint16", "int32", "int64"))
        return build_tensor(op_type, input, axis, name=name, output_type=dtype)

    arg.__doc__ = f"""{doc} along `axis` (once `dimension`), by default 0.

    An int64 unless `output_type` says otherwise. Raises ValueError for an axis that `input` does not have.
    """
    arg.__name__ = arg.__qualname__ = function
    return arg


argmax_op = _arg("ArgMax", "The place of the largest number")
argmin_op = _arg("ArgMin", "The place of the smallest number")
