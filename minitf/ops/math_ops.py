"""Arithmetic: a table of elementwise rules, NumPy code and gradient beside each other.

Mirrors tensorflow/python/ops/math_ops.py and math_grad.py.
"""

import math
from collections.abc import Callable

import numpy as np

from minitf.framework import dtypes, errors
from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.dtypes import FLOATS, NUMBERS, REAL_FLOATS, REALS, SIGNED, as_dtype
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Operators, Tensor
from minitf.framework.registry import KERNELS, atom, infix, kernel, register
from minitf.ops.array_ops import ones_like, zeros_like
from minitf.ops.comparison_ops import greater, greater_equal, less_equal, truth
from minitf.ops.elementwise import binary, overload, unary

KERNELS |= {"inf": np.inf, "nan": np.nan, "complex": complex}
KERNELS["erf"] = lambda x: np.vectorize(math.erf, [x.dtype])(x)[()]
KERNELS["sigmoid"] = lambda x: 1 / (1 + np.exp(-x))

# One input.


def _rsqrt(op: Operation, x: str) -> str:
    return infix("/", "1", f"sqrt({x})")


_SIGNED = (*FLOATS, *SIGNED)
_size = {
    "dtype": lambda dtype: as_dtype(dtype.as_numpy_dtype().real.dtype)
}  # that of a complex number is real
negative = unary("negative", "Neg", "-", lambda x, y, dy: -dy, "-x.", _SIGNED)
abs = unary("abs", "Abs", "abs", lambda x, y, dy: dy * sign(x), "The size of x.", _SIGNED, **_size)
sign = unary("sign", "Sign", "sign", lambda x, y, dy: zeros_like(x), "-1, 0 or 1.", _SIGNED)
square = unary(
    "square", "Square", "square", lambda x, y, dy: multiply(dy, multiply(x, 2.0)), "x*x.", NUMBERS
)
reciprocal = unary(
    "reciprocal",
    "Reciprocal",
    "reciprocal",
    lambda x, y, dy: _times(-square(y), dy),
    "1 / x.",
    _SIGNED,
)
sqrt = unary("sqrt", "Sqrt", "sqrt", lambda x, y, dy: _times(0.5 / y, dy), "The square root of x.")
rsqrt = unary(
    "rsqrt", "Rsqrt", _rsqrt, lambda x, y, dy: _times(-0.5 * y * square(y), dy), "1 / sqrt(x)."
)
exp = unary("exp", "Exp", "exp", lambda x, y, dy: dy * y, "e to the power x.")
expm1 = unary("expm1", "Expm1", "expm1", lambda x, y, dy: dy * exp(x), "exp(x) - 1.")
log = unary("log", "Log", "log", lambda x, y, dy: dy / x, "The natural logarithm of x.")
log1p = unary("log1p", "Log1p", "log1p", lambda x, y, dy: dy / (1.0 + x), "log(1 + x).")
sin = unary("sin", "Sin", "sin", lambda x, y, dy: dy * cos(x), "The sine of x radians.")
cos = unary("cos", "Cos", "cos", lambda x, y, dy: -dy * sin(x), "The cosine of x radians.")
tan = unary("tan", "Tan", "tan", lambda x, y, dy: dy / square(cos(x)), "sin(x) / cos(x).")
asin = unary(
    "asin", "Asin", "arcsin", lambda x, y, dy: dy * rsqrt(1.0 - square(x)), "Where sin is x."
)
acos = unary(
    "acos", "Acos", "arccos", lambda x, y, dy: -dy * rsqrt(1.0 - square(x)), "Where cos is x."
)
atan = unary("atan", "Atan", "arctan", lambda x, y, dy: dy / (1.0 + square(x)), "Where tan is x.")
asinh = unary("asinh", "Asinh", "arcsinh", lambda x, y, dy: dy / cosh(y), "Where sinh is x.")
acosh = unary("acosh", "Acosh", "arccosh", lambda x, y, dy: dy / sinh(y), "Where cosh is x.")
atanh = unary(
    "atanh", "Atanh", "arctanh", lambda x, y, dy: dy / (1.0 - square(x)), "Where tanh is x."
)
sinh = unary("sinh", "Sinh", "sinh", lambda x, y, dy: dy * cosh(x), "(exp(x) - exp(-x)) / 2.")
cosh = unary("cosh", "Cosh", "cosh", lambda x, y, dy: dy * sinh(x), "(exp(x) + exp(-x)) / 2.")
tanh = unary("tanh", "Tanh", "tanh", lambda x, y, dy: dy * (1.0 - square(y)), "sinh(x) / cosh(x).")
sigmoid = unary(
    "sigmoid", "Sigmoid", "sigmoid", lambda x, y, dy: dy * y * (1.0 - y), "1 / (1 + exp(-x))."
)
_bell = 2 / math.sqrt(math.pi)
erf = unary(
    "erf",
    "Erf",
    "erf",
    lambda x, y, dy: dy * (_bell * exp(-square(x))),
    "The error function.",
    REAL_FLOATS,
)
conj = unary(
    "conj", "Conj", "conj", None, "The conjugate of x. No gradient.", ("complex64", "complex128")
)
floor = unary("floor", "Floor", "floor", None, "x rounded down. No gradient.", REAL_FLOATS)
ceil = unary("ceil", "Ceil", "ceil", None, "x rounded up. No gradient.", REAL_FLOATS)
rint = unary("rint", "Rint", "rint", None, "x rounded, half to even. No gradient.", REAL_FLOATS)
_round = unary("round", "Round", "rint", None, "x rounded.", _SIGNED)
is_nan = unary(
    "is_nan", "IsNan", "isnan", None, "Whether x is not a number.", REAL_FLOATS, dtype=truth
)
is_inf = unary("is_inf", "IsInf", "isinf", None, "Whether x is infinite.", REAL_FLOATS, dtype=truth)
is_finite = unary(
    "is_finite", "IsFinite", "isfinite", None, "Whether x is finite.", REAL_FLOATS, dtype=truth
)


