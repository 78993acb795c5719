"""Matrices: diagonals, bands and norms.

Mirrors these functions of tensorflow/python/ops/array_ops.py and linalg_ops.py.
"""

import math

import numpy as np

from minitf.extras.arrays import eye
from minitf.framework import dtypes
from minitf.framework.common_shapes import check_rank_at_least, length_of
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor, convert_to_tensor, renamed
from minitf.framework.operation import Tensor
from minitf.framework.registry import call_code, defines, kernel
from minitf.framework.tensor_shape import UNKNOWN, check_equal, in_message
from minitf.ops.array_ops import expand_dims, identity, shape, squeeze, zeros_like
from minitf.ops.gather_ops import where_v2
from minitf.ops.kernels import invalid, unimplemented
from minitf.ops.math_ops import abs, cast, conj, minimum, multiply, pow, sqrt
from minitf.ops.reduction_ops import reduce_max, reduce_sum

# Diagonals and bands.


@kernel
def band(x, num_lower, num_upper):
    """`x` with zeros outside of a band around the diagonal of each matrix; -1 is a whole side."""
    if np.ndim(x) < 2:
        shown = in_message(np.shape(x))
        raise invalid(f"input must be at least 2-dim, received shape: {shown}")
    rows, columns = np.shape(x)[-2:]
    for name, count, side, most in (
        ("num_lower", num_lower, "rows", rows),
        ("num_upper", num_upper, "columns", columns),
    ):
        if np.ndim(count):
            shown = in_message(np.shape(count))
            raise invalid(f"{name} must be scalar, got shape {shown}")
        if count > most:
            raise invalid(
                f"{name} must be negative or less or equal to number of {side} ({most}) got: "
                f"{count}"
            )
    upper = np.triu(x, -(num_lower if num_lower >= 0 else rows))
    return np.tril(upper, num_upper if num_upper >= 0 else columns)


def _band_gradient(op, dy):
    return [lambda: matrix_band_part(dy, *op.inputs[1:])]


@defines(
    "MatrixBandPart",
    "input:T num_lower:length=Tindex num_upper:length=Tindex",
    call_code("band"),
    _band_gradient,
)
def _band_shape(op, x, *counts):
    return x.shape


def matrix_band_part(input, num_lower, num_upper, name=None) -> Tensor:
    """Each matrix of `input` with zeros outside of a band around its diagonal.

        tf.matrix_band_part(x, 0, -1)  # the upper triangle; -1 keeps all of a side
        tf.matrix_band_part(x, 0, 0)  # the diagonal

    The band has `num_lower` numbers below the diagonal and `num_upper` to its right, which are
    int32 or int64. A run raises InvalidArgumentError if one of them is larger than the matrix, or
    if `input` has less than two axes.
    """
    return build_tensor("MatrixBandPart", input, num_lower, num_upper, name=name)


@kernel
def diagonal(x):
    """Zeros of the shape of `x` twice, with the elements of `x` on the diagonal."""
    return np.diag(np.ravel(x)).reshape(np.shape(x) * 2)


def _diag_gradient(op, dy):
    return [lambda: diag_part(dy)]


@defines("Diag", "diagonal:T", call_code("diagonal"), _diag_gradient, allowed=dtypes.NUMBERS)
def _diag_shape(op, x):
    check_rank_at_least(x, 1)
    return x.shape.concatenate(x.shape)


