"""Mathematics that few training scripts need: other functions of one number, sums along the way, old names.

Mirrors these functions of tensorflow/python/ops/math_ops.py and math_grad.py.
"""

import math

import numpy as np

from minitf.framework import dtypes
from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.dtypes import FLOATS, REAL_FLOATS
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Tensor
from minitf.framework.registry import KERNELS, call_code, infix, kernel, register, same_as_first
from minitf.ops.array_ops import ones_like, reshape, shape, stop_gradient
from minitf.ops.gather_ops import where_v2
from minitf.ops.math_ops import (
    WITH_SIGN,
    add,
    binary,
    cast,
    cos,
    equal,
    exp,
    floor_div,
    log,
    mul_no_nan,
    realdiv,
    square,
    subtract,
    truth,
    unary,
)
from minitf.ops.reduction_ops import (
    again,
    argmax,
    argmin,
    public,
    reduce_max,
    reduce_sum,
    reduction,
    spread,
)

# Functions of one number.


def _rsqrt_code(op, x):
    return infix("/", "1", f"sqrt({x})")


_BELL = 2 / math.sqrt(math.pi)
KERNELS["erf"] = lambda x: np.vectorize(math.erf, [x.dtype])(x)[()]
reciprocal = unary("reciprocal", lambda x, y, dy: mul_no_nan(-square(y), dy), "1 / x.", WITH_SIGN)
rsqrt = unary(
    "rsqrt", lambda x, y, dy: mul_no_nan(-0.5 * y * square(y), dy), "1 / sqrt(x).", code=_rsqrt_code
)
expm1 = unary("expm1", lambda x, y, dy: dy * exp(x), "exp(x) - 1.")
erf = unary("erf", lambda x, y, dy: dy * (_BELL * exp(-square(x))), "Error function.", REAL_FLOATS)
tan = unary("tan", lambda x, y, dy: dy / square(cos(x)), "Tangent of x, in radians.")
asin = unary("asin", lambda x, y, dy: dy * rsqrt(1.0 - square(x)), "Arc sine of x.", code="arcsin")
acos = unary(
    "acos", lambda x, y, dy: -dy * rsqrt(1.0 - square(x)), "Arc cosine of x.", code="arccos"
)
atan = unary("atan", lambda x, y, dy: dy / (1.0 + square(x)), "Arc tangent of x.", code="arctan")
sinh = unary("sinh", lambda x, y, dy: dy * cosh(x), "Hyperbolic sine of x.")
cosh = unary("cosh", lambda x, y, dy: dy * sinh(x), "Hyperbolic cosine of x.")
asinh = unary(
    "asinh", lambda x, y, dy: dy / cosh(y), "Inverse hyperbolic sine of x.", code="arcsinh"
)
acosh = unary(
    "acosh", lambda x, y, dy: dy / sinh(y), "Inverse hyperbolic cosine of x.", code="arccosh"
)
atanh = unary(
    "atanh",
    lambda x, y, dy: dy / (1.0 - square(x)),
    "Inverse hyperbolic tangent of x.",
    code="arctanh",
)
rint = unary("rint", None, "x rounded, half to even. No gradient.", REAL_FLOATS)
is_nan = unary("is_nan", None, "Whether x is NaN.", REAL_FLOATS, "isnan", dtype=truth)
is_inf = unary("is_inf", None, "Whether x is infinite.", REAL_FLOATS, "isinf", dtype=truth)
is_finite = unary("is_finite", None, "Whether x is finite.", REAL_FLOATS, "isfinite", dtype=truth)

# Functions of two numbers.


def _squared_difference(op, x, y):
    return f"square({infix('-', x, y)})"


@kernel
def divide_no_nan(x, y):
    """x / y, and 0 where y is 0."""
    return np.where(y == 0, 0, x / y)[()]


squared_difference = binary(
    "squared_difference",
    _squared_difference,
    lambda x, y, z, dz: (lambda: dz * (2.0 * (x - y)), lambda: dz * (2.0 * (y - x))),
    "(x - y) ** 2.",
)
div_no_nan = binary(
    "div_no_nan",
    "divide_no_nan",
    lambda x, y, z, dz: (lambda: div_no_nan(dz, y), lambda: -dz * div_no_nan(z, y)),
    "x / y, or 0 if y is 0.",
    FLOATS,
    default_name="div_no_nan",
)

