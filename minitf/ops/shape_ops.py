"""The shape of a tensor as a tensor: ops that give it, and what is known of one before a run.

Mirrors shape, size and rank of tensorflow/python/ops/array_ops.py and constant_value_as_shape of
tensorflow/python/framework/tensor_util.py.
"""

import functools
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework import dtypes
from minitf.framework.constant_op import constant_value, convert_to_tensor
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import (
    KERNELS,
    OPS,
    Code,
    atom,
    call,
    kernel,
    not_differentiable,
    register,
)
from minitf.framework.tensor_shape import (
    SCALAR,
    UNKNOWN,
    Length,
    TensorShape,
    UnknownLength,
    difference,
)

# How ops about shapes are entered.


def shaped(rule: Callable[..., TensorShape]) -> Callable[[Operation], list]:
    """The `infer` of an op whose result has the dtype of its first input, and the shape `rule(op, *inputs)`."""
    return lambda op: [(op.inputs[0].dtype.base_dtype, rule(op, *op.inputs))]


same_as_first = shaped(lambda op, x, *others: x.shape)


def defines(op_type: str, inputs: str, code, gradient, **traits) -> Callable:
    """A decorator: register an op of which the function is the shape rule (see `shaped`)."""

    def enter(rule: Callable) -> Callable:
        register(op_type, inputs, shaped(rule), code, gradient, **traits)
        return rule

    return enter


def called(function: str, **defaults) -> Callable[..., str]:
    """The code `function(...)`: lengths as `shape_code`, an axis and attributes where they aren't the default."""
    KERNELS.setdefault(function, getattr(np, function, None))

    def code(op: Operation, *arguments: Code) -> str:
        inputs, shown = OPS[op.type].inputs, []
        if inputs[0][1] == "*T":
            listed = len(arguments) - len(inputs) + 1
            shown, arguments, inputs = (
                [f"[{', '.join(map(str, arguments[:listed]))}]"],
                arguments[listed:],
                inputs[1:],
            )
        for argument, (name, kind) in zip(arguments, inputs, strict=True):
            text = shape_code(argument) if kind == "length" else str(argument)
            if name not in ("axis", "split_dim"):
                shown.append(text)
            elif text != str(defaults.get("axis")):
                shown.append(f"axis={text}")
        shown += [
            f"{name}={op.attrs[name]}"
            for name, usual in defaults.items()
            if op.attrs.get(name, usual) != usual
        ]
        return call(function, *shown)

    return code


def shape_code(dims: Code) -> str:
    """An argument of whole numbers: `2` or `(2, 3)` where it is constant and short."""
    if dims.constant is None or np.size(dims.constant) > 20:
        return str(dims)
    numbers = np.asarray(dims.constant).tolist()
    return str(tuple(numbers) if np.ndim(dims.constant) == 1 else numbers)


# What their shape rules share.


def of_rank(rank: int | None) -> TensorShape:
    """A shape of which nothing else is known."""
    return TensorShape(None if rank is None else [None] * rank)


def spliced(shape: TensorShape, start: int, stop: int, *lengths: Length) -> TensorShape:
    """`shape` with these lengths in the place of its axes from `start` to before `stop`."""
    old = shape.lengths
    return UNKNOWN if old is None else TensorShape.of((*old[:start], *lengths, *old[stop:]))


AT_LEAST = "Shape must be at least rank {least} but is rank {rank}"


def axis_in(axis, rank: int, words: str) -> int:
    """`axis` counted from the front. Raises ValueError in these words where `rank` axes don't have it."""
    if not -rank <= axis < rank:
        least = axis + 1 if axis >= 0 else -axis
        raise ValueError(
            words.format(axis=axis, first=-rank, rank=rank, last=rank - 1, least=least)
        )
    return int(axis) % rank


def check_rank(tensor: Tensor, rank: int) -> None:
    """Raises ValueError where `tensor` certainly has another rank."""
    if tensor.shape.rank not in (None, rank):
        raise ValueError(f"Shape must be rank {rank} but is rank {tensor.shape.rank}")


_NO_RANK = "Shape must be rank {count} but is rank {rank}"


def check_entries(x: Tensor, vector: Tensor, words: str = _NO_RANK) -> int | None:
    """The rank of `x`, from the vector if that has an entry for each axis. Raises ValueError where it can't."""
    rank, count = x.shape.rank, vector.shape[0].value if vector.shape.rank else None
    if None not in (rank, count) and rank != count:
        raise ValueError(words.format(rank=rank, count=count))
    return count if rank is None else rank


def merged(shapes: list[TensorShape]) -> TensorShape:
    """What is known of one shape that all of these are. Raises ValueError where they differ."""
    for other in shapes[1:]:
        if not shapes[0].is_compatible_with(other):
            raise ValueError(difference(shapes[0], other))
    return functools.reduce(TensorShape.merge_with, shapes)


def renamed(new_name: str, value, old_name: str, old_value):
    """Resolves an argument that has two names. Raises ValueError if both are given."""
    if value is not None and old_value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'.")
    return old_value if value is None else value


def with_shape_of(x: Tensor, tensor: Tensor) -> Tensor:
    """`tensor`, which is known to have the shape of `x`: its gradient."""
    tensor._shape = x.shape
    return tensor


# The ops.


@kernel
def shape_of(x) -> np.ndarray:
    """The shape of an array, as an int32 array."""
    return np.array(np.shape(x), np.int32)


@kernel
def size(x, axis: int | None = None) -> np.int32:
    """The number of elements of an array, or its length along `axis`."""
    return np.int32(np.size(x, axis))