def round(x, name: str | None = None) -> Tensor:
    """x rounded to a whole number, half to even; integers are what they are. No gradient."""
    x = convert_to_tensor(x, name="x")
    return x if x.dtype.is_integer else _round(x, name=name)


# Two inputs.


def _by_1(z, x, y):
    """x / 1 and x * 1 are x, if that has the shape of the result."""
    return x if y.is_all(1) and x.same_shape(z) else None


def _whole_by_1(z, x, y):
    return None if z.tensor.dtype.is_floating else _by_1(z, x, y)


def _other_factor(z, x, y):
    return _by_1(z, x, y) or _by_1(z, y, x)


def _division(operator: str) -> Callable:
    """The code of a division that is floored, or of what it leaves."""

    def code(op: Operation, x: str, y) -> str:
        if op.outputs[0].dtype.is_floating and operator == "//":
            return (
                f"floor({infix('/', x, y)})"  # NumPy's own // puts right what the division rounds
            )
        may_be_zero = not op.outputs[0].dtype.is_floating and (
            y.constant is None or np.any(y.constant == 0)
        )
        return infix(operator, x, f"nonzero({y})" if may_be_zero else y)

    return code


@kernel
def divide_no_nan(x, y):
    """x / y, and 0 where y is 0."""
    return np.where(y == 0, 0, x / y)[()]


@kernel
def multiply_no_nan(x, y):
    """x * y, and 0 where y is 0, even if x is infinite or no number."""
    return np.where(y == 0, 0, x * y)[()]


@kernel
def nonzero(y):
    """y, by which whole numbers are divided."""
    if np.any(y == 0):
        raise errors.InvalidArgumentError(None, None, "Integer division by zero")
    return y


