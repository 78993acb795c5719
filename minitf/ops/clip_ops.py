"""Clipping keeps numbers, or the length of gradients, within bounds.

Mirrors tensorflow/python/ops/clip_ops.py.
"""

from minitf.framework.constant_op import constant, convert_to_tensor
from minitf.framework.graph import name_scope
from minitf.framework.indexed_slices import IndexedSlices
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Tensor
from minitf.ops import array_ops, math_ops
from minitf.ops.reduction_ops import add_n, reduce_sum

Clipped = Tensor | IndexedSlices


def _values(t) -> Tensor:
    """The numbers to be clipped: of IndexedSlices the rows."""
    return convert_to_tensor(t.values if isinstance(t, IndexedSlices) else t, name="t")


def _like(t, values: Tensor) -> Clipped:
    return (
        IndexedSlices(values, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else values
    )


def clip_by_value(t, clip_value_min, clip_value_max, name: str | None = None) -> Clipped:
    """The numbers of `t` (which may be IndexedSlices), those outside the two bounds replaced by the nearer one.

    Raises ValueError where the bounds would broadcast `t` to another shape.
    """
    with name_scope(name, "clip_by_value", [t, clip_value_min, clip_value_max]) as scope:
        values = _values(t)
        clipped = math_ops.maximum(
            math_ops.minimum(values, clip_value_max), clip_value_min, name=scope
        )
        values.shape.assert_is_compatible_with(clipped.shape)
        return _like(t, clipped)


def clip_by_norm(t, clip_norm, axes=None, name: str | None = None) -> Clipped:
    """`t` (which may be IndexedSlices), scaled down to the length `clip_norm` (along `axes`) if it is longer."""
    with name_scope(name, "clip_by_norm", [t, clip_norm]) as scope:
        values = _values(t)
        clip_norm = (math_ops.maximum if isinstance(clip_norm, Tensor) else max)(clip_norm, 0)
        squares = reduce_sum(values * values, axes, keepdims=True)
        positive = squares > 0
        safe = build_tensor("Select", positive, squares, array_ops.ones_like(squares))
        length = build_tensor("Select", positive, math_ops.sqrt(safe), squares)
        scaled = values * clip_norm
        values.shape.assert_is_compatible_with(scaled.shape)
        return _like(
            t, array_ops.identity(scaled / math_ops.maximum(length, clip_norm), name=scope)
        )


def _check_is_sequence(t_list) -> None:
    if not isinstance(t_list, list | tuple):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")


def global_norm(t_list, name: str | None = None) -> Tensor:
    """The square root of the sum of all squares in a list of tensors; None in the list counts nothing."""
    _check_is_sequence(t_list)
    with name_scope(name, "global_norm", list(t_list)):
        sums = [reduce_sum(math_ops.square(_values(t))) for t in t_list if t is not None] or [
            constant(0.0)
        ]
        return math_ops.sqrt(add_n(sums), name="global_norm")


def clip_by_global_norm(
    t_list, clip_norm, use_norm=None, name: str | None = None
) -> tuple[list[Clipped | None], Tensor]:
    """(the tensors, all scaled down by one factor if their `global_norm` is above `clip_norm`; that norm).

    `use_norm` says the norm if it is known already. None stays None; an infinite norm makes all NaN.
    """
    _check_is_sequence(t_list)
    norm = global_norm(t_list, name) if use_norm is None else use_norm
    with name_scope(name, "clip_by_global_norm", [*t_list, clip_norm]) as scope:
        scale = clip_norm * math_ops.minimum(1.0 / norm, constant(1.0, norm.dtype) / clip_norm)
        scale += norm - norm
        clipped: list[Clipped | None] = []
        for i, t in enumerate(t_list):
            scaled = (
                None if t is None else array_ops.identity(_values(t) * scale, name=f"{scope}_{i}")
            )
            clipped.append(None if t is None else _like(t, scaled))
        return clipped, norm