def _register(op_type: str, code: Callable[..., str], rule: Callable[[tuple], Any]) -> None:
    """An op that gives `rule(shape)`: before the run, where the shape is known."""

    def out_type(op: Operation) -> dtypes.DType:
        return op.attrs.get("out_type", dtypes.int32)

    def infer(op: Operation) -> list:
        return [
            (out_type(op), TensorShape([op.inputs[0].shape.rank]) if op_type == "Shape" else SCALAR)
        ]

    def in_type(op: Operation, *arguments: Code) -> str:
        text = code(*arguments)
        return text if out_type(op) is dtypes.int32 else f"{out_type(op).name}({text})"

    def simplify(result, x, *axis):
        known = x.known_shape
        return (
            None if known is None else np.array(rule(known), result.tensor.dtype.as_numpy_dtype)[()]
        )

    register(op_type, "input", infer, in_type, not_differentiable, simplify=simplify)


# The compiler may ask another tensor for its length along an axis instead.
_register("Shape", lambda x: call("shape_of", x), list)
_register("Size", lambda x, *axis: call("size", x, *map(shape_code, axis)), math.prod)
_register("Rank", lambda x: f"int32({atom(x)}.ndim)", len)


def shape(input, name: str | None = None, out_type=None) -> Tensor:
    """The shape of `input` as a tensor [rank] of int32: what it is in the run."""
    dtype = dtypes.as_dtype(out_type or dtypes.int32)
    return build_tensor("Shape", convert_to_tensor(input), name=name, out_type=dtype)


def size_of(input, name: str | None = None, out_type=None) -> Tensor:
    """How many elements `input` has, an int32 scalar (TensorFlow's `tf.size`)."""
    return build_tensor(
        "Size",
        convert_to_tensor(input),
        name=name,
        out_type=dtypes.as_dtype(out_type or dtypes.int32),
    )


def rank(input, name: str | None = None) -> Tensor:
    """How many dimensions `input` has, an int32 scalar."""
    return build_tensor("Rank", convert_to_tensor(input), name=name)


# And back: a shape from a tensor of lengths.

MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


def index_of(op: Operation, begin, end, strides) -> list:
    """What a StridedSlice says, in Python's terms: numbers, slices, None and Ellipsis."""

    def entry(i: int):
        no_begin, no_end, ellipsis, new_axis, shrink = (op.attrs[mask] >> i & 1 for mask in MASKS)
        if ellipsis or new_axis:
            return Ellipsis if ellipsis else None
        if shrink:
            return begin[i]
        step = None if isinstance(strides[i], int | np.integer) and strides[i] == 1 else strides[i]
        return slice(None if no_begin else begin[i], None if no_end else end[i], step)

    return [entry(i) for i in range(len(begin))]


_OF_ALL = {"Rank": len, "Size": math.prod, "Prod": math.prod}
_OF_TWO = {
    "AddV2": operator.add,
    "Sub": operator.sub,
    "Mul": operator.mul,
    "FloorDiv": operator.floordiv,
}


def known_elements(tensor: Tensor) -> tuple[Length, ...] | None:
    """The elements of a vector, or the one of a scalar, as far as they are known before a run."""
    op, value = tensor.op, constant_value(tensor)
    if value is not None:
        return tuple(int(d) for d in np.ravel(value))
    if op.type == "Shape":
        return op.inputs[0].shape.lengths
    if op.type in ("Identity", "Reshape", "Cast") and op.inputs[0].dtype.is_integer:
        return known_elements(op.inputs[0])
    if op.type in _OF_ALL and tensor.shape.rank == 0 and tensor.dtype.is_integer:
        lengths = known_elements(op.inputs[0]) if op.type == "Prod" else op.inputs[0].shape.lengths
        if lengths is not None and (op.type == "Rank" or all(isinstance(d, int) for d in lengths)):
            return (_OF_ALL[op.type](lengths),)
    if op.type in _OF_TWO and tensor.dtype.is_integer:
        x, y = (known_elements(t) for t in op.inputs)
        if x and y:
            pairs = list(np.broadcast(np.array(x, object), np.array(y, object)))
            unknown = [any(isinstance(d, UnknownLength) for d in pair) for pair in pairs]
            found = zip(pairs, unknown, strict=True)
            return tuple(
                UnknownLength() if is_unknown else _OF_TWO[op.type](*pair)
                for pair, is_unknown in found
            )
    if op.type in ("Pack", "ConcatV2"):
        parts = [known_elements(t) for t in op.inputs[: -1 if op.type == "ConcatV2" else None]]
        return None if None in parts else sum(parts, ())
    if op.type == "StridedSlice" and tensor.shape.rank in (0, 1):
        source, limits = known_elements(op.inputs[0]), [constant_value(t) for t in op.inputs[1:]]
        if source is not None and all(limit is not None and len(limit) == 1 for limit in limits):
            (found,) = index_of(op, *limits)
            return source[found] if isinstance(found, slice) else (source[found],)
    count = tensor.shape.num_elements()
    return None if count is None else tuple(UnknownLength() for _ in range(count))


def known_number(scalar: Tensor):
    """The value of a scalar, or None where only a run tells."""
    (number,) = (known_elements(scalar) if scalar.dtype.is_integer else None) or (
        constant_value(scalar),
    )
    return None if isinstance(number, UnknownLength) else number


def as_static_shape(shape_tensor: Tensor) -> TensorShape:
    """The shape that a tensor of lengths says, as far as it is known before a run."""
    check_rank(shape_tensor, 1)
    elements = known_elements(shape_tensor)
    if elements is None:
        return UNKNOWN
    for d in elements:
        if isinstance(d, int) and d < -1:
            raise ValueError(f"Invalid value in tensor used for shape: {d}")
    return TensorShape.of(tuple(UnknownLength() if d == -1 else d for d in elements))
