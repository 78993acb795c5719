"""Several tensors become one, or one becomes several: concat, stack, unstack, split, tile.

Mirrors these functions of tensorflow/python/ops/array_ops.py and their gradients in array_grad.py.
"""

import numpy as np

from minitf.framework import errors
from minitf.framework.constant_op import constant_value, convert_to_tensor
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build, build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import kernel, register
from minitf.framework.tensor_shape import Length, TensorShape, UnknownLength
from minitf.ops import array_ops, gather_ops, shape_ops
from minitf.ops.shape_ops import axis_in, called, defines, merged, of_rank, spliced, with_shape_of


def _concat_gradient(op: Operation, dy: Tensor) -> list:
    *values, axis = op.inputs
    place = axis if constant_value(axis) is None else int(constant_value(axis))
    sizes = [None if place is axis else v.shape[place].value for v in values]
    sizes = [
        shape_ops.shape(v)[place] if size is None else size
        for v, size in zip(values, sizes, strict=True)
    ]
    return [
        *map(
            with_shape_of,
            values,
            split_op(dy, convert_to_tensor(sizes), axis, len(values), "Slice"),
        ),
        None,
    ]


@defines("ConcatV2", "values:*T axis:length", called("concatenate"), _concat_gradient)
def _concatenated(op: Operation, *inputs: Tensor) -> TensorShape:
    *values, axis = inputs
    rank = next((v.shape.rank for v in values if v.shape.rank is not None), None)
    if rank == 0:
        raise ValueError("Can't concatenate scalars (use tf.stack instead)")
    for value in values:
        shape_ops.check_rank(value, rank)
    if rank is None or constant_value(axis) is None:
        return of_rank(rank)
    axis = axis_in(constant_value(axis), rank, shape_ops.AT_LEAST)
    lengths = [v.shape[axis].value for v in values]
    total = UnknownLength() if None in lengths else sum(lengths)
    return spliced(merged([spliced(v.shape, axis, axis + 1) for v in values]), axis, axis, total)


def concat(values, axis, name: str = "concat") -> Tensor:
    """The tensors `values`, joined along `axis`. Raises ValueError where their other axes differ."""
    values = list(values) if isinstance(values, list | tuple) else [values]
    if not values:
        raise ValueError(
            "List argument 'values' to 'ConcatV2' Op with length 0 shorter than minimum length 2."
        )
    if len(values) == 1:
        with name_scope(name):
            convert_to_tensor(axis, name="concat_dim").shape.with_rank(0)
            return array_ops.identity(values[0], name="concat")
    return build_tensor("ConcatV2", *values, axis, name=name)


_NO_AXIS = "Argument `axis` = {axis} not in range [{first}, {rank})"


@defines(
    "Pack",
    "values:*T",
    called("stack", axis=0),
    lambda op, dy: unstack_op(dy, len(op.inputs), op.attrs["axis"]),
)
def _packed(op: Operation, *values: Tensor) -> TensorShape:
    part = merged([v.shape for v in values])
    place = 0 if part.rank is None else axis_in(op.attrs["axis"], part.rank + 1, _NO_AXIS)
    return spliced(part, place, place, len(values))


def stack(values, axis: int = 0, name: str = "stack") -> Tensor:
    """The tensors `values`, all of one shape, side by side along a new `axis`.

    Raises ValueError for an axis out of range or shapes that differ.
    """
    listed = isinstance(values, list | tuple)
    if (
        not listed
        or axis == 0
        and not all(isinstance(v, Tensor | np.ndarray) for v in values or [None])
    ):
        return convert_to_tensor(values, name=name)
    return build_tensor("Pack", *values, name=name, axis=axis)


def _listed(function: str):
    """The code of a kernel that gives a list: of its only element, where there should be but one."""
    code = called(function, axis=0)
    return lambda op, *x: code(op, *x) if len(op.outputs) != 1 else f"only({code(op, *x)})"


@kernel
def only(parts: list):
    """The element of a list of one."""
    (part,) = parts
    return part


@kernel
def unstack(x, axis: int = 0) -> list:
    """The slices of `x` along `axis`, as new arrays."""
    return [part.copy() for part in np.moveaxis(x, axis, 0)]


def _infer_unpack(op: Operation) -> list:
    x, num, axis = op.inputs[0], op.attrs["num"], op.attrs["axis"]
    if x.shape.rank is not None:
        axis = axis_in(axis, x.shape.rank, _NO_AXIS)
        if x.shape[axis].value not in (None, num):
            raise ValueError(f"Dimension must be {num} but is {x.shape[axis]}")
    return [(x.dtype.base_dtype, spliced(x.shape, axis, axis + 1))] * num


def _unpack_gradient(op: Operation, *dys: Tensor) -> list:
    return [build_tensor("Pack", *dys, name="stack", axis=op.attrs["axis"])]


register("Unpack", "value:T", _infer_unpack, _listed("unstack"), _unpack_gradient)


