"""Comparisons give a truth value for each pair of elements, and `Select` chooses by it.

Stands for greater, less, equal and the like of tensorflow/python/ops/math_ops.py and where of array_ops.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework import dtypes
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import KERNELS, REALS, infix, register
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


register(
    "Select",
    "condition t:T e:T",
    lambda op: [(op.inputs[1].dtype.base_dtype, op.inputs[1].shape)],
    lambda op, condition, t, e: f"where({condition}, {t}, {e})[()]",
    lambda op, dz: [
        None,
        lambda: build_tensor("Select", op.inputs[0], dz, zeros_like(dz)),
        lambda: build_tensor("Select", op.inputs[0], zeros_like(dz), dz),
    ],
)
KERNELS["where"] = np.where
