"""Array and number functions that few training scripts call.

linspace, eye, meshgrid, slice, pad, tile, reverse, shuffle and multinomial; trigonometric and
hyperbolic functions, products and cumulative sums; older names of functions.

Mirrors these functions of tensorflow/python/ops/array_ops.py, math_ops.py and their gradients, and
some of linalg_ops.py, random_ops.py and state_ops.py.
"""

import builtins
import math

import numpy as np

from minitf.framework import dtypes
from minitf.framework.common_shapes import (
    axis_in,
    check_entries,
    check_rank,
    known_count,
    known_elements,
    known_number,
    length_of,
    merged,
    of_rank,
    with_shape_of,
)
from minitf.framework.dtypes import FLOATS, REAL_FLOATS, SIGNED
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import (
    build_tensor,
    constant,
    constant_value,
    convert_to_tensor,
    is_tensor,
)
from minitf.framework.operation import Tensor
from minitf.framework.registry import (
    KERNELS,
    call_code,
    defines,
    infix,
    kernel,
    no_gradient,
    not_differentiable,
    register,
    same_as_first,
    shaped,
)
from minitf.framework.tensor_shape import UNKNOWN, TensorShape, UnknownLength, in_message
from minitf.ops.array_ops import (
    broadcast_to,
    expand_dims,
    fill,
    ones_like,
    range,
    rank,
    reshape,
    shape,
    size,
    stop_gradient,
)
from minitf.ops.gather_ops import collected, one_hot, where, where_v2
from minitf.ops.kernels import as_array_of_bytes, invalid
from minitf.ops.math_ops import (
    WITH_SIGN,
    add,
    as_floats,
    binary,
    cast,
    check_divisible,
    cos,
    equal,
    exp,
    floor_div,
    less,
    log,
    matmul,
    maximum,
    mul_no_nan,
    realdiv,
    square,
    subtract,
    truth,
    unary,
)
from minitf.ops.random_ops import SEEDS, build_random, stream_code
from minitf.ops.reduction_ops import (
    again,
    argmax,
    argmin,
    public,
    reduce_max,
    reduce_sum,
    reduction,
    spread,
)
from minitf.ops.slicing_ops import sliced_length, stack
from minitf.ops.state_ops import scatter

# New arrays.


@shaped
def _linspace_shape(op, start, stop, num):
    check_rank(start, 0)
    check_rank(num, 0)
    known = start.shape.rank == stop.shape.rank == 0
    return TensorShape([known_number(num)]) if known else UNKNOWN


def _linspace_code(op, start, stop, num):
    return f"linspace({start}, {stop}, {num}, dtype={op.outputs[0].dtype.name})"


def _linspace_gradient(op, dy):
    """Each number is start * (1 - t) + stop * t, where t goes from 0 to 1."""
    start, stop, num = op.inputs
    t = build_tensor("LinSpace", *np.array([0, 1], dy.dtype.as_numpy_dtype), num)
    return [
        build_tensor("Unbroadcast", dy * (1 - t), start),
        build_tensor("Unbroadcast", dy * t, stop),
    ]


KERNELS["linspace"] = np.linspace
register(
    "LinSpace",
    "start:T stop:T num:length=Tidx",
    _linspace_shape,
    _linspace_code,
    _linspace_gradient,
)


def linspace(start, stop, num, name=None, axis=0) -> Tensor:
    """`num` evenly spaced numbers from `start` to `stop` inclusive; integers become float64.

    `start` and `stop` are scalars, so `axis` is ignored.
    """
    with name_scope(name, "linspace", [start, stop]):
        start = convert_to_tensor(start, name="start")
        stop = convert_to_tensor(stop, start.dtype.base_dtype, name="stop")
        wanted = dtypes.float64 if start.dtype.is_integer else start.dtype.base_dtype
        return build_tensor("LinSpace", cast(start, wanted), cast(stop, wanted), num, name="Slice")


lin_space = linspace


