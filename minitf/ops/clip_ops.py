"""Clipping keeps numbers, or the length of gradients, within bounds.

Stands for tensorflow/python/ops/clip_ops.py.
"""

from __future__ import annotations

from typing import Any

from minitf.framework.constant_op import constant, convert_to_tensor
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Tensor
from minitf.ops import array_ops, math_ops, sum_ops
from minitf.ops.reduction_ops import reduce_sum


def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Tensor:
    """The numbers of `t`, those outside of the two bounds replaced by the nearer bound.

    Raises ValueError where the bounds would broadcast `t` to another shape.
    """
    with name_scope(name, "clip_by_value", [t, clip_value_min, clip_value_max]) as scope:
        t = convert_to_tensor(t, name="t")
        clipped = math_ops.minimum(t, clip_value_max)
        t.shape.assert_is_compatible_with(clipped.shape)
        clipped = math_ops.maximum(clipped, clip_value_min, name=scope)
        t.shape.assert_is_compatible_with(clipped.shape)
        return clipped


def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """`t`, scaled down to the length `clip_norm` (along `axes`) if it is longer."""
    with name_scope(name, "clip_by_norm", [t, clip_norm]) as scope:
        t = convert_to_tensor(t, name="t")
        largest = math_ops.maximum if isinstance(clip_norm, Tensor) else max
        clip_norm = largest(clip_norm, 0)
        squares = reduce_sum(t * t, axes, keepdims=True)
        positive = squares > 0
        safe = build_tensor("Select", positive, squares, array_ops.ones_like(squares))
        length = build_tensor("Select", positive, math_ops.sqrt(safe), squares)
        scaled = t * clip_norm
        t.shape.assert_is_compatible_with(scaled.shape)
        return array_ops.identity(scaled / math_ops.maximum(length, clip_norm), name=scope)


def _check_is_sequence(t_list: Any) -> None:
    if not isinstance(t_list, list | tuple):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")


def global_norm(t_list: Any, name: str | None = None) -> Tensor:
    """The square root of the sum of all squares in a list of tensors; None in the list counts nothing."""
    _check_is_sequence(t_list)
    with name_scope(name, "global_norm", list(t_list)):
        tensors = [convert_to_tensor(t) for t in t_list if t is not None]
        sums = [reduce_sum(math_ops.square(t)) for t in tensors] or [constant(0.0)]
        return math_ops.sqrt(sum_ops.add_n(sums), name="global_norm")


def clip_by_global_norm(
    t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Tensor | None], Tensor]:
    """(the tensors, all scaled down by one factor if their `global_norm` is above `clip_norm`; that norm).

    `use_norm` says the norm if it is known already. None stays None; an infinite norm makes all NaN.
    """
    _check_is_sequence(t_list)
    norm = global_norm(t_list, name) if use_norm is None else use_norm
    with name_scope(name, "clip_by_global_norm", [*t_list, clip_norm]) as scope:
        inverse = 1.0 / norm
        scale = clip_norm * math_ops.minimum(inverse, constant(1.0, norm.dtype) / clip_norm)
        scale += norm - norm
        tensors = [None if t is None else convert_to_tensor(t) for t in t_list]
        return [
            None if t is None else array_ops.identity(t * scale, name=f"{scope}_{i}") for i, t in enumerate(tensors)
        ], norm
