"""Convolutions and pooling, which slide a small window over pictures.

A view of the pictures has the numbers in the window at every place, so a convolution is one matrix
product. It takes a few pictures at a time, because the product copies what several windows share.

Mirrors tensorflow/python/ops/nn_ops.py and nn_grad.py.
"""

from collections.abc import Iterable, Iterator
from itertools import repeat

import numpy as np
from numpy.lib.stride_tricks import as_strided

from minitf.framework.common_shapes import as_static_shape, check_rank, of_rank, spliced
from minitf.framework.dtypes import REAL_FLOATS, REALS
from minitf.framework.errors import UnimplementedError
from minitf.framework.op_def_library import build_tensor, named, renamed
from minitf.framework.operation import Tensor
from minitf.framework.registry import KERNELS, call_code, no_gradient, register
from minitf.framework.tensor_shape import TensorShape, UnknownLength, in_message
from minitf.ops.array_ops import shape
from minitf.ops.kernels import invalid

_ONES = (1, 1, 1, 1)
# Called in a run first, np.finfo would make NumPy 2.0 warn that denormal numbers are zero.
_LEAST = {np.dtype(kind): np.finfo(kind).min for kind in (np.float16, np.float32, np.float64)}
_AT_ONCE = 2**18  # about as many numbers as a processor's cache holds

# Windows. The keyword arguments are the attributes of the ops.


def _count(length, size, stride, gap, padding):
    """How many windows fit along an axis, or an UnknownLength."""
    if stride < 1:
        raise ValueError(f"Stride must be > 0, but got {stride}")
    if padding not in ("SAME", "VALID"):
        raise UnimplementedError(None, None, f"minitf has no padding {padding}")
    size = 1 if padding == "SAME" else size  # the rest may be padding
    if size == stride == 1:
        return length
    if UnknownLength in (type(length), type(size)):
        return UnknownLength()
    reach = (size - 1) * gap + 1
    if reach > max(length, 1):
        raise ValueError(f"Negative dimension size caused by subtracting {reach} from {length}")
    return (length - reach) // stride + 1