def eye(num_rows, num_columns=None, batch_shape=None, dtype=dtypes.float32, name=None) -> Tensor:
    """A matrix with ones on its diagonal and zeros elsewhere, by default square.

    With `batch_shape`, a list, the result has these axes in front and a matrix at each place.
    """
    number = dtypes.as_dtype(dtype).as_numpy_dtype
    num_rows = int(num_rows) if isinstance(num_rows, bool) else num_rows
    columns = num_rows if num_columns is None else num_columns
    numbers = (num_rows, columns)
    if not is_tensor(num_rows) and not all(
        isinstance(n, int | np.integer) or is_tensor(n) for n in numbers
    ):
        raise TypeError(
            "Arguments `num_rows` and `num_columns` must be positive integer values. "
            f"Received: num_rows={num_rows}, num_columns={columns}"
        )
    with name_scope(name, "eye"):
        name = "diag" if num_columns is None else "set_diag"
        depth = cast(columns, dtypes.int32) if is_tensor(columns) else columns
        matrix = one_hot(range(num_rows), depth, number(1), number(0), name=name)
        return broadcast_to(matrix, [*batch_shape, num_rows, columns]) if batch_shape else matrix


def sequence_mask(lengths, maxlen=None, dtype=dtypes.bool, name=None) -> Tensor:
    """For each of the lengths n, a row whose first n elements are true and the others false.

        tf.sequence_mask([1, 3])  # [[True, False, False], [True, True, True]]

    The rows have the length `maxlen`, by default the largest of the lengths. Raises ValueError if
    `maxlen` isn't a scalar.
    """
    with name_scope(name, "SequenceMask", [lengths, maxlen]):
        lengths = convert_to_tensor(lengths)
        known = constant_value(lengths)
        if maxlen is None and known is not None:
            maxlen = constant(np.max(known, initial=0), lengths.dtype)
        elif maxlen is None:
            maxlen = reduce_max(lengths, range(rank(lengths)))
            maxlen = maximum(constant(0, maxlen.dtype.base_dtype), maxlen)
        else:
            maxlen = convert_to_tensor(maxlen)
        if maxlen.shape.rank not in (None, 0):
            raise ValueError(
                f"Argument `maxlen` must be scalar for sequence_mask, received `maxlen` = {maxlen} "
                f"with shape '{maxlen.shape}' instead"
            )
        places = range(constant(0, maxlen.dtype.base_dtype), maxlen)
        mask = less(places, cast(expand_dims(lengths, -1), maxlen.dtype.base_dtype))
        return cast(mask, dtype)


def meshgrid(*args, **kwargs) -> list[Tensor]:
    """For each of these vectors, a tensor that repeats it along the axes of the others.

        x, y = tf.meshgrid([1, 2, 3], [4, 5])  # [[1, 2, 3], [1, 2, 3]] and [[4, 4, 4], [5, 5, 5]]

    The keyword arguments are `indexing`, "xy" or "ij", and `name`. With "ij", axis i belongs to
    vector i; with "xy", the default, the first two axes are swapped. The vectors must have the same
    dtype. Raises TypeError for other keyword arguments, ValueError for another `indexing`.
    """
    indexing, name = kwargs.pop("indexing", "xy"), kwargs.pop("name", "meshgrid")
    for key in kwargs:
        raise TypeError(f"'{key}' is an invalid keyword argument for this function")
    if indexing not in ("xy", "ij"):
        raise ValueError(
            f"Argument `indexing` parameter must be either 'xy' or 'ij', got '{indexing}'"
        )
    with name_scope(name, "meshgrid", args):
        vectors = [convert_to_tensor(arg) for arg in args]
        order = [*builtins.range(len(vectors))]
        if indexing == "xy":
            order[:2] = order[:2][::-1]
        if not vectors:
            return []
        sides = [size(vectors[i]) for i in order]
        ones = fill(stack(sides), constant(1, vectors[0].dtype.base_dtype))
        shapes = [[-1 if own == i else 1 for own in order] for i in sorted(order)]
        return [reshape(v, lengths) * ones for v, lengths in zip(vectors, shapes, strict=True)]


