"""Arithmetic: a table of elementwise rules, NumPy code and gradient beside each other.

Stands for tensorflow/python/ops/math_ops.py and math_grad.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework import dtypes
from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.dtypes import as_dtype
from minitf.framework.errors import InvalidArgumentError
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Operators, Tensor
from minitf.framework.registry import (
    FLOATS,
    KERNELS,
    NUMBERS,
    REAL_FLOATS,
    REALS,
    SIGNED,
    Code,
    atom,
    infix,
    kernel,
    quoted,
    register,
)
from minitf.framework.tensor_shape import difference, in_message, same_for_certain
from minitf.ops.array_ops import ones_like, zeros_like
from minitf.ops.comparison_ops import greater, greater_equal
from minitf.ops.elementwise import binary, overload, unary

KERNELS |= {"inf": np.inf, "nan": np.nan, "complex": complex}

# One input.


@unary("Neg", "-", lambda x, y, dy: -dy, allowed=(*FLOATS, *SIGNED))
def negative(x: Any, name: str | None = None) -> Tensor:
    """-x."""


@unary("Abs", "abs", lambda x, y, dy: dy * sign(x), allowed=REALS)
def abs(x: Any, name: str | None = None) -> Tensor:
    """The absolute value of x."""


@unary("Sign", "sign", lambda x, y, dy: zeros_like(x))
def sign(x: Any, name: str | None = None) -> Tensor:
    """-1, 0 or 1, as x is below, at or above zero."""


@unary("Square", "square", lambda x, y, dy: multiply(dy, multiply(x, 2.0)))
def square(x: Any, name: str | None = None) -> Tensor:
    """x * x."""


@unary("Sqrt", "sqrt", lambda x, y, dy: dy * 0.5 / y, allowed=FLOATS)
def sqrt(x: Any, name: str | None = None) -> Tensor:
    """The square root of x."""


@unary("Exp", "exp", lambda x, y, dy: dy * y, allowed=FLOATS)
def exp(x: Any, name: str | None = None) -> Tensor:
    """e to the power x."""


@unary("Log", "log", lambda x, y, dy: dy / x, allowed=FLOATS)
def log(x: Any, name: str | None = None) -> Tensor:
    """The natural logarithm of x."""


@unary("Sin", "sin", lambda x, y, dy: dy * cos(x), allowed=FLOATS)
def sin(x: Any, name: str | None = None) -> Tensor:
    """The sine of x, an angle in radians."""


@unary("Cos", "cos", lambda x, y, dy: -dy * sin(x), allowed=FLOATS)
def cos(x: Any, name: str | None = None) -> Tensor:
    """The cosine of x, an angle in radians."""


@unary("Tanh", "tanh", lambda x, y, dy: dy * (1.0 - square(y)), allowed=FLOATS)
def tanh(x: Any, name: str | None = None) -> Tensor:
    """The hyperbolic tangent of x."""


@unary("Floor", "floor", None, allowed=REAL_FLOATS)
def floor(x: Any, name: str | None = None) -> Tensor:
    """The largest whole number not above x. No gradient."""


@unary("Ceil", "ceil", None, allowed=REAL_FLOATS)
def ceil(x: Any, name: str | None = None) -> Tensor:
    """The smallest whole number not below x. No gradient."""


# Two inputs.


@binary(
    "AddV2",
    "+",
    dx=lambda x, y, z, dz: dz,
    dy=lambda x, y, z, dz: dz,
    allowed=(*NUMBERS, "string"),
    name="Add",
    operator="add",
)
def add(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x + y."""