# Reductions.


def _of_prod(op, dy):
    """Each number's slope is the product of the others: 0 where one of these is 0."""
    x, axis = op.inputs
    one = ones_like(x)
    is_zero = equal(x, one - one)
    zeros = cast(is_zero, x.dtype)
    others = where_v2(is_zero, one, x)
    others = spread(op, again(op, "Prod", others, axis)) / others
    alone = equal(spread(op, again(op, "Sum", zeros, axis)), zeros)
    return spread(op, dy) * where_v2(alone, others, one - one)


def _logsumexp(x, axis, keep: bool, name: str | None) -> Tensor:
    with name_scope(name, "ReduceLogSumExp", [x]) as scope:
        largest = reduce_max(x, axis, True)
        largest = stop_gradient(where_v2(is_finite(largest), largest, 0, "SelectV2"))
        logarithm = log(reduce_sum(exp(subtract(x, largest)), axis, keep))
        if not keep:
            largest = reshape(largest, shape(logarithm))
        return add(logarithm, largest, name=scope)


_PROD = "The product along `axis`, in the dtype of the input."
_LOGSUMEXP = "log(sum(exp(input_tensor))), which no number overflows."
reduce_prod = reduction("Prod", "prod", _of_prod, _PROD)
reduce_logsumexp = public("reduce_logsumexp", _LOGSUMEXP, _logsumexp)


def _cumsum(x, axis=0, exclusive=False, reverse=False):
    """The sums of the numbers up to each, itself included unless `exclusive`, from the end in `reverse`."""
    step = -1 if reverse else 1
    x = np.moveaxis(x, axis, 0)[::step]
    x = np.concatenate([np.zeros_like(x[:1]), x[:-1]]) if exclusive else x
    return np.moveaxis(np.cumsum(x, 0, x.dtype)[::step], 0, axis)


def _cumsum_gradient(op, dy):
    exclusive, reverse = op.attrs["exclusive"], op.attrs["reverse"]
    return [lambda: cumsum(dy, op.inputs[1], exclusive, not reverse), None]


def _explain_cumsum(x, axis):
    return f"ScanOp: Expected scan axis in the range [{-np.ndim(x)}, {np.ndim(x)}), but got {axis}"


KERNELS["cumsum"] = _cumsum
register(
    "Cumsum",
    "x:T axis:length",
    same_as_first,
    call_code("cumsum", exclusive=False, reverse=False),
    _cumsum_gradient,
    explain=_explain_cumsum,
    allowed=dtypes.NUMBERS,
)


def cumsum(x, axis=0, exclusive=False, reverse=False, name=None) -> Tensor:
    """The sums of the numbers of x up to each along `axis`.

    `exclusive` leaves that number itself out, `reverse` sums from the end.
    """
    with name_scope(name, "Cumsum", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return build_tensor("Cumsum", x, axis, name=scope, exclusive=exclusive, reverse=reverse)


# Older functions.


def arg_max(input, dimension, output_type=dtypes.int64, name=None) -> Tensor:
    """`tf.argmax`, by its older name."""
    return argmax(input, dimension, name, output_type=output_type)


def arg_min(input, dimension, output_type=dtypes.int64, name=None) -> Tensor:
    """`tf.argmin`, by its older name."""
    return argmin(input, dimension, name, output_type=output_type)


def to_float(x, name="ToFloat") -> Tensor:
    """`cast` to float32."""
    return cast(x, dtypes.float32, name)


def to_double(x, name="ToDouble") -> Tensor:
    """`cast` to float64."""
    return cast(x, dtypes.float64, name)


def to_int32(x, name="ToInt32") -> Tensor:
    """`cast` to int32."""
    return cast(x, dtypes.int32, name)


def to_int64(x, name="ToInt64") -> Tensor:
    """`cast` to int64."""
    return cast(x, dtypes.int64, name)


def div(x, y, name=None) -> Tensor:
    """x / y as Python 2 divided: of integers rounded down."""
    with name_scope(name, "div", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, x.dtype.base_dtype, name="y")
        return (floor_div if x.dtype.is_integer else realdiv)(x, y, name=scope)
