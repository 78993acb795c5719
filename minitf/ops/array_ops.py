"""Ops that create tensors, change their shape, or return their shape.

Placeholders, tensors filled with one number, and ranges; identity; reshape, expand_dims, squeeze,
transpose and broadcast_to; shape, size and rank.

Mirrors tensorflow/python/ops/array_ops.py, and range of math_ops.py.
"""

import math

import numpy as np

from minitf.framework import dtypes
from minitf.framework.common_shapes import (
    as_static_shape,
    axis_in,
    check_entries,
    check_rank,
    known_number,
    merged,
    of_rank,
    spliced,
    with_shape_of,
)
from minitf.framework.graph import get_default_graph, name_scope
from minitf.framework.op_def_library import (
    as_array,
    build_tensor,
    const_op,
    constant_value,
    convert_to_tensor,
    holds_tensor,
    renamed,
)
from minitf.framework.operation import Tensor, is_place
from minitf.framework.registry import (
    atom,
    call,
    call_code,
    defines,
    not_differentiable,
    plain_attr,
    register,
    same_as_first,
    shape_code,
    shaped,
)
from minitf.framework.tensor_shape import SCALAR, UNKNOWN, TensorShape, check_equal, in_message
from minitf.ops import kernels

# Placeholders: values from outside the graph.


def _infer_placeholder(op):
    return [(op.attrs["dtype"], op.attrs["shape"])]


register("Placeholder", "", _infer_placeholder, None, not_differentiable, stateful=True)


def placeholder(dtype, shape=None, name=None) -> Tensor:
    """A tensor whose value each run takes from its `feed_dict`.

        x = tf.placeholder(tf.float32, [None, 784])
        sess.run(y, feed_dict={x: batch})

    `shape` may leave lengths open, as above, or be None to accept any shape. A fed value is
    converted to `dtype` and checked against `shape`. Raises TypeError if `dtype` or `shape` is
    neither of these, ValueError for a negative length.
    """
    try:
        dtype = dtypes.as_dtype(dtype).base_dtype
    except TypeError:
        raise TypeError(f"Expected DataType for argument 'dtype' not {dtype!r}.") from None
    attrs = {"dtype": dtype, "shape": _own_shape(shape)}
    return get_default_graph().create_op("Placeholder", (), attrs, name or None).outputs[0]


def _own_shape(shape):
    """`shape` as a TensorShape whose unknown lengths are shared with no other tensor."""
    try:
        return TensorShape(TensorShape(shape).dims)
    except (TypeError, ValueError) as error:
        raise type(error)(f"Error converting shape to a TensorShape: {error}.") from None


# Ops that pass their input on.


@shaped
def _default_shape(op, default):
    merged([default.shape, op.attrs["shape"]])
    return op.attrs["shape"]


def _pass_on(op, dy):
    return [dy]


def _register_same(op_type, infer=same_as_first, gradient=_pass_on, inputs="input:T", **traits):
    """Register an op whose output is its input."""

    def itself(op, x):
        return x

    register(op_type, inputs, infer, itself, gradient, simplify=itself, view=True, **traits)


def _passes_place_on(op):
    """Whether the input is a variable's place, or has just entered a cond or loop."""
    return is_place(op.inputs[0]) or op.inputs[0].op.type == "Switch"


_register_same("PlaceholderWithDefault", _default_shape, inputs="input:T=dtype")
_register_same("Identity", passes_on=_passes_place_on)
_register_same("StopGradient", gradient=not_differentiable, passes_on=_passes_place_on)


def placeholder_with_default(input, shape, name=None) -> Tensor:
    """The value of `input`, unless a run feeds another one. The static shape is `shape`."""
    return build_tensor("PlaceholderWithDefault", input, name=name, shape=_own_shape(shape))