@binary(
    "Sub",
    "-",
    dx=lambda x, y, z, dz: dz,
    dy=lambda x, y, z, dz: -dz,
    operator="sub",
)
def subtract(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x - y."""


@binary(
    "Mul",
    "*",
    dx=lambda x, y, z, dz: dz * y,
    dy=lambda x, y, z, dz: dz * x,
    simplify=lambda z, x, y: (
        y if x.is_all(1) and y.same_shape(z) else x if y.is_all(1) and x.same_shape(z) else None
    ),
    operator="mul",
)
def multiply(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x * y."""


@binary(
    "RealDiv",
    "/",
    dx=lambda x, y, z, dz: dz / y,
    dy=lambda x, y, z, dz: -dz * z / y,
    simplify=lambda z, x, y: x if y.is_all(1) and x.same_shape(z) else None,
    allowed=FLOATS,
)
def _real_div(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y of floats."""


@kernel
def whole_divide(x: Any, y: Any) -> Any:
    """`x // y` of whole numbers."""
    if np.any(y == 0):
        raise InvalidArgumentError(None, None, "Integer division by zero")
    return x // y


@kernel
def whole_remainder(x: Any, y: Any) -> Any:
    """`x % y` of whole numbers."""
    if np.any(y == 0):
        raise InvalidArgumentError(None, None, "Integer division by zero")
    return x % y


def _checked_for_zero(operator: str, whole: str) -> Callable:
    def code(op: Operation, x: Code, y: Code) -> str:
        never_zero = y.constant is not None and np.all(y.constant != 0)
        if op.outputs[0].dtype.is_floating:
            # Floored, for NumPy's own // puts right what the division rounds.
            return f"floor({infix('/', x, y)})" if operator == "//" else infix(operator, x, y)
        if never_zero:
            return infix(operator, x, y)
        return f"{whole}({x}, {y})"

    return code


@binary(
    "FloorDiv",
    _checked_for_zero("//", "whole_divide"),
    simplify=lambda z, x, y: (
        x if y.is_all(1) and x.same_shape(z) and not x.tensor.dtype.is_floating else None
    ),
    name="floordiv",
    operator="floordiv",
)
def floordiv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y rounded down. No gradient."""


@binary(
    "FloorMod",
    _checked_for_zero("%", "whole_remainder"),
    dx=lambda x, y, z, dz: dz,
    dy=lambda x, y, z, dz: -dz * floordiv(x, y),
    operator="mod",
)
def floormod(x: Any, y: Any, name: str | None = None) -> Tensor:
    """What is left of x after division by y, of the sign of y."""


def _log_where_positive(x: Tensor) -> Tensor:
    """log(x), and 0 where there is no logarithm."""
    positive = greater(x, zeros_like(x))
    safe = build_tensor("Select", positive, x, ones_like(x))
    return build_tensor("Select", positive, log(safe), zeros_like(x))


@binary(
    "Pow",
    "**",
    dx=lambda x, y, z, dz: dz * (y * x ** (y - 1)),
    dy=lambda x, y, z, dz: dz * (z * _log_where_positive(x)),
    simplify=lambda z, x, y: x if (x.is_all(1) or y.is_all(1)) and x.same_shape(z) else None,
    operator="pow",
)
def pow(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x to the power y."""


@binary(
    "Maximum",
    "maximum",
    allowed=REALS,
    dx=lambda x, y, z, dz: build_tensor("Select", greater_equal(x, y), dz, zeros_like(dz)),
    dy=lambda x, y, z, dz: build_tensor("Select", greater_equal(x, y), zeros_like(dz), dz),
)
def maximum(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The larger of x and y; where they are equal, the gradient goes to x."""


@binary(
    "Minimum",
    "minimum",
    allowed=REALS,
    dx=lambda x, y, z, dz: build_tensor("Select", greater_equal(y, x), dz, zeros_like(dz)),
    dy=lambda x, y, z, dz: build_tensor("Select", greater_equal(y, x), zeros_like(dz), dz),
)
def minimum(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The smaller of x and y; where they are equal, the gradient goes to x."""


# Casts and sums.


def _cast_code(op: Operation, x: str) -> str:
    wanted = op.outputs[0].dtype
    if op.inputs[0].dtype.is_complex and not wanted.is_complex:
        x = f"{atom(x)}.real"
    return f"bool_({x})" if wanted is dtypes.bool else f"{wanted.name}({x})"


for _dtype in dtypes.NUMBERS:
    KERNELS[_dtype.name] = _dtype.as_numpy_dtype
KERNELS["bool_"] = np.bool_

register(
    "Cast",
    "x",
    lambda op: [(op.attrs["DstT"], op.inputs[0].shape)],
    _cast_code,
    lambda op, dy: [
        lambda: cast(dy, op.inputs[0].dtype) if op.inputs[0].dtype.base_dtype.is_floating else None
    ],
    simplify=lambda result, x: x if x.tensor.dtype.base_dtype is result.tensor.dtype else None,
)


def cast(x: Any, dtype: Any, name: str | None = None) -> Tensor:
    """x with its numbers converted to `dtype`; floats lose their fraction on the way to integers."""
    wanted = as_dtype(dtype).base_dtype
    if isinstance(x, Tensor) and x.dtype is wanted:
        return x
    with name_scope(name, "Cast", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        if x.dtype.base_dtype is wanted:
            return x
        return build_tensor("Cast", x, name=scope, DstT=wanted)


def _infer_add_n(op: Operation) -> list:
    shape = op.inputs[0].shape
    for i, term in enumerate(op.inputs[1:]):
        if not shape.is_compatible_with(term.shape):
            problem = difference(shape, term.shape)
            raise ValueError(f"{problem}\n\tFrom merging shape {i} with other shapes.")
        shape = shape.merge_with(term.shape)
    return [(op.inputs[0].dtype.base_dtype, shape)]


LONGEST_SUM = 8  # terms written with +; Python's compiler takes no long chains of operators


def _add_n_code(op: Operation, *terms: Any) -> str:
    same = all(same_for_certain(terms[0].shape, term.shape) for term in terms)
    if same and len(terms) <= LONGEST_SUM:
        return functools.reduce(lambda a, b: infix("+", a, b), terms)
    return f"add_same_shapes({quoted(op.name)}, {', '.join(terms)})"


@kernel
def add_same_shapes(name: str, *terms: Any) -> Any:
    """The sum of arrays, which must all have one shape."""
    for i, term in enumerate(terms):
        if term.shape != terms[0].shape:
            raise InvalidArgumentError(
                None,
                None,
                f"Inputs to operation {name} of type AddN must have the same size and shape.  "
                f"Input 0: {in_message(terms[0].shape)} != input {i}: {in_message(term.shape)}",
            )
    return functools.reduce(np.add, terms)


register(
    "AddN",
    "inputs:*T",
    _infer_add_n,
    _add_n_code,
    lambda op, dy: [dy] * len(op.inputs),
    allowed=NUMBERS,
    simplify=lambda result, first, *others: None if others else first,
)


def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """The sum of a list of tensors of one shape and dtype. Raises ValueError for an empty list."""
    if not isinstance(inputs, (list, tuple)) or not inputs:
        raise ValueError(
            "inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype "
            "and shape."
        )
    return build_tensor("AddN", *(convert_to_tensor(t) for t in inputs), name=name)


# Division of whole numbers gives fractions; and what else is special about the operators.


def truediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y; whole numbers are divided as float64 (8 and 16 bits: float32)."""
    with name_scope(name, "truediv", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", dtype_hint=x.dtype.base_dtype)
        if x.dtype.base_dtype is not y.dtype.base_dtype:
            raise TypeError(
                "`x` and `y` must have the same dtype, got "
                f"{x.dtype.base_dtype!r} != {y.dtype.base_dtype!r}."
            )
        if x.dtype.is_integer:
            wanted = dtypes.float32 if x.dtype.size <= 2 else dtypes.float64
            x, y = cast(x, wanted), cast(y, wanted)
        return _real_div(x, y, name=scope)


def divide(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y, as Python's `/`."""
    return convert_to_tensor(x) / y if name is None else truediv(x, y, name)


overload("truediv", truediv)


def _add_operator(x: Any, y: Any) -> Tensor:
    """`x + y`: alone among the operators, it takes a right side of another type and then complains."""
    if isinstance(y, Tensor):
        return add(x, y, name="add")
    with name_scope(None, "add", [x]) as scope:
        return add(x, convert_to_tensor(y, dtype_hint=x.dtype.base_dtype, name="y"), name=scope)


Operators.__add__ = _add_operator
Operators.__neg__ = lambda x: negative(x)
Operators.__abs__ = lambda x: abs(x)
Operators.__array_priority__ = 100  # a NumPy array to the left leaves the operator to the tensor