# Parts of a tensor, and a tensor as part of a larger one.


@kernel
def part(x, begin, size):
    """The part of `x` that starts at `begin` and has the shape `size`, where -1 takes the rest."""
    if {np.shape(begin), np.shape(size)} != {np.shape(np.shape(x))}:
        raise invalid(
            f"Expected begin and size arguments to be 1-D tensors of size {np.ndim(x)}, but got "
            f"shapes {in_message(np.shape(begin))} and {in_message(np.shape(size))} instead."
        )
    for i, (d, b, n) in enumerate(zip(np.shape(x), begin, size, strict=True)):
        if d == 0 and (b != 0 or n not in (0, -1)):
            raise ValueError(
                f"Expected begin[{i}] == 0 (got {b}) and size[{i}] == 0 (got {n}) "
                f"when input.dim_size({i}) == 0"
            )
        if not 0 <= b <= d:
            raise ValueError(f"Expected begin[{i}] in [0, {d}], but got {b}")
        if not -1 <= n <= d - b:
            raise ValueError(f"Expected size[{i}] in [0, {d - b}], but got {n}")
    return x[tuple(np.s_[b : None if n == -1 else b + n] for b, n in zip(begin, size, strict=True))]


def _slice_gradient(op, dy):
    x, begin, _ = op.inputs
    whole, taken = (shape(t, out_type=begin.dtype) for t in (x, dy))
    paddings = stack([begin, whole - taken - begin], axis=1)
    return [with_shape_of(x, pad(dy, paddings))]


@defines(
    "Slice",
    "input:T begin:index=Index size:index=Index",
    call_code("part"),
    _slice_gradient,
    view=True,
)
def _slice_shape(op, x, begin, size):
    for vector in (begin, size):
        check_rank(vector, 1)
    merged([begin.shape, size.shape])
    rank = check_entries(x, size)
    check_entries(x, begin)
    starts, sizes = known_elements(begin), known_elements(size)
    if sizes is None:
        return of_rank(rank)
    unknown = [UnknownLength() for _ in sizes]
    lengths = zip(x.shape.lengths or unknown, starts or unknown, sizes, strict=True)
    return TensorShape.of(
        tuple(sliced_length(d, np.s_[b or None :]) if n == -1 else n for d, b, n in lengths)
    )


def slice(input_, begin, size, name=None) -> Tensor:
    """The part of `input_` that starts at `begin` and has the shape `size`.

        tf.slice([[1, 2, 3], [4, 5, 6]], [0, 1], [2, -1])  # [[2, 3], [5, 6]]: -1 takes the rest

    Raises ValueError if `begin` and `size` don't fit `input_`.
    """
    return build_tensor("Slice", input_, begin, size, name=name)


def strided_slice(
    input_,
    begin,
    end,
    strides=None,
    begin_mask=0,
    end_mask=0,
    ellipsis_mask=0,
    new_axis_mask=0,
    shrink_axis_mask=0,
    var=None,
    name=None,
) -> Tensor:
    """`input_[begin[0]:end[0]:strides[0], begin[1]:...]`: the limits and strides are vectors.

    Bit i of a mask changes entry i of the index: with `begin_mask` or `end_mask`, that limit is
    ignored; with `ellipsis_mask`, the entry is `...`; with `new_axis_mask`, it is None; with
    `shrink_axis_mask`, it is the number begin[i]. `var` is ignored.
    """
    begin = convert_to_tensor(begin)
    strides = ones_like(begin) if strides is None else strides
    return build_tensor(
        "StridedSlice",
        input_,
        begin,
        end,
        strides,
        name=name,
        begin_mask=begin_mask,
        end_mask=end_mask,
        ellipsis_mask=ellipsis_mask,
        new_axis_mask=new_axis_mask,
        shrink_axis_mask=shrink_axis_mask,
    )


