"""New tensors: placeholders, the same values again, numbers in a regular order, and another shape for them.

Mirrors tensorflow/python/ops/array_ops.py and range of math_ops.py.
"""

import math

import numpy as np

from minitf.framework import dtypes
from minitf.framework.constant_op import (
    as_array,
    const_op,
    constant_value,
    convert_to_tensor,
    holds_tensor,
)
from minitf.framework.graph import get_default_graph, name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import KERNELS, Code, kernel, not_differentiable, register
from minitf.framework.tensor_shape import TensorShape, in_message
from minitf.ops import shape_ops
from minitf.ops.shape_ops import (
    as_static_shape,
    called,
    check_rank,
    defines,
    merged,
    same_as_first,
    shape,
    shaped,
)

# Placeholders: values that come from outside.


def _infer_placeholder(op: Operation) -> list:
    return [(op.attrs["dtype"], op.attrs["shape"])]


register(
    "Placeholder", "", _infer_placeholder, code=None, gradient=not_differentiable, stateful=True
)


def placeholder(dtype, shape=None, name: str | None = None) -> Tensor:
    """A tensor whose value each run is given in its `feed_dict`.

    `shape` may leave lengths open ([None, 1]) or be None for any shape. What is fed is converted to
    `dtype` and checked against `shape`. Raises TypeError for what is no dtype or no shape,
    ValueError for a negative length.
    """
    try:
        dtype = dtypes.as_dtype(dtype).base_dtype
    except TypeError:
        raise TypeError(f"Expected DataType for argument 'dtype' not {dtype!r}.") from None
    attrs = {"dtype": dtype, "shape": _own_shape(shape)}
    return get_default_graph().create_op("Placeholder", (), attrs, name or None).outputs[0]


def _own_shape(shape) -> TensorShape:
    """The shape, whose unknown lengths are the placeholder's own."""
    try:
        return TensorShape(TensorShape(shape).dims)
    except (TypeError, ValueError) as error:
        raise type(error)(f"Error converting shape to a TensorShape: {error}.") from None


@shaped
def _default_shape(op: Operation, default: Tensor) -> TensorShape:
    merged([default.shape, op.attrs["shape"]])
    return op.attrs["shape"]


def _register_same(op_type: str, infer=same_as_first, gradient=lambda op, dy: [dy]) -> None:
    """An op that passes its input on."""
    register(
        op_type,
        "input:T",
        infer,
        lambda op, x: x,
        gradient,
        simplify=lambda result, x: x,
        view=True,
    )


_register_same("PlaceholderWithDefault", _default_shape)
_register_same("Identity")
_register_same("StopGradient", gradient=not_differentiable)


def placeholder_with_default(input, shape, name: str | None = None) -> Tensor:
    """A tensor with the value of `input`, unless a run is fed another; its static shape is `shape`."""
    return build_tensor("PlaceholderWithDefault", input, name=name, shape=_own_shape(shape))


def identity(input, name: str | None = None) -> Tensor:
    """A tensor with the value that `input` has when this op runs."""
    if hasattr(input, "_as_tensor"):
        input = input._as_tensor(as_ref=True)
    return build_tensor("Identity", input, name=name)


def stop_gradient(input, name: str | None = None) -> Tensor:
    """The same value, through which no gradient flows."""
    return build_tensor("StopGradient", input, name=name)


# New tensors of a given shape.


@kernel
def full(shape, value):
    """An array of this shape filled with the number `value`, or the only one of an array."""
    dtype = object if isinstance(value, bytes) else value.dtype
    return np.full(shape, np.reshape(value, ()), dtype)[()]


def _infer_fill(op: Operation) -> list:
    dims, value = op.inputs
    if constant_value(dims) is not None and np.any(constant_value(dims) < 0):
        raise ValueError("Fill dimensions must be >= 0")
    check_rank(value, 0)
    return [(value.dtype.base_dtype, as_static_shape(dims))]


def _fill_gradient(op: Operation, dy: Tensor) -> list:
    return [None, build_tensor("Unbroadcast", dy, op.inputs[1])]


register("Fill", "dims:length value", _infer_fill, called("full"), _fill_gradient, spreads=1)


def fill(dims, value, name: str | None = None, layout=None) -> Tensor:
    """A tensor of shape `dims` filled with the scalar `value`. `layout` has no meaning here."""
    return build_tensor("Fill", dims, value, name=name)