def unstack_op(value, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Tensor]:
    """The slices of `value` along `axis`, `num` of them (TensorFlow's `tf.unstack`).

    Raises ValueError for an axis out of range, or where their number is unknown.
    """
    value = convert_to_tensor(value)
    if num is None and value.shape.rank is not None:
        num = value.shape[axis_in(axis, value.shape.rank, _NO_AXIS)].value
    if num is None:
        raise ValueError(f"Cannot infer argument `num` from shape {value.shape}")
    return list(build("Unpack", value, name=name, num=num, axis=axis).outputs)


@kernel
def split(x, sizes, axis: int = 0) -> list:
    """`x` cut along `axis` into so many equal pieces, or into pieces of these sizes: new arrays."""
    if np.ndim(sizes):
        length = np.shape(x)[axis]
        sizes = np.where(np.equal(sizes, -1), length - np.sum(sizes) - 1, sizes)
        if np.sum(sizes) != length:
            problem = f"Determined shape must either match input shape along split_dim exactly if fully specified, or be less than the size of the input along split_dim if not fully specified.  Got: {np.sum(sizes)}"  # noqa: E501
            raise errors.InvalidArgumentError(None, None, problem)
        sizes = np.cumsum(sizes)[:-1]
    return [part.copy() for part in np.split(x, sizes, axis)]


def _infer_split(op: Operation) -> list:
    x, sizes, axis = op.inputs[0], *map(constant_value, op.inputs[1:])
    num, dtype, rank = op.attrs["num_split"], x.dtype.base_dtype, x.shape.rank
    if rank is None or axis is None:
        return [(dtype, of_rank(rank)) for _ in range(num)]
    axis = axis_in(
        axis,
        rank,
        "Dimension size, given by scalar input {axis} must be in range [-{rank}, {rank})",
    )
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
                f"can't split axis of size {length} into pieces of size [{','.join(map(str, pieces))}]"
            )
    pieces = [UnknownLength() if n in (None, -1) else n for n in pieces]
    return [(dtype, spliced(x.shape, axis, axis + 1, piece)) for piece in pieces]


def _split_gradient(op: Operation, *dys: Tensor) -> list:
    return [concat(dys, op.inputs[2]), None, None]


for _type in ("Split", "SplitV"):
    register(
        _type,
        "value:T size_splits:length split_dim:length",
        _infer_split,
        _listed("split"),
        _split_gradient,
    )


def split_op(
    value, num_or_size_splits, axis=0, num: int | None = None, name: str = "split"
) -> list[Tensor]:
    """`value` cut along `axis` into equal pieces, or into pieces of these sizes, one of which may be -1.

    (TensorFlow's `tf.split`.) Raises ValueError where the pieces don't fit.
    """
    if isinstance(num_or_size_splits, int | np.integer):
        num = int(num_or_size_splits)
        if num < 1:
            raise ValueError(f"Attr 'num_split' of 'Split' Op passed {num} less than minimum 1.")
        return list(build("Split", value, num, axis, name=name, num_split=num).outputs)
    sizes = convert_to_tensor(num_or_size_splits)
    if sizes.shape.rank == 0:
        problem = "Rank-0 tensors are not supported as the num_or_size_splits argument to split."
        raise ValueError(f"{problem} Argument provided: {num_or_size_splits}")
    num = sizes.shape[0].value if num is None else num
    if num is None:
        raise ValueError(f"Cannot infer argument `num` from shape {num_or_size_splits}")
    return list(build("SplitV", value, sizes, axis, name=name, num_split=num).outputs)


@kernel
def tile(x, multiples):
    """`np.tile`, which gives a scalar for a scalar."""
    for i, (_, n) in enumerate(zip(np.shape(x), multiples, strict=True)):  # one for each axis
        if n < 0:
            raise ValueError(f"Expected multiples[{i}] >= 0, but got {n}")
    return np.tile(x, multiples)[()]


def _explain_tile(x, multiples) -> str | None:
    counts = f"Expected multiples argument to be a vector of length {np.ndim(x)} but got length {len(multiples)}"
    return None if np.ndim(x) == len(multiples) else counts


@defines(
    "Tile", "input:T multiples:length", called("tile"), gather_ops.collected, explain=_explain_tile
)
def _tiled(op: Operation, x: Tensor, multiples: Tensor) -> TensorShape:
    shape_ops.check_rank(multiples, 1)
    rank = shape_ops.check_entries(x, multiples, "Shape must be rank {rank} but is rank {count}")
    counts = shape_ops.known_elements(multiples)
    if counts is None or x.shape.rank is None:
        return of_rank(rank)

    def length(d: Length, n: Length) -> Length:
        known = isinstance(d, int) and isinstance(n, int) and n >= 0
        return d if n == 1 else d * n if known else UnknownLength()

    return TensorShape.of(tuple(map(length, x.shape.lengths, counts)))


def tile_op(input, multiples, name: str | None = None) -> Tensor:
    """`input` repeated `multiples[i]` times along each axis i (TensorFlow's `tf.tile`)."""
    return build_tensor("Tile", input, multiples, name=name)
