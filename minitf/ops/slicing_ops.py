"""Parts of a tensor, and a tensor as part of a larger one: slices, and `x[...]`.

Stands for slice and strided_slice of tensorflow/python/ops/array_ops.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitf.framework import dtypes, errors, registry
from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Operators, Tensor
from minitf.framework.tensor_shape import UNKNOWN, Length, TensorShape, UnknownLength
from minitf.ops import gather_ops, joining_ops, math_ops, shape_ops

MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


def _infer_slice(op: Operation) -> list:
    x, begin, size = op.inputs
    rank = x.shape.rank
    for vector in (begin, size):
        count = vector.shape.num_elements()
        if None not in (rank, count) and count != rank:
            raise ValueError(f"Shape must be rank {count} but is rank {rank}")
    starts, sizes = shape_ops.known_elements(begin), shape_ops.known_elements(size)
    if sizes is None:
        return [(x.dtype.base_dtype, TensorShape(None if rank is None else [None] * rank))]
    lengths = x.shape.lengths or [UnknownLength() for _ in sizes]
    starts = starts or [UnknownLength() for _ in sizes]

    def length(d: Length, b: Length, n: Length) -> Length:
        if n != -1 or b == 0:
            return d if n == -1 else n
        return d - b if isinstance(d, int) and isinstance(b, int) else UnknownLength()

    return [(x.dtype.base_dtype, TensorShape.of(tuple(map(length, lengths, starts, sizes))))]


@registry.kernel
def part(x: Any, begin: Any, size: Any) -> Any:
    """The part of `x` that starts at `begin`; a size of -1 takes all that follows."""
    for i, (d, b, n) in enumerate(zip(np.shape(x), begin, size, strict=True)):
        wrong = f"begin[{i}] in [0, {d}], but got {b}" if not 0 <= b <= d else None
        if n > d - b or n < -1:
            wrong = wrong or f"size[{i}] in [0, {d - b}], but got {n}"
        if wrong:
            raise errors.InvalidArgumentError(None, None, f"Expected {wrong}")
    return x[tuple(slice(b, None if n == -1 else b + n) for b, n in zip(begin, size, strict=True))]


def _slice_gradient(op: Operation, dy: Tensor) -> list:
    def dx() -> Tensor:
        x, begin, _ = op.inputs
        after = shape_ops.shape(x) - shape_ops.shape(dy) - math_ops.cast(begin, dtypes.int32)
        paddings = joining_ops.stack([math_ops.cast(begin, dtypes.int32), after], axis=1)
        padded = build_tensor("Pad", dy, paddings)  # of padding_ops, whose gradient in turn is a slice
        padded._shape = x.shape
        return padded

    return [dx, None, None]


registry.register(
    "Slice",
    "input:T begin:length size:length",
    _infer_slice,
    lambda op, x, b, n: f"part({x}, {shape_ops.shape_code(b)}, {shape_ops.shape_code(n)})",
    _slice_gradient,
    view=True,
)


def slice_op(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """The part of `input_` from `begin`, of shape `size`, where -1 is all that follows.

    (TensorFlow's `tf.slice`.)
    """
    return build_tensor("Slice", input_, begin, size, name=name)


def _infer_strided_slice(op: Operation) -> list:
    x, *limits = op.inputs
    dtype, limits = x.dtype.base_dtype, [shape_ops.known_elements(t) for t in limits]
    if len({len(limit) for limit in limits if limit is not None}) > 1:
        a, b = len(limits[0]), len(limits[1])
        raise ValueError(f"Dimension 0 in both shapes must be equal, but are {a} and {b}. Shapes are [{a}] and [{b}].")
    if None in limits:
        return [(dtype, UNKNOWN)]
    if 0 in limits[2]:
        raise ValueError(f"strides[{limits[2].index(0)}] must be non-zero")
    index = shape_ops.index_of(op, *limits)
    if index.count(Ellipsis) > 1:
        raise ValueError("Multiple ellipses in slice spec not allowed")
    if x.shape.lengths is None:
        return [(dtype, UNKNOWN)]
    used = len(index) - index.count(None) - index.count(Ellipsis)
    if used > x.shape.rank:
        scalar = "Attempting to slice scalar input."
        many = f"Index out of range using input dim {x.shape.rank}; input has only {x.shape.rank} dims"
        raise ValueError(many if x.shape.rank else scalar)
    place = index.index(Ellipsis) if Ellipsis in index else len(index)
    index[place : place + 1] = [slice(None)] * (x.shape.rank - used)
    given, lengths = list(enumerate(x.shape.lengths)), []
    for entry in index:
        axis, d = (None, 1) if entry is None else given.pop(0)
        if entry is None or isinstance(entry, slice):
            lengths.append(1 if entry is None else _sliced(d, entry))
        elif isinstance(d, int) and isinstance(entry, int) and not -d <= entry < d:
            wrong = entry + d if entry < 0 else entry
            raise ValueError(f"slice index {wrong} of dimension {axis} out of bounds.")
    return [(dtype, TensorShape.of(tuple(lengths)))]


def _sliced(d: Length, entry: slice) -> Length:
    if (entry.start, entry.stop) == (None, None) and entry.step in (None, -1):
        return d
    known = not any(isinstance(n, UnknownLength) for n in (d, entry.start, entry.stop, entry.step))
    return len(range(*entry.indices(d))) if known else UnknownLength()


def _entries(op: Operation, limits: list[Any], full: bool = False) -> list[str]:
    """What stands between the brackets of `x[...]`; `full` as an expression of its own."""
    rows = [
        [f"{registry.atom(t)}[{i}]" for i in range(op.inputs[-1].shape.num_elements() or 0)]
        if t.constant is None
        else [int(n) for n in t.constant]
        for t in limits
    ]

    def text(entry: Any) -> str:
        if not isinstance(entry, slice):
            return "..." if entry is Ellipsis else str(entry)
        shown = ["" if n is None else str(n) for n in (entry.start, entry.stop, entry.step)]
        if full:
            return f"slice({', '.join(n or 'None' for n in shown)})"
        return ":".join(shown if shown[2] else shown[:2])

    return [text(entry) for entry in shape_ops.index_of(op, *rows)]


def _strided_slice_code(op: Operation, x: Any, *limits: Any) -> str:
    entries = _entries(op, list(limits))
    scalar = "[()]" if "..." in entries and op.outputs[0].shape.rank in (0, None) else ""
    return f"{registry.atom(x)}[{', '.join(entries) or '...'}]{scalar}"


def _explain_index(x: Any, begin: Any, *others: Any) -> str | None:
    for i, (d, b) in enumerate(zip(np.shape(x), begin, strict=False)):
        if not -d <= b < d:
            return f"slice index {b + d if b < 0 else b} of dimension {i} out of bounds."
    return None


def _masks(op: Operation) -> dict[str, int]:
    return {name: op.attrs[name] for name in MASKS}


def _strided_slice_gradient(op: Operation, dy: Tensor) -> list:
    x, *limits = op.inputs
    attrs = _masks(op) | {"shape": x.shape}
    return [lambda: build_tensor("StridedSliceGrad", dy, shape_ops.shape(x), *limits, **attrs), *[None] * 3]


registry.register(
    "StridedSlice",
    "input:T begin:length end:length strides:length",
    _infer_strided_slice,
    _strided_slice_code,
    _strided_slice_gradient,
    explain=_explain_index,
    view=True,
)


@registry.kernel
def placed(part: Any, shape: Any, *index: Any) -> Any:
    """Zeros of this shape with `part` at `index`: the gradient of a slice."""
    whole = np.zeros(shape, part.dtype)
    whole[index] = part
    return whole


registry.KERNELS["slice"] = slice
registry.register(
    "StridedSliceGrad",
    "dy:T shape:length begin:length end:length strides:length",
    lambda op: [(op.inputs[0].dtype.base_dtype, op.attrs["shape"])],
    lambda op, dy, dims, *limits: (
        f"placed({', '.join([dy, shape_ops.shape_code(dims), *_entries(op, list(limits), full=True)])})"
    ),
    lambda op, ddx: [lambda: build_tensor("StridedSlice", ddx, *op.inputs[2:], **_masks(op)), *[None] * 4],
)


def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
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
    attrs = dict(zip(MASKS, masks, strict=True))
    return build_tensor("StridedSlice", input_, begin, end, strides, name=name, **attrs)


_NO_INDEX = "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are valid indices, got {!r}"  # noqa: E501


def _limit(value: Any) -> Any:
    """A number of an index, which may be a tensor. Raises TypeError for anything else."""
    if hasattr(value, "_as_tensor"):
        value = value._as_tensor()
    if isinstance(value, Tensor):
        valid = value.dtype in (dtypes.int32, dtypes.int64) and value.shape.rank in (None, 0)
    else:
        valid = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not valid:
        raise TypeError(_NO_INDEX.format(value))
    return value if isinstance(value, Tensor) else int(value)


def _getitem(self: Any, key: Any) -> Tensor:
    """`x[...]` with ints, slices, None, Ellipsis and scalar tensors, or with a tensor of truth values."""
    is_mask = isinstance(key, bool) or isinstance(key, np.ndarray) and key.dtype == bool
    if is_mask or isinstance(key, Tensor) and key.dtype.base_dtype is dtypes.bool:
        return gather_ops.boolean_mask(self, key)
    limits: list[tuple[Any, Any, Any]] = []
    masks = dict.fromkeys(MASKS, 0)
    for i, entry in enumerate(key if isinstance(key, list | tuple) else [key]):
        if entry is None or entry is Ellipsis:
            limits.append((0, 0, 1))
            masks["new_axis_mask" if entry is None else "ellipsis_mask"] |= 1 << i
        elif isinstance(entry, slice):
            start, stop, step = (None if n is None else _limit(n) for n in (entry.start, entry.stop, entry.step))
            limits.append((0 if start is None else start, 0 if stop is None else stop, 1 if step is None else step))
            masks["begin_mask"] |= (start is None) << i
            masks["end_mask"] |= (stop is None) << i
        else:
            limits.append((_limit(entry), _limit(entry) + 1 if isinstance(entry, int) else entry, 1))
            masks["shrink_axis_mask"] |= 1 << i
    with name_scope(None, "strided_slice", [self]) as scope:
        rows = [joining_ops.stack(list(row), name="stack") for row in zip(*limits, strict=True)]
        rows = rows or [np.zeros(0, np.int32)] * 3
        return build_tensor("StridedSlice", self, *rows, name=scope, **masks)


Operators.__getitem__ = _getitem
