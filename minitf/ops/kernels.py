"""The functions that compiled programs call where plain NumPy doesn't do what an op needs.

Programs show them by these names. Kernels take and return arrays, or NumPy scalars for rank 0. If
one raises ValueError, the run raises InvalidArgumentError and names the op (client/blame.py).
"""

import functools
import math

import numpy as np

from minitf.framework import dtypes
from minitf.framework.errors import InvalidArgumentError, UnimplementedError
from minitf.framework.registry import KERNELS, kernel
from minitf.framework.tensor_shape import in_message

KERNELS |= {dtype.name: dtype.as_numpy_dtype for dtype in dtypes.NUMERIC}
KERNELS |= {
    "add_at": np.add.at,
    "bool_": np.bool_,
    "complex": complex,
    "equal": np.equal,
    "inf": np.inf,
    "nan": np.nan,
    "not_equal": np.not_equal,
    "s_": np.s_,  # s_[1:3] is the index in x[1:3]
    "subtract_at": np.subtract.at,
    "swapaxes": np.swapaxes,
    "transpose": np.transpose,
    "tuple": tuple,
}


def invalid(words: str) -> InvalidArgumentError:
    """The error of a run, with exactly this message."""
    return InvalidArgumentError(None, None, words)


def unimplemented(what: str) -> UnimplementedError:
    """The error for what minitf lacks."""
    return UnimplementedError(None, None, f"minitf doesn't implement {what}.")


def as_array_of_bytes(x):
    """`x`, but a byte string as an array of rank 0, which NumPy keeps as an object."""
    return np.asarray(x, object) if isinstance(x, bytes) else x


# New arrays, and other shapes.


@kernel
def full(shape, value):
    """An array of this shape filled with `value`, a scalar or an array of one element."""
    dtype = object if isinstance(value, bytes) else value.dtype
    return np.full(shape, np.reshape(value, ()), dtype)[()]


@kernel
def arange(start, limit, delta=1):
    """`np.arange`. Raises ValueError if `delta` is 0 or leads away from `limit`."""
    if delta == 0:
        raise ValueError(f"Requires delta != 0: {delta:g}")
    if (limit - start) * np.sign(delta) < 0:
        order = "<= limit when delta > 0" if delta > 0 else ">= limit when delta < 0"
        raise ValueError(f"Requires start {order}: {start:g}/{limit:g}")
    return np.arange(start, limit, delta, np.result_type(start))


@kernel
def reshape(x, shape):
    """`np.reshape`, but a scalar for shape (). Raises ValueError for a length below -1."""
    lengths = list(np.ravel(shape))
    if lengths and min(lengths) < 0:
        if min(lengths) < -1:
            raise ValueError("a length is below -1")
        if 0 in lengths and np.size(x) == 0:  # axes of length 0 don't count
            known = math.prod(n for n in lengths if n > 0)
            lengths[lengths.index(-1)] = math.prod(n for n in np.shape(x) if n > 0) // known
            return np.reshape(x, lengths)
    return np.reshape(as_array_of_bytes(x), shape)[()]


@kernel
def expand_dims(x, axis):
    """`np.expand_dims`; `axis` may also be an array of one element."""
    if np.size(axis) != 1:
        raise invalid("'dim' must be a tensor with a single value")
    return np.expand_dims(as_array_of_bytes(x), int(np.ravel(axis)[0]))


@kernel
def squeeze(x, axis=None):
    """`np.squeeze`, but a scalar if no axis is left; an axis may occur twice."""
    if axis is not None:
        axis = tuple({a % np.ndim(x) if -np.ndim(x) <= a < np.ndim(x) else a for a in axis})
    for a in axis or ():
        if not -np.ndim(x) <= a < np.ndim(x):
            raise invalid(
                f"Tried to squeeze dim index {a} for tensor with {np.ndim(x)} dimensions."
            )
    return np.squeeze(x, axis)[()]


@kernel
def inverse(perm):
    """The permutation that undoes `perm`."""
    return np.argsort(perm % max(len(perm), 1)).astype(perm.dtype)


@kernel
def shape_of(x):
    """The shape of an array, as an int32 array."""
    return np.array(np.shape(x), np.int32)


@kernel
def size(x, axis=None):
    """The number of elements of an array, or its length along `axis`."""
    return np.int32(np.size(x, axis))


@kernel
def broadcast_to(x, shape):
    """`x` repeated to fill `shape` (a read-only view)."""
    return np.broadcast_to(as_array_of_bytes(x), shape)[()]