def _pad_gradient(op, dy):
    x, paddings, *_ = op.inputs
    inner = slice(dy, paddings[:, 0], shape(x, out_type=paddings.dtype))
    return [with_shape_of(x, inner)]


def _paddings(x, paddings, farthest=None, words=""):
    """`paddings` as an array; no more than an axis' length + `farthest`, or the error `words`."""
    if isinstance(paddings, list):  # a constant
        paddings = np.reshape(paddings, (-1, 2)).astype(np.int64)
    if np.ndim(paddings) != 2 or np.shape(paddings)[1] != 2:
        raise invalid(f"paddings must be a matrix with 2 columns: {in_message(np.shape(paddings))}")
    if len(paddings) != np.ndim(x):
        shapes = [in_message(np.shape(a)) for a in (paddings, x)]
        words = "The first dimension of paddings must be the rank of inputs"
        raise invalid(words + (" " if farthest is None else ", ").join(shapes))
    for (before, after), length in zip(paddings, np.shape(x), strict=True):
        if before < 0 or after < 0:
            start = "Paddings" if farthest is None else "paddings"
            raise invalid(f"{start} must be non-negative: {before} {after}")
        if farthest is not None and max(before, after) > length + farthest:
            raise invalid(f"paddings must be {words.format(f'{before}, {after}')} than {length}")
    return paddings


def _pad(x, paddings, value=0):
    """`x` with `value` around it; in strings, the usual value is b""."""
    paddings, x = _paddings(x, paddings), as_array_of_bytes(x)
    if np.ndim(value):
        raise invalid(f"constant_values must be a scalar. Found: {in_message(np.shape(value))}")
    lengths = np.sum(paddings, 1, np.int64) + np.array(np.shape(x), np.int64)
    usual = b"" if x.dtype == object else x.dtype.type(0)
    found = np.full(lengths, value if isinstance(value, bytes) or value != 0 else usual, x.dtype)
    found[tuple(np.s_[b : b + d] for (b, _), d in zip(paddings, np.shape(x), strict=True))] = x[()]
    return found[()]


KERNELS["pad"] = _pad


@kernel
def mirrored(x, paddings, mode):
    """`np.pad` in the mode "reflect" or "symmetric", by no more than there is to mirror."""
    if mode == "reflect":
        paddings = _paddings(x, paddings, -1, "less than the dimension size: {} not less")
    else:
        paddings = _paddings(x, paddings, 0, "no greater than the dimension size: {} greater")
    return np.pad(x, paddings, mode)[()] if np.ndim(x) else x


_PAD = "input:T paddings:length=Tpaddings"


@defines("MirrorPad", _PAD, call_code("mirrored", mode=None), collected)
@defines("PadV2", f"{_PAD} constant_values:T", call_code("pad"), _pad_gradient)
@defines("Pad", _PAD, call_code("pad"), _pad_gradient)
def _padded(op, x, paddings, value=None):
    check_rank(paddings, 2)
    if paddings.shape.rank and paddings.shape[1].value not in (None, 2):
        raise ValueError(f"Dimension must be 2 but is {paddings.shape[1]}")
    rank, pairs = check_entries(x, paddings), constant_value(paddings)
    if pairs is None or x.shape.rank is None:
        return of_rank(rank)
    if np.min(pairs, initial=0) < 0:
        raise ValueError("Paddings must be non-negative")
    more = zip(x.shape.lengths, pairs.sum(1).tolist(), strict=True)
    return TensorShape.of(tuple(d if n == 0 else d + n for d, n in more))