def identity(input, name=None) -> Tensor:
    """A new tensor with the value of `input`.

    Of a Variable it makes no copy: as in TensorFlow, what uses the tensor reads the Variable,
    and a fetch of it reads the Variable last. (`v + 0` keeps the value from before an update.)
    """
    if hasattr(input, "_as_tensor"):
        input = input._as_tensor(as_ref=True)
    return build_tensor("Identity", input, name=name)


def stop_gradient(input, name=None) -> Tensor:
    """`input` unchanged, except that no gradient flows back through it."""
    return build_tensor("StopGradient", input, name=name)


# New tensors of a given shape.


def _infer_fill(op):
    dims, value = op.inputs
    check_rank(value, 0)
    found = as_static_shape(dims)
    if constant_value(dims) is not None and np.any(constant_value(dims) < 0):
        raise ValueError("Fill dimensions must be >= 0")
    return [(value.dtype.base_dtype, found)]


def _explain_fill(dims, value):
    if np.ndim(value):
        return f"value must represent a scalar, got shape {in_message(np.shape(value))}"
    return f"Dimension {np.min(dims, initial=0)} must be >= 0"


def _fill_gradient(op, dy):
    return [None, build_tensor("Unbroadcast", dy, op.inputs[1])]


register(
    "Fill",
    "dims:length=index_type value",
    _infer_fill,
    call_code("full"),
    _fill_gradient,
    explain=_explain_fill,
    spreads=1,
)


def fill(dims, value, name=None, layout=None) -> Tensor:
    """A tensor of shape `dims` filled with the scalar `value`. `layout` is ignored.

    Raises ValueError if `value` isn't a scalar or a length is negative.
    """
    return build_tensor("Fill", dims, value, name=name)


def _filled(shape, value, dtype, name):
    """A constant if `shape` is known now, otherwise a Fill op."""
    dtype = dtypes.as_dtype(dtype).base_dtype
    number = b"" if dtype is dtypes.string else dtype.as_numpy_dtype(value)
    if not (isinstance(shape, Tensor) or holds_tensor(shape)):
        if isinstance(shape, list | tuple):  # TensorFlow drops the fractions
            shape = [int(n) if isinstance(n, float) else n for n in shape]
        dims, _ = as_array(shape, None if isinstance(shape, np.ndarray) else dtypes.int32)
        dims = dims.astype(np.int32) if dims.dtype.kind == "f" else dims
        if np.ndim(dims) < 2 and np.all(dims >= 0):
            array = np.broadcast_to(np.array(number, dtype.as_numpy_dtype), dims)
            return const_op(get_default_graph(), array, dtype, name)
    elif isinstance(shape, Tensor) and shape.shape.rank == 0:
        shape = reshape(shape, [-1])
    return fill(shape, number, name=name)


def ones(shape, dtype=dtypes.float32, name=None, layout=None) -> Tensor:
    """A tensor of ones. `layout` is ignored."""
    return _filled(shape, 1, dtype, name or "ones")


def zeros(shape, dtype=dtypes.float32, name=None, layout=None) -> Tensor:
    """A tensor of zeros. `layout` is ignored."""
    return _filled(shape, 0, dtype, name or "zeros")


def _filled_like(tensor, value, dtype, name, optimize):
    tensor = convert_to_tensor(tensor)
    with name_scope(name, None, [tensor]) as scope:
        known = optimize and tensor.shape.is_fully_defined()
        dims = tensor.shape if known else shape(tensor)
        return _filled(dims, value, dtype or tensor.dtype, scope)


def ones_like(tensor, dtype=None, name=None, optimize=True) -> Tensor:
    """A tensor of ones with the shape of `tensor` and, unless `dtype` is given, its dtype.

    No gradient flows back to `tensor`. With `optimize=False`, the run determines the shape even if
    it is known now.
    """
    return _filled_like(tensor, 1, dtype, name or "ones_like", optimize)


