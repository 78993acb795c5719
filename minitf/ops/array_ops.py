"""Ops about the shape of a tensor rather than its numbers.

Stands for tensorflow/python/ops/array_ops.py and array_grad.py.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minitf.framework import dtypes
from minitf.framework.constant_op import const_op, constant_value, convert_to_tensor
from minitf.framework.dtypes import DType, as_dtype
from minitf.framework.errors import InvalidArgumentError
from minitf.framework.graph import Operation, Tensor, get_default_graph, name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.registry import atom, kernel, not_differentiable, register
from minitf.framework.tensor_shape import SCALAR, TensorShape, UnknownLength, in_message


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


# The same values again.

register(
    "Identity",
    "input:T",
    same_as_first,
    lambda op, x: x,
    lambda op, dy: [dy],
    simplify=lambda result, x: x,
    view=True,
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


# Shapes as tensors.


def _int_attr(op: Operation) -> DType:
    return op.attrs.get("out_type", dtypes.int32)


def _infer_shape_op(op: Operation) -> list:
    rank = op.inputs[0].shape.rank
    return [(_int_attr(op), TensorShape([rank]))]


@kernel
def shape_of(x: Any) -> np.ndarray:
    """The shape of an array, as an int32 array."""
    return np.array(np.shape(x), np.int32)


@kernel
def size(x: Any) -> np.int32:
    """The number of elements of an array."""
    return np.int32(np.size(x))


def _with_out_type(function: str) -> Any:
    def code(op: Operation, x: str) -> str:
        text = f"{function}({x})"
        return text if _int_attr(op) is dtypes.int32 else f"{_int_attr(op).name}({text})"

    return code


def _if_known(rule: Any) -> Any:
    """The answer of `rule` to a shape that is known before the run."""

    def simplify(result: Any, x: Any) -> Any:
        if x.known_shape is None:
            return None
        dtype = result.tensor.dtype.as_numpy_dtype
        return np.array(rule(x.known_shape), dtype)[()]

    return simplify


register(
    "Shape",
    "input",
    _infer_shape_op,
    _with_out_type("shape_of"),
    not_differentiable,
    simplify=_if_known(list),
)
register(
    "Size",
    "input",
    lambda op: [(_int_attr(op), SCALAR)],
    _with_out_type("size"),
    not_differentiable,
    simplify=_if_known(math.prod),
)
register(
    "Rank",
    "input",
    lambda op: [(dtypes.int32, SCALAR)],
    lambda op, x: f"int32({atom(x)}.ndim)",
    not_differentiable,
    simplify=_if_known(len),
)


def shape(
    input: Any,
    name: str | None = None,
    out_type: Any = dtypes.int32,
) -> Tensor:
    """The shape of `input` as a tensor [rank] of int32: what it is in the run."""
    tensor = convert_to_tensor(input)
    return build_tensor("Shape", tensor, name=name, out_type=as_dtype(out_type))


def size_of(
    input: Any,
    name: str | None = None,
    out_type: Any = dtypes.int32,
) -> Tensor:
    """How many elements `input` has, an int32 scalar (TensorFlow's `tf.size`)."""
    tensor = convert_to_tensor(input)
    return build_tensor("Size", tensor, name=name, out_type=as_dtype(out_type))


def rank(input: Any, name: str | None = None) -> Tensor:
    """How many dimensions `input` has, an int32 scalar."""
    return build_tensor("Rank", convert_to_tensor(input), name=name)


# New tensors of a given shape.


def _as_static_shape(shape_tensor: Tensor) -> TensorShape:
    """The shape that a tensor of lengths says, as far as it is known before a run."""
    value = constant_value(shape_tensor)
    if value is not None:
        return TensorShape([None if d < 0 else int(d) for d in np.atleast_1d(value)])
    if shape_tensor.op.type == "Shape":
        return shape_tensor.op.inputs[0].shape
    known = shape_tensor.shape.lengths
    if known and isinstance(known[0], int):
        return TensorShape([None] * known[0])
    return TensorShape(None)


def _shape_code(dims: Any) -> str:
    """A shape argument: `(2, 3)` where it is constant."""
    constant = getattr(dims, "constant", None)
    return dims if constant is None else str(tuple(int(d) for d in np.atleast_1d(constant)))


@kernel
def full(shape: Any, value: Any) -> Any:
    """An array of this shape filled with `value`, in the value's dtype."""
    return np.full(shape, value, dtype=np.asarray(value).dtype)[()]


register(
    "Fill",
    "dims value",
    lambda op: [(op.inputs[1].dtype.base_dtype, _as_static_shape(op.inputs[0]))],
    lambda op, dims, value: f"full({_shape_code(dims)}, {value})",
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


def ones_like(
    tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True
) -> Tensor:
    """A tensor of ones of the shape of `tensor`. No gradient flows through it."""
    return _filled_like(tensor, 1, dtype, name or "ones_like", optimize)


def zeros_like(
    tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True
) -> Tensor:
    """A tensor of zeros of the shape of `tensor`. No gradient flows through it."""
    return _filled_like(tensor, 0, dtype, name or "zeros_like", optimize)


def _filled(shape: Any, value: int, dtype: Any, name: str) -> Tensor:
    wanted = as_dtype(dtype).base_dtype
    number = wanted.as_numpy_dtype(value)
    if isinstance(shape, Tensor):
        return fill(shape, number, name=name)
    lengths = list(shape) if isinstance(shape, list | tuple) else TensorShape(shape).as_list()
    if any(isinstance(d, int) and d < 0 for d in lengths):
        raise ValueError(
            f"Fill dimensions must be >= 0 for '{{{{node {name}}}}} = Fill' with input shapes: "
            f"[{len(lengths)}], []."
        )
    lengths = TensorShape(lengths).as_list()
    return const_op(get_default_graph(), np.full(lengths, number), wanted, name)


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
    x, wanted = op.inputs[0], _as_static_shape(op.inputs[1])
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
    "tensor:T shape",
    _infer_reshape,
    lambda op, x, dims: f"reshape({x}, {_shape_code(dims)})",
    lambda op, dy: [lambda: reshape_op(dy, shape(op.inputs[0])), None],
    simplify=lambda result, x, dims: x if x.same_shape(result) else None,
    view=True,
)


def reshape_op(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The numbers of `tensor`, row by row, in another shape; one length may be -1: what is left.

    (TensorFlow's `tf.reshape`.) Raises ValueError where the numbers of elements differ.
    """
    if isinstance(shape, (list, tuple)) and not len(shape):
        shape = np.zeros(0, np.int32)
    return build_tensor("Reshape", tensor, shape, name=name)


# Broadcasting and back.


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


register(
    "BroadcastTo",
    "input:T shape",
    lambda op: [(op.inputs[0].dtype.base_dtype, _as_static_shape(op.inputs[1]))],
    lambda op, x, dims: f"broadcast_to({x}, {_shape_code(dims)})",
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
    if axis is not None and not keepdims:
        axes = tuple(int(a) for a in np.atleast_1d(axis))
        gradient = np.expand_dims(gradient, axes)
    return np.broadcast_to(gradient, x.shape)[()]


def unknown_like(x: TensorShape) -> TensorShape:
    """A shape of the same rank of which nothing else is known."""
    return x if x.lengths is None else TensorShape.of(tuple(UnknownLength() for _ in x.lengths))
