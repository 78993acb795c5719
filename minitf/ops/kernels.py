"""The functions that compiled programs call where NumPy alone does not do what an op says.

A kernel's name is what a program shows. Kernels take and return arrays, or NumPy scalars for rank
0. A ValueError becomes an InvalidArgumentError that names the op (client/blame.py).
"""

import functools

import numpy as np

from minitf.framework import dtypes
from minitf.framework.errors import InvalidArgumentError
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
    "s_": np.s_,  # s_[...] is what goes between the brackets
    "subtract_at": np.subtract.at,
    "swapaxes": np.swapaxes,
    "transpose": np.transpose,
    "tuple": tuple,
}


def invalid(words: str) -> InvalidArgumentError:
    """The error of a run in just these words."""
    return InvalidArgumentError(None, None, words)


# New arrays, and other shapes.


@kernel
def full(shape, value):
    """An array of this shape filled with the number `value`, or with the only one of an array."""
    dtype = object if isinstance(value, bytes) else value.dtype
    return np.full(shape, np.reshape(value, ()), dtype)[()]


@kernel
def arange(start, limit, delta=1):
    """`np.arange`. Raises ValueError where `delta` leads away from `limit`."""
    if delta == 0:
        raise ValueError("Requires delta != 0")
    if (limit - start) * np.sign(delta) < 0:
        order = "<= limit when delta > 0" if delta > 0 else ">= limit when delta < 0"
        raise ValueError(f"Requires start {order}: {start}/{limit}")
    return np.arange(start, limit, delta, np.result_type(start))


@kernel
def reshape(x, shape):
    """`np.reshape`, which gives a scalar for shape ()."""
    return np.reshape(x, shape)[()]


@kernel
def squeeze(x, axis=None):
    """`np.squeeze`, which removes axes of length 1, and gives a scalar where none is left."""
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
    return np.broadcast_to(x, shape)[()]


@kernel
def unbroadcast(gradient, like):
    """`gradient`, summed over the axes along which a value of the shape of `like` was repeated."""
    if gradient.shape == like.shape:
        return gradient
    extra = gradient.ndim - like.ndim
    axes = [i for i, d in enumerate(gradient.shape) if i < extra or like.shape[i - extra] != d]
    return np.add.reduce(gradient, tuple(axes)).reshape(like.shape)[()]


# Elements by their numbers, or by truth values.


@kernel
def rows(indices, length):
    """`indices`. Raises ValueError unless each is the number of one of `length` rows."""
    numbers = np.asarray(indices)
    for place in np.argwhere((numbers < 0) | (numbers >= length)):
        shown = f"[{','.join(map(str, place))}]" if len(place) else ""
        raise ValueError(f"indices{shown} = {numbers[tuple(place)]} is not in [0, {length})")
    return indices


@kernel
def take(x, indices, axis=0, batch_dims=0):
    """The slices of `x` with these numbers along `axis`; one list of numbers for each batch."""
    if batch_dims:
        below = axis - 1 if axis > 0 else axis
        pairs = zip(x, indices, strict=True)
        return np.stack([take(*pair, below, batch_dims - 1) for pair in pairs])
    return np.take(x, rows(indices, np.shape(x)[axis]), axis)


@kernel
def places(indices, shape, words="shape"):
    """NumPy's index of the elements or slices whose places are the rows of `indices`.

    Raises ValueError for a place outside of `shape`.
    """
    outside = (indices < 0) | (indices >= shape[: np.shape(indices)[-1]])
    for place in np.argwhere(np.any(outside, -1)):
        wrong = np.asarray(indices)[tuple(place)].tolist()
        raise ValueError(
            f"indices[{','.join(map(str, place))}] = {wrong} "
            f"does not index into {words} {in_message(shape)}"
        )
    return tuple(np.moveaxis(indices, -1, 0))


@kernel
def take_nd(x, indices):
    """The elements or slices of `x` at these places."""
    return x[places(indices, np.shape(x), "param shape")]


@kernel
def segment_sum(rows, indices, count):
    """`count` sums: of the rows with each index."""
    if np.shape(rows)[: np.ndim(indices)] != np.shape(indices):
        raise ValueError(
            f"data.shape = {in_message(np.shape(rows))} does not "
            f"start with segment_ids.shape = {in_message(np.shape(indices))}"
        )
    sums = np.zeros((int(count), *np.shape(rows)[np.ndim(indices) :]), rows.dtype)
    np.add.at(sums, indices, rows)
    return sums


