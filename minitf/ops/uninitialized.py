"""Which variables have no value yet in a session.

Stands for report_uninitialized_variables and its neighbours of tensorflow/python/ops/variables.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from minitf.framework import dtypes
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Tensor
from minitf.framework.registry import kernel, not_differentiable, register
from minitf.framework.tensor_shape import TensorShape
from minitf.ops.variables import Variable, global_variables, local_variables


@kernel
def without_value(names: list[bytes], *known: Any) -> Any:
    """Those of the names that are not `known`."""
    return np.array([n for n, has in zip(names, known, strict=True) if not has], object)


@kernel
def ranks(*values: Any) -> Any:
    """The rank of one value, or the ranks of all."""
    found = [np.int32(np.ndim(value)) for value in values]
    return np.array(found) if found[1:] else found[0]


register(
    "UninitializedNames",
    "known:*T",
    lambda op: [(dtypes.string, TensorShape([None if op.inputs else 0]))],
    lambda op, *known: f"without_value({', '.join([str(op.attrs['names']), *known])})",
    not_differentiable,
)
register(
    "Ranks",
    "values:*",
    lambda op: [(dtypes.int32, TensorShape([len(op.inputs)] if op.inputs[1:] else []))],
    lambda op, *values: f"ranks({', '.join(values)})",
    not_differentiable,
    stateful=True,
)


def is_variable_initialized(variable: Any) -> Tensor:
    """Whether the variable has a value in the session: a bool scalar."""
    return build_tensor("IsVariableInitialized", variable)


def _all_or(var_list: Iterable[Variable] | None) -> list[Variable]:
    return global_variables() + local_variables() if var_list is None else list(var_list)


def report_uninitialized_variables(
    var_list: Iterable[Variable] | None = None, name: str = "report_uninitialized_variables"
) -> Tensor:
    """The names of those variables that have no value in the session; without a list, of all variables."""
    variables = _all_or(var_list)
    with name_scope(name):
        known = [is_variable_initialized(v) for v in variables]
        name = "boolean_mask/GatherV2" if known else "Const"
        names = tuple(v.op.name.encode() for v in variables)
        return build_tensor("UninitializedNames", *known, names=names, name=name)


def assert_variables_initialized(var_list: Iterable[Variable] | None = None) -> Tensor | None:
    """A tensor that fails in a session where one of the variables has no value; None without variables."""
    refs = [v._variable for v in _all_or(var_list)]
    return build_tensor("Ranks", *refs, name="stack" if refs[1:] else "Rank") if refs else None