def _power_gradient(x: Tensor, y: Tensor, z: Tensor, dz: Tensor) -> tuple:
    def by_exponent() -> Tensor:
        """With 0 for the logarithm where there is none."""
        positive = greater(x, zeros_like(x))
        logarithm = log(build_tensor("Select", positive, x, ones_like(x)))
        return dz * (z * build_tensor("Select", positive, logarithm, zeros_like(x)))

    return lambda: dz * (y * x ** (y - 1)), by_exponent


def _no_nan_gradient(x: Tensor, y: Tensor, z: Tensor, dz: Tensor) -> tuple:
    return lambda: div_no_nan(dz, y), lambda: -dz * div_no_nan(z, y)


def _times_gradient(x: Tensor, y: Tensor, z: Tensor, dz: Tensor) -> tuple:
    return lambda: _times(dz, y), lambda: _times(x, dz)


def _squared_difference(op: Operation, x: str, y: str) -> str:
    return f"square({infix('-', x, y)})"


def _squared_difference_gradient(x: Tensor, y: Tensor, z: Tensor, dz: Tensor) -> tuple:
    return lambda: dz * (2.0 * (x - y)), lambda: dz * (2.0 * (y - x))


def _to_first_where(first: Callable) -> Callable:
    """The gradient goes to x where `first` holds, and to y elsewhere."""
    return lambda x, y, z, dz: (
        lambda: build_tensor("Select", first(x, y), dz, zeros_like(dz)),
        lambda: build_tensor("Select", first(x, y), zeros_like(dz), dz),
    )


