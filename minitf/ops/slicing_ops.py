"""Ops that join tensors (concat and stack) or cut them up (`x[...]`, split and unstack).

Mirrors these functions of tensorflow/python/ops/array_ops.py and their gradients in array_grad.py.
"""

from types import SimpleNamespace

import numpy as np

from minitf.framework import dtypes
from minitf.framework.common_shapes import (
    AT_LEAST,
    MASKS,
    NO_MASKS,
    axis_in,
    check_rank,
    check_scalar,
    index_of,
    known_elements,
    merged,
    of_rank,
    spliced,
    with_shape_of,
)
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import (
    at_least_one,
    build,
    build_tensor,
    constant_value,
    convert_to_tensor,
)
from minitf.framework.operation import Operators, Tensor
from minitf.framework.registry import atom, call, call_code, defines, kernel, register, shape_code
from minitf.framework.tensor_shape import (
    UNKNOWN,
    Dimension,
    Length,
    TensorShape,
    UnknownLength,
    in_message,
)
from minitf.ops.array_ops import identity, shape
from minitf.ops.gather_ops import boolean_mask
from minitf.ops.kernels import invalid
from minitf.ops.math_ops import cast

# Several tensors become one.


def _concat_gradient(op, dy):
    *values, axis = op.inputs
    known = constant_value(axis)
    place = axis if known is None else int(known)
    sizes = [
        shape(v)[place] if known is None or v.shape[place].value is None else v.shape[place].value
        for v in values
    ]
    parts = split(dy, convert_to_tensor(sizes), axis, len(values), "Slice")
    return map(with_shape_of, values, parts)


def _explain_concat(*inputs):
    *values, axis = inputs
    first = values[0]
    if np.ndim(axis):
        shape = in_message(np.shape(axis))
        return f"ConcatOp: axis tensor should be a scalar integer, but got shape {shape}"
    if not np.ndim(first):
        return "ConcatOp : Can't concatenate scalars (use tf.stack instead)"
    if not -np.ndim(first) <= axis < np.ndim(first):
        limits = f"[{-np.ndim(first)}, {np.ndim(first)}), but got {axis}"
        return f"ConcatOp : Expected concatenating dimensions in the range {limits}"
    for i, value in enumerate(values):
        shapes = f"shape[0] = {in_message(first.shape)} vs. shape[{i}] = {in_message(value.shape)}"
        if value.ndim != first.ndim:
            return f"ConcatOp : Ranks of all input tensors should match: {shapes}"
        for place, lengths in enumerate(zip(first.shape, value.shape, strict=True)):
            if place != axis % first.ndim and len(set(lengths)) > 1:
                return f"ConcatOp : Dimension {place} in both shapes must be equal: {shapes}"
    return None


@defines(
    "ConcatV2",
    "values:*T axis:length=Tidx",
    call_code("concatenate"),
    _concat_gradient,
    explain=_explain_concat,
)
def _concatenated(op, *inputs):
    *values, axis = inputs
    check_rank(axis, 0)
    rank = next((v.shape.rank for v in values if v.shape.rank is not None), None)
    if rank == 0:
        raise ValueError("Can't concatenate scalars (use tf.stack instead)")
    for value in values:
        check_rank(value, rank)
    if rank is None or constant_value(axis) is None:
        return of_rank(rank)
    axis = axis_in(constant_value(axis), rank, AT_LEAST)
    lengths = [v.shape[axis].value for v in values]
    total = UnknownLength() if None in lengths else sum(lengths)
    return spliced(merged([spliced(v.shape, axis, axis + 1) for v in values]), axis, axis, total)


def concat(values, axis, name="concat") -> Tensor:
    """The tensors `values` joined along `axis`. Raises ValueError if other axes differ."""
    values = list(values) if isinstance(values, list | tuple) else [values]
    if not values:
        raise ValueError(
            "List argument 'values' to 'ConcatV2' Op with length 0 shorter than minimum length 2."
        )
    if len(values) == 1:
        with name_scope(name):
            convert_to_tensor(axis, name="concat_dim").shape.with_rank(0)
            return identity(values[0], name="concat")
    return build_tensor("ConcatV2", *values, axis, name=name)


_NO_AXIS = "Argument `axis` = {axis} not in range [{first}, {rank})"