def _filled(shape, value: int, dtype, name: str) -> Tensor:
    """A constant if the shape is one, else a Fill."""
    dtype = dtypes.as_dtype(dtype).base_dtype
    number = b"" if dtype is dtypes.string else dtype.as_numpy_dtype(value)
    if not (isinstance(shape, Tensor) or holds_tensor(shape)):
        dims, _ = as_array(shape, None if isinstance(shape, np.ndarray) else dtypes.int32)
        if np.all(dims >= 0):
            return const_op(
                get_default_graph(), np.full(dims, number, dtype.as_numpy_dtype), dtype, name
            )
    elif isinstance(shape, Tensor) and shape.shape.rank == 0:
        shape = reshape_op(shape, [-1])
    return fill(shape, number, name=name)


def ones(shape, dtype=dtypes.float32, name: str | None = None, layout=None) -> Tensor:
    """A tensor of ones. `layout` has no meaning here."""
    return _filled(shape, 1, dtype, name or "ones")


def zeros(shape, dtype=dtypes.float32, name: str | None = None, layout=None) -> Tensor:
    """A tensor of zeros. `layout` has no meaning here."""
    return _filled(shape, 0, dtype, name or "zeros")


def _filled_like(tensor, value: int, dtype, name: str, optimize: bool) -> Tensor:
    tensor = convert_to_tensor(tensor)
    with name_scope(name, None, [tensor]) as scope:
        known = optimize and tensor.shape.is_fully_defined()
        return _filled(
            tensor.shape if known else shape(tensor), value, dtype or tensor.dtype, scope
        )


def ones_like(tensor, dtype=None, name: str | None = None, optimize: bool = True) -> Tensor:
    """A tensor of ones of the shape of `tensor`. No gradient flows through it."""
    return _filled_like(tensor, 1, dtype, name or "ones_like", optimize)


def zeros_like(tensor, dtype=None, name: str | None = None, optimize: bool = True) -> Tensor:
    """A tensor of zeros of the shape of `tensor`. No gradient flows through it."""
    return _filled_like(tensor, 0, dtype, name or "zeros_like", optimize)


# Numbers in a regular order.


@kernel
def arange(start, limit, delta=1):
    """`np.arange`, which raises where `delta` leads away from `limit`."""
    if delta == 0:
        raise ValueError("Requires delta != 0")
    if (limit - start) * np.sign(delta) < 0:
        order = "<= limit when delta > 0" if delta > 0 else ">= limit when delta < 0"
        raise ValueError(f"Requires start {order}: {start}/{limit}")
    return np.arange(start, limit, delta, np.result_type(start))


@shaped
def _range_shape(op: Operation, *limits: Tensor) -> TensorShape:
    for limit in limits:
        check_rank(limit, 0)
    numbers = [shape_ops.known_number(limit) for limit in limits]
    return TensorShape([None if any(n is None for n in numbers) else len(arange(*numbers))])


register("Range", "start:T limit:T delta:T", _range_shape, "arange", not_differentiable)


def range_op(start, limit=None, delta=1, dtype=None, name: str = "range") -> Tensor:
    """The numbers from `start` (0 if only the limit is given) to below `limit`, `delta` apart.

    (TensorFlow's `tf.range`.) Of several dtypes the widest counts. Raises ValueError for a `delta` that
    leads away from `limit`.
    """
    start, limit = (0, start) if limit is None else (start, limit)
    given = {"start": start, "limit": limit, "delta": delta}
    with name_scope(name, "range", given.values()) as scope:
        order = [dtypes.int32, dtypes.int64, dtypes.float16, dtypes.float32, dtypes.float64]
        kinds = [
            v.dtype.base_dtype if hasattr(v, "graph") else as_array(v)[1] for v in given.values()
        ]
        wanted = max(kinds, key=order.index) if dtype is None else dtypes.as_dtype(dtype)
        limits = (
            convert_to_tensor(v, None if hasattr(v, "graph") else wanted, k)
            for k, v in given.items()
        )
        return build_tensor("Range", *(_cast(limit, wanted) for limit in limits), name=scope)


def _cast(x: Tensor, dtype: dtypes.DType) -> Tensor:
    return x if x.dtype.base_dtype is dtype else build_tensor("Cast", x, DstT=dtype)


