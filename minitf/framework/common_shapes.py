"""What the shape rules of ops share: parts of shapes, checks, and shapes given by tensors.

Mirrors tensorflow/python/framework/common_shapes.py, and constant_value_as_shape of tensor_util.py.
"""

import functools
import math
import operator

import numpy as np

from minitf.framework.op_def_library import constant_value
from minitf.framework.operation import Operation, Tensor
from minitf.framework.tensor_shape import (
    UNKNOWN,
    Length,
    TensorShape,
    UnknownLength,
    check_compatible,
)

AT_LEAST = "Shape must be at least rank {least} but is rank {rank}"
MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
NO_MASKS = dict.fromkeys(MASKS, 0)


def of_rank(rank: int | None) -> TensorShape:
    """Return a static shape of which only the rank is known, or not even that if it is None."""
    return TensorShape(None if rank is None else [None] * rank)


def spliced(shape: TensorShape, start: int, stop: int, *lengths: Length) -> TensorShape:
    """Return `shape` with its axes from `start` up to, but not including, `stop` replaced."""
    old = shape.lengths
    return UNKNOWN if old is None else TensorShape.of((*old[:start], *lengths, *old[stop:]))


def with_shape_of(x: Tensor, tensor: Tensor) -> Tensor:
    """Give `tensor`, which is a gradient of `x`, the static shape of `x`, and return it."""
    tensor._shape = x.shape
    return tensor


def merged(shapes: list[TensorShape]) -> TensorShape:
    """Return what all of these say about one shape. Raises ValueError if they disagree."""
    for other in shapes[1:]:
        check_compatible(shapes[0], other)
    return functools.reduce(TensorShape.merge_with, shapes)


def axis_in(axis, rank: int, words: str) -> int:
    """Return `axis` counted from the front. Raises ValueError if there is no such axis.

    `words` is the error message, a format string.
    """
    if not -rank <= axis < rank:
        least = axis + 1 if axis >= 0 else -axis
        raise ValueError(
            words.format(axis=axis, first=-rank, rank=rank, last=rank - 1, least=least)
        )
    return int(axis) % rank


def check_rank(tensor: Tensor, rank: int) -> None:
    """Raise ValueError if `tensor` is known to have another rank."""
    if tensor.shape.rank not in (None, rank):
        raise ValueError(f"Shape must be rank {rank} but is rank {tensor.shape.rank}")


def check_rank_at_least(tensor: Tensor, least: int) -> None:
    """Raise ValueError if `tensor` is known to have a lower rank."""
    if tensor.shape.rank is not None and tensor.shape.rank < least:
        raise ValueError(AT_LEAST.format(least=least, rank=tensor.shape.rank))


def check_scalar(tensor: Tensor) -> None:
    """Raise ValueError if `tensor` is known not to be a scalar."""
    if tensor.shape.rank:
        raise ValueError(f"Input must be scalar but has rank {tensor.shape.rank}")


def length_of(tensor: Tensor, axis: int) -> int | None:
    """Return the length of an axis of a tensor, or None if it is unknown or the tensor a scalar."""
    return tensor.shape[axis].value if tensor.shape.rank else None


_NO_RANK = "Shape must be rank {count} but is rank {rank}"


def check_entries(x: Tensor, vector: Tensor, words: str = _NO_RANK) -> int | None:
    """Return the rank of `x`, or else the length of `vector`, which has an entry for each axis.

    Returns None if neither is known. Raises ValueError if the two differ; `words` is the message, a
    format string.
    """
    rank, count = x.shape.rank, length_of(vector, 0)
    if None not in (rank, count) and rank != count:
        raise ValueError(words.format(rank=rank, count=count))
    return count if rank is None else rank


# Shapes given by tensors.


def index_of(op: Operation, begin, end, strides) -> list:
    """Return the index of a StridedSlice as Python has it: numbers, slices, None and Ellipsis."""

    def entry(i):
        no_begin, no_end, ellipsis, new_axis, shrink = (op.attrs[mask] >> i & 1 for mask in MASKS)
        if ellipsis or new_axis:
            return Ellipsis if ellipsis else None
        if shrink:
            return begin[i]
        step = None if isinstance(strides[i], int | np.integer) and strides[i] == 1 else strides[i]
        return slice(None if no_begin else begin[i], None if no_end else end[i], step)

    return [entry(i) for i in range(len(begin))]


def known_elements(tensor: Tensor) -> tuple[Length, ...] | None:
    """Return the elements of an integer vector or scalar, as far as they are known before a run.

    The others are UnknownLengths. Returns None if not even their number is known.
    """
    value = constant_value(tensor)
    if value is not None:
        return tuple(int(d) for d in np.ravel(value))
    return _RULES.get(tensor.op.type, _unknown)(tensor)