def _pack_gradient(op, dy):
    return unstack(dy, len(op.inputs), op.attrs["axis"])


def _explain_pack(*values):
    for i, value in enumerate(values):
        if np.shape(value) != np.shape(values[0]):
            return (
                "Shapes of all inputs must match: values[0].shape = "
                f"{in_message(np.shape(values[0]))} != values[{i}].shape = "
                f"{in_message(np.shape(value))}"
            )
    return None


@defines(
    "Pack",
    "values:*T",
    call_code("stack", axis=0),
    _pack_gradient,
    explain=_explain_pack,
    defaults={"axis": 0},
)
def _packed(op, *values):
    part = merged([v.shape for v in values])
    place = 0 if part.rank is None else axis_in(op.attrs["axis"], part.rank + 1, _NO_AXIS)
    return spliced(part, place, place, len(values))


def stack(values, axis=0, name="stack") -> Tensor:
    """The tensors `values`, all of the same shape, joined along a new axis, `axis`.

    Raises ValueError if `axis` is out of range or the shapes differ.
    """
    listed = isinstance(values, list | tuple)
    tensors = listed and all(isinstance(v, Tensor | np.ndarray) for v in values or [None])
    if not listed or axis == 0 and not tensors:
        return convert_to_tensor(values, name=name)
    return build_tensor("Pack", *values, name=name, axis=axis)


# One tensor becomes several.


def _calls_for_list(function):
    """The code of a kernel that returns a list; `only(...)` around it if the op has one output."""
    code = call_code(function, axis=0)
    return lambda op, *x: code(op, *x) if len(op.outputs) != 1 else f"only({code(op, *x)})"


def _infer_unpack(op):
    x, num, axis = op.inputs[0], op.attrs["num"], op.attrs["axis"]
    if x.shape.rank is not None:
        axis = axis_in(axis, x.shape.rank, _NO_AXIS)
        if x.shape[axis].value not in (None, num):
            raise ValueError(f"Dimension must be {num} but is {x.shape[axis]}")
    return [(x.dtype.base_dtype, spliced(x.shape, axis, axis + 1))] * num


def _unpack_gradient(op, *dys):
    return [build_tensor("Pack", *dys, name="stack", axis=op.attrs["axis"])]


_unpack_code = _calls_for_list("unstack")
register("Unpack", "value:T", _infer_unpack, _unpack_code, _unpack_gradient, defaults={"axis": 0})


def unstack(value, num=None, axis=0, name="unstack") -> list[Tensor]:
    """The slices of `value` along `axis`, as a list of tensors without that axis.

    `num` is their number; pass it if the static shape doesn't tell. Raises ValueError if `axis` is
    out of range, or if the number is unknown.
    """
    value = convert_to_tensor(value)
    if num is None and value.shape.rank is not None:
        num = value.shape[axis_in(axis, value.shape.rank, _NO_AXIS)].value
    if num is None:
        raise ValueError(f"Cannot infer argument `num` from shape {value.shape}")
    return list(build("Unpack", value, name=name, num=num, axis=axis).outputs)


_NO_SPLIT = "Dimension size, given by scalar input {axis} must be in range [-{rank}, {rank})"


