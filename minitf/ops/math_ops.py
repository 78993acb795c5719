"""Arithmetic: a table of elementwise rules, NumPy code and gradient beside each other.

Stands for tensorflow/python/ops/math_ops.py and math_grad.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework import dtypes
from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.dtypes import DType, as_dtype
from minitf.framework.errors import InvalidArgumentError
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Operators, Tensor
from minitf.framework.registry import FLOATS, KERNELS, NUMBERS, REAL_FLOATS, REALS, SIGNED, Code, atom, infix, register
from minitf.ops.array_ops import ones_like, zeros_like
from minitf.ops.comparison_ops import greater, greater_equal, less_equal
from minitf.ops.elementwise import binary, overload, unary

KERNELS |= {"inf": np.inf, "nan": np.nan, "complex": complex}
KERNELS["sigmoid"] = lambda x: 1 / (1 + np.exp(-x))

# One input.

_SIGNED = (*FLOATS, *SIGNED)


def _real(dtype: DType) -> DType:
    return as_dtype(dtype.as_numpy_dtype().real.dtype)


negative = unary("negative", "Neg", "-", lambda x, y, dy: -dy, "-x.", _SIGNED)
abs = unary("abs", "Abs", "abs", lambda x, y, dy: dy * sign(x), "The size of x.", _SIGNED, dtype=_real)
sign = unary("sign", "Sign", "sign", lambda x, y, dy: zeros_like(x), "-1, 0 or 1.", _SIGNED)
square = unary("square", "Square", "square", lambda x, y, dy: multiply(dy, multiply(x, 2.0)), "x*x.", NUMBERS)
reciprocal = unary("reciprocal", "Reciprocal", "reciprocal", lambda x, y, dy: -dy * square(y), "1 / x.", _SIGNED)
sqrt = unary("sqrt", "Sqrt", "sqrt", lambda x, y, dy: dy * 0.5 / y, "The square root of x.")
rsqrt = unary(
    "rsqrt",
    "Rsqrt",
    lambda op, x: infix("/", "1", f"sqrt({x})"),
    lambda x, y, dy: dy * (-0.5 * y * square(y)),
    "1 / sqrt(x).",
)
exp = unary("exp", "Exp", "exp", lambda x, y, dy: dy * y, "e to the power x.")
expm1 = unary("expm1", "Expm1", "expm1", lambda x, y, dy: dy * exp(x), "exp(x) - 1.")
log = unary("log", "Log", "log", lambda x, y, dy: dy / x, "The natural logarithm of x.")
log1p = unary("log1p", "Log1p", "log1p", lambda x, y, dy: dy / (1.0 + x), "log(1 + x).")
sin = unary("sin", "Sin", "sin", lambda x, y, dy: dy * cos(x), "The sine of x radians.")
cos = unary("cos", "Cos", "cos", lambda x, y, dy: -dy * sin(x), "The cosine of x radians.")
tan = unary("tan", "Tan", "tan", lambda x, y, dy: dy / square(cos(x)), "sin(x) / cos(x).")
asin = unary("asin", "Asin", "arcsin", lambda x, y, dy: dy * rsqrt(1.0 - square(x)), "Where sin is x.")
acos = unary("acos", "Acos", "arccos", lambda x, y, dy: -dy * rsqrt(1.0 - square(x)), "Where cos is x.")
atan = unary("atan", "Atan", "arctan", lambda x, y, dy: dy / (1.0 + square(x)), "Where tan is x.")
sinh = unary("sinh", "Sinh", "sinh", lambda x, y, dy: dy * cosh(x), "(exp(x) - exp(-x)) / 2.")
cosh = unary("cosh", "Cosh", "cosh", lambda x, y, dy: dy * sinh(x), "(exp(x) + exp(-x)) / 2.")
tanh = unary("tanh", "Tanh", "tanh", lambda x, y, dy: dy * (1.0 - square(y)), "sinh(x) / cosh(x).")
sigmoid = unary("sigmoid", "Sigmoid", "sigmoid", lambda x, y, dy: dy * y * (1.0 - y), "1 / (1 + exp(-x)).")
_COMPLEX = ("complex64", "complex128")
conj = unary("conj", "Conj", "conj", None, "The conjugate of x. No gradient.", _COMPLEX)
floor = unary("floor", "Floor", "floor", None, "x rounded down. No gradient.", REAL_FLOATS)
ceil = unary("ceil", "Ceil", "ceil", None, "x rounded up. No gradient.", REAL_FLOATS)
rint = unary("rint", "Rint", "rint", None, "x rounded, half to even. No gradient.", REAL_FLOATS)
_round = unary("round", "Round", "rint", None, "x rounded.", _SIGNED)
_truth = {"allowed": REAL_FLOATS, "dtype": lambda _: dtypes.bool}
is_nan = unary("is_nan", "IsNan", "isnan", None, "Whether x is not a number.", **_truth)
is_inf = unary("is_inf", "IsInf", "isinf", None, "Whether x is infinite.", **_truth)
is_finite = unary("is_finite", "IsFinite", "isfinite", None, "Whether x is a finite number.", **_truth)


def round(x: Any, name: str | None = None) -> Tensor:
    """x rounded to a whole number, half to even; integers are what they are. No gradient."""
    x = convert_to_tensor(x, name="x")
    return x if x.dtype.is_integer else _round(x, name=name)


# Two inputs.

add = binary(
    "add",
    "AddV2",
    "+",
    lambda x, y, z, dz: (dz, dz),
    "x + y.",
    allowed=(*NUMBERS, "string"),
    called="Add",
    operator="add",
)
subtract = binary("subtract", "Sub", "-", lambda x, y, z, dz: (dz, lambda: -dz), "x - y.", operator="sub")
multiply = binary(
    "multiply",
    "Mul",
    "*",
    lambda x, y, z, dz: (lambda: dz * y, lambda: dz * x),
    "x * y.",
    operator="mul",
    simplify=lambda z, x, y: y if x.is_all(1) and y.same_shape(z) else x if y.is_all(1) and x.same_shape(z) else None,
)
_real_div = binary(
    "realdiv",
    "RealDiv",
    "/",
    lambda x, y, z, dz: (lambda: dz / y, lambda: -dz * z / y),
    "x / y of floats.",
    FLOATS,
    simplify=lambda z, x, y: x if y.is_all(1) and x.same_shape(z) else None,
)
squared_difference = binary(
    "squared_difference",
    "SquaredDifference",
    lambda op, x, y: f"square({infix('-', x, y)})",
    lambda x, y, z, dz: (lambda: dz * (2.0 * (x - y)), lambda: dz * (2.0 * (y - x))),
    "The square of x - y.",
    (*FLOATS, "int32", "int64"),
)


def _checked(name: str, function: Callable) -> Callable:
    def checked(x: Any, y: Any) -> Any:
        if np.any(y == 0):
            raise InvalidArgumentError(None, None, "Integer division by zero")
        return function(x, y)

    KERNELS[name] = checked
    return checked


_checked("whole_divide", np.floor_divide)
_checked("whole_remainder", np.remainder)


def _checked_for_zero(operator: str, whole: str) -> Callable:
    def code(op: Operation, x: Code, y: Code) -> str:
        if op.outputs[0].dtype.is_floating:
            # Floored, for NumPy's own // puts right what the division rounds.
            return f"floor({infix('/', x, y)})" if operator == "//" else infix(operator, x, y)
        never_zero = y.constant is not None and np.all(y.constant != 0)
        return infix(operator, x, y) if never_zero else f"{whole}({x}, {y})"

    return code


floor_div = binary(
    "floor_div",
    "FloorDiv",
    _checked_for_zero("//", "whole_divide"),
    None,
    "x / y rounded down. No gradient.",
    simplify=lambda z, x, y: x if y.is_all(1) and x.same_shape(z) and not x.tensor.dtype.is_floating else None,
)
floormod = binary(
    "floormod",
    "FloorMod",
    _checked_for_zero("%", "whole_remainder"),
    lambda x, y, z, dz: (dz, lambda: -dz * floor_div(x, y)),
    "What is left of x after division by y, of the sign of y.",
    REALS,
    operator="mod",
)


def _log_where_positive(x: Tensor) -> Tensor:
    """log(x), and 0 where there is no logarithm."""
    positive = greater(x, zeros_like(x))
    safe = build_tensor("Select", positive, x, ones_like(x))
    return build_tensor("Select", positive, log(safe), zeros_like(x))


pow = binary(
    "pow",
    "Pow",
    "**",
    lambda x, y, z, dz: (lambda: dz * (y * x ** (y - 1)), lambda: dz * (z * _log_where_positive(x))),
    "x to the power y.",
    operator="pow",
    simplify=lambda z, x, y: x if (x.is_all(1) or y.is_all(1)) and x.same_shape(z) else None,
)


def _to_first_where(first: Callable) -> Callable:
    """The gradient goes to x where `first` holds, and to y elsewhere."""
    return lambda x, y, z, dz: (
        lambda: build_tensor("Select", first(x, y), dz, zeros_like(dz)),
        lambda: build_tensor("Select", first(x, y), zeros_like(dz), dz),
    )


maximum = binary("maximum", "Maximum", "maximum", _to_first_where(greater_equal), "The larger of x and y.", REALS)
minimum = binary("minimum", "Minimum", "minimum", _to_first_where(less_equal), "The smaller of x and y.", REALS)


# Casts.


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
    lambda op, dy: [lambda: cast(dy, op.inputs[0].dtype) if op.inputs[0].dtype.base_dtype.is_floating else None],
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


def to_float(x: Any, name: str = "ToFloat") -> Tensor:
    """`cast` to float32."""
    return cast(x, dtypes.float32, name)


def to_double(x: Any, name: str = "ToDouble") -> Tensor:
    """`cast` to float64."""
    return cast(x, dtypes.float64, name)


def to_int32(x: Any, name: str = "ToInt32") -> Tensor:
    """`cast` to int32."""
    return cast(x, dtypes.int32, name)


def to_int64(x: Any, name: str = "ToInt64") -> Tensor:
    """`cast` to int64."""
    return cast(x, dtypes.int64, name)


# Division of whole numbers gives fractions; and what else is special about the operators.


def truediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y; whole numbers are divided as float64 (8 and 16 bits: float32)."""
    with name_scope(name, "truediv", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", dtype_hint=x.dtype.base_dtype)
        if x.dtype.base_dtype is not y.dtype.base_dtype:
            raise TypeError(
                f"`x` and `y` must have the same dtype, got {x.dtype.base_dtype!r} != {y.dtype.base_dtype!r}."
            )
        if x.dtype.is_integer:
            wanted = dtypes.float32 if x.dtype.size <= 2 else dtypes.float64
            x, y = cast(x, wanted), cast(y, wanted)
        return _real_div(x, y, name=scope)


def div(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y as Python 2 divided: of whole numbers rounded down."""
    with name_scope(name, "div", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, x.dtype.base_dtype, name="y")
        divide = _real_div if x.dtype.is_floating or x.dtype.is_complex else floor_div
        return divide(x, y, name=scope)


def floordiv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y rounded down. No gradient."""
    return floor_div(x, y, name or "floordiv")


def divide(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y, as Python's `/`."""
    return convert_to_tensor(x) / y if name is None else truediv(x, y, name)


overload("truediv", truediv)
overload("floordiv", floordiv)


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