def gives_shapes(tensor: Tensor) -> bool:
    """Return whether static shapes may have been computed from what `known_elements` says of it."""
    op = tensor.op
    while op.type in _SAME:
        op = op.inputs[0].op
    return op.type == "Const" or tensor.dtype.is_integer and op.type in _RULES


# How `known_elements` looks into an op: a rule for each type that it knows.

_SAME = ("Identity", "Reshape", "Cast")
_COUNTS = {"Rank": len, "Size": math.prod}
_ARITHMETIC = {
    "AddV2": operator.add,
    "Sub": operator.sub,
    "Mul": operator.mul,
    "FloorDiv": operator.floordiv,
}
_MOST_ELEMENTS = 1 << 16  # no shape or axis has more, but a damaged file may claim that it has


def _unknown(tensor):
    """Return elements of which only the number is known, from the static shape."""
    count = tensor.shape.num_elements()
    if count is None or count > _MOST_ELEMENTS:
        return None
    return tuple(UnknownLength() for _ in range(count))


def _of_shape(tensor):
    return tensor.op.inputs[0].shape.lengths


def _of_same(tensor):
    source = tensor.op.inputs[0]
    return known_elements(source) if source.dtype.is_integer else _unknown(tensor)


def _of_count(tensor):
    lengths = tensor.op.inputs[0].shape.lengths
    if lengths is None or not tensor.dtype.is_integer:
        return _unknown(tensor)
    return (_COUNTS[tensor.op.type](lengths),)


def _of_product(tensor):
    if tensor.shape.rank != 0 or not tensor.dtype.is_integer:
        return _unknown(tensor)
    factors = known_elements(tensor.op.inputs[0])
    return _unknown(tensor) if factors is None else (math.prod(factors),)


def _of_arithmetic(tensor):
    if not tensor.dtype.is_integer:
        return _unknown(tensor)
    x, y = (known_elements(t) for t in tensor.op.inputs)
    if not x or not y:
        return _unknown(tensor)
    # One of the two may be a scalar, which is combined with every element of the other.
    return tuple(_ARITHMETIC[tensor.op.type](np.array(x, object), np.array(y, object)))


def _of_joined(tensor):
    """Return the elements of all parts. (The last input of a ConcatV2 is the axis.)"""
    inputs = tensor.op.inputs
    parts = inputs[:-1] if tensor.op.type == "ConcatV2" else inputs
    known = [known_elements(part) for part in parts]
    return None if None in known else sum(known, ())


def _of_slice(tensor):
    """Return the elements of a vector that an index chooses, if the index is constant."""
    if tensor.shape.rank not in (0, 1):
        return _unknown(tensor)
    source, *limits = tensor.op.inputs
    known, limits = known_elements(source), [constant_value(limit) for limit in limits]
    if known is None or any(limit is None or len(limit) != 1 for limit in limits):
        return _unknown(tensor)
    (index,) = index_of(tensor.op, *limits)
    return known[index] if isinstance(index, slice) else (known[index],)


_RULES = {
    "Shape": _of_shape,
    **dict.fromkeys(_SAME, _of_same),
    **dict.fromkeys(_COUNTS, _of_count),
    "Prod": _of_product,
    **dict.fromkeys(_ARITHMETIC, _of_arithmetic),
    "Pack": _of_joined,
    "ConcatV2": _of_joined,
    "StridedSlice": _of_slice,
}


def known_number(scalar: Tensor):
    """Return the value of a scalar, or None if it is known only during a run."""
    elements = known_elements(scalar) if scalar.dtype.is_integer else None
    if not elements:
        return constant_value(scalar)
    (number,) = elements
    return None if isinstance(number, UnknownLength) else number


def known_count(scalar: Tensor) -> int | None:
    """Return the value of a scalar that says how many, as far as it is known before a run.

    Raises ValueError if it is negative.
    """
    number = known_number(scalar)
    if number is None:
        return None
    if number < 0:
        raise ValueError(
            f"Dimension size, given by scalar input 1, must be non-negative but is {number}"
        )
    return int(number)


def as_static_shape(shape_tensor: Tensor) -> TensorShape:
    """Return the static shape that a vector of lengths describes, as far as it is known.

    A length of -1 is unknown. Raises ValueError for lengths below -1 or if the tensor isn't a
    vector.
    """
    check_rank(shape_tensor, 1)
    elements = known_elements(shape_tensor)
    if elements is None:
        return UNKNOWN
    for d in elements:
        if isinstance(d, int) and d < -1:
            raise ValueError(f"Invalid value in tensor used for shape: {d}")
    return TensorShape.of(tuple(UnknownLength() if d == -1 else d for d in elements))
