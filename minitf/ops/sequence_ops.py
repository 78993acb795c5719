"""Numbers in a regular order: range, linspace, eye.

Stands for range of tensorflow/python/ops/math_ops.py, linspace_nd of array_ops.py and eye of linalg_ops.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitf.framework import dtypes, registry
from minitf.framework.constant_op import as_array, constant_value, convert_to_tensor
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.tensor_shape import TensorShape, broadcast
from minitf.ops import broadcast_ops, joining_ops, math_ops, shape_ops


def _explain_range(start: Any, limit: Any, delta: Any) -> str | None:
    if delta == 0:
        return "Requires delta != 0"
    if (limit - start) * np.sign(delta) < 0:
        order = "<= limit when delta > 0" if delta > 0 else ">= limit when delta < 0"
        return f"Requires start {order}: {start}/{limit}"
    return None


def _infer_range(op: Operation) -> list:
    for t in op.inputs:
        if t.shape.rank not in (None, 0):
            raise ValueError(f"Shape must be rank 0 but is rank {t.shape.rank}")
    limits, dtype = [constant_value(t) for t in op.inputs], op.inputs[0].dtype.base_dtype
    if any(limit is None for limit in limits):
        return [(dtype, TensorShape([None]))]
    if wrong := _explain_range(*limits):
        raise ValueError(wrong)
    return [(dtype, TensorShape([len(np.arange(*limits))]))]


@registry.kernel
def arange(start: Any, limit: Any, delta: Any = 1) -> Any:
    """`np.arange`, which raises where `delta` leads away from `limit`."""
    if wrong := _explain_range(start, limit, delta):
        raise ValueError(wrong)
    return np.arange(start, limit, delta, np.result_type(start))


registry.register(
    "Range",
    "start:T limit:T delta:T",
    _infer_range,
    lambda op, start, limit, delta: f"arange({start}, {limit}, {delta})",
    registry.not_differentiable,
    explain=_explain_range,
)


def range_op(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Tensor:
    """The numbers from `start` (0 if only the limit is given) to below `limit`, `delta` apart.

    (TensorFlow's `tf.range`.) Of several dtypes the widest counts. Raises ValueError for a `delta` that
    leads away from `limit`.
    """
    start, limit = (0, start) if limit is None else (start, limit)
    with name_scope(name, "range", [start, limit, delta]) as scope:
        given = {"start": start, "limit": limit, "delta": delta}
        order = [dtypes.int32, dtypes.int64, dtypes.float16, dtypes.float32, dtypes.float64]
        kinds = [v.dtype.base_dtype if hasattr(v, "graph") else as_array(v)[1] for v in given.values()]
        wanted = max(kinds, key=order.index) if dtype is None else dtypes.as_dtype(dtype)
        limits = [
            math_ops.cast(v, wanted) if hasattr(v, "graph") else convert_to_tensor(v, wanted, n)
            for n, v in given.items()
        ]
        return build_tensor("Range", *limits, name=scope)


def _infer_linspace(op: Operation) -> list:
    (start, stop, num), axis = op.inputs, op.attrs["axis"]
    ends, number = broadcast(start.shape, stop.shape), constant_value(num)
    if ends.lengths is None:
        return [(start.dtype.base_dtype, ends)]
    place = axis % (ends.rank + 1)
    middle = TensorShape([None if number is None else int(number)])
    shape = ends[:place].concatenate(middle).concatenate(ends[place:])
    return [(start.dtype.base_dtype, shape)]


def _linspace_code(op: Operation, start: Any, stop: Any, num: Any) -> str:
    axis = f", axis={op.attrs['axis']}" if op.attrs["axis"] else ""
    return f"linspace({start}, {stop}, {num}, dtype={op.inputs[0].dtype.base_dtype.name}{axis})"


registry.KERNELS["linspace"] = np.linspace
registry.register("LinSpace", "start:T stop:T num:length", _infer_linspace, _linspace_code, registry.not_differentiable)


def linspace_nd(start: Any, stop: Any, num: Any, name: str | None = None, axis: int = 0) -> Tensor:
    """`num` numbers at equal distances from `start` to `stop` (TensorFlow's `tf.linspace`); of ints, float64.

    Of tensors they lie along a new `axis`. No gradient flows through it.
    """
    with name_scope(name, "linspace", [start, stop]):
        start = convert_to_tensor(start, name="start")
        stop = convert_to_tensor(stop, start.dtype.base_dtype, name="stop")
        num = convert_to_tensor(num, name="num")
        if not num.dtype.is_integer:
            raise TypeError(
                f"Argument `tensor` (name: num) must be of type integer. Received `tensor` = {num} of dtype: {num.dtype}"  # noqa: E501
            )
        if start.dtype.is_integer:
            start, stop = math_ops.cast(start, dtypes.float64), math_ops.cast(stop, dtypes.float64)
        return build_tensor("LinSpace", start, stop, num, name="Slice", axis=axis)


registry.KERNELS["eye"] = np.eye
registry.register(
    "Eye",
    "num_rows:length num_columns:length",
    lambda op: [
        (op.attrs["dtype"], TensorShape([None if (n := constant_value(t)) is None else int(n) for t in op.inputs]))
    ],
    lambda op, n, m: f"eye({n}, {m}, dtype={op.attrs['dtype'].name.replace('bool', 'bool_')})",
    registry.not_differentiable,
)


def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """A matrix with ones on its diagonal and zeros elsewhere, once for each place in `batch_shape`."""
    with name_scope(name, "eye"):
        columns = num_rows if num_columns is None else num_columns
        if any(isinstance(n, int) and n < 0 for n in (num_rows, columns)):
            raise ValueError("Fill dimensions must be >= 0")
        kind = dtypes.as_dtype(dtype)
        name = "diag" if num_columns is None else "set_diag"
        if batch_shape is None:
            return build_tensor("Eye", num_rows, columns, dtype=kind, name=name)
        matrix = build_tensor("Eye", num_rows, columns, dtype=kind)
        shape = joining_ops.concat([batch_shape, shape_ops.shape(matrix)], 0)
        return broadcast_ops.broadcast_to_op(matrix, shape, name=name)