@kernel
def one_hot(indices, depth, on=1.0, off=0.0, axis=-1):
    """`on` at the place that each index says, along a new axis of this length; else `off`."""
    if axis > np.ndim(indices):
        raise ValueError(
            f"Expected axis to be -1 or between [0, {np.ndim(indices) + 1}).  But received: {axis}"
        )
    hot = np.expand_dims(indices, -1) == np.arange(depth)
    return np.moveaxis(np.where(hot, on, off), -1, axis)


@kernel
def distinct(x):
    """The different elements, as they first occur, and which of them each element of `x` is."""
    _, first, which = np.unique(x, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return x[first[order]], np.argsort(order)[which].astype(np.int32)


@kernel
def where(condition, t, e):
    """`t` where the condition holds, and `e` elsewhere."""
    return np.where(condition, t, e)[()]


@kernel
def select(name, condition, t, e):
    """`where` of three arrays of one shape; a number counts as an array full of it."""
    shape = np.shape(condition)
    for x in (t, e):
        if np.ndim(x) and shape and np.shape(x) != shape:
            raise _other_shapes(name, "Select", shape, 1, np.shape(x))
    return where(condition, t, e)


def _other_shapes(name, op_type, first, number, other):
    shapes = f"Input 0: {in_message(first)} != input {number}: {in_message(other)}"
    problem = f"of type {op_type} must have the same size and shape.  {shapes}"
    return invalid(f"Inputs to operation {name} {problem}")


# Parts.


@kernel
def only(parts):
    """The element of a list of one."""
    (part,) = parts
    return part


@kernel
def unstack(x, axis=0):
    """The slices of `x` along `axis`, as new arrays."""
    return [part.copy() for part in np.moveaxis(x, axis, 0)]


@kernel
def split(x, sizes, axis=0):
    """`x` cut along `axis` into `sizes` equal pieces, or into pieces of these sizes: new arrays."""
    if np.ndim(sizes):
        length = np.shape(x)[axis]
        sizes = np.where(np.equal(sizes, -1), length - np.sum(sizes) - 1, sizes)
        if np.sum(sizes) != length:
            rule = "must either match input shape along split_dim exactly if fully specified"
            rule += ", or be less than the size of the input along split_dim if not fully specified"
            raise invalid(f"Determined shape {rule}.  Got: {np.sum(sizes)}")
        sizes = np.cumsum(sizes)[:-1]
    return [part.copy() for part in np.split(x, sizes, axis)]


@kernel
def placed(part, shape, index):
    """Zeros of this shape with `part` at `index`: the gradient of a slice."""
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
    """x * y, and 0 where y is 0, even if x is infinite or not a number."""
    return np.where(y == 0, 0, x * y)[()]


@kernel
def nonzero(y):
    """y. Raises InvalidArgumentError where it is 0, because integers are divided by it."""
    if np.any(y == 0):
        raise invalid("Integer division by zero")
    return y


@kernel
def matrix(x):
    """x, an input of matmul. Raises ValueError unless it is a matrix, or a stack of them."""
    if np.ndim(x) < 2:
        raise ValueError(f"In[0] and In[1] ndims must be >= 2: {np.ndim(x)}")
    return x


@kernel
def add_same_shapes(name, *terms):
    """The sum of arrays of one shape."""
    for i, term in enumerate(terms):
        if term.shape != terms[0].shape:
            raise _other_shapes(name, "AddN", terms[0].shape, i, term.shape)
    return functools.reduce(np.add, terms)


# Reductions.


def _check_axis(x, axis):
    if axis is not None and not x.ndim and axis != ():  # NumPy alone would take 0 and -1
        raise np.exceptions.AxisError(axis, 0)


def _reduction(name, ufunc, limit="", infinite=0.0):
    """Let the kernel `name` reduce by `ufunc`.

    The extreme of no numbers is the other end of all that there are: `infinite`, or iinfo's
    `limit`.
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
    """The place of the largest number along `axis`."""
    _check_axis(x, axis)
    return np.argmax(x, axis)


@kernel
def argmin(x, axis):
    """The place of the smallest number along `axis`."""
    _check_axis(x, axis)
    return np.argmin(x, axis)


@kernel
def mean(x, axis=None, keepdims=False):
    """The mean along `axis`, in the dtype of `x`; that of integers loses its fraction."""
    wide = x.astype(np.float64) if x.dtype.kind in "iu" else x
    total = KERNELS["sum"](wide, axis, keepdims=keepdims)
    count = np.size(x) // max(np.size(total), 1)
    return (total / total.dtype.type(count)).astype(x.dtype)


@kernel
def unreduce(gradient, x, axis=None, keepdims=False):
    """The gradient of a reduction, repeated along the axes of `x` that were reduced."""
    if axis is not None and not keepdims and np.ndim(gradient):
        gradient = np.expand_dims(gradient, tuple(int(a) for a in np.atleast_1d(axis)))
    return np.broadcast_to(gradient, x.shape)[()]


# Neural networks.


@kernel
def softmax_of(x, axis=-1):
    """exp(x), divided by its sum along `axis`."""
    exps = np.exp(x - np.maximum.reduce(x, axis, keepdims=True, initial=-np.inf))
    return exps / np.add.reduce(exps, axis, keepdims=True)


@kernel
def log_softmax_of(x, axis=-1):
    """The logarithm of softmax."""
    shifted = x - np.maximum.reduce(x, axis, keepdims=True, initial=-np.inf)
    return shifted - np.log(np.add.reduce(np.exp(shifted), axis, keepdims=True))


@kernel
def cross_entropy(logits, labels):
    """-sum(labels * log(softmax(logits))) of each row; a single row of labels is repeated."""
    repeated = labels if labels.shape == logits.shape else np.broadcast_to(labels, logits.shape)
    return -np.add.reduce(repeated * log_softmax_of(logits), -1)


@kernel
def one_hot_like(logits, labels):
    """For each label a row of the length of a row of `logits`: 1 at the label's place, else 0."""
    count, flat = logits.shape[-1], np.ravel(labels)
    if labels.shape != logits.shape[:-1]:
        shapes = f"logits shape {in_message(logits.shape)}"
        shapes += f" and labels shape {in_message(labels.shape)}"
        raise invalid(f"logits and labels must have the same first dimension, got {shapes}")
    for label in flat[(flat < 0) | (flat >= count)]:
        outside = f"{label} which is outside the valid range of [0, {count})"
        values = " ".join(map(str, flat))
        raise ValueError(f"Received a label value of {outside}.  Label values: {values}")
    return (labels[..., None] == np.arange(count)).astype(logits.dtype)


@kernel
def sparse_cross_entropy(logits, labels):
    """-log(softmax(logits)) at the label of each row."""
    return -np.add.reduce(log_softmax_of(logits), -1, where=one_hot_like(logits, labels) > 0)[()]


# Random numbers.


@kernel
def stream(state, op, *seeds):
    """The generator of the op of this name in the session with this state."""
    streams = getattr(state, "streams", {})
    if op not in streams:
        streams[op] = np.random.default_rng(seeds or None)
    return streams[op]


@kernel
def draw_uniform(stream, shape, dtype):
    """Numbers from [0, 1)."""
    return dtype(stream.random(shape, np.float64 if dtype is np.float64 else np.float32))


@kernel
def draw_normal(stream, shape, dtype):
    """Numbers with mean 0 and standard deviation 1."""
    return dtype(stream.standard_normal(shape))


@kernel
def draw_truncated_normal(stream, shape, dtype):
    """The same, but those beyond 2 are drawn again."""
    numbers = np.array(stream.standard_normal(shape))
    while (beyond := np.abs(numbers) >= 2).any():
        numbers[beyond] = stream.standard_normal(np.count_nonzero(beyond))
    return dtype(numbers[()])


@kernel
def draw_integers(stream, shape, low, high):
    """Integers from `low` on and below `high`."""
    return stream.integers(low, high, shape, low.dtype)[()]


# Updates and checks.


@kernel
def fitting(value, shape):
    """`value`. Raises ValueError where it has another shape; None allows any."""
    if shape is not None and np.shape(value) != shape:
        raise ValueError(
            "Assign requires shapes of both tensors to match. "
            f"lhs shape= {in_message(shape)} rhs shape= {in_message(np.shape(value))}"
        )
    return value


@kernel
def check_update(variable, grad, indices=None, **numbers):
    """Raises InvalidArgumentError unless `grad` has the shape of the variable.

    With `indices`, it must have the shape of these rows. The hyperparameters `numbers` must be
    scalars.
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
    """Raises an error that shows some values of each of `data` unless `condition` is true."""
    if not condition:
        words = " ".join(f"[{_shown(np.ravel(value).tolist(), most)}]" for value in data)
        raise invalid(f"assertion failed: {words}")


def _shown(values, most):
    texts = [v.decode() if isinstance(v, bytes) else v for v in values[:most]]
    words = [v if isinstance(v, str) else f"{v:g}" for v in texts]
    return " ".join(words) + "..." * (len(values) > most)