_add = binary("add", "AddV2", "+", lambda x, y, z, dz: (dz, dz), "x + y.", (*NUMBERS, "string"))
subtract = binary("subtract", "Sub", "-", lambda x, y, z, dz: (dz, lambda: -dz), "x - y.")
multiply = binary(
    "multiply",
    "Mul",
    "*",
    lambda x, y, z, dz: (lambda: dz * y, lambda: dz * x),
    "x * y.",
    simplify=_other_factor,
)
realdiv = binary(
    "realdiv",
    "RealDiv",
    "/",
    lambda x, y, z, dz: (lambda: dz / y, lambda: -dz * z / y),
    "x / y.",
    simplify=_by_1,
)
_NO_NAN = "multiply_no_nan"
_times = binary(
    _NO_NAN, "MulNoNan", _NO_NAN, _times_gradient, "x * y, or 0 if y is 0.", simplify=_by_1
)
div_no_nan = binary(
    "div_no_nan",
    "DivNoNan",
    "divide_no_nan",
    _no_nan_gradient,
    "x / y, or 0 if y is 0.",
    FLOATS,
    called="div_no_nan",
)
floor_div = binary(
    "floor_div",
    "FloorDiv",
    _division("//"),
    None,
    "x / y rounded down. No gradient.",
    simplify=_whole_by_1,
)
floormod = binary(
    "floormod",
    "FloorMod",
    _division("%"),
    lambda x, y, z, dz: (dz, lambda: -dz * (x // y)),
    "x modulo y.",
    REALS,
)
pow = binary("pow", "Pow", "**", _power_gradient, "x to the power y.", simplify=_by_1)
maximum = binary(
    "maximum", "Maximum", "maximum", _to_first_where(greater_equal), "The larger of x and y.", REALS
)
minimum = binary(
    "minimum", "Minimum", "minimum", _to_first_where(less_equal), "The smaller of x and y.", REALS
)
squared_difference = binary(
    "squared_difference",
    "SquaredDifference",
    _squared_difference,
    _squared_difference_gradient,
    "(x - y) ** 2.",
)


def add(x, y, name: str | None = None) -> Tensor:
    """x + y, elementwise, with broadcasting; also of strings.

    Raises ValueError where the shapes don't fit. Unlike the others, it converts y by itself, so mismatched dtypes
    raise TypeError.
    """
    with name_scope(name, "Add", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return _add(x, convert_to_tensor(y, dtype_hint=x.dtype.base_dtype, name="y"), name=scope)


# Casts.


def _cast_code(op: Operation, x: str) -> str:
    wanted = op.outputs[0].dtype
    if op.inputs[0].dtype.is_complex and not wanted.is_complex:
        x = f"{atom(x)}.real"
    return f"bool_({x})" if wanted is dtypes.bool else f"{wanted.name}({x})"


KERNELS |= {dtype.name: dtype.as_numpy_dtype for dtype in dtypes.NUMERIC} | {"bool_": np.bool_}


def _infer_cast(op: Operation) -> list:
    return [(op.attrs["DstT"], op.inputs[0].shape)]


def _cast_already(result, x):
    return x if x.tensor.dtype.base_dtype is result.tensor.dtype else None


def _cast_gradient(op: Operation, dy: Tensor) -> list:
    return [lambda: cast(dy, op.inputs[0].dtype)]


register("Cast", "x", _infer_cast, _cast_code, _cast_gradient, simplify=_cast_already)


def cast(x, dtype, name: str | None = None) -> Tensor:
    """x with its numbers converted to `dtype`; floats lose their fraction on the way to integers."""
    wanted = as_dtype(dtype).base_dtype
    if isinstance(x, Tensor) and x.dtype is wanted:
        return x
    with name_scope(name, "Cast", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return (
            x if x.dtype.base_dtype is wanted else build_tensor("Cast", x, name=scope, DstT=wanted)
        )


def to_float(x, name: str = "ToFloat") -> Tensor:
    """`cast` to float32."""
    return cast(x, dtypes.float32, name)


def to_double(x, name: str = "ToDouble") -> Tensor:
    """`cast` to float64."""
    return cast(x, dtypes.float64, name)


def to_int32(x, name: str = "ToInt32") -> Tensor:
    """`cast` to int32."""
    return cast(x, dtypes.int32, name)


def to_int64(x, name: str = "ToInt64") -> Tensor:
    """`cast` to int64."""
    return cast(x, dtypes.int64, name)


# Division of whole numbers gives fractions.


def truediv(x, y, name: str | None = None) -> Tensor:
    """x / y; whole numbers are divided as float64 (8 and 16 bits: float32). Raises TypeError for two dtypes."""
    with name_scope(name, "truediv", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", dtype_hint=x.dtype.base_dtype)
        one, other = x.dtype.base_dtype, y.dtype.base_dtype
        if one is not other:
            raise TypeError(f"`x` and `y` must have the same dtype, got {one!r} != {other!r}.")
        if one.is_integer:
            wanted = dtypes.float32 if one.size <= 2 else dtypes.float64
            x, y = cast(x, wanted), cast(y, wanted)
        return realdiv(x, y, name=scope)


def div(x, y, name: str | None = None) -> Tensor:
    """x / y as Python 2 divided: of whole numbers rounded down."""
    with name_scope(name, "div", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, x.dtype.base_dtype, name="y")
        return (floor_div if x.dtype.is_integer else realdiv)(x, y, name=scope)


def floordiv(x, y, name: str | None = None) -> Tensor:
    """x / y rounded down. No gradient."""
    return floor_div(x, y, name or "floordiv")


def divide(x, y, name: str | None = None) -> Tensor:
    """x / y, as Python's `/`."""
    return convert_to_tensor(x) / y if name is None else truediv(x, y, name)


# The operators.


_OPERATORS = {"add": add, "sub": subtract, "mul": multiply, "mod": floormod, "pow": pow}
for _name, _function in (_OPERATORS | {"truediv": truediv, "floordiv": floordiv}).items():
    overload(_name, _function)
Operators.__neg__ = lambda x: negative(x)
Operators.__abs__ = lambda x: abs(x)
Operators.__array_priority__ = 100  # a NumPy array to the left leaves the operator to the tensor