def pad(tensor, paddings, mode="CONSTANT", name=None, constant_values=0) -> Tensor:
    """`tensor` with numbers added around it: along axis i, paddings[i] = (how many before, after).

        tf.pad([1, 2, 3], [[2, 1]])  # [0, 0, 1, 2, 3, 0]
        tf.pad([1, 2, 3], [[2, 0]], "REFLECT")  # [3, 2, 1, 2, 3]
        tf.pad([1, 2, 3], [[2, 0]], "SYMMETRIC")  # [2, 1, 1, 2, 3]

    In the mode "CONSTANT", the numbers are the scalar `constant_values`, and the usual one of
    strings is b"". Raises ValueError for an unknown mode, or if the paddings don't fit.
    """
    if mode.upper() in ("REFLECT", "SYMMETRIC"):
        return build_tensor("MirrorPad", tensor, paddings, name=name, mode=mode.lower())
    if mode.upper() != "CONSTANT":
        raise ValueError(
            'Value of argument `mode` expected to be one of "CONSTANT", "REFLECT", or '
            f'"SYMMETRIC". Received `mode` = {mode.upper()}'
        )
    usual = not is_tensor(constant_values) and np.shape(constant_values) == ()
    if usual and constant_values == np.zeros_like(constant_values):
        return build_tensor("Pad", tensor, paddings, name=name)
    return build_tensor("PadV2", tensor, paddings, constant_values, name=name)


# Elements repeated, or in another order.


def _tile(x, multiples):
    """`np.tile`, but a scalar for a scalar."""
    if np.ndim(multiples) != 1:
        shape = in_message(np.shape(multiples))
        raise invalid(f"Expected multiples to be 1-D, but got shape {shape}")
    for i, (_, n) in enumerate(zip(np.shape(x), multiples, strict=True)):  # strict: one per axis
        if n < 0:
            raise ValueError(f"Expected multiples[{i}] >= 0, but got {n}")
    return np.tile(as_array_of_bytes(x), multiples)[()]


KERNELS["tile"] = _tile


def _explain_tile(x, multiples):
    rank, count = np.ndim(x), len(multiples)
    words = f"Expected multiples argument to be a vector of length {rank} but got length {count}"
    return None if rank == count else words


@defines(
    "Tile",
    "input:T multiples:length=Tmultiples",
    call_code("tile"),
    collected,
    explain=_explain_tile,
)
def _tiled(op, x, multiples):
    check_rank(multiples, 1)
    rank = check_entries(x, multiples, "Shape must be rank {rank} but is rank {count}")
    counts = known_elements(multiples)
    if counts is None or x.shape.rank is None:
        return of_rank(rank)

    def length(d, n):
        known = isinstance(d, int) and isinstance(n, int) and n >= 0
        return d if n == 1 else d * n if known else UnknownLength()

    return TensorShape.of(tuple(map(length, x.shape.lengths, counts)))


def tile(input, multiples, name=None) -> Tensor:
    """`input` repeated `multiples[i]` times along each axis i.

        tf.tile([[1, 2]], [2, 3])  # [[1, 2, 1, 2, 1, 2], [1, 2, 1, 2, 1, 2]]

    Raises ValueError unless `multiples` has one number per axis.
    """
    return build_tensor("Tile", input, multiples, name=name)


@kernel
def flip(x, axis):
    """`np.flip` along these axes; a scalar is returned as it is."""
    if np.ndim(axis) != 1:
        raise invalid(f"'dims' must be 1-dimension, not {np.ndim(axis)}")
    return np.flip(x, tuple(axis)) if np.ndim(x) else x


def _reverse_gradient(op, dy):
    return [reverse(dy, op.inputs[1])]


@defines("ReverseV2", "tensor:T axis:length=Tidx", call_code("flip"), _reverse_gradient, view=True)
def _reversed_shape(op, x, axes):
    check_rank(axes, 1)
    if constant_value(axes) is not None and x.shape.rank is not None:
        words = "'axis'[0] = {axis} is out of valid range [0, {last}"
        places = [axis_in(a, x.shape.rank, words) for a in constant_value(axes)]
        if len(set(places)) < len(places):
            raise ValueError(f"axis {max(places, key=places.count)} specified more than once.")
    return x.shape


def reverse(tensor, axis, name=None) -> Tensor:
    """`tensor` reversed along each axis in the list `axis`.

    Raises ValueError for an axis that is out of range or repeated.
    """
    return build_tensor("ReverseV2", tensor, axis, name=name)


