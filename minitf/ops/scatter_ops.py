"""A scatter changes single rows of a variable, each row named by an index.

Stands for scatter_update, scatter_add and scatter_sub of tensorflow/python/ops/state_ops.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework.errors import InvalidArgumentError
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import KERNELS, kernel, not_differentiable, register
from minitf.framework.tensor_shape import difference


def _infer_scatter(op: Operation) -> list:
    ref, indices, updates = op.inputs
    if ref.shape.lengths is not None:
        wanted = indices.shape.concatenate(ref.shape[1:])
        if updates.shape.rank != 0 and not updates.shape.is_compatible_with(wanted):
            raise ValueError(difference(updates.shape, wanted))
    return [(ref.dtype, ref.shape)]


@kernel
def rows(indices: Any, variable: Any) -> Any:
    """`indices`, each of which must be that of a row of the variable."""
    wrong = np.argwhere((np.asarray(indices) < 0) | (indices >= len(variable)))
    if len(wrong):
        place, value = tuple(wrong[0]), np.asarray(indices)[tuple(wrong[0])]
        where = f"indices[{','.join(map(str, place))}]" if place else "indices"
        raise InvalidArgumentError(None, None, f"{where} = {value} is not in [0, {len(variable)})")
    return indices


def _scatter(op_type: str, text: str, locking: bool) -> Callable[..., Tensor]:
    def code(op: Operation, target: str, *values: Any) -> str:
        indices, updates = values[-2:]
        return text.format(target, f"rows({indices}, {target})", updates)

    inputs = "ref:ref indices:length updates:T"
    register(op_type, inputs, _infer_scatter, code, not_differentiable, stateful=True, updates=True)

    def scatter(ref: Any, indices: Any, updates: Any, use_locking: bool = locking, name: str | None = None) -> Tensor:
        return build_tensor(op_type, ref, indices, updates, name=name)

    scatter.__doc__ = f"""{text.format("ref", "indices", "updates")}. The result is the variable, after that.

    Raises ValueError where the shape of `updates` is not that of `indices` and a row.
    """
    return scatter


KERNELS["add_at"], KERNELS["subtract_at"] = np.add.at, np.subtract.at
scatter_update = _scatter("ScatterUpdate", "{}[{}] = {}", True)
scatter_add = _scatter("ScatterAdd", "add_at({}, {}, {})", False)
scatter_sub = _scatter("ScatterSub", "subtract_at({}, {}, {})", False)