def zeros_like(tensor, dtype=None, name=None, optimize=True) -> Tensor:
    """A tensor of zeros with the shape of `tensor`; otherwise like `ones_like`."""
    return _filled_like(tensor, 0, dtype, name or "zeros_like", optimize)


@shaped
def _range_shape(op, *limits):
    for limit in limits:
        check_rank(limit, 0)
    numbers = [known_number(limit) for limit in limits]
    if numbers[2] is not None and numbers[2] == 0:
        raise ValueError("Requires delta != 0")
    known = all(n is not None for n in numbers)
    return TensorShape([len(kernels.arange(*numbers)) if known else None])


_RANGE = "start:T=Tidx limit:T=Tidx delta:T=Tidx"
register("Range", _RANGE, _range_shape, "arange", not_differentiable)


def range(start, limit=None, delta=1, dtype=None, name="range") -> Tensor:
    """The vector of numbers from `start` up to but not including `limit`, in steps of `delta`.

        tf.range(3)  # [0, 1, 2]: a single argument is the limit
        tf.range(3, 10, 3)  # [3, 6, 9]

    Unless `dtype` is given, the dtype is the widest of the three arguments'. Raises ValueError if
    `delta` is 0 or leads away from `limit`.
    """
    start, limit = (0, start) if limit is None else (start, limit)
    given = {"start": start, "limit": limit, "delta": delta}
    with name_scope(name, "range", given.values()) as scope:
        order = [dtypes.int32, dtypes.int64, dtypes.float16, dtypes.float32, dtypes.float64]
        kinds = [
            v.dtype.base_dtype if hasattr(v, "graph") else as_array(v)[1] for v in given.values()
        ]
        wanted = max(kinds, key=order.index) if dtype is None else dtypes.as_dtype(dtype)
        limits = [
            _cast(v if hasattr(v, "graph") else convert_to_tensor(v, wanted, k), wanted)
            for k, v in given.items()
        ]
        return build_tensor("Range", *limits, name=scope)


def _cast(x, dtype):
    return x if x.dtype.base_dtype is dtype else build_tensor("Cast", x, DstT=dtype)


# The same elements in another shape.


def _explain_reshape(x, dims):
    lengths = np.ravel(dims).tolist()
    if lengths.count(-1) > 1:
        first = lengths.index(-1)
        second = lengths.index(-1, first + 1)
        return f"Only one input size may be -1, not both {first} and {second}"
    for i, n in enumerate(lengths):
        if n < -1:
            return f"Size {i} must be non-negative, not {n}"
    wanted = f"{'requires a multiple of' if -1 in lengths else 'has'} {abs(math.prod(lengths))}"
    have = f"Input to reshape is a tensor with {np.size(x)} values"
    return f"{have}, but the requested shape {wanted}"


def _back_to_shape(op, dy):
    """The gradient of an op that only changes the shape of its first input."""
    return [reshape(dy, shape(op.inputs[0]))]


def _reshaped_already(result, x, dims):
    """`x` if it surely has the new shape.

    If only the run knows `dims`, the result's static shape may have been inferred from that of `x`.
    """
    inferred = dims.constant is None and x.known_shape is not None
    return x if x.same_shape(result) and not inferred else None


@defines(
    "Reshape",
    "tensor:T shape:length=Tshape",
    call_code("reshape"),
    _back_to_shape,
    simplify=_reshaped_already,
    explain=_explain_reshape,
    view=True,
)
def _reshaped(op, x, dims):
    wanted, count = as_static_shape(dims), x.shape.num_elements()
    if None in (x.shape.rank, wanted.rank):
        return wanted
    _missing(x.shape, wanted.num_elements())
    length = _missing(wanted, count)
    if length is not None:
        wanted = TensorShape([length if d is None else d for d in wanted.as_list()])
    if count not in (None, wanted.num_elements()) and wanted.is_fully_defined():
        raise ValueError(
            f"Cannot reshape a tensor with {count} elements to shape "
            f"{in_message(wanted)} ({wanted.num_elements()} elements)"
        )
    return wanted