@shaped
def _linspace_shape(op: Operation, start: Tensor, stop: Tensor, num: Tensor) -> TensorShape:
    check_rank(start, 0)
    return TensorShape([shape_ops.known_number(num)])


def _linspace_code(op: Operation, start: Code, stop: Code, num: Code) -> str:
    return f"linspace({start}, {stop}, {num}, dtype={op.outputs[0].dtype.name})"


def _linspace_gradient(op: Operation, dy: Tensor) -> list:
    """Each number is start * (1 - t) + stop * t, with t from 0 to 1."""
    start, stop, num = op.inputs
    t = build_tensor("LinSpace", *np.array([0, 1], dy.dtype.as_numpy_dtype), num)
    return [
        build_tensor("Unbroadcast", dy * (1 - t), start),
        build_tensor("Unbroadcast", dy * t, stop),
        None,
    ]


register(
    "LinSpace", "start:T stop:T num:length", _linspace_shape, _linspace_code, _linspace_gradient
)


def linspace_nd(start, stop, num, name: str | None = None, axis: int = 0) -> Tensor:
    """`num` numbers at equal distances from `start` to `stop` (TensorFlow's `tf.linspace`); of ints, float64.

    `start` and `stop` are scalars, so that `axis` has no meaning here.
    """
    with name_scope(name, "linspace", [start, stop]):
        start = convert_to_tensor(start, name="start")
        stop = convert_to_tensor(stop, start.dtype.base_dtype, name="stop")
        wanted = dtypes.float64 if start.dtype.is_integer else start.dtype.base_dtype
        return build_tensor(
            "LinSpace", _cast(start, wanted), _cast(stop, wanted), num, name="Slice"
        )


KERNELS["linspace"] = np.linspace


# The same numbers in another shape.


@kernel
def reshape(x, shape):
    """`np.reshape`, which gives a scalar for shape ()."""
    return np.reshape(x, shape)[()]


def _explain_reshape(x, dims) -> str:
    wanted = f"{'requires a multiple of' if np.any(dims == -1) else 'has'} {abs(np.prod(dims))}"
    return (
        f"Input to reshape is a tensor with {np.size(x)} values, but the requested shape {wanted}"
    )


def back_to_shape(op: Operation, dy: Tensor) -> list:
    """The gradient of an op that only changes the shape of its first input."""
    return [reshape_op(dy, shape(op.inputs[0])), *[None] * (len(op.inputs) - 1)]


def _reshaped_already(result, x, dims):
    """`x`, unless its shape stands in for lengths that only the run tells: these may be others."""
    return (
        x if x.same_shape(result) and (dims.constant is not None or x.known_shape is None) else None
    )


_TRAITS = {"simplify": _reshaped_already, "explain": _explain_reshape}


@defines("Reshape", "tensor:T shape:length", called("reshape"), back_to_shape, view=True, **_TRAITS)
def _reshaped(op: Operation, x: Tensor, dims: Tensor) -> TensorShape:
    wanted, count = as_static_shape(dims), x.shape.num_elements()
    if None in (x.shape.rank, wanted.rank):
        return wanted
    _missing(x.shape, wanted.num_elements())
    length = _missing(wanted, count)
    if length is not None:
        wanted = TensorShape([length if d is None else d for d in wanted.as_list()])
    if count not in (None, wanted.num_elements()) and wanted.is_fully_defined():
        shown = f"{in_message(wanted)} ({wanted.num_elements()} elements)"
        raise ValueError(f"Cannot reshape a tensor with {count} elements to shape {shown}")
    return wanted


def _missing(shape: TensorShape, count: int | None) -> int | None:
    """The only unknown length of a shape of so many elements, if that can be told. Raises ValueError if it can't be."""
    known = math.prod(d for d in shape.as_list() if d is not None)
    if count is None or not known or shape.as_list().count(None) != 1:
        return None
    if count % known:
        raise ValueError(f"Dimension size must be evenly divisible by {known} but is {count}")
    return count // known


def reshape_op(tensor, shape, name: str | None = None) -> Tensor:
    """The numbers of `tensor`, row by row, in another shape; one length may be -1: what is left.

    (TensorFlow's `tf.reshape`.) Raises ValueError where the numbers of elements differ.
    """
    return build_tensor("Reshape", tensor, shape, name=name)