@kernel
def shuffled(stream, x):
    """The rows of `x` in random order."""
    return stream.permutation(x) if np.ndim(x) else x


def _shuffle_code(op, x):
    return f"shuffled({stream_code(op)}, {x})"


register(
    "RandomShuffle",
    "value:T",
    same_as_first,
    _shuffle_code,
    not_differentiable,
    stateful=True,
    defaults=SEEDS,
)


def _infer_draws(op):
    logits, count = op.inputs
    check_rank(logits, 2)
    check_rank(count, 0)
    shape = TensorShape([length_of(logits, 0), known_count(count)])
    return [(op.attrs["output_dtype"], shape)]


@kernel
def drawn(stream, logits, count):
    """For each row, `count` indices, drawn with the probabilities softmax(row)."""
    rows, depth = np.shape(logits)
    if count and not depth:
        raise invalid("num_classes should be positive, got 0")
    sums = np.cumsum(np.exp(logits - np.max(logits, 1, initial=-np.inf, keepdims=True)), 1)
    points = stream.random((rows, count, 1)) * sums[:, None, -1:]
    return np.sum(points >= sums[:, None, :], -1)


def _draws_code(op, logits, count):
    return f"{op.attrs['output_dtype'].name}(drawn({stream_code(op)}, {logits}, {count}))"


register(
    "Multinomial",
    "logits:T num_samples:int32",
    _infer_draws,
    _draws_code,
    not_differentiable,
    stateful=True,
    allowed=dtypes.REALS,
    defaults=SEEDS | {"output_dtype": dtypes.int64},
)


def multinomial(logits, num_samples, seed=None, name=None, output_dtype=None) -> Tensor:
    """For each row of `logits`, `num_samples` indices drawn with the probabilities softmax(row).

    The result has the shape [rows, num_samples]; its dtype is int64 unless `output_dtype` is int32.
    Each run draws new ones. Raises ValueError unless `logits` is a matrix, or if `num_samples` is
    negative.
    """
    with name_scope(name, "multinomial", [logits]):
        logits = convert_to_tensor(logits, name="logits")
        dtype = dtypes.as_dtype(output_dtype or dtypes.int64)
        return build_random("Multinomial", logits, num_samples, seed=seed, output_dtype=dtype)


def random_shuffle(value, seed=None, name=None) -> Tensor:
    """The rows of `value` in random order, a new one in each run."""
    return build_random("RandomShuffle", value, seed=seed, name=name)


# Elements of a variable.


def _parts_wanted(ref, indices):
    depth = indices[-1].value
    return indices[:-1].concatenate(ref[depth:] if depth else None)


scatter_nd_update = scatter(
    "scatter_nd_update",
    "{}[{}] = {}",
    True,
    "Build an op that sets the parts of the variable `ref` at the places `indices` to `updates`.",
    "places({}, {}.shape)",
    _parts_wanted,
)


# Elementwise functions of one argument.


def _rsqrt_code(op, x):
    return infix("/", "1", f"sqrt({x})")


