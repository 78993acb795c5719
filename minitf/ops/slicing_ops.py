"""Parts of a tensor, and a tensor as part of a larger one: slices, `x[...]`, and padding.

Mirrors slice, strided_slice and pad of tensorflow/python/ops/array_ops.py.
"""

import numpy as np

from minitf.framework import dtypes
from minitf.framework.constant_op import constant_value, convert_to_tensor
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Operators, Tensor
from minitf.framework.registry import KERNELS, Code, atom, kernel
from minitf.framework.tensor_shape import UNKNOWN, Dimension, Length, TensorShape, UnknownLength
from minitf.ops import gather_ops, joining_ops, shape_ops
from minitf.ops.shape_ops import (
    MASKS,
    called,
    check_entries,
    defines,
    known_elements,
    with_shape_of,
)


@kernel
def part(x, begin, size):
    """The part of `x` that starts at `begin`; a size of -1 takes the rest."""
    for i, (d, b, n) in enumerate(zip(np.shape(x), begin, size, strict=True)):
        if not 0 <= b <= d:
            raise ValueError(f"Expected begin[{i}] in [0, {d}], but got {b}")
        if not -1 <= n <= d - b:
            raise ValueError(f"Expected size[{i}] in [0, {d - b}], but got {n}")
    return x[tuple(slice(b, None if n == -1 else b + n) for b, n in zip(begin, size, strict=True))]


def _slice_gradient(op: Operation, dy: Tensor) -> list:
    x, begin, _ = op.inputs
    after = (
        shape_ops.shape(x, out_type=begin.dtype) - shape_ops.shape(dy, out_type=begin.dtype) - begin
    )
    return [with_shape_of(x, pad_op(dy, joining_ops.stack([begin, after], axis=1))), None, None]


@defines("Slice", "input:T begin:length size:length", called("part"), _slice_gradient, view=True)
def _slice_shape(op: Operation, x: Tensor, begin: Tensor, size: Tensor) -> TensorShape:
    for vector in (begin, size):
        shape_ops.check_rank(vector, 1)
    rank = check_entries(x, size)
    check_entries(x, begin)
    starts, sizes = known_elements(begin), known_elements(size)
    if sizes is None:
        return shape_ops.of_rank(rank)

    unknown = [UnknownLength() for _ in sizes]
    lengths = zip(x.shape.lengths or unknown, starts or unknown, sizes, strict=True)
    return TensorShape.of(
        tuple(_sliced(d, slice(b or None, None)) if n == -1 else n for d, b, n in lengths)
    )


def slice_op(input_, begin, size, name: str | None = None) -> Tensor:
    """The part of `input_` from `begin`, of shape `size`, where -1 means the rest.

    (TensorFlow's `tf.slice`.)
    """
    return build_tensor("Slice", input_, begin, size, name=name)


# Padding is a slice the other way round.


def _pad_gradient(op: Operation, dy: Tensor) -> list:
    x, paddings = op.inputs
    return [
        with_shape_of(x, slice_op(dy, paddings[:, 0], shape_ops.shape(x, out_type=paddings.dtype))),
        None,
    ]


@defines("MirrorPad", "input:T paddings:length", called("pad", mode=None), gather_ops.collected)
@defines("Pad", "input:T paddings:length", called("pad", constant_values=0), _pad_gradient)
def _padded(op: Operation, x: Tensor, paddings: Tensor) -> TensorShape:
    rank, pairs = check_entries(x, paddings), constant_value(paddings)
    if pairs is None or x.shape.rank is None:
        return shape_ops.of_rank(rank)
    if np.min(pairs, initial=0) < 0:
        raise ValueError("Paddings must be non-negative")
    more = zip(x.shape.lengths, pairs.sum(1).tolist(), strict=True)
    return TensorShape.of(
        tuple(d if n == 0 else d + n if isinstance(d, int) else UnknownLength() for d, n in more)
    )