@kernel
def unbroadcast(gradient, like):
    """`gradient`, summed over the axes along which a value shaped like `like` was broadcast."""
    if gradient.shape == like.shape:
        return gradient
    extra = gradient.ndim - like.ndim
    axes = [i for i, d in enumerate(gradient.shape) if i < extra or like.shape[i - extra] != d]
    return np.add.reduce(gradient, tuple(axes)).reshape(like.shape)[()]


# Elements by index or by condition.


@kernel
def rows(indices, length):
    """`indices`. Raises ValueError if one is outside [0, length)."""
    numbers = np.asarray(indices)
    for place in np.argwhere((numbers < 0) | (numbers >= length)):
        shown = f"[{','.join(map(str, place))}]" if len(place) else ""
        raise ValueError(f"indices{shown} = {numbers[tuple(place)]} is not in [0, {length})")
    return indices


@kernel
def take(x, indices, axis=0, batch_dims=0):
    """The slices of `x` along `axis` at `indices`; the first `batch_dims` axes correspond."""
    if batch_dims:
        below = axis - 1 if axis > 0 else axis
        pairs = zip(x, indices, strict=True)
        return np.stack([take(*pair, below, batch_dims - 1) for pair in pairs])
    return np.take(x, rows(indices, np.shape(x)[axis]), axis)


@kernel
def places(indices, shape, words="shape"):
    """The coordinates along the last axis of `indices`, as an index for NumPy.

    Raises ValueError if one is outside `shape`.
    """
    outside = (indices < 0) | (indices >= shape[: np.shape(indices)[-1]])
    for place in np.argwhere(np.any(outside, -1)):
        wrong = np.asarray(indices)[tuple(place)].tolist()
        at = f"[{','.join(map(str, place))}]" if len(place) else ""
        raise ValueError(f"indices{at} = {wrong} does not index into {words} {in_message(shape)}")
    return tuple(np.moveaxis(indices, -1, 0))


@kernel
def take_nd(x, indices):
    """The elements or slices of `x` at the coordinates along the last axis of `indices`."""
    if not np.ndim(x):
        raise invalid("params must be at least a vector")
    few = np.ndim(indices) and np.shape(indices)[-1] <= np.ndim(x)
    if few and np.size(x) == 0 and math.prod(np.shape(indices)[:-1]):
        raise invalid(
            "Requested more than 0 entries, but params is empty.  Params shape: "
            f"{in_message(np.shape(x))}"
        )
    return x[places(indices, np.shape(x), "param shape")]


@kernel
def segment_sum(rows, indices, count):
    """For each number below `count`, the sum of the rows with this index."""
    if np.shape(rows)[: np.ndim(indices)] != np.shape(indices):
        raise ValueError(
            f"data.shape = {in_message(np.shape(rows))} does not "
            f"start with segment_ids.shape = {in_message(np.shape(indices))}"
        )
    sums = np.zeros((int(count), *np.shape(rows)[np.ndim(indices) :]), rows.dtype)
    if np.size(rows):  # NumPy adds nothing only to arrays of another shape
        np.add.at(sums, indices, rows)
    return sums


@kernel
def one_hot(indices, depth, on=1.0, off=0.0, axis=-1):
    """Vectors of length `depth` along a new axis, with `on` at each index and `off` elsewhere."""
    if axis > np.ndim(indices):
        raise ValueError(
            f"Expected axis to be -1 or between [0, {np.ndim(indices) + 1}).  But received: {axis}"
        )
    for name, value in (("depth", depth), ("on_value", on), ("off_value", off)):
        if np.ndim(value):
            raise invalid(f"{name} must be a scalar, but got: {in_message(np.shape(value))}")
    if depth < 0:
        raise invalid(f"depth must be non-negative, got: {depth}")
    hot = np.expand_dims(indices, -1) == np.arange(depth)
    return np.moveaxis(where(hot, on, off), -1, axis)


@kernel
def distinct(x):
    """The distinct elements, in order of first occurrence, and which of them each element is.

    Each NaN differs from all others.
    """
    if np.ndim(x) != 1:
        raise invalid("unique expects a 1D vector.")
    _, first, which = np.unique(x, return_index=True, return_inverse=True, equal_nan=False)
    order = np.argsort(first)
    return x[first[order]], np.argsort(order)[which].astype(np.int32)


