"""Several tensors become one, or one becomes several: concat, stack, unstack, split, tile.

Stands for these functions of tensorflow/python/ops/array_ops.py and their gradients in array_grad.py.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from minitf.framework import errors, registry
from minitf.framework.constant_op import constant_value, convert_to_tensor
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build, build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.tensor_shape import UNKNOWN, TensorShape, UnknownLength, difference
from minitf.ops import array_ops, reduction_ops, shape_ops
from minitf.ops.axes_ops import int_code, transpose


def _merged(shapes: list[TensorShape]) -> TensorShape:
    """What is known of one shape that all of these are. Raises ValueError where they differ."""
    for other in shapes[1:]:
        if not shapes[0].is_compatible_with(other):
            raise ValueError(difference(shapes[0], other))
    return functools.reduce(TensorShape.merge_with, shapes)


def _open(rank: int | None) -> TensorShape:
    """A shape of that rank of which nothing else is known."""
    return TensorShape(None if rank is None else [None] * rank)


def _infer_concat(op: Operation) -> list:
    *values, axis = op.inputs
    shapes, axis, dtype = ([v.shape for v in values], constant_value(axis), values[0].dtype.base_dtype)
    rank = next((s.rank for s in shapes if s.rank is not None), None)
    if rank == 0:
        raise ValueError("Can't concatenate scalars (use tf.stack instead)")
    for s in shapes:
        if s.rank not in (None, rank):
            raise ValueError(f"Shape must be rank {rank} but is rank {s.rank}")
    if rank is None or axis is None:
        return [(dtype, _open(rank))]
    if not -rank <= axis < rank:
        least = axis + 1 if axis >= 0 else -axis
        raise ValueError(f"Shape must be at least rank {least} but is rank {rank}")
    axis = int(axis) % rank
    known = [s.lengths for s in shapes if s.lengths is not None]
    joined = [s[axis] for s in known] if len(known) == len(shapes) else [None]
    length = sum(joined) if all(isinstance(d, int) for d in joined) else UnknownLength()
    others = [
        _merged([TensorShape.of(part) for part in parts])
        for parts in ([s[:axis] for s in known], [s[axis + 1 :] for s in known])
    ]
    return [(dtype, others[0].concatenate(TensorShape.of((length,))).concatenate(others[1]))]


def _concat_gradient(op: Operation, dy: Tensor) -> list:
    *values, axis = op.inputs

    @functools.cache
    def parts() -> list[Tensor]:
        number = constant_value(axis)
        sizes = [_length(v, axis if number is None else int(number)) for v in values]
        pieces = split_op(dy, convert_to_tensor(sizes), axis, len(values), "Slice")
        for piece, value in zip(pieces, values, strict=True):
            piece._shape = piece.shape.merge_with(value.shape)
        return pieces

    return [*[lambda i=i: parts()[i] for i in range(len(values))], None]


def _length(x: Tensor, axis: Any) -> Any:
    """The length of an axis, a tensor where it is unknown before a run."""
    known = x.shape[axis].value if isinstance(axis, int) else None
    return shape_ops.shape(x)[axis] if known is None else known


def _listed(values: tuple) -> str:
    return f"[{', '.join(values)}]"


registry.KERNELS["concatenate"] = np.concatenate
registry.KERNELS["stack"] = np.stack
registry.register(
    "ConcatV2",
    "values:*T axis:length",
    _infer_concat,
    lambda op, *x: f"concatenate({_listed(x[:-1])}, axis={int_code(x[-1])})",
    _concat_gradient,
)


def concat(values: Any, axis: Any, name: str = "concat") -> Tensor:
    """The tensors `values`, joined along `axis`. Raises ValueError where their other axes differ."""
    values = list(values) if isinstance(values, list | tuple) else [values]
    if not values:
        raise ValueError("List argument 'values' to 'ConcatV2' Op with length 0 shorter than minimum length 2.")
    if len(values) == 1:
        with name_scope(name, "concat"):
            return array_ops.identity(values[0], name="concat")
    return build_tensor("ConcatV2", *values, axis, name=name)


def _axis_in(axis: int, rank: int | None) -> int:
    if rank is not None and not -rank <= axis < rank:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-rank}, {rank})")
    return axis if rank is None else axis % rank


def _infer_pack(op: Operation) -> list:
    merged, dtype = _merged([t.shape for t in op.inputs]), op.inputs[0].dtype.base_dtype
    if merged.lengths is None:
        return [(dtype, UNKNOWN)]
    lengths = list(merged.lengths)
    lengths.insert(op.attrs["axis"] % (len(lengths) + 1), len(op.inputs))
    return [(dtype, TensorShape.of(tuple(lengths)))]


def _axis_code(op: Operation) -> str:
    return f", axis={op.attrs['axis']}" if op.attrs["axis"] else ""


def _pack_gradient(op: Operation, dy: Tensor) -> list:
    parts = functools.cache(lambda: unstack_op(dy, len(op.inputs), op.attrs["axis"]))
    return [lambda i=i: parts()[i] for i in range(len(op.inputs))]


registry.register(
    "Pack", "values:*T", _infer_pack, lambda op, *x: f"stack({_listed(x)}{_axis_code(op)})", _pack_gradient
)


def stack(values: Any, axis: int = 0, name: str = "stack") -> Tensor:
    """The tensors `values`, all of one shape, side by side along a new `axis`.

    Raises ValueError for an axis out of range or shapes that differ.
    """
    if axis == 0 or not isinstance(values, list | tuple):
        return convert_to_tensor(values, name=name)
    rank = convert_to_tensor(values[0]).shape.rank
    _axis_in(axis, None if rank is None else rank + 1)
    return build_tensor("Pack", *values, name=name, axis=axis)


@registry.kernel
def unstack(x: Any, axis: int = 0) -> list:
    """The slices of `x` along `axis`, as new arrays."""
    return [part.copy() for part in np.moveaxis(x, axis, 0)]


def _infer_unpack(op: Operation) -> list:
    x, axis, num = op.inputs[0], op.attrs["axis"], op.attrs["num"]
    if x.shape.lengths is None:
        return [(x.dtype.base_dtype, UNKNOWN)] * num
    lengths = list(x.shape.lengths)
    length = lengths.pop(_axis_in(axis, len(lengths)))
    if isinstance(length, int) and length != num:
        raise ValueError(f"Dimension must be {num} but is {length}")
    return [(x.dtype.base_dtype, TensorShape.of(tuple(lengths)))] * num


def _only(op: Operation, code: str) -> str:
    """The code of a list of results, or of the only one."""
    return code if len(op.outputs) != 1 else f"{code}[0]"


registry.register(
    "Unpack",
    "value:T",
    _infer_unpack,
    lambda op, x: _only(op, f"unstack({x}{_axis_code(op)})"),
    lambda op, *dys: [lambda: build_tensor("Pack", *dys, name="stack", axis=op.attrs["axis"])],
)


def unstack_op(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Tensor]:
    """The slices of `value` along `axis`, `num` of them (TensorFlow's `tf.unstack`).

    Raises ValueError for an axis out of range, or where their number is unknown.
    """
    value = convert_to_tensor(value)
    if num is None:
        axis_of = _axis_in(axis, value.shape.rank)
        num = value.shape[axis_of].value if value.shape.rank is not None else None
    if num is None:
        raise ValueError(f"Cannot infer argument `num` from shape {value.shape}")
    return list(build("Unpack", value, name=name, num=num, axis=axis).outputs)


@registry.kernel
def split(x: Any, sizes: Any, axis: int = 0) -> list:
    """`x` cut along `axis` into so many equal pieces, or into pieces of these sizes: new arrays."""
    length = np.shape(x)[axis]
    if np.ndim(sizes):
        sizes = np.where(np.equal(sizes, -1), length - np.sum(sizes) - 1, sizes)
        if np.sum(sizes) != length:
            problem = f"Determined shape must either match input shape along split_dim exactly if fully specified, or be less than the size of the input along split_dim if not fully specified.  Got: {np.sum(sizes)}"  # noqa: E501
            raise errors.InvalidArgumentError(None, None, problem)
        sizes = np.cumsum(sizes)[:-1]
    return [part.copy() for part in np.split(x, sizes, axis)]


def _infer_split(op: Operation) -> list:
    x, sizes, axis = op.inputs
    num, axis, sizes = op.attrs["num_split"], constant_value(axis), constant_value(sizes)
    dtype, rank = x.dtype.base_dtype, x.shape.rank
    if rank is None or axis is None:
        return [(dtype, _open(rank)) for _ in range(num)]
    if not -rank <= axis < rank:
        raise ValueError(f"Dimension size, given by scalar input {axis} must be in range [{-rank}, {rank})")
    length = x.shape.lengths[axis]
    if op.type == "Split":
        if isinstance(length, int) and length % num:
            raise ValueError(f"Dimension size must be evenly divisible by {num} but is {length}")
        pieces = [length // num if isinstance(length, int) else UnknownLength()] * num
    elif sizes is None:
        pieces = [UnknownLength() for _ in range(num)]
    else:
        pieces = [int(s) for s in sizes]
        if isinstance(length, int) and -1 in pieces:
            pieces[pieces.index(-1)] = length - sum(pieces) - 1
        if isinstance(length, int) and sum(pieces) != length:
            raise ValueError(f"can't split axis of size {length} into pieces of size [{','.join(map(str, pieces))}]")
        pieces = [UnknownLength() if p < 0 else p for p in pieces]
    before, after = x.shape.lengths[: axis % rank], x.shape.lengths[axis % rank + 1 :]
    return [(dtype, TensorShape.of((*before, piece, *after))) for piece in pieces]


def _split_code(op: Operation, x: Any, sizes: Any, axis: Any) -> str:
    if sizes.constant is not None:
        sizes = np.asarray(sizes.constant).tolist()
    return _only(op, f"split({x}, {sizes}, axis={int_code(axis)})")


for _type in ("Split", "SplitV"):
    registry.register(
        _type,
        "value:T size_splits:length split_dim:length",
        _infer_split,
        _split_code,
        lambda op, *dys: [lambda: concat(dys, op.inputs[2]), None, None],
    )


def split_op(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None, name: str = "split"
) -> list[Tensor]:
    """`value` cut along `axis` into equal pieces, or into pieces of these sizes, one of which may be -1.

    (TensorFlow's `tf.split`.) Raises ValueError where the pieces don't fit.
    """
    if isinstance(num_or_size_splits, int | np.integer):
        count = int(num_or_size_splits)
        return list(build("Split", value, count, axis, name=name, num_split=count).outputs)
    sizes = convert_to_tensor(num_or_size_splits)
    if sizes.shape.rank == 0:
        raise ValueError(
            f"Rank-0 tensors are not supported as the num_or_size_splits argument to split. Argument provided: {num_or_size_splits}"  # noqa: E501
        )
    num = sizes.shape[0].value if num is None else num
    if num is None:
        raise ValueError(f"Cannot infer argument `num` from shape {num_or_size_splits}")
    return list(build("SplitV", value, sizes, axis, name=name, num_split=num).outputs)


def _infer_tile(op: Operation) -> list:
    x, multiples = op.inputs
    counts, dtype = constant_value(multiples), x.dtype.base_dtype
    rank = multiples.shape.num_elements() if x.shape.rank is None else x.shape.rank
    if multiples.shape.rank is not None and (multiples.shape.rank, rank) != (1, multiples.shape.num_elements() or rank):
        found = multiples.shape.num_elements() if multiples.shape.rank else 0
        raise ValueError(f"Shape must be rank {rank} but is rank {found}")
    if counts is None or x.shape.lengths is None:
        return [(dtype, _open(rank))]
    lengths = [
        d if n == 1 else d * int(n) if isinstance(d, int) and n >= 0 else UnknownLength()
        for d, n in zip(x.shape.lengths, counts, strict=True)
    ]
    return [(dtype, TensorShape.of(tuple(lengths)))]


def _tile_gradient(op: Operation, dy: Tensor) -> list:
    """Each axis is two, the copies and what is copied; the sum is over the copies."""

    def dx() -> Tensor:
        x, multiples = op.inputs
        pairs = transpose(stack([multiples, shape_ops.shape(x, out_type=multiples.dtype)]))
        pairs = array_ops.reshape_op(pairs, [-1])
        axes = build_tensor("Range", 0, shape_ops.size_of(pairs), 2)
        if x.shape.rank is not None:
            axes = np.arange(0, 2 * x.shape.rank, 2, dtype=np.int32)
        summed = reduction_ops.reduce_sum(array_ops.reshape_op(dy, pairs), axes)
        summed._shape = x.shape
        return summed

    return [dx, None]


def _explain_tile(x: Any, multiples: Any) -> str | None:
    wrong = [(i, n) for i, n in enumerate(multiples) if n < 0]
    return f"Expected multiples[{wrong[0][0]}] >= 0, but got {wrong[0][1]}" if wrong else None


registry.register(
    "Tile",
    "input:T multiples:length",
    _infer_tile,
    lambda op, x, n: f"tile({x}, {shape_ops.shape_code(n)})",
    _tile_gradient,
    explain=_explain_tile,
)


@registry.kernel
def tile(x: Any, multiples: Any) -> Any:
    """`np.tile`, which gives a scalar for a scalar."""
    return np.tile(x, multiples)[()]


def tile_op(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    """`input` repeated `multiples[i]` times along each axis i (TensorFlow's `tf.tile`)."""
    return build_tensor("Tile", input, multiples, name=name)