@kernel
def diagonal_part(x):
    """The diagonal of `x`, whose shape is another one twice."""
    half = np.shape(x)[: np.ndim(x) // 2]
    for i, (one, other) in enumerate(zip(half, np.shape(x)[len(half) :], strict=True)):
        if one != other:
            raise invalid(
                f"Invalid shape {in_message(np.shape(x))}: dimensions {i} and {i + len(half)} do "
                "not match."
            )
    return np.diagonal(np.reshape(x, [math.prod(half)] * 2)).reshape(half)


def _diag_part_gradient(op, dy):
    return [lambda: diag(dy)]


@defines(
    "DiagPart", "input:T", call_code("diagonal_part"), _diag_part_gradient, allowed=dtypes.NUMBERS
)
def _diag_part_shape(op, x):
    if x.shape.rank is None:
        return UNKNOWN
    if x.shape.rank % 2 or not x.shape.rank:
        raise ValueError(f"Input must have even and non-zero rank, input rank is {x.shape.rank}")
    half = x.shape.rank // 2
    for one, other in zip(x.shape[:half], x.shape[half:], strict=True):
        check_equal(one.value, other.value)
    return x.shape[:half].merge_with(x.shape[half:])


def diag(diagonal, name=None) -> Tensor:
    """A tensor with the elements of `diagonal` on its diagonal, and zeros elsewhere.

    Its shape is that of `diagonal` twice, so a vector gives a matrix. Raises ValueError for a
    scalar.
    """
    return build_tensor("Diag", diagonal, name=name)


def diag_part(input, name=None) -> Tensor:
    """The diagonal of `input`, whose shape must be some other shape twice, which the result has.

    Raises ValueError for any other shape.
    """
    return build_tensor("DiagPart", input, name=name)


def matrix_diag(
    diagonal, name="diag", k=0, num_rows=-1, num_cols=-1, padding_value=0, align="RIGHT_LEFT"
) -> Tensor:
    """Square matrices with the rows of `diagonal` on their diagonals and `padding_value` elsewhere.

    Raises ValueError for a scalar, UnimplementedError for other diagonals (`k`) or sizes.
    """
    if (k, num_rows, num_cols) != (0, -1, -1):
        raise unimplemented("matrix_diag with k, num_rows or num_cols")
    with name_scope(name, "diag", [diagonal]) as scope:
        x = convert_to_tensor(diagonal, name="diagonal")
        check_rank_at_least(x, 1)
        count = length_of(x, -1)
        is_inside = cast(eye(shape(x)[-1] if count is None else count), dtypes.bool)
        padding = convert_to_tensor(padding_value, x.dtype.base_dtype, name="padding_value")
        return where_v2(is_inside, expand_dims(x, -1), padding, name=scope)


def matrix_diag_part(input, name="diag_part", k=0, padding_value=0, align="RIGHT_LEFT") -> Tensor:
    """The diagonals of the matrices in `input`: vectors along the last axis.

    Raises ValueError for less than two axes, UnimplementedError for other diagonals (`k`).
    """
    if k != 0:
        raise unimplemented("matrix_diag_part with k")
    with name_scope(name, "diag_part", [input]) as scope:
        x = convert_to_tensor(input, name="input")
        check_rank_at_least(x, 2)
        rows, columns = length_of(x, -2), length_of(x, -1)
        if None in (rows, columns):
            rows, columns = shape(x)[-2], shape(x)[-1]
            count = minimum(rows, columns)
        else:
            count = min(rows, columns)
        is_inside = cast(eye(rows, columns), dtypes.bool)
        sums = reduce_sum(where_v2(is_inside, x, zeros_like(x)), -1)
        return identity(sums[..., :count], name=scope)


# Norms.


def norm(tensor, ord="euclidean", axis=None, keepdims=None, name=None, keep_dims=None) -> Tensor:
    """The norm of all elements of a tensor, or of the vectors or matrices that `axis` says.

    tensor: floats or complex numbers.
    ord: 1, 2, np.inf, "euclidean" or any positive number p for the p-norm; for matrices,
        "euclidean", "fro", 1 or np.inf.
    axis: one axis for vectors, two for matrices, None for all elements as one vector.
    keepdims: whether these axes stay, with the length 1 (`keep_dims` is its older name).

    Raises ValueError for other values, UnimplementedError for matrices with an `ord` of 2.
    """
    keepdims = bool(renamed("keepdims", keepdims, "keep_dims", keep_dims))
    is_matrix = isinstance(axis, list | tuple) and len(axis) == 2
    axis = _checked(axis, ord, is_matrix)
    with name_scope(name, "norm", [tensor]):
        x = convert_to_tensor(tensor)
        if is_matrix and ord == 2:
            raise unimplemented("tf.norm of matrices with ord=2")
        if ord in ("fro", "euclidean", 2):
            squares = multiply(x, conj(x) if x.dtype.is_complex else x)
            found = sqrt(reduce_sum(squares, axis, True))
        elif is_matrix:
            sums, largest = axis if ord == 1 else axis[::-1]
            found = reduce_max(reduce_sum(abs(x), sums, True), largest, True)
        elif ord == np.inf:
            found = reduce_max(abs(x), axis, True)
        elif ord == 1:
            found = reduce_sum(abs(x), axis, True)
        else:
            found = pow(reduce_sum(pow(abs(x), ord), axis, True), 1.0 / ord)
        return found if keepdims else squeeze(found, axis)


def _checked(axis, ord, is_matrix):
    """Return the axis or axes. Raises ValueError if they or `ord` can't be."""
    if is_matrix:
        axis = tuple(axis)
        known = ["euclidean", "fro", 1, 2, np.inf]
        if axis[0] == axis[1] or not all(isinstance(a, int | np.integer) for a in axis):
            raise _bad_axis(axis)
        if ord not in known:
            raise ValueError(
                "'ord' must be a supported matrix norm in ['euclidean', 'fro', 1, 2, inf], got "
                f"{ord}"
            )
        return axis
    if axis is not None and not isinstance(axis, int | np.integer):
        raise _bad_axis(axis)
    if ord != "euclidean" and (isinstance(ord, str) or ord <= 0):
        raise ValueError(f"'ord' must be a supported vector norm, got {ord}")
    return axis


def _bad_axis(axis) -> ValueError:
    words = "'axis' must be None, an integer, or a tuple of 2 unique integers"
    return ValueError(f"{words}, got {axis}")