@kernel
def argwhere(x):
    """`np.argwhere`. Raises InvalidArgumentError for a scalar."""
    if not np.ndim(x):
        raise invalid("WhereOp : Unhandled input dimensions: 0")
    return np.argwhere(x)


@kernel
def where(condition, t, e):
    """`np.where`, but a scalar for scalars."""
    return np.where(condition, as_array_of_bytes(t), as_array_of_bytes(e))[()]


@kernel
def select(name, condition, t, e):
    """`where` for arrays of the same shape; a vector chooses rows, and a scalar everything.

    Raises InvalidArgumentError for any other shapes.
    """
    shape, rows = np.shape(condition), np.ndim(condition) == 1 != np.ndim(t)
    if (rows or shape == ()) and np.shape(t) != np.shape(e):
        raise invalid(
            f"'then' and 'else' must have the same size.  but received: {in_message(np.shape(t))} "
            f"vs. {in_message(np.shape(e))}"
        )
    if rows:
        if not np.ndim(t):
            raise invalid("'then' must be at least a vector, but saw shape: []")
        if len(t) != shape[0]:
            raise invalid(
                f"Number of batches of 'then' must match size of 'cond', but saw: {len(t)} vs. "
                f"{shape[0]}"
            )
        condition = np.reshape(condition, shape + (1,) * (np.ndim(t) - 1))
    elif shape:
        for i, x in enumerate((t, e), 1):
            if np.shape(x) != shape:
                raise _other_shapes(name, "Select", shape, i, np.shape(x))
    return where(condition, t, e)


def _other_shapes(name, op_type, first, number, other):
    shapes = f"Input 0: {in_message(first)} != input {number}: {in_message(other)}"
    problem = f"of type {op_type} must have the same size and shape.  {shapes}"
    return invalid(f"Inputs to operation {name} {problem}")


# Parts.


@kernel
def stack(parts, axis=0):
    """`np.stack`, also of byte strings."""
    return np.stack([as_array_of_bytes(part) for part in parts], axis)


@kernel
def only(parts):
    """The only element of a list."""
    (part,) = parts
    return part


@kernel
def unstack(x, axis=0):
    """Copies of the slices of `x` along `axis`."""
    parts = np.moveaxis(x, axis, 0)
    return [part if isinstance(part, bytes) else part.copy() for part in parts]


@kernel
def split(x, sizes, axis=0):
    """Copies of `sizes` equal pieces of `x` along `axis`, or of pieces of these sizes."""
    if np.ndim(sizes) and len(sizes) == 1:  # TensorFlow doesn't look at the size then
        return [x.copy()]
    if np.ndim(sizes):
        length = np.shape(x)[axis]
        if np.count_nonzero(np.equal(sizes, -1)) > 1:
            raise invalid("There can only be one -1 in the input.")
        sizes = np.where(np.equal(sizes, -1), length - np.sum(sizes) - 1, sizes)
        for i, n in enumerate(sizes):
            if n < 0:
                raise invalid(f"Split size at index {i} must be >= 0. Got: {n}")
        if np.sum(sizes) != length:
            raise invalid(
                "Determined shape must either match input shape along split_dim exactly if fully "
                "specified, or be less than the size of the input along split_dim if not fully "
                f"specified.  Got: {np.sum(sizes)}"
            )
        sizes = np.cumsum(sizes)[:-1]
    return [part.copy() for part in np.split(x, sizes, axis)]


@kernel
def placed(part, shape, index):
    """Zeros in this shape, with `part` at `index`: the gradient of a slice."""
    whole = np.zeros(shape, part.dtype)
    whole[index] = part
    return whole


# Arithmetic.


@kernel
def sigmoid(x):
    """1 / (1 + exp(-x))."""
    return 1 / (1 + np.exp(-x))


@kernel
def multiply_no_nan(x, y):
    """x * y, but 0 where y is 0, even if x is infinite or NaN."""
    return np.where(y == 0, 0, x * y)[()]


@kernel
def no_cast(x, source, target):
    """Raise UnimplementedError: numbers and strings aren't converted into each other."""
    raise UnimplementedError(None, None, f"Cast {source} to {target} is not supported")


@kernel
def nonzero(y):
    """`y`, an integer divisor. Raises InvalidArgumentError if any element is 0."""
    if np.any(y == 0):
        raise invalid("Integer division by zero")
    return y