def _infer_split(op):
    check_scalar(op.inputs[2])
    x, sizes, axis = op.inputs[0], *map(constant_value, op.inputs[1:])
    num, dtype, rank = op.attrs["num_split"], x.dtype.base_dtype, x.shape.rank
    if rank is None or axis is None:
        return [(dtype, of_rank(rank)) for _ in range(num)]
    axis = axis_in(axis, rank, _NO_SPLIT)
    length, pieces = x.shape[axis].value, [None] * num
    if op.type == "Split" and length is not None:
        if length % num:
            raise ValueError(f"Dimension size must be evenly divisible by {num} but is {length}")
        pieces = [length // num] * num
    elif op.type == "SplitV" and sizes is not None:
        pieces = sizes.tolist()
        if length is not None and -1 in pieces:
            pieces[pieces.index(-1)] = length - sum(pieces) - 1
        if length not in (None, sum(pieces)):
            raise ValueError(
                f"can't split axis of size {length} into "
                f"pieces of size [{','.join(map(str, pieces))}]"
            )
    pieces = [UnknownLength() if n in (None, -1) else n for n in pieces]
    return [(dtype, spliced(x.shape, axis, axis + 1, piece)) for piece in pieces]


def _explain_split(x, sizes, axis):
    rank = np.ndim(x)
    if not -rank <= axis < rank:
        return f"-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {axis}"
    if np.ndim(sizes):
        return None
    return (
        "Number of ways to split should evenly divide the split dimension, but got "
        f"split_dim {axis} (size = {np.shape(x)[axis]}) and num_split {sizes}"
    )


def _split_gradient(op, *dys):
    return [concat(dys, op.inputs[2])]


_SPLIT = _infer_split, _calls_for_list("split"), _split_gradient
register(
    "Split",  # TensorFlow's has the axis first, and the number of pieces in an attribute
    "value:T size_splits:length split_dim:int32",
    *_SPLIT,
    explain=_explain_split,
    places=(2, 0),
)
register(
    "SplitV", "value:T size_splits:length=Tlen split_dim:int32", *_SPLIT, explain=_explain_split
)


def split(value, num_or_size_splits, axis=0, num=None, name="split") -> list[Tensor]:
    """`value` cut along `axis` into a number of equal pieces, or into pieces of given sizes.

        tf.split([1, 2, 3, 4], 2)  # [1, 2] and [3, 4]
        tf.split([1, 2, 3, 4], [1, -1])  # [1] and [2, 3, 4]: one size may be -1, the rest

    `num` is the number of sizes; pass it if their static shape doesn't tell. Raises ValueError if
    the pieces don't fit.
    """
    if isinstance(num_or_size_splits, int | np.integer):
        num = int(num_or_size_splits)
        attrs = at_least_one("Split", num_split=num)
        return list(build("Split", value, num, axis, name=name, **attrs).outputs)
    sizes = convert_to_tensor(num_or_size_splits)
    if sizes.shape.rank == 0:
        raise ValueError(
            "Rank-0 tensors are not supported as the num_or_size_splits argument to split. "
            f"Argument provided: {num_or_size_splits}"
        )
    num = sizes.shape[0].value if num is None else num
    if num is None:
        raise ValueError(f"Cannot infer argument `num` from shape {num_or_size_splits}")
    return list(build("SplitV", value, sizes, axis, name=name, num_split=num).outputs)


# x[...]


@kernel
def index_at(masks, *limits):
    """The index that begin, end and strides describe, if their number isn't known before."""
    if len({np.shape(limit) for limit in limits}) > 1:
        shapes = "{}, {}, and {}".format(*(in_message(np.shape(limit)) for limit in limits))
        raise invalid(
            "Expected begin, end, and strides to be 1D equal size tensors, but got shapes "
            f"{shapes} instead."
        )
    entries = index_of(SimpleNamespace(attrs=dict(zip(MASKS, masks, strict=True))), *limits)
    return tuple(entries) or Ellipsis


def _index_code(op, *limits):
    """The code between the brackets of `x[...]`."""
    count, *others = (t.shape.num_elements() for t in op.inputs[-3:])
    if count is None or others != [count, count]:
        return call("index_at", tuple(op.attrs[mask] for mask in MASKS), *limits)
    rows = [
        [f"{atom(t)}[{i}]" for i in range(count)] if t.constant is None else t.constant.tolist()
        for t in limits
    ]

    def text(entry):
        if not isinstance(entry, slice):
            return "..." if entry is Ellipsis else str(entry)
        shown = ["" if n is None else str(n) for n in (entry.start, entry.stop, entry.step)]
        return ":".join(shown if shown[2] else shown[:2])

    return ", ".join(map(text, index_of(op, *rows))) or "..."


def _strided_slice_code(op, x, *limits):
    index = _index_code(op, *limits)
    scalar = (
        "[()]"
        if ("..." in index or "index_at" in index) and op.outputs[0].shape.rank in (0, None)
        else ""
    )
    return f"{atom(x)}[{index}]{scalar}"


def _strided_slice_gradient(op, dy):
    x, *limits = op.inputs
    attrs = op.attrs | {"shape": x.shape}
    return [build_tensor("StridedSliceGrad", dy, shape(x), *limits, **attrs)]


_LIMITS = "begin:index=Index end:index=Index strides:index=Index"


@defines(
    "StridedSlice",
    f"input:T {_LIMITS}",
    _strided_slice_code,
    _strided_slice_gradient,
    view=True,
    defaults=NO_MASKS,
)
def _strided_slice_shape(op, x, *limits):
    begin, end, strides = (known_elements(t) for t in limits)
    if None in (begin, end, strides):
        return UNKNOWN
    merged([TensorShape([len(begin)]), TensorShape([len(end)])])
    if 0 in strides:
        raise ValueError(f"strides[{strides.index(0)}] must be non-zero")
    index = index_of(op, begin, end, strides)
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
            lengths.append(1 if entry is None else sliced_length(d, entry))
        elif isinstance(d, int) and isinstance(entry, int) and not -d <= entry < d:
            number = entry + d * (entry < 0)
            raise ValueError(f"slice index {number} of dimension {axis} out of bounds.")
    return TensorShape.of(tuple(lengths))


def sliced_length(d: Length, entry: slice) -> Length:
    """The length of the slice `entry` of an axis of length `d`; either may be unknown."""
    if (entry.start, entry.stop) == (None, None) and entry.step in (None, -1):
        return d
    known = not any(isinstance(n, UnknownLength) for n in (d, entry.start, entry.stop, entry.step))
    return len(range(*entry.indices(d))) if known else UnknownLength()


def _placed_code(op, dy, dims, *limits):
    return f"placed({dy}, {shape_code(dims)}, s_[{_index_code(op, *limits)}])"


def _placed_gradient(op, ddx):
    masks = {name: op.attrs[name] for name in MASKS}
    return [build_tensor("StridedSlice", ddx, *op.inputs[2:], **masks)]


@defines(
    "StridedSliceGrad",
    f"dy:T shape:length=Index {_LIMITS}",
    _placed_code,
    _placed_gradient,
    defaults=NO_MASKS,
    fixed={"shape": None},
    places=(1, 2, 3, 4, 0),
)
def _placed_shape(op, *inputs):
    return op.attrs["shape"]


_NO_INDEX = "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar"
_NO_INDEX += " tf.int32/tf.int64 tensors are valid indices, got {!r}"


def _limit(value):
    """A number in an index: an int or a scalar tensor. Raises TypeError for anything else."""
    if hasattr(value, "_as_tensor"):
        value = value._as_tensor()
    plain = value[()] if isinstance(value, np.ndarray) else value  # an array of rank 0 counts
    number = isinstance(plain, int | np.integer | Dimension) and not isinstance(value, bool)
    tensor = isinstance(value, Tensor) and value.dtype in (dtypes.int32, dtypes.int64)
    if not (number or tensor and value.shape.rank in (None, 0)):
        raise TypeError(_NO_INDEX.format(value))
    return int(value) if number else value


def _getitem(self, key):
    """`x[key]` with ints, slices, None, Ellipsis and scalar tensors, or with a bool mask."""
    is_mask = isinstance(key, bool) or isinstance(key, np.ndarray) and key.dtype == bool
    if is_mask or isinstance(key, Tensor) and key.dtype.base_dtype is dtypes.bool:
        return boolean_mask(self, key)
    rows, masks = [], dict(NO_MASKS)
    for i, entry in enumerate(key if isinstance(key, list | tuple) else [key]):
        row, marks = (0, 0, 1), []
        if entry is None or entry is Ellipsis:
            marks = ["new_axis_mask" if entry is None else "ellipsis_mask"]
        elif isinstance(entry, slice):
            given = [
                None if n is None else _limit(n) for n in (entry.start, entry.stop, entry.step)
            ]
            marks = [mask for mask, n in zip(MASKS[:2], given, strict=False) if n is None]
            row = [usual if n is None else n for n, usual in zip(given, row, strict=True)]
        else:
            number, marks = _limit(entry), ["shrink_axis_mask"]
            row = (number, number + 1 if isinstance(number, int) else number, 1)
        rows.append(row)
        masks |= {mask: masks[mask] | 1 << i for mask in marks}
    with name_scope(None, "strided_slice", [self]) as scope:
        limits = [stack(list(limit)) for limit in zip(*rows, strict=True)]
        limits = limits or [np.zeros(0, np.int32)] * 3
        if any(limit.dtype == dtypes.int64 for limit in limits):
            limits = [cast(limit, dtypes.int64) for limit in limits]
        return build_tensor("StridedSlice", self, *limits, name=scope, **masks)


Operators.__getitem__ = _getitem
