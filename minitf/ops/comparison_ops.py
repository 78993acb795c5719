"""Comparisons give a truth value for each pair of elements, and `Select` chooses by it.

Stands for greater, less, equal and the like of tensorflow/python/ops/math_ops.py and where of array_ops.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework import dtypes
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import KERNELS, REALS, infix, kernel, register
from minitf.framework.tensor_shape import broadcast
from minitf.ops.array_ops import zeros_like
from minitf.ops.elementwise import comparison


@comparison("Greater", ">", "gt", allowed=REALS)
def greater(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x > y, elementwise."""


@comparison("GreaterEqual", ">=", "ge", allowed=REALS)
def greater_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x >= y, elementwise."""


@comparison("Less", "<", "lt", allowed=REALS)
def less(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x < y, elementwise."""


@comparison("LessEqual", "<=", "le", allowed=REALS)
def less_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x <= y, elementwise."""


def _equality(operator: str, of_text: str) -> Callable:
    KERNELS[of_text] = getattr(np, of_text)

    def code(op: Operation, x: str, y: str) -> str:
        if op.inputs[0].dtype.base_dtype is dtypes.string:  # Python's own answer is no NumPy bool
            return f"{of_text}({x}, {y})"
        return infix(operator, x, y)

    return code


@comparison("Equal", _equality("==", "equal"))
def equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Whether x and y are equal, elementwise (`==` on tensors asks whether they are one tensor)."""


@comparison("NotEqual", _equality("!=", "not_equal"))
def not_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Whether x and y differ, elementwise."""


@kernel
def where(condition: Any, t: Any, e: Any) -> Any:
    """`t` where the condition holds, and `e` elsewhere."""
    return np.where(condition, t, e)[()]


def _select_gradient(op: Operation, dz: Tensor) -> list:
    condition, t, e = op.inputs

    def gradient(x: Tensor, *chosen: Tensor) -> Tensor:
        return build_tensor("Unbroadcast", build_tensor("Select", condition, *chosen), x)

    return [
        None,
        lambda: gradient(t, dz, zeros_like(dz)),
        lambda: gradient(e, zeros_like(dz), dz),
    ]


def _chosen(z: Any, condition: Any, t: Any, e: Any) -> Any:
    """What a constant condition chooses, if it has the shape of the result."""
    chosen = t if condition.is_all(True) else e if condition.is_all(False) else None
    return chosen if chosen is not None and chosen.same_shape(z) else None


def _infer_select(op: Operation) -> list:
    shape = functools.reduce(broadcast, [i.shape for i in op.inputs])
    return [(op.inputs[1].dtype.base_dtype, shape)]


for _type in ("Select", "SelectV2"):
    register(
        _type,
        "condition t:T e:T",
        _infer_select,
        "where",
        _select_gradient,
        simplify=_chosen,
    )