def pad_op(
    tensor, paddings, mode: str = "CONSTANT", name: str | None = None, constant_values=0
) -> Tensor:
    """`tensor` with `paddings[i]` = (before, after) times the number `constant_values` more along each axis i.

    (TensorFlow's `tf.pad`.) The mode "REFLECT" or "SYMMETRIC" continues it with its mirror image instead, the latter
    beginning with the last number itself. Raises ValueError for paddings that don't fit.
    """
    if mode.upper() in ("REFLECT", "SYMMETRIC"):
        return build_tensor("MirrorPad", tensor, paddings, name=name, mode=repr(mode.lower()))
    if mode.upper() != "CONSTANT":
        known = 'expected to be one of "CONSTANT", "REFLECT", or "SYMMETRIC"'
        raise ValueError(f"Value of argument `mode` {known}. Received `mode` = {mode.upper()}")
    value = np.asarray(constant_values).item()
    return build_tensor(
        "Pad", tensor, paddings, name=name or ("PadV2" if value else None), constant_values=value
    )


# x[...]


def _index_code(op: Operation, *limits: Code) -> str:
    """What goes between the brackets of `x[...]`."""
    count = op.inputs[-1].shape.num_elements() or 0
    rows = [
        [f"{atom(t)}[{i}]" for i in range(count)] if t.constant is None else t.constant.tolist()
        for t in limits
    ]

    def text(entry) -> str:
        if not isinstance(entry, slice):
            return "..." if entry is Ellipsis else str(entry)
        shown = ["" if n is None else str(n) for n in (entry.start, entry.stop, entry.step)]
        return ":".join(shown if shown[2] else shown[:2])

    return ", ".join(map(text, shape_ops.index_of(op, *rows))) or "..."


def _strided_slice_code(op: Operation, x: Code, *limits: Code) -> str:
    index = _index_code(op, *limits)
    scalar = "[()]" if "..." in index and op.outputs[0].shape.rank in (0, None) else ""
    return f"{atom(x)}[{index}]{scalar}"


def _strided_slice_gradient(op: Operation, dy: Tensor) -> list:
    x, *limits = op.inputs
    attrs = op.attrs | {"shape": x.shape}
    return [
        build_tensor("StridedSliceGrad", dy, shape_ops.shape(x), *limits, **attrs),
        None,
        None,
        None,
    ]


_STRIDED = "begin:length end:length strides:length"


@defines(
    "StridedSlice", f"input:T {_STRIDED}", _strided_slice_code, _strided_slice_gradient, view=True
)
def _strided_slice_shape(op: Operation, x: Tensor, *limits: Tensor) -> TensorShape:
    begin, end, strides = (known_elements(t) for t in limits)
    if None in (begin, end, strides):
        return UNKNOWN
    shape_ops.merged([TensorShape([len(begin)]), TensorShape([len(end)])])
    if 0 in strides:
        raise ValueError(f"strides[{strides.index(0)}] must be non-zero")
    index = shape_ops.index_of(op, begin, end, strides)
    if index.count(Ellipsis) > 1:
        raise ValueError("Multiple ellipses in slice spec not allowed")
    if x.shape.lengths is None:
        return UNKNOWN
    rank, used = x.shape.rank, len(index) - index.count(None) - index.count(Ellipsis)
    if used > rank:
        many = f"Index out of range using input dim {rank}; input has only {rank} dims"
        raise ValueError(many if rank else "Attempting to slice scalar input.")
    place = index.index(Ellipsis) if Ellipsis in index else len(index)
    index[place : place + 1] = [slice(None)] * (rank - used)
    given, lengths = enumerate(x.shape.lengths), []
    for entry in index:
        axis, d = (None, 1) if entry is None else next(given)
        if entry is None or isinstance(entry, slice):
            lengths.append(1 if entry is None else _sliced(d, entry))
        elif isinstance(d, int) and isinstance(entry, int) and not -d <= entry < d:
            raise ValueError(
                f"slice index {entry + d * (entry < 0)} of dimension {axis} out of bounds."
            )
    return TensorShape.of(tuple(lengths))


def _sliced(d: Length, entry: slice) -> Length:
    if (entry.start, entry.stop) == (None, None) and entry.step in (None, -1):
        return d
    known = not any(isinstance(n, UnknownLength) for n in (d, entry.start, entry.stop, entry.step))
    return len(range(*entry.indices(d))) if known else UnknownLength()