@kernel
def matrix(x):
    """`x`, an input of matmul. Raises ValueError if its rank is below 2."""
    if np.ndim(x) < 2:
        raise ValueError(f"In[0] and In[1] ndims must be >= 2: {np.ndim(x)}")
    return x


@kernel
def add_same_shapes(name, *terms):
    """The sum of arrays. Raises InvalidArgumentError unless all have the same shape."""
    for i, term in enumerate(terms):
        if term.shape != terms[0].shape:
            raise _other_shapes(name, "AddN", terms[0].shape, i, term.shape)
    return functools.reduce(np.add, terms)


# Reductions.


def _check_axis(x, axis):
    if axis is not None and not x.ndim and axis != ():  # NumPy would accept 0 and -1
        raise np.exceptions.AxisError(axis, 0)


def _ignoring_nan(x, replacement):
    """`x` with `replacement` for NaN, which NumPy would count as an extreme."""
    nan = np.isnan(x) if x.dtype.kind == "f" else None
    return np.where(nan, replacement, x) if np.any(nan) else x


def _reduction(name, ufunc, limit="", infinite=0.0):
    """Define the kernel `name`, which reduces by `ufunc`.

    The largest of no numbers is the smallest value of their dtype, and vice versa: `infinite` for
    floats, the attribute `limit` of `np.iinfo` for integers.
    """

    def reduce(x, axis=None, keepdims=False):
        _check_axis(x, axis)
        if not limit:
            return ufunc.reduce(x, axis, x.dtype, None, keepdims)
        initial = infinite if x.dtype.kind == "f" else getattr(np.iinfo(x.dtype), limit)
        return ufunc.reduce(x, axis, x.dtype, None, keepdims, initial)

    KERNELS[name] = reduce


_reduction("sum", np.add)
_reduction("prod", np.multiply)
_reduction("all", np.logical_and)
_reduction("any", np.logical_or)
_reduction("amax", np.maximum, "min", -np.inf)
_reduction("amin", np.minimum, "max", np.inf)


@kernel
def argmax(x, axis):
    """The index of the largest number along `axis`; NaN doesn't count."""
    _check_axis(x, axis)
    return np.argmax(_ignoring_nan(x, -np.inf), axis)


@kernel
def argmin(x, axis):
    """The index of the smallest number along `axis`; NaN doesn't count."""
    _check_axis(x, axis)
    return np.argmin(_ignoring_nan(x, np.inf), axis)