def _windows(
    x, ksize=_ONES, padding=None, strides=_ONES, dilations=_ONES, data_format=None, fill=0
):
    """Views of the padded `x`: windows [n, rows, columns, *sizes, channels], and `x` within it."""
    if data_format:
        words = "The Conv2D op currently only supports the NHWC tensor format on the CPU."
        raise UnimplementedError(None, None, f"{words} The op was given the format: {data_format}")
    if {*ksize[::3], *strides[::3], *dilations[::3]} != {1}:
        words = "does not yet support strides in the batch and depth dimensions."
        raise UnimplementedError(None, None, f"Current implementation {words}")
    counts = np.array([*map(_count, x.shape, ksize, strides, dilations, repeat(padding))])
    reach = (counts - 1) * strides + np.subtract(ksize, 1) * dilations + 1
    missing = np.maximum(reach - x.shape, 0)
    margins = np.stack([missing // 2, missing - missing // 2], 1)
    padded = np.pad(x, margins, constant_values=fill)
    moves = np.array(padded.strides) * [strides, dilations]
    view = as_strided(padded, (*counts, *ksize), moves.ravel()).squeeze((4, 7))
    inner = tuple(slice(before, -after or None) for before, after in margins)
    return np.moveaxis(view, 3, -1), padded[inner]


def _places(view) -> list[np.ndarray]:
    """For each place in the window, the numbers there."""
    return [view[:, :, :, *place] for place in np.ndindex(*view.shape[3:5])]


def _summed(shape, dtype, parts: Iterable, **attrs) -> np.ndarray:
    """Pictures of this shape, summed from what the windows add: `parts` has it for each place."""
    view, pictures = _windows(np.zeros(shape, dtype), **attrs)
    for numbers, part in zip(_places(view), parts, strict=False):
        numbers += part
    return pictures


# Convolution.


def _few(*arrays) -> Iterator[tuple]:
    """A few pictures at a time, the same ones of each array."""
    count = arrays[0].size // _AT_ONCE + 1
    return zip(*(np.array_split(array, count) for array in arrays), strict=True)


def _conv2d(x, filter, **attrs):
    """For each window and filter, the sum of the products of their numbers."""
    if x.ndim != 4:
        raise invalid(f"convolution input must be 4-dimensional: {in_message(x.shape)}")
    view, _ = _windows(x, (1, *filter.shape[:2], 1), **attrs)
    if x.shape[3] != filter.shape[2]:
        raise invalid(
            f"input depth must be evenly divisible by filter depth: {x.shape[3]} vs "
            f"{filter.shape[2]} (in minitf, they must be equal)"
        )
    return np.concatenate([np.tensordot(part, filter, 3) for (part,) in _few(view)])


def _conv2d_input_gradient(shape, filter, dy, **attrs):
    """The gradient of the pictures, which have this shape."""
    ksize = (1, *filter.shape[:2], 1)
    counts = _windows(np.empty(shape, dy.dtype), ksize, **attrs)[0].shape[:3]
    if dy.shape[:3] != counts or shape[3] != filter.shape[2]:
        raise invalid(
            f"Conv2DCustomBackpropInput: Size of out_backprop {in_message(dy.shape)} doesn't match "
            f"computed: {in_message(counts)}"
        )
    parts = (np.tensordot(dy, numbers, (3, 1)) for row in filter for numbers in row)
    return _summed(shape, dy.dtype, parts, ksize=ksize, **attrs)


def _conv2d_filter_gradient(x, shape, dy, **attrs):
    """The gradient of the filters, which have this shape."""
    view, _ = _windows(x, (1, *shape[:2], 1), **attrs)
    return sum(np.tensordot(part, d, [[0, 1, 2]] * 2) for part, d in _few(view, dy))


# Pooling.


def _pooled(op_type, x, fill=0, data_format=None, **attrs) -> list[np.ndarray]:
    """For each place in the window, the numbers there."""
    if data_format:
        raise invalid(f"Default {op_type}ingOp only supports NHWC on device type CPU")
    return _places(_windows(x, fill=fill, **attrs)[0])


def _with_least(x, **attrs) -> list[np.ndarray]:
    least = _LEAST[x.dtype] if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    return _pooled("MaxPool", x, least, **attrs)


def _max_pool(x, **attrs):
    """The largest number in each window."""
    return np.maximum.reduce(_with_least(x, **attrs))


def _max_pool_gradient(x, y, dy, **attrs):
    """The gradient of the pictures: in each window, the first of the largest numbers gets it."""

    def parts():
        free = True
        for numbers in _with_least(x, **attrs):
            hit = (numbers == y) & free
            yield np.where(hit, dy, 0)
            free = free ^ hit

    return _summed(x.shape, dy.dtype, parts(), **attrs)


def _counts(shape, dtype, attrs) -> np.ndarray:
    """How many numbers each window has, without the padding."""
    return sum(_pooled("AvgPool", np.ones((1, *shape[1:3], 1), dtype), **attrs))


def _avg_pool(x, **attrs):
    """The mean of the numbers in each window."""
    return sum(_pooled("AvgPool", x, **attrs)) / _counts(x.shape, x.dtype, attrs)


def _avg_pool_gradient(shape, dy, **attrs):
    """The gradient of the pictures, which have this shape: an equal part for each number."""
    return _summed(shape, dy.dtype, repeat(dy / _counts(shape, dy.dtype, attrs)), **attrs)


# The ops.


_LAYOUT = {"data_format": "NHWC"}
_NOT_DILATED = {"dilations": _ONES}


def _op(op_type, inputs, kernel, rule, gradient, allowed=(), defaults=_LAYOUT) -> None:
    """Register an op. Programs call the kernel without its underscore, with attributes by name."""
    name = kernel.__name__[1:]
    KERNELS[name] = kernel
    sides = {"ksize": _ONES, "strides": _ONES, "dilations": _ONES}
    code = call_code(name, **sides, padding=None, data_format="NHWC")

    def infer(op):
        return [(op.inputs[-1].dtype.base_dtype, rule(op, *op.inputs))]

    register(op_type, inputs, infer, code, gradient, allowed=allowed, defaults=defaults)


def _slid(op, x, ksize=None) -> TensorShape:
    """The static shape of what windows of this size, by default the op's, give for `x`."""
    check_rank(x, 4)
    attrs, lengths = op.attrs, x.shape.lengths or of_rank(4).lengths
    steps = (attrs["strides"], attrs.get("dilations", _ONES), repeat(attrs["padding"]))
    return TensorShape.of(tuple(map(_count, lengths, ksize or attrs["ksize"], *steps)))


def _conv2d_shape(op, x, filter):
    check_rank(filter, 4)
    height, width, wanted, filters = filter.shape.lengths or of_rank(4).lengths
    sizes, axes = {"N": 1, "H": height, "W": width, "C": 1}, op.attrs["data_format"]
    found, channels = _slid(op, x, [sizes[axis] for axis in axes]), axes.index("C")
    depth = found.lengths[channels]
    if isinstance(depth, int) and isinstance(wanted, int) and depth % wanted:
        raise ValueError(
            f"Depth of input ({depth}) is not a multiple of input depth of filter ({wanted})"
        )
    return spliced(found, channels, channels + 1, filters)


def _transposed(op, sizes, filter, dy):
    axis = op.attrs["data_format"].index("C")
    given = dy.shape[axis : axis + 1]
    if not given.is_compatible_with(filter.shape[3:]):
        raise ValueError(f"Dimensions must be equal, but are {given[0]} and {filter.shape[3]}")
    return as_static_shape(sizes).merge_with(dy.shape[:1].concatenate(TensorShape([None] * 3)))


def _like(op, op_type, *inputs) -> Tensor:
    """The output of another op with the attributes of `op`."""
    return build_tensor(op_type, *inputs, **op.attrs)


def _of_conv2d(op, x, filter, y) -> list:
    """How to compute pictures, filters and result, or their gradients, each from the other two."""
    return [
        lambda: _like(op, "Conv2DBackpropInput", shape(x), filter, y),
        lambda: _like(op, "Conv2DBackpropFilter", x, shape(filter), y),
        lambda: _like(op, "Conv2D", x, filter),
    ]


def _of_filter_gradient(op, g):
    x, _, y = _of_conv2d(op, op.inputs[0], g, op.inputs[2])
    return [x, None, y]


_op(
    "Conv2D",
    "input:T filter:T",
    _conv2d,
    _conv2d_shape,
    lambda op, dy: _of_conv2d(op, *op.inputs, dy)[:2],
    (*REAL_FLOATS, "int32"),
    defaults=_LAYOUT | _NOT_DILATED,
)
_op(
    "Conv2DBackpropInput",
    "input_sizes:length=- filter:T out_backprop:T",
    _conv2d_input_gradient,
    _transposed,
    lambda op, g: [None, *_of_conv2d(op, g, *op.inputs[1:])[1:]],
    defaults=_LAYOUT | _NOT_DILATED,
)
_op(
    "Conv2DBackpropFilter",
    "input:T filter_sizes:length=- out_backprop:T",
    _conv2d_filter_gradient,
    lambda op, x, sizes, dy: as_static_shape(sizes),
    _of_filter_gradient,
    defaults=_LAYOUT | _NOT_DILATED,
)
_op(
    "MaxPool",
    "input:T",
    _max_pool,
    _slid,
    lambda op, dy: [_like(op, "MaxPoolGrad", op.inputs[0], op.outputs[0], dy)],
    REALS,
)
_op(
    "MaxPoolGrad",
    "orig_input:T orig_output:T grad:T",
    _max_pool_gradient,
    lambda op, x, y, dy: x.shape,
    no_gradient,
)
_op(
    "AvgPool",
    "value:T",
    _avg_pool,
    _slid,
    lambda op, dy: [_like(op, "AvgPoolGrad", shape(op.inputs[0]), dy)],
    REAL_FLOATS,
)
_op(
    "AvgPoolGrad",
    "orig_input_shape:length=- grad:T",
    _avg_pool_gradient,
    lambda op, sizes, dy: as_static_shape(sizes),
    lambda op, g: [None, _like(op, "AvgPool", g)],
)

# What programs call.


def _four(name, value, data_format) -> tuple[int, ...]:
    """The number for each of the four axes, given one, two or four of them."""
    values = np.ravel(1 if value is None else value).tolist()
    if len(values) not in (1, 2, 4):
        raise ValueError(
            f"{name} should be of length 1, 2 or 4. Received: {name}={value} of length "
            f"{len(values)}"
        )
    if len(values) < 4:
        sides = (values * 2)[:2]
        values = [1, *sides, 1] if data_format[-1] == "C" else [1, 1, *sides]
    return tuple(values)


def _slide(op_type, inputs, name, padding, data_format, **sides) -> Tensor:
    """Build an op from the arguments of a public function, with `sides` in any form."""
    paddings = ["SAME", "VALID"] + ["EXPLICIT"] * (op_type != "AvgPool")
    formats = ["NHWC", "NCHW"] + ["NCHW_VECT_C"] * (op_type == "MaxPool")
    attrs = {argument: _four(argument, n, data_format) for argument, n in sides.items()}
    if 0 in attrs.get("ksize", ()):
        raise ValueError(f"`ksize` cannot be zero. Received: ksize={list(attrs['ksize'])}")
    for argument, value, known in [
        ("padding", padding, paddings),
        ("data_format", data_format, formats),
    ]:
        if not isinstance(value, str):
            raise TypeError(f"Expected string for argument '{argument}' not {value}.")
        if value not in known:
            choices = ", ".join(f'"{choice}"' for choice in known)
            raise ValueError(
                f"Attr '{argument}' of '{op_type}' Op passed string '{value}' not in: {choices}."
            )
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
    """Return pictures convolved with filters, as a tensor [batch, rows, columns, channels].

    input: pictures [batch, height, width, depth], floats or int32.
    filter, filters: [height, width, depth, channels], of the same dtype. Give one of the two.
    strides, dilations: how far the window moves, and how far apart its numbers are; one number,
        two, or one for each axis.
    padding: "SAME" or "VALID"; minitf has no explicit padding, and raises TypeError for a list.
    data_format: with "NCHW", channels come second; a run then raises UnimplementedError, as
        TensorFlow's does on a CPU.

    `use_cudnn_on_gpu` is ignored. Raises ValueError if shapes don't fit; a run raises
    InvalidArgumentError.
    """
    inputs = (input, renamed("filters", filters, "filter", filter))
    sides = {"strides": strides, "dilations": dilations}
    return _slide("Conv2D", inputs, name, padding, data_format, **sides)


def conv2d_transpose(
    value=None,
    filter=None,
    output_shape=None,
    strides=None,
    padding="SAME",
    data_format="NHWC",
    name=None,
    input=None,
    filters=None,
    dilations=None,
) -> Tensor:
    """Return the gradient of `conv2d` with respect to its input: a tensor of shape `output_shape`.

    `value` (or `input`) is the gradient of its result. The filters have the shape [height, width,
    channels of `output_shape`, channels of `value`]. The other arguments are those of `conv2d`.
    """
    filter = renamed("filters", filters, "filter", filter)
    inputs = (output_shape, filter, renamed("input", input, "value", value))
    sides, name = {"strides": strides, "dilations": dilations}, name or "conv2d_transpose"
    return _slide("Conv2DBackpropInput", inputs, name, padding, data_format, **sides)


def _pool(op_type, doc):
    def pool(value, ksize, strides, padding, data_format="NHWC", name=None, input=None):
        inputs = [renamed("input", input, "value", value)]
        return _slide(op_type, inputs, name, padding, data_format, ksize=ksize, strides=strides)

    doc += " in each window.\n\n    ksize: the size of the window, in the forms of `strides`. "
    return named(pool, f"{op_type[:3].lower()}_pool", f"{doc}The rest is as in `tf.nn.conv2d`.")


max_pool = _pool("MaxPool", "Return the largest number")
avg_pool = _pool("AvgPool", "Return the mean of the numbers")
