"""Ops about the shape of a tensor rather than its numbers.

Stands for tensorflow/python/ops/array_ops.py and array_grad.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitf.framework import dtypes
from minitf.framework.constant_op import const_op, constant_value, convert_to_tensor, holds_tensor
from minitf.framework.dtypes import DType, as_dtype
from minitf.framework.errors import InvalidArgumentError
from minitf.framework.graph import get_default_graph, name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import kernel, not_differentiable, register
from minitf.framework.tensor_shape import TensorShape, difference, in_message
from minitf.ops.shape_ops import as_static_shape, shape, shape_code


def same_as_first(op: Operation) -> list:
    """The output has the dtype and shape of the first input."""
    return [(op.inputs[0].dtype.base_dtype, op.inputs[0].shape)]


# Placeholders: values that come from outside.

register(
    "Placeholder",
    "",
    lambda op: [(op.attrs["dtype"], op.attrs["shape"])],
    code=None,
    gradient=not_differentiable,
    stateful=True,
)


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Tensor:
    """A tensor whose value each run is given in its `feed_dict`.

    `shape` may leave lengths open ([None, 1]) or be None for any shape. What is fed is converted to
    `dtype` and checked against `shape`.
    """
    attrs = {"dtype": _placeholder_dtype(dtype), "shape": _placeholder_shape(shape)}
    return get_default_graph().create_op("Placeholder", (), attrs, name).outputs[0]


def _placeholder_dtype(dtype: Any) -> DType:
    try:
        return as_dtype(dtype).base_dtype
    except TypeError:
        raise TypeError(f"Expected DataType for argument 'dtype' not {dtype!r}.") from None


def _placeholder_shape(shape: Any) -> TensorShape:
    try:
        shape = TensorShape(shape)  # its unknown lengths are this placeholder's own
        return shape if shape.lengths is None else TensorShape(shape.as_list())
    except (TypeError, ValueError) as error:
        raise type(error)(f"Error converting shape to a TensorShape: {error}") from None


def _infer_default(op: Operation) -> list:
    default, shape = op.inputs[0], op.attrs["shape"]
    if not default.shape.is_compatible_with(shape):
        raise ValueError(difference(default.shape, shape))
    return [(default.dtype.base_dtype, shape)]


register(
    "PlaceholderWithDefault",
    "input:T",
    _infer_default,
    lambda op, x: x,
    lambda op, dy: [dy],
    simplify=lambda result, x: x,
    view=True,
)


def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """A tensor with the value of `input`, unless a run is fed another; its static shape is `shape`."""
    shape = _placeholder_shape(shape)
    return build_tensor("PlaceholderWithDefault", input, name=name, shape=shape)


# The same values again.

register(
    "Identity", "input:T", same_as_first, lambda op, x: x, lambda op, dy: [dy], simplify=lambda result, x: x, view=True
)
register(
    "StopGradient",
    "input:T",
    same_as_first,
    lambda op, x: x,
    not_differentiable,
    simplify=lambda result, x: x,
    view=True,
)


def identity(input: Any, name: str | None = None) -> Tensor:
    """A tensor with the value that `input` has when this op runs."""
    if hasattr(input, "_as_tensor"):
        input = input._as_tensor(as_ref=True)
    return build_tensor("Identity", input, name=name)


def stop_gradient(input: Any, name: str | None = None) -> Tensor:
    """The same value, through which no gradient flows."""
    return build_tensor("StopGradient", input, name=name)


# New tensors of a given shape.


@kernel
def full(shape: Any, value: Any) -> Any:
    """An array of this shape filled with the number `value`, or the only one of an array."""
    if np.size(value) != 1:
        shown = in_message(np.shape(value))
        raise InvalidArgumentError(None, None, f"value must be a scalar, got shape {shown}")
    dtype = object if isinstance(value, bytes) else value.dtype
    return np.full(shape, np.reshape(value, ()), dtype)[()]


def _infer_fill(op: Operation) -> list:
    dims, value = op.inputs
    lengths = constant_value(dims)
    if lengths is not None and np.any(np.asarray(lengths) < 0):
        raise ValueError("Fill dimensions must be >= 0")
    if value.shape.rank not in (None, 0):
        raise ValueError(f"Shape must be rank 0 but is rank {value.shape.rank}")
    return [(value.dtype.base_dtype, as_static_shape(dims))]


register(
    "Fill",
    "dims:length value",
    _infer_fill,
    lambda op, dims, value: f"full({shape_code(dims)}, {value})",
    lambda op, dy: [None, lambda: _sum_all(dy)],
    spreads=1,
)


def _sum_all(x: Tensor) -> Tensor:
    return build_tensor("Unbroadcast", x, np.zeros((), x.dtype.as_numpy_dtype))


def fill(dims: Any, value: Any, name: str | None = None) -> Tensor:
    """A tensor of shape `dims` filled with the scalar `value`."""
    return build_tensor("Fill", dims, value, name=name)


def _filled_like(tensor: Any, value: int, dtype: Any, name: str, optimize: bool) -> Tensor:
    tensor = convert_to_tensor(tensor)
    wanted = tensor.dtype.base_dtype if dtype is None else as_dtype(dtype).base_dtype
    number = wanted.as_numpy_dtype(value)
    if optimize and tensor.shape.is_fully_defined():
        return const_op(tensor.graph, np.full(tensor.shape.as_list(), number), wanted, name)
    with name_scope(name) as scope:
        return fill(shape(tensor), convert_to_tensor(number), name=scope)


def ones_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """A tensor of ones of the shape of `tensor`. No gradient flows through it."""
    return _filled_like(tensor, 1, dtype, name or "ones_like", optimize)


def zeros_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """A tensor of zeros of the shape of `tensor`. No gradient flows through it."""
    return _filled_like(tensor, 0, dtype, name or "zeros_like", optimize)


def _filled(shape: Any, value: int, dtype: Any, name: str) -> Tensor:
    wanted = as_dtype(dtype).base_dtype
    number = b"" if wanted is dtypes.string else wanted.as_numpy_dtype(value)
    if isinstance(shape, Tensor) or holds_tensor(shape):
        return fill(shape, number, name=name)
    lengths = list(shape) if isinstance(shape, list | tuple) else TensorShape(shape).as_list()
    if any(isinstance(d, int) and d < 0 for d in lengths):
        raise ValueError(
            f"Fill dimensions must be >= 0 for '{{{{node {name}}}}} = Fill' with input shapes: [{len(lengths)}], []."
        )
    lengths = TensorShape(lengths).as_list()
    filled = np.full(lengths, number, wanted.as_numpy_dtype)
    return const_op(get_default_graph(), filled, wanted, name)


def ones(shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """A tensor of ones."""
    return _filled(shape, 1, dtype, name or "ones")


def zeros(shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """A tensor of zeros."""
    return _filled(shape, 0, dtype, name or "zeros")


# The same numbers in another shape.


@kernel
def reshape(x: Any, shape: Any) -> Any:
    """`np.reshape`, which gives a scalar for shape ()."""
    try:
        return np.reshape(x, shape)[()]
    except ValueError:
        lengths = [int(d) for d in np.atleast_1d(shape)]
        if -1 in lengths:
            known = int(np.prod([d for d in lengths if d != -1]))
            problem = (
                f"Input to reshape is a tensor with {np.size(x)} values, but the requested shape "
                f"requires a multiple of {known}"
            )
        else:
            problem = (
                f"Input to reshape is a tensor with {np.size(x)} values, but the requested shape "
                f"has {int(np.prod(lengths))}"
            )
        raise InvalidArgumentError(None, None, problem) from None


def _infer_reshape(op: Operation) -> list:
    x, wanted = op.inputs[0], as_static_shape(op.inputs[1])
    if not wanted or op.inputs[1].op.type == "Shape":
        return [(x.dtype.base_dtype, wanted)]
    lengths, count = wanted.as_list(), x.shape.num_elements()
    known = int(np.prod([d for d in lengths if d is not None]))
    if count is not None and lengths.count(None) == 1 and known and count % known == 0:
        wanted = TensorShape([count // known if d is None else d for d in lengths])
    elif count is not None and lengths.count(None) == 1 and known:
        raise ValueError(f"Dimension size must be evenly divisible by {known} but is {count}")
    if count is not None and wanted.is_fully_defined() and wanted.num_elements() != count:
        raise ValueError(
            f"Cannot reshape a tensor with {count} elements to shape "
            f"{in_message(wanted)} ({wanted.num_elements()} elements)"
        )
    return [(x.dtype.base_dtype, wanted)]


register(
    "Reshape",
    "tensor:T shape:length",
    _infer_reshape,
    lambda op, x, dims: f"reshape({x}, {shape_code(dims)})",
    lambda op, dy: [lambda: reshape_op(dy, shape(op.inputs[0])), None],
    simplify=lambda result, x, dims: x if x.same_shape(result) else None,
    view=True,
)


def reshape_op(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The numbers of `tensor`, row by row, in another shape; one length may be -1: what is left.

    (TensorFlow's `tf.reshape`.) Raises ValueError where the numbers of elements differ.
    """
    return build_tensor("Reshape", tensor, shape, name=name)