@kernel
def mean(x, axis=None, keepdims=False):
    """The mean along `axis`, in the dtype of `x`.

    For integers, the sum is a 64-bit one, the fraction is dropped, and the mean of none is 0.
    """
    wide = x.astype({"i": np.int64, "u": np.uint64}.get(x.dtype.kind, x.dtype), copy=False)
    total = KERNELS["sum"](wide, axis, keepdims=keepdims)
    count = total.dtype.type(np.size(x) // max(np.size(total), 1))
    if x.dtype.kind not in "iu":
        return (total / count).astype(x.dtype)
    fraction = np.fmod(total, count or 1)
    return ((total - fraction) // (count or 1)).astype(x.dtype)


@kernel
def unreduce(gradient, x, axis=None, keepdims=False):
    """The gradient of a reduction's result, repeated along the axes of `x` that were reduced."""
    if axis is not None and not keepdims and np.ndim(gradient):
        gradient = np.expand_dims(gradient, tuple(int(a) for a in np.atleast_1d(axis)))
    return np.broadcast_to(gradient, x.shape)[()]


# Neural networks.


@kernel
def vectors(x):
    """`x`. Raises InvalidArgumentError for a scalar."""
    if not np.ndim(x):
        raise invalid("logits must have >= 1 dimension, got []")
    return x


@kernel
def softmax_of(x, axis=-1):
    """exp(x) divided by its sum along `axis`."""
    exps = np.exp(x - np.maximum.reduce(x, axis, keepdims=True, initial=-np.inf))
    return exps / np.add.reduce(exps, axis, keepdims=True)


@kernel
def log_softmax_of(x, axis=-1):
    """The logarithm of the softmax along `axis`."""
    shifted = x - np.maximum.reduce(x, axis, keepdims=True, initial=-np.inf)
    return shifted - np.log(np.add.reduce(np.exp(shifted), axis, keepdims=True))


@kernel
def add_bias(x, bias):
    """x + bias, a vector as long as the last axis of `x`. Raises InvalidArgumentError otherwise."""
    if np.ndim(x) < 2:
        raise invalid(f"Input tensor must be at least 2D: {in_message(np.shape(x))}")
    if np.ndim(bias) != 1:
        raise invalid(f"Biases must be 1D: {in_message(np.shape(bias))}")
    if len(bias) != np.shape(x)[-1]:
        raise ValueError("the lengths differ")
    return x + bias


@kernel
def cross_entropy(logits, labels):
    """-sum(labels * log(softmax(logits))) of each row; `labels` may be broadcast."""
    repeated = labels if labels.shape == logits.shape else np.broadcast_to(labels, logits.shape)
    return -np.add.reduce(repeated * log_softmax_of(logits), -1)


@kernel
def one_hot_like(logits, labels):
    """A row for each label, as long as a row of `logits`: 1 at the label, 0 elsewhere.

    Raises InvalidArgumentError if the shapes don't fit, ValueError for a label out of range.
    """
    count, flat = logits.shape[-1], np.ravel(labels)
    if labels.shape != logits.shape[:-1]:
        raise invalid(
            "logits and labels must have the same first dimension, got logits shape "
            f"{in_message(logits.shape)} and labels shape {in_message(labels.shape)}"
        )
    for label in flat[(flat < 0) | (flat >= count)]:
        outside = f"{label} which is outside the valid range of [0, {count})"
        values = " ".join(map(str, flat))
        raise ValueError(f"Received a label value of {outside}.  Label values: {values}")
    return (labels[..., None] == np.arange(count)).astype(logits.dtype)


@kernel
def sparse_cross_entropy(logits, labels):
    """-log(softmax(logits)) at each row's label."""
    return -np.add.reduce(log_softmax_of(logits), -1, where=one_hot_like(logits, labels) > 0)[()]


# Random numbers.


@kernel
def stream(state, op, *seeds):
    """The random generator of the op named `op` in the session with this state."""
    streams = getattr(state, "streams", {})
    if op not in streams:
        streams[op] = np.random.default_rng(seeds or None)
    return streams[op]


@kernel
def draw_uniform(stream, shape, dtype):
    """Random numbers, uniform in [0, 1)."""
    return dtype(stream.random(shape, np.float64 if dtype is np.float64 else np.float32))


@kernel
def draw_normal(stream, shape, dtype):
    """Normal random numbers with mean 0 and standard deviation 1."""
    return dtype(stream.standard_normal(shape))


@kernel
def draw_truncated_normal(stream, shape, dtype):
    """Like `draw_normal`, but numbers outside (-2, 2) are drawn again."""
    numbers = np.array(stream.standard_normal(shape))
    while (beyond := np.abs(numbers) >= 2).any():
        numbers[beyond] = stream.standard_normal(np.count_nonzero(beyond))
    return dtype(numbers[()])


@kernel
def draw_integers(stream, shape, low, high):
    """Random integers, uniform in [low, high)."""
    return stream.integers(low, high, shape, low.dtype)[()]


# Updates and checks.


@kernel
def fitting(value, shape):
    """`value`. Raises ValueError unless it has this shape; None allows any."""
    if shape is not None and np.shape(value) != shape:
        raise ValueError(
            "Assign requires shapes of both tensors to match. "
            f"lhs shape= {in_message(shape)} rhs shape= {in_message(np.shape(value))}"
        )
    return value


@kernel
def check_update(variable, grad, indices=None, **numbers):
    """Raise InvalidArgumentError unless `grad` has the shape of the variable.

    With `indices`, it must have the shape of these rows instead. The hyperparameters `numbers` must
    be scalars.
    """
    for name, value in numbers.items():
        if np.shape(value):
            raise invalid(f"{name} is not a scalar: {in_message(np.shape(value))}")
    changed = np.shape(variable if indices is None else variable[rows(indices, len(variable))])
    if changed != np.shape(grad):
        raise invalid(
            "var and grad do not have the same shape"
            f"{in_message(changed)} {in_message(np.shape(grad))}"
        )


@kernel
def check(most, condition, *data):
    """Raise InvalidArgumentError, showing `most` values of each of `data`, unless `condition`."""
    if not condition:
        words = " ".join(f"[{_shown(np.ravel(value).tolist(), most)}]" for value in data)
        raise invalid(f"assertion failed: {words}")


def _shown(values, most):
    texts = [v.decode() if isinstance(v, bytes) else v for v in values[:most]]
    words = [v if isinstance(v, str) else f"{v:g}" for v in texts]
    return " ".join(words) + "..." * (len(values) > most)
