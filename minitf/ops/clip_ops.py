"""Clipping keeps numbers, or the norm of gradients, within bounds.

Mirrors tensorflow/python/ops/clip_ops.py.
"""

from minitf.framework.dtypes import REAL_FLOATS
from minitf.framework.graph import get_default_graph, name_scope
from minitf.framework.op_def_library import (
    IndexedSlices,
    check_allowed,
    constant,
    convert_to_tensor,
)
from minitf.framework.operation import Tensor
from minitf.ops.array_ops import identity, ones_like
from minitf.ops.gather_ops import where_v2
from minitf.ops.math_ops import cast, maximum, minimum, sqrt, square
from minitf.ops.reduction_ops import add_n, reduce_sum

Clipped = Tensor | IndexedSlices


def _values(t):
    """The tensor that is clipped: for IndexedSlices, their rows."""
    return convert_to_tensor(t.values if isinstance(t, IndexedSlices) else t, name="t")


def _like(t, values):
    if isinstance(t, IndexedSlices):
        return IndexedSlices(values, t.indices, t.dense_shape)
    return values


def clip_by_value(t, clip_value_min, clip_value_max, name=None) -> Clipped:
    """`t` with each number limited to the range from `clip_value_min` to `clip_value_max`.

    If `t` is IndexedSlices, so is the result. Raises ValueError if the bounds would broadcast
    `t` to another shape.
    """
    with name_scope(name, "clip_by_value", [t, clip_value_min, clip_value_max]) as scope:
        values = _values(t)
        clipped = maximum(minimum(values, clip_value_max), clip_value_min, name=scope)
        values.shape.assert_is_compatible_with(clipped.shape)
        return _like(t, clipped)


def clip_by_norm(t, clip_norm, axes=None, name=None) -> Clipped:
    """`t`, scaled down to the L2 norm `clip_norm` if its norm is larger.

    With `axes`, the norm is taken along these axes only. If `t` is IndexedSlices, so is the result.
    """
    with name_scope(name, "clip_by_norm", [t, clip_norm]) as scope:
        values = _values(t)
        if isinstance(clip_norm, int | float):
            clip_norm = max(clip_norm, 0)
        else:
            clip_norm = maximum(cast(clip_norm, values.dtype.base_dtype), 0)
        squares = reduce_sum(values * values, axes, keepdims=True)
        positive = squares > 0
        safe = where_v2(positive, squares, ones_like(squares))
        length = where_v2(positive, sqrt(safe), squares)
        scaled = values * clip_norm
        values.shape.assert_is_compatible_with(scaled.shape)
        return _like(t, identity(scaled / maximum(length, clip_norm), name=scope))


def _check_is_sequence(t_list):
    if not isinstance(t_list, list | tuple):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")


def global_norm(t_list, name=None) -> Tensor:
    """The L2 norm of all tensors in `t_list` taken together: the root of the sum of all squares.

    None entries don't count. Raises TypeError unless `t_list` is a list or tuple.
    """
    _check_is_sequence(t_list)
    with name_scope(name, "global_norm", list(t_list)):
        tensors = [_values(t) for t in t_list if t is not None]
        for tensor in tensors:
            check_allowed("t", tensor.dtype.base_dtype, REAL_FLOATS)
        sums = [reduce_sum(square(tensor)) for tensor in tensors]
        return sqrt(add_n(sums or [constant(0.0)]), name="global_norm")


def _scaled(values: Tensor, scale: Tensor, name: str) -> Tensor:
    with get_default_graph().colocate_with(values):
        return identity(values * scale, name=name)


def clip_by_global_norm(
    t_list, clip_norm, use_norm=None, name=None
) -> tuple[list[Clipped | None], Tensor]:
    """The tensors in `t_list`, scaled by a common factor, and their `global_norm` before scaling.

        gradients, norm = tf.clip_by_global_norm(gradients, 5.0)

    The factor brings the norm down to `clip_norm`, or is 1 if the norm isn't larger. Pass
    `use_norm` if you know the norm already. None entries stay None; an infinite norm turns all
    values into NaN. Raises TypeError unless `t_list` is a list or tuple.
    """
    _check_is_sequence(t_list)
    norm = global_norm(t_list, name) if use_norm is None else use_norm
    with name_scope(name, "clip_by_global_norm", [*t_list, clip_norm]) as scope:
        scale = clip_norm * minimum(1.0 / norm, constant(1.0, norm.dtype) / clip_norm)
        scale += norm - norm  # NaN if the norm is infinite
        clipped = [
            None if t is None else _like(t, _scaled(_values(t), scale, f"{scope}_{i}"))
            for i, t in enumerate(t_list)
        ]
        return clipped, norm