def _missing(shape, count):
    """The one unknown length of a shape with `count` elements, or None if it can't be inferred.

    Raises ValueError if no length fits.
    """
    known = math.prod(d for d in shape.as_list() if d is not None)
    if count is None or not known or shape.as_list().count(None) != 1:
        return None
    if count % known:
        raise ValueError(f"Dimension size must be evenly divisible by {known} but is {count}")
    return count // known


def reshape(tensor, shape, name=None) -> Tensor:
    """The elements of `tensor`, in row-major order, in the shape `shape`.

        tf.reshape([1, 2, 3, 4], [2, -1])  # [[1, 2], [3, 4]]

    One length may be -1: it follows from the number of elements. Raises ValueError if that number
    doesn't fit the shape.
    """
    return build_tensor("Reshape", tensor, shape, name=name)


def _no_place(x, axis):
    place = np.ravel(axis)[0]
    return f"Tried to expand dim index {place} for tensor with {np.ndim(x)} dimensions."


@defines(
    "ExpandDims",
    "input:T dim:length=Tdim",
    call_code("expand_dims"),
    _back_to_shape,
    explain=_no_place,
    view=True,
)
def _expanded(op, x, axis):
    if axis.shape.num_elements() not in (None, 1):
        raise ValueError("'dim' input must be a tensor with a single value")
    axis, rank = constant_value(axis), x.shape.rank
    if rank is None or axis is None:
        return UNKNOWN
    words = "dim {axis} not in the interval [-{rank}, {last}]."
    place = axis_in(np.ravel(axis)[0], rank + 1, words)
    return spliced(x.shape, place, place, 1)