@kernel
def placed(part, shape, index):
    """Zeros of this shape with `part` at `index`: the gradient of a slice."""
    whole = np.zeros(shape, part.dtype)
    whole[index] = part
    return whole


def _placed_code(op: Operation, dy: Code, dims: Code, *limits: Code) -> str:
    return f"placed({dy}, {shape_ops.shape_code(dims)}, s_[{_index_code(op, *limits)}])"


def _placed_gradient(op: Operation, ddx: Tensor) -> list:
    masks = {name: op.attrs[name] for name in MASKS}
    return [build_tensor("StridedSlice", ddx, *op.inputs[2:], **masks), *[None] * 4]


KERNELS["s_"] = np.s_  # s_[...] is what goes between the brackets


@defines("StridedSliceGrad", f"dy:T shape:length {_STRIDED}", _placed_code, _placed_gradient)
def _placed_shape(op: Operation, *inputs: Tensor) -> TensorShape:
    return op.attrs["shape"]


def strided_slice(
    input_,
    begin,
    end,
    strides=None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var=None,
    name: str | None = None,
) -> Tensor:
    """`input_[begin[0]:end[0]:strides[0], ...]`. Each bit of a mask is about one axis.

    begin_mask and end_mask: as if left out; ellipsis_mask: `...`; new_axis_mask: None; shrink_axis_mask:
    the number begin[i]. `var` has no meaning here.
    """
    begin, end = convert_to_tensor(begin), convert_to_tensor(end)
    if strides is None:
        strides = np.ones(begin.shape.as_list(), begin.dtype.base_dtype.as_numpy_dtype)
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return build_tensor(
        "StridedSlice",
        input_,
        begin,
        end,
        strides,
        name=name,
        **dict(zip(MASKS, masks, strict=True)),
    )


_NO_INDEX = "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are valid indices, got {!r}"  # noqa: E501


def _limit(value):
    """A number of an index, which may be a tensor. Raises TypeError for anything else."""
    if hasattr(value, "_as_tensor"):
        value = value._as_tensor()
    plain = value[()] if isinstance(value, np.ndarray) else value  # an array of rank 0 is a number
    number = isinstance(plain, int | np.integer | Dimension) and not isinstance(value, bool)
    tensor = isinstance(value, Tensor) and value.dtype in (dtypes.int32, dtypes.int64)
    if not (number or tensor and value.shape.rank in (None, 0)):
        raise TypeError(_NO_INDEX.format(value))
    return int(value) if number else value


def _getitem(self, key) -> Tensor:
    """`x[...]` with ints, slices, None, Ellipsis and scalar tensors, or with a tensor of truth values."""
    is_mask = isinstance(key, bool) or isinstance(key, np.ndarray) and key.dtype == bool
    if is_mask or isinstance(key, Tensor) and key.dtype.base_dtype is dtypes.bool:
        return gather_ops.boolean_mask(self, key)
    rows, masks = [], dict.fromkeys(MASKS, 0)
    for i, entry in enumerate(key if isinstance(key, list | tuple) else [key]):
        row, marks = (0, 0, 1), []
        if entry is None or entry is Ellipsis:
            marks = ["new_axis_mask" if entry is None else "ellipsis_mask"]
        elif isinstance(entry, slice):
            given = [
                None if n is None else _limit(n) for n in (entry.start, entry.stop, entry.step)
            ]
            marks = [
                mask
                for mask, n in zip(("begin_mask", "end_mask"), given, strict=False)
                if n is None
            ]
            row = [usual if n is None else n for n, usual in zip(given, row, strict=True)]
        else:
            number, marks = _limit(entry), ["shrink_axis_mask"]
            row = (number, number + 1 if isinstance(number, int) else number, 1)
        rows.append(row)
        masks |= {mask: masks[mask] | 1 << i for mask in marks}
    with name_scope(None, "strided_slice", [self]) as scope:
        limits = [joining_ops.stack(list(limit)) for limit in zip(*rows, strict=True)] or [
            np.zeros(0, np.int32)
        ] * 3
        return build_tensor("StridedSlice", self, *limits, name=scope, **masks)


Operators.__getitem__ = _getitem
