"""Comparisons give a truth value for each pair of elements, and `Select` chooses by it.

Stands for greater, less, equal and the like of tensorflow/python/ops/math_ops.py and where of array_ops.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework import dtypes
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Operators, Tensor
from minitf.framework.registry import KERNELS, REALS, atom, infix, kernel, register
from minitf.framework.tensor_shape import broadcast, difference
from minitf.ops.array_ops import zeros_like
from minitf.ops.elementwise import comparison, overload, unary

greater = comparison("greater", "Greater", ">", "x > y.", "gt", allowed=REALS)
greater_equal = comparison("greater_equal", "GreaterEqual", ">=", "x >= y.", "ge", allowed=REALS)
less = comparison("less", "Less", "<", "x < y.", "lt", allowed=REALS)
less_equal = comparison("less_equal", "LessEqual", "<=", "x <= y.", "le", allowed=REALS)


def _equality(operator: str, of_text: str) -> Callable:
    KERNELS[of_text] = getattr(np, of_text)

    def code(op: Operation, x: str, y: str) -> str:
        if op.inputs[0].dtype.base_dtype is dtypes.string:  # Python's own answer is no NumPy bool
            return f"{of_text}({x}, {y})"
        return infix(operator, x, y)

    return code


equal = comparison(
    "equal", "Equal", _equality("==", "equal"), "x == y (which asks whether they are one tensor).", allowed=()
)
not_equal = comparison("not_equal", "NotEqual", _equality("!=", "not_equal"), "Whether x and y differ.", allowed=())

# Truth values.

_bools = {"allowed": (), "kind": "bool"}
logical_not = unary("logical_not", "LogicalNot", "logical_not", None, "Whether x is false.", **_bools)
logical_and = comparison("logical_and", "LogicalAnd", "&", "Whether both are true.", **_bools)
logical_or = comparison("logical_or", "LogicalOr", "|", "Whether x, y or both are true.", **_bools)


def logical_xor(x: Any, y: Any, name: str | None = "LogicalXor") -> Tensor:
    """Whether one of x and y is true and the other false."""
    return logical_and(logical_or(x, y), logical_not(logical_and(x, y)), name=name)


def _xor_operator(x: Any, y: Any, name: str) -> Tensor:
    with name_scope(name, "xor", [x, y]) as scope:
        return logical_xor(x, y, scope)


for _name, _function in (("and", logical_and), ("or", logical_or), ("xor", _xor_operator)):
    overload(_name, _function)
Operators.__invert__ = lambda x: logical_not(x)


@kernel
def where(condition: Any, t: Any, e: Any) -> Any:
    """`t` where the condition holds, and `e` elsewhere."""
    return np.where(condition, t, e)[()]


def _select_gradient(op: Operation, dz: Tensor) -> list:
    condition, t, e = op.inputs

    def gradient(x: Tensor, *chosen: Tensor) -> Tensor:
        selected = build_tensor("Select", condition, *chosen, **op.attrs)
        return build_tensor("Unbroadcast", selected, x)

    return [None, lambda: gradient(t, dz, zeros_like(dz)), lambda: gradient(e, zeros_like(dz), dz)]


def _chosen(z: Any, condition: Any, t: Any, e: Any) -> Any:
    """What a constant condition chooses, if it has the shape of the result."""
    chosen = t if condition.is_all(True) else e if condition.is_all(False) else None
    return chosen if chosen is not None and chosen.same_shape(z) else None


def _infer_select(op: Operation) -> list:
    """All broadcast; with `alike` they have one shape, or else the condition chooses rows or all."""
    if "alike" not in op.attrs:
        shape = functools.reduce(broadcast, [i.shape for i in op.inputs])
        return [(op.inputs[1].dtype.base_dtype, shape)]
    condition, t, e = (i.shape for i in op.inputs)
    pairs = [(t, e)]
    if condition.rank == 1 and t.rank:
        pairs.append((condition, t[:1]))
    elif condition.rank != 0:
        pairs.append((t, condition))
    for one, other in pairs:
        if not one.is_compatible_with(other):
            raise ValueError(difference(one, other))
    shape = t.merge_with(e)
    shape = shape if condition.rank in (0, 1) else shape.merge_with(condition)
    return [(op.inputs[1].dtype.base_dtype, shape)]


def _select_code(op: Operation, condition: Any, t: Any, e: Any) -> str:
    rank = op.outputs[0].shape.rank or 0
    if "alike" in op.attrs and condition.rank == 1 < rank:
        condition = f"{atom(condition)}[:{', None' * (rank - 1)}]"
    return f"where({condition}, {t}, {e})"


for _type in ("Select", "SelectV2"):
    register(_type, "condition:bool t:T e:T", _infer_select, _select_code, _select_gradient, simplify=_chosen)