def expand_dims(input, axis=None, name=None, dim=None) -> Tensor:
    """`input` with an axis of length 1 inserted at `axis` (formerly `dim`).

    Raises ValueError if `axis` is missing or out of range.
    """
    axis = renamed("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    return build_tensor("ExpandDims", input, axis, name=name)


def _squeeze_code(op, x):
    axes = op.attrs["squeeze_dims"]
    return f"squeeze({x}, axis={axes})" if axes else f"squeeze({x})"


_ALL = {"squeeze_dims": ()}


@defines("Squeeze", "input:T", _squeeze_code, _back_to_shape, view=True, defaults=_ALL)
def _squeezed(op, x):
    axes, lengths = op.attrs["squeeze_dims"], x.shape.lengths
    if lengths is None or not axes and not x.shape.is_fully_defined():
        return UNKNOWN
    for i, a in enumerate(axes):
        axis_in(a, len(lengths), f"squeeze_dims[{i}] not in [{-len(lengths)},{len(lengths)}).")
    for a in sorted(a % len(lengths) for a in axes):
        if isinstance(lengths[a], int) and lengths[a] != 1:
            raise ValueError(
                f"Can not squeeze dim[{a}], expected a dimension of 1, got {lengths[a]}"
            )
    gone = [a % len(lengths) for a in axes] or [a for a, d in enumerate(lengths) if d == 1]
    return TensorShape.of(tuple(d for a, d in enumerate(lengths) if a not in gone))


def squeeze(input, axis=None, name=None, squeeze_dims=None) -> Tensor:
    """`input` without its axes of length 1, or without only those in `axis`.

    `axis` (formerly `squeeze_dims`) is an int or a list of ints. Raises ValueError for an axis that
    is out of range or whose length isn't 1.
    """
    axis = renamed("axis", axis, "squeeze_dims", squeeze_dims)
    axes = () if axis is None else axis
    if np.isscalar(axes):
        axes = [axes]
    if not isinstance(axes, list | tuple):
        raise TypeError(f"Expected list for 'axis' argument to 'squeeze' Op, not {axis!r}.")
    axes = [plain_attr("axis", a) for a in axes]
    return build_tensor("Squeeze", input, name=name, squeeze_dims=axes)


register("InvertPermutation", "x:length", same_as_first, "inverse", not_differentiable)


def _transpose_code(op, x, perm):
    known = perm.constant is not None and x.rank is not None
    if known and np.array_equal(perm.constant, np.arange(x.rank)[::-1]):
        return f"{atom(x)}.T"
    return f"transpose({x}, {shape_code(perm)})"


def _transpose_gradient(op, dy):
    x, perm = op.inputs
    back = build_tensor("InvertPermutation", perm)
    return [with_shape_of(x, build_tensor("Transpose", dy, back, name="transpose"))]


def _explain_transpose(x, perm):
    if np.ndim(perm) != 1:
        return f"perm must be rank 1, got shape {in_message(np.shape(perm))}"
    if len(perm) != np.ndim(x):
        return (
            f"transpose expects a vector of size {np.ndim(x)}. "
            f"But input(1) is a vector of size {len(perm)}"
        )
    for p in perm:
        if not -np.ndim(x) <= p < np.ndim(x):
            return f"{p} is out of range [0 .. {np.ndim(x)})"
    missing = min(set(np.arange(np.ndim(x))).difference(perm), default=0)
    return f"{missing} is missing from {{{','.join(map(str, perm))}}}."


@defines(
    "Transpose",
    "x:T perm:length=Tperm",
    _transpose_code,
    _transpose_gradient,
    explain=_explain_transpose,
    view=True,
)
def _transposed(op, x, perm):
    check_rank(perm, 1)
    rank = check_entries(x, perm, "Dimension must be {rank} but is {count}")
    if constant_value(perm) is None or x.shape.rank is None:
        return of_rank(rank)
    words = "perm dim {axis} is out of range of input rank {rank}"
    order = [axis_in(p, rank, words) for p in constant_value(perm)]
    return TensorShape.of(tuple(x.shape.lengths[p] for p in order))


def transpose(a, perm=None, name="transpose", conjugate=False) -> Tensor:
    """`a` with its axes in the order `perm`, which by default reverses them.

    With `conjugate`, complex numbers are also conjugated. Raises ValueError unless `perm` has one
    entry for each axis of `a`.
    """
    with name_scope(name, "transpose") as scope:
        a = convert_to_tensor(a, name="a")
        if perm is None and a.shape.rank is None:
            perm = build_tensor("Range", rank(a) - 1, -1, -1)
        elif perm is None:
            perm = np.arange(a.shape.rank, dtype=np.int32)[::-1]
        if conjugate and a.dtype.is_complex:
            a = build_tensor("Conj", a)
        return build_tensor("Transpose", a, perm, name=scope)


# Broadcasting, and its reverse: summing over the repeated axes.


def _as_it_is(result, x, _):
    return x if x.same_shape(result) else None


_SAME = {"simplify": _as_it_is, "view": True}


def _unbroadcast_code(op, gradient, like):
    return f"unbroadcast({gradient}, {like})" if like.rank != 0 else f"sum({gradient})"


def _unbroadcast_gradient(op, dy):
    return [lambda: broadcast_to(dy, shape(op.inputs[0]))]


@defines("Unbroadcast", "gradient:T like:T", _unbroadcast_code, _unbroadcast_gradient, **_SAME)
def _shape_of_like(op, gradient, like):
    return like.shape


def _explain_broadcast(x, dims):
    if np.ndim(dims) != 1:
        shape = in_message(np.shape(dims))
        return f"shape must be a vector of {{int32,int64}}, got shape {shape}"
    if np.min(dims, initial=0) < 0:
        return f"Dimension {np.min(dims)} must be >= 0"
    if np.ndim(x) > len(dims):
        ranks = f"({np.ndim(x)}) must be no greater than rank of output shape ({len(dims)})"
        return f"Rank of input {ranks}."
    return f"Incompatible shapes: {in_message(np.shape(x))} vs. {in_message(tuple(dims))}"


def _broadcast_gradient(op, dy):
    return [lambda: build_tensor("Unbroadcast", dy, op.inputs[0])]


@defines(
    "BroadcastTo",
    "input:T shape:length=Tidx",
    call_code("broadcast_to"),
    _broadcast_gradient,
    explain=_explain_broadcast,
    spreads=0,
    **_SAME,
)
def _broadcast_shape(op, x, dims):
    wanted = as_static_shape(dims)
    if None not in (x.shape.rank, wanted.rank):
        if x.shape.rank > wanted.rank:
            raise ValueError(f"Shape must be at most rank {wanted.rank} but is rank {x.shape.rank}")
        for a, b in zip(x.shape.as_list()[::-1], wanted.as_list()[::-1], strict=False):
            if a not in (0, 1):  # the run refuses a 0
                check_equal(a, b)
    return wanted


def broadcast_to(input, shape, name=None) -> Tensor:
    """`input` repeated to fill `shape`: along axes of length 1 and along new leading axes.

    Raises ValueError if the shapes don't fit.
    """
    return build_tensor("BroadcastTo", input, shape, name=name)


# Shapes as tensors.


def _register_about_shape(op_type, code, rule, **traits):
    """Register an op that returns `rule(shape)`, before the run if the shape is known then."""

    def out_type(op):
        return op.attrs.get("out_type", dtypes.int32)

    def infer(op):
        of_all = TensorShape([op.inputs[0].shape.rank]) if op_type == "Shape" else SCALAR
        return [(out_type(op), of_all)]

    def in_type(op, *arguments):
        text = code(*arguments)
        return text if out_type(op) is dtypes.int32 else f"{out_type(op).name}({text})"

    def simplify(result, x, *axis):
        known, dtype = x.known_shape, result.tensor.dtype.as_numpy_dtype
        return None if known is None else np.array(rule(known), dtype)[()]

    register(op_type, "input", infer, in_type, not_differentiable, simplify=simplify, **traits)


def _length_of_feed(feeds, x):
    """If `x` is a vector or a column, a feed of the same length in its place, with the axis.

    Counting a feed saves computing `x`, or keeping it until then. (Without this, a step of softmax
    regression takes 15% longer.) No axis is needed if the shapes are equal.
    """
    shape = x.certain_shape
    lengths = [d for d in shape.lengths or () if d != 1]
    if len(lengths) == 1 and x.known_shape is None:
        for feed in feeds:
            found = feed.certain_shape.lengths or ()
            if lengths[0] in found:
                return [feed] if found == shape.lengths else [feed, found.index(lengths[0])]
    return [x]


def _size_code(x, *axis):
    return call("size", x, *map(shape_code, axis))


_INT32 = {"defaults": {"out_type": dtypes.int32}}
_register_about_shape("Shape", lambda x: call("shape_of", x), list, **_INT32)
_register_about_shape("Size", _size_code, math.prod, instead=_length_of_feed, **_INT32)
_register_about_shape("Rank", lambda x: f"int32({atom(x)}.ndim)", len)


def _about_shape(op_type, input, name, out_type):
    dtype = dtypes.as_dtype(out_type or dtypes.int32)
    return build_tensor(op_type, convert_to_tensor(input), name=name, out_type=dtype)


def shape(input, name=None, out_type=None) -> Tensor:
    """The shape of `input` in the run: a vector, int32 unless `out_type` is given."""
    return _about_shape("Shape", input, name, out_type)


def size(input, name=None, out_type=None) -> Tensor:
    """The number of elements of `input`: a scalar, int32 unless `out_type` is given."""
    return _about_shape("Size", input, name, out_type)


def rank(input, name=None) -> Tensor:
    """The number of dimensions of `input`: an int32 scalar."""
    return build_tensor("Rank", convert_to_tensor(input), name=name)
