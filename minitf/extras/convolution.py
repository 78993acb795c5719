"""What slides a small window over pictures: convolutions and pooling.

A view of the pictures has the numbers of the window at each place, so that a convolution is one
matrix product. It takes a few pictures at a time, because this copies what several windows share.

Mirrors tensorflow/python/ops/nn_ops.py and nn_grad.py.
"""

import math
from collections.abc import Iterator

import numpy as np
from numpy.lib.stride_tricks import as_strided

from minitf.framework.common_shapes import as_static_shape, check_rank, of_rank
from minitf.framework.dtypes import REAL_FLOATS, REALS
from minitf.framework.errors import UnimplementedError
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor, convert_to_tensor, named, renamed
from minitf.framework.operation import Tensor
from minitf.framework.registry import KERNELS, call_code, register
from minitf.framework.tensor_shape import TensorShape, UnknownLength, in_message
from minitf.ops.array_ops import shape
from minitf.ops.control_flow_ops import no_gradient
from minitf.ops.kernels import invalid

_ONES = (1, 1, 1, 1)
_AT_ONCE = 2**18  # about as many numbers as a processor's cache holds

# Windows. The keyword arguments are the attributes of the ops.


def _fit(length, axis, size, strides, padding, explicit_paddings=(), dilations=_ONES, **_):
    """How many windows fit along an axis, and the padding before and after it."""
    stride, reach = strides[axis], (size - 1) * dilations[axis] + 1
    if stride < 1:
        raise ValueError(f"Stride must be > 0, but got {stride}")
    before, after = explicit_paddings[2 * axis : 2 * axis + 2] or (0, 0)
    if padding == "SAME":
        missing = max(0, (-(-length // stride) - 1) * stride + reach - length)
        before, after = missing // 2, missing - missing // 2
    rest = length + before + after - reach
    if rest < 0:
        raise ValueError(
            f"Negative dimension size caused by subtracting {reach} from {rest + reach}"
        )
    return rest // stride + 1, before, after


def _windows(x, sizes, fill=0, strides=_ONES, dilations=_ONES, ksize=_ONES, **attrs):
    """Views of the padded pictures: [n, rows, columns, *sizes, channels], and what was `x`."""
    if any(steps[0] != 1 or steps[3] != 1 for steps in (strides, dilations, ksize)):
        words = "does not yet support strides in the batch and depth dimensions."
        raise UnimplementedError(None, None, f"Current implementation {words}")
    attrs |= {"strides": strides, "dilations": dilations}
    n, height, width, channels = x.shape
    rows, *above = _fit(height, 1, sizes[0], **attrs)
    columns, *left = _fit(width, 2, sizes[1], **attrs)
    if any(above + left):
        x = np.pad(x, ((0, 0), above, left, (0, 0)), constant_values=fill)
    bytes_to_next = np.array(x.strides)
    moves = (*(bytes_to_next * strides)[:3], *(bytes_to_next * dilations)[1:])
    view = as_strided(x, (n, rows, columns, *sizes[:2], channels), moves)
    return view, x[:, above[0] : above[0] + height, left[0] : left[0] + width]


# Convolution.


def _parts(view) -> Iterator[slice]:
    """Slices of a few pictures each."""
    step = max(1, _AT_ONCE // max(1, view[:1].size))
    return (slice(i, i + step) for i in range(0, len(view), step))


def _conv2d(x, filter, data_format="NHWC", **attrs):
    """For each window and filter, the sum of the products of their numbers."""
    if data_format != "NHWC":
        words = "The Conv2D op currently only supports the NHWC tensor format on the CPU."
        raise UnimplementedError(None, None, f"{words} The op was given the format: {data_format}")
    if x.ndim != 4:
        raise invalid(f"convolution input must be 4-dimensional: {in_message(x.shape)}")
    if x.shape[3] != filter.shape[2]:
        depths = f"{x.shape[3]} vs {filter.shape[2]} (in minitf, they must be equal)"
        raise invalid(f"input depth must be evenly divisible by filter depth: {depths}")
    view, _ = _windows(x, filter.shape, **attrs)
    matrix = filter.reshape(-1, filter.shape[3])
    y = np.empty((*view.shape[:3], filter.shape[3]), x.dtype)
    for part in _parts(view):
        rows = view[part].reshape(-1, len(matrix))
        np.matmul(rows, matrix, out=y[part].reshape(len(rows), -1))
    return y


def _input_gradient(shape, filter, dy, **attrs):
    """The gradient of the pictures, which have this shape: the sum of what each window adds."""
    view, dx = _windows(np.zeros(shape, dy.dtype), filter.shape, **attrs)
    matrix = filter.reshape(-1, filter.shape[3]).T
    for part in _parts(view):
        added = (dy[part].reshape(-1, len(matrix)) @ matrix).reshape(view[part].shape)
        for place in np.ndindex(*filter.shape[:2]):
            view[part, :, :, *place] += added[:, :, :, *place]
    return dx


def _filter_gradient(x, shape, dy, **attrs):
    """The gradient of the filters, which have this shape."""
    view, _ = _windows(x, shape, **attrs)
    total = np.zeros((math.prod(shape[:3]), shape[3]), dy.dtype)
    for part in _parts(view):
        total += view[part].reshape(-1, len(total)).T @ dy[part].reshape(-1, shape[3])
    return total.reshape(shape)


# Pooling.


def _places(x, ksize=_ONES, fill=0, **attrs):
    """For each place in the window, a view of the numbers there; and a view of what was `x`."""
    view, inner = _windows(x, ksize[1:], fill, ksize=ksize, **attrs)
    return [view[:, :, :, *place] for place in np.ndindex(*view.shape[3:5])], inner


def _pooled(function, places):
    result = places[0].copy()
    for numbers in places[1:]:
        function(result, numbers, out=result)
    return result


def _with_least(x, **attrs):
    limits = np.finfo if x.dtype.kind == "f" else np.iinfo
    return _places(x, fill=limits(x.dtype).min, **attrs)[0]


def _check_format(op_type, data_format="NHWC", **attrs):
    if data_format != "NHWC":
        raise invalid(f"Default {op_type}ingOp only supports NHWC on device type CPU")
    return attrs


def _max_pool(x, **attrs):
    """The largest number in each window."""
    return _pooled(np.maximum, _with_least(x, **_check_format("MaxPool", **attrs)))


def _max_pool_gradient(x, y, dy, **attrs):
    """The gradient of the pictures: in each window, the first of the largest numbers gets it."""
    (places, dx), free = _places(np.zeros_like(x), **attrs), True
    for part, numbers in zip(places, _with_least(x, **attrs), strict=True):
        hit = (numbers == y) & free
        part += np.where(hit, dy, 0)
        free = free ^ hit
    return dx


def _counts(shape, dtype, **attrs):
    """How many numbers each window has, without the padding."""
    return _pooled(np.add, _places(np.ones((1, *shape[1:3], 1), dtype), **attrs)[0])


def _avg_pool(x, **attrs):
    """The mean of the numbers in each window."""
    attrs = _check_format("AvgPool", **attrs)
    return _pooled(np.add, _places(x, **attrs)[0]) / _counts(x.shape, x.dtype, **attrs)


def _avg_pool_gradient(shape, dy, **attrs):
    """The gradient of the pictures, which have this shape: an equal part for each number."""
    places, dx = _places(np.zeros(shape, dy.dtype), **attrs)
    share = dy / _counts(shape, dy.dtype, **attrs)
    for part in places:
        part += share
    return dx


# The ops.


def _op(op_type, inputs, name, function, rule, gradient, allowed=()) -> None:
    """Register an op; its kernel takes the attributes by name."""
    KERNELS[name] = function
    usual = {"strides": _ONES, "ksize": _ONES, "padding": None, "explicit_paddings": ()}
    code = call_code(name, **usual, dilations=_ONES, data_format="NHWC")

    def infer(op):
        return [(op.inputs[-1].dtype.base_dtype, rule(op, *op.inputs))]

    register(op_type, inputs, infer, code, gradient, allowed=allowed)


def _axes(op) -> list[int]:
    """Which axes are the rows, the columns and the channels."""
    return [op.attrs["data_format"].index(name) for name in "HWC"]


def _slid(op, x, sizes) -> list:
    """The lengths of what windows of these sizes give for `x`."""
    check_rank(x, 4)
    axes, paddings = _axes(op), op.attrs.get("explicit_paddings", ())
    lengths = list(x.shape.lengths or of_rank(4).lengths)
    if any(n < 0 for n in paddings):
        raise ValueError("All elements of explicit_paddings must be nonnegative")
    if any(n and i // 2 not in axes[:2] for i, n in enumerate(paddings)):
        words = "Nonzero explicit padding in the batch or depth dimensions is not supported"
        raise ValueError(words)
    for axis, size in zip(axes, sizes, strict=False):
        size = 1 if op.attrs["padding"] == "SAME" else size
        known = isinstance(lengths[axis], int) and isinstance(size, int)
        lengths[axis] = _fit(lengths[axis], axis, size, **op.attrs)[0] if known else UnknownLength()
    return lengths


def _conv2d_shape(op, x, filter):
    check_rank(filter, 4)
    *sizes, wanted, filters = filter.shape.lengths or of_rank(4).lengths
    lengths, channels = _slid(op, x, sizes), _axes(op)[2]
    depth = lengths[channels]
    if isinstance(depth, int) and isinstance(wanted, int) and depth % wanted:
        words = f"is not a multiple of input depth of filter ({wanted})"
        raise ValueError(f"Depth of input ({depth}) {words}")
    lengths[channels] = filters
    return TensorShape.of(tuple(lengths))


def _pool_shape(op, x):
    return TensorShape.of(tuple(_slid(op, x, [op.attrs["ksize"][axis] for axis in _axes(op)])))


def _like(op, op_type, *inputs):
    """A function that builds an op with the attributes of `op`."""
    return lambda: build_tensor(op_type, *inputs, **op.attrs)


# Of pictures x, filters w and the result y, each op takes two, or gradients of them, and gives the
# third; s is its shape.
_ROLES = {"Conv2D": "xwy", "Conv2DBackpropInput": "swyx", "Conv2DBackpropFilter": "xsyw"}


def _of_conv2d(op, g):
    found = dict(zip(_ROLES[op.type], (*op.inputs, g), strict=True))
    x, w, y = (found[role] for role in "xwy")
    rules = {
        "x": _like(op, "Conv2DBackpropInput", shape(x), w, y),
        "w": _like(op, "Conv2DBackpropFilter", x, shape(w), y),
        "y": _like(op, "Conv2D", x, w),
    }
    return [rules.get(role) for role in _ROLES[op.type][:-1]]


_op(
    "Conv2D",
    "input:T filter:T",
    "conv2d",
    _conv2d,
    _conv2d_shape,
    _of_conv2d,
    (*REAL_FLOATS, "int32"),
)
_op(
    "Conv2DBackpropInput",
    "input_sizes:length filter:T out_backprop:T",
    "conv2d_input_gradient",
    _input_gradient,
    lambda op, sizes, filter, dy: as_static_shape(sizes),
    _of_conv2d,
)
_op(
    "Conv2DBackpropFilter",
    "input:T filter_sizes:length out_backprop:T",
    "conv2d_filter_gradient",
    _filter_gradient,
    lambda op, x, sizes, dy: as_static_shape(sizes),
    _of_conv2d,
)
_op(
    "MaxPool",
    "input:T",
    "max_pool",
    _max_pool,
    _pool_shape,
    lambda op, dy: [_like(op, "MaxPoolGrad", op.inputs[0], op.outputs[0], dy)],
    REALS,
)
_op(
    "MaxPoolGrad",
    "orig_input:T orig_output:T grad:T",
    "max_pool_gradient",
    _max_pool_gradient,
    lambda op, x, y, dy: x.shape,
    no_gradient,
)
_op(
    "AvgPool",
    "value:T",
    "avg_pool",
    _avg_pool,
    _pool_shape,
    lambda op, dy: [_like(op, "AvgPoolGrad", shape(op.inputs[0]), dy)],
    REAL_FLOATS,
)
_op(
    "AvgPoolGrad",
    "orig_input_shape:length grad:T",
    "avg_pool_gradient",
    _avg_pool_gradient,
    lambda op, sizes, dy: as_static_shape(sizes),
    lambda op, g: [None, _like(op, "AvgPool", g)],
)

# What programs call.


def _four(name, value, data_format) -> tuple[int, ...]:
    """The number for each of the four axes, given one, two or four of them."""
    values = list(value) if isinstance(value, list | tuple) else [1 if value is None else value]
    if len(values) not in (1, 2, 4):
        known = f"{name} should be of length 1, 2 or 4. Received: {name}={value}"
        raise ValueError(f"{known} of length {len(values)}")
    if len(values) < 4:
        sides = (values * 2)[:2]
        values = [1, *sides, 1] if data_format[-1] == "C" else [1, 1, *sides]
    return tuple(values)


def _slide(op_type, inputs, name, strides, padding, data_format, **attrs) -> Tensor:
    """Build an op from the arguments of a public function."""
    paddings = ["SAME", "VALID"] + ["EXPLICIT"] * (op_type != "AvgPool")
    formats = ["NHWC", "NCHW"] + ["NCHW_VECT_C"] * (op_type == "MaxPool")
    attrs["strides"] = _four("strides", strides, data_format)
    if "EXPLICIT" in paddings:
        attrs["explicit_paddings"] = ()
        if isinstance(padding, list | tuple):
            if len(padding) != 4:
                words = f"it must be of size 4. Received: padding={padding} of size {len(padding)}"
                raise ValueError(f"When padding is a list, {words}")
            attrs["explicit_paddings"] = tuple(n for pair in padding for n in pair)
            padding = "EXPLICIT"
    for argument, value, known in [
        ("padding", padding, paddings),
        ("data_format", data_format, formats),
    ]:
        if not isinstance(value, str):
            raise TypeError(f"Expected string for argument '{argument}' not {value}.")
        if value not in known:
            choices = ", ".join(f'"{choice}"' for choice in known)
            problem = f"passed string '{value}' not in: {choices}."
            raise ValueError(f"Attr '{argument}' of '{op_type}' Op {problem}")
        attrs[argument] = value
    return build_tensor(op_type, *inputs, name=name, **attrs)


def conv2d(
    input,
    filter=None,
    strides=None,
    padding=None,
    use_cudnn_on_gpu=True,
    data_format="NHWC",
    dilations=[1, 1, 1, 1],  # noqa: B006 (TensorFlow's default, which nothing changes)
    name=None,
    filters=None,
) -> Tensor:
    """Return what filters see in pictures, as a tensor [batch, rows, columns, channels].

    input: pictures [batch, height, width, depth], floats or int32. filter (or `filters`): [height,
    width, depth, channels], of the same dtype. strides and dilations: how far the window moves, and
    how far apart its numbers are; one number, two, or one for each axis. padding: "SAME", "VALID",
    or a list of a pair for each axis. data_format: with "NCHW", channels come second; a run then
    raises UnimplementedError, as TensorFlow's does on a CPU. use_cudnn_on_gpu has no meaning here.
    Raises ValueError if shapes don't fit; a run raises InvalidArgumentError.
    """
    inputs = (input, renamed("filters", filters, "filter", filter))
    dilations = _four("dilations", dilations, data_format)
    return _slide("Conv2D", inputs, name, strides, padding, data_format, dilations=dilations)


def _pool(op_type, argument, doc):
    def pool(value, ksize, strides, padding, data_format="NHWC", name=None, input=None):
        value = renamed("input", input, "value", value)
        with name_scope(name, op_type, [value]) as scope:
            ksize = _four("ksize", ksize, data_format)
            if 0 in ksize:
                raise ValueError(f"`ksize` cannot be zero. Received: ksize={list(ksize)}")
            inputs = [convert_to_tensor(value, name=argument)]
            return _slide(op_type, inputs, scope, strides, padding, data_format, ksize=ksize)

    doc += " in each window.\n\n    ksize: the size of the window, in the forms of `strides`. "
    return named(pool, f"{op_type[:3].lower()}_pool", f"{doc}The rest is as in `tf.nn.conv2d`.")


max_pool = _pool("MaxPool", "input", "Return the largest number")
avg_pool = _pool("AvgPool", "value", "Return the mean of the numbers")