_BELL = 2 / math.sqrt(math.pi)
KERNELS["erf"] = lambda x: np.vectorize(math.erf, [x.dtype])(x)[()]
reciprocal = unary(
    "reciprocal", lambda x, y, dy: mul_no_nan(-square(y), dy), "1 / x.", WITH_SIGN, missing=SIGNED
)
rsqrt = unary(
    "rsqrt", lambda x, y, dy: mul_no_nan(-0.5 * y * square(y), dy), "1 / sqrt(x).", code=_rsqrt_code
)
expm1 = unary("expm1", lambda x, y, dy: dy * exp(x), "exp(x) - 1.")
erf = unary("erf", lambda x, y, dy: dy * (_BELL * exp(-square(x))), "Error function.", REAL_FLOATS)
tan = unary("tan", lambda x, y, dy: dy / square(cos(x)), "Tangent of x, in radians.")
asin = unary("asin", lambda x, y, dy: dy * rsqrt(1.0 - square(x)), "Arc sine of x.", code="arcsin")
acos = unary(
    "acos", lambda x, y, dy: -dy * rsqrt(1.0 - square(x)), "Arc cosine of x.", code="arccos"
)
atan = unary("atan", lambda x, y, dy: dy / (1.0 + square(x)), "Arc tangent of x.", code="arctan")
sinh = unary("sinh", lambda x, y, dy: dy * cosh(x), "Hyperbolic sine of x.")
cosh = unary("cosh", lambda x, y, dy: dy * sinh(x), "Hyperbolic cosine of x.")
asinh = unary(
    "asinh", lambda x, y, dy: dy / cosh(y), "Inverse hyperbolic sine of x.", code="arcsinh"
)
acosh = unary(
    "acosh", lambda x, y, dy: dy / sinh(y), "Inverse hyperbolic cosine of x.", code="arccosh"
)
atanh = unary(
    "atanh",
    lambda x, y, dy: dy / (1.0 - square(x)),
    "Inverse hyperbolic tangent of x.",
    code="arctanh",
)
rint = unary(
    "rint",
    None,
    "x rounded to the nearest integer, and halves to the nearest even one. No gradient.",
    REAL_FLOATS,
    missing=("float16",),
)
is_nan = unary("is_nan", no_gradient, "Whether x is NaN.", REAL_FLOATS, "isnan", dtype=truth)
is_inf = unary("is_inf", no_gradient, "Whether x is infinite.", REAL_FLOATS, "isinf", dtype=truth)
is_finite = unary(
    "is_finite", no_gradient, "Whether x is finite.", REAL_FLOATS, "isfinite", dtype=truth
)

# Elementwise functions of two arguments.


def _squared_difference(op, x, y):
    return f"square({infix('-', x, y)})"


@kernel
def divide_no_nan(x, y):
    """x / y, but 0 where y is 0."""
    return np.where(y == 0, 0, x / y)[()]


squared_difference = binary(
    "squared_difference",
    _squared_difference,
    lambda x, y, z, dz: (lambda: dz * (2.0 * (x - y)), lambda: dz * (2.0 * (y - x))),
    "(x - y) ** 2.",
    (*FLOATS, "int32", "int64"),
)
_div_no_nan = binary(
    "div_no_nan",
    "divide_no_nan",
    lambda x, y, z, dz: (lambda: div_no_nan(dz, y), lambda: -dz * div_no_nan(z, y)),
    "x / y, or 0 if y is 0.",
    FLOATS,
)


def div_no_nan(x, y, name=None) -> Tensor:
    """x / y, or 0 where y is 0, elementwise, with broadcasting; integers become floats first.

    Raises TypeError if the dtypes differ, ValueError if the shapes don't fit.
    """
    with name_scope(name, "div_no_nan", [x, y]) as scope:
        x, y = as_floats(x, y)
        check_divisible(x.dtype.base_dtype, "tf.math.divide_no_nan")
        return _div_no_nan(x, y, name=scope)


# Reductions.


def _of_prod(op, dy):
    """The slope for each number is the product of the others, which is 0 if one of them is 0."""
    x, axis = op.inputs
    one = ones_like(x)
    is_zero = equal(x, one - one)
    zeros = cast(is_zero, x.dtype)
    others = where_v2(is_zero, one, x)
    others = spread(op, again(op, "Prod", others, axis)) / others
    alone = equal(spread(op, again(op, "Sum", zeros, axis)), zeros)
    return spread(op, dy) * where_v2(alone, others, one - one)


def _logsumexp(x, axis, keep, name):
    with name_scope(name, "ReduceLogSumExp", [x]) as scope:
        largest = reduce_max(x, axis, True)
        largest = stop_gradient(where_v2(is_finite(largest), largest, 0, "SelectV2"))
        logarithm = log(reduce_sum(exp(subtract(x, largest)), axis, keep))
        if not keep:
            largest = reshape(largest, shape(logarithm))
        return add(logarithm, largest, name=scope)


_PROD = "The product along `axis`, in the dtype of the input."
_LOGSUMEXP = "log(sum(exp(input_tensor))) along `axis`, computed so that nothing overflows."
reduce_prod = reduction("Prod", "prod", _of_prod, _PROD)
reduce_logsumexp = public("reduce_logsumexp", _LOGSUMEXP, _logsumexp)


def _cumsum(x, axis=0, exclusive=False, reverse=False):
    """Cumulative sums along `axis`, as the public `cumsum` describes them."""
    if np.ndim(axis):
        raise invalid(f"ScanOp: axis must be a scalar, not {in_message(np.shape(axis))}")
    step = -1 if reverse else 1
    x = np.moveaxis(x, axis, 0)[::step]
    x = np.concatenate([np.zeros_like(x[:1]), x[:-1]]) if exclusive else x
    return np.moveaxis(np.cumsum(x, 0, x.dtype)[::step], 0, axis)


def _cumsum_gradient(op, dy):
    exclusive, reverse = op.attrs["exclusive"], op.attrs["reverse"]
    return [lambda: cumsum(dy, op.inputs[1], exclusive, not reverse)]


def _explain_cumsum(x, axis):
    axis += np.ndim(x) * (axis < 0)
    return f"ScanOp: Expected scan axis in the range [{-np.ndim(x)}, {np.ndim(x)}), but got {axis}"


KERNELS["cumsum"] = _cumsum
register(
    "Cumsum",
    "x:T axis:length=Tidx",
    same_as_first,
    call_code("cumsum", exclusive=False, reverse=False),
    _cumsum_gradient,
    explain=_explain_cumsum,
    allowed=dtypes.NUMBERS,
    defaults={"exclusive": False, "reverse": False},
)


def cumsum(x, axis=0, exclusive=False, reverse=False, name=None) -> Tensor:
    """Cumulative sums of x along `axis`.

        tf.cumsum([1, 2, 3])  # [1, 3, 6]
        tf.cumsum([1, 2, 3], exclusive=True)  # [0, 1, 3]
        tf.cumsum([1, 2, 3], reverse=True)  # [6, 5, 3]

    With `exclusive`, an element's own value isn't in its sum; with `reverse`, the sums start from
    the end.
    """
    return build_tensor("Cumsum", x, axis, name=name, exclusive=exclusive, reverse=reverse)


# Older functions.


def arg_max(input, dimension, output_type=dtypes.int64, name=None) -> Tensor:
    """An older name for `tf.argmax`."""
    return argmax(input, dimension, name, output_type=output_type)


def arg_min(input, dimension, output_type=dtypes.int64, name=None) -> Tensor:
    """An older name for `tf.argmin`."""
    return argmin(input, dimension, name, output_type=output_type)


def to_float(x, name="ToFloat") -> Tensor:
    """`cast` to float32."""
    return cast(x, dtypes.float32, name)


def to_double(x, name="ToDouble") -> Tensor:
    """`cast` to float64."""
    return cast(x, dtypes.float64, name)


def to_int32(x, name="ToInt32") -> Tensor:
    """`cast` to int32."""
    return cast(x, dtypes.int32, name)


def to_int64(x, name="ToInt64") -> Tensor:
    """`cast` to int64."""
    return cast(x, dtypes.int64, name)


def div(x, y, name=None) -> Tensor:
    """x / y as in Python 2: for integers, rounded down."""
    with name_scope(name, "div", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, x.dtype.base_dtype, name="y")
        return (floor_div if x.dtype.is_integer else realdiv)(x, y, name=scope)


def batch_matmul(x, y, adj_x=False, adj_y=False, name=None) -> Tensor:
    """An older name for `tf.matmul`; `adj_x` and `adj_y` are its `adjoint_a` and `adjoint_b`."""
    return matmul(x, y, adjoint_a=adj_x, adjoint_b=adj_y, name=name)


def select(condition, t, e, name=None) -> Tensor:
    """An older name for `tf.where` with three arguments."""
    return where(condition, t, e, name=name)
