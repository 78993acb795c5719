"""Arithmetic, comparisons and casts: a table of elementwise ops with code and gradients; matmul.

With one input, a gradient rule is `lambda x, y, dy: ...`: the input, the output, and the gradient
of the output. With two, it is `lambda x, y, z, dz: (..., ...)`, and a gradient that needs new ops
is itself a lambda, so that they are built only on demand. The gradient of an input that was
broadcast is then summed back to its shape.

Mirrors tensorflow/python/ops/math_ops.py and math_grad.py.
"""

from collections.abc import Callable

import numpy as np

from minitf.framework import dtypes
from minitf.framework.common_shapes import check_rank, check_rank_at_least
from minitf.framework.dtypes import (
    FLOATS,
    NUMBERS,
    REAL_FLOATS,
    REALS,
    SIGNED,
    UNSIGNED,
    as_dtype,
    proto_name,
)
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import (
    build_tensor,
    camel_case,
    constant,
    convert_to_tensor,
    is_tensor,
    named,
)
from minitf.framework.operation import Operators, Tensor
from minitf.framework.registry import (
    atom,
    call,
    infix,
    no_gradient,
    not_differentiable,
    quoted,
    register,
    shaped,
)
from minitf.framework.tensor_shape import UNKNOWN, TensorShape, broadcast, check_equal, in_message
from minitf.ops.array_ops import ones_like, zeros_like
from minitf.ops.gather_ops import where_v2

# How a row of the table becomes an op.


def unary(name, gradient, doc, allowed=FLOATS, code="", op_type="", **rules) -> Callable:
    """Register an op with one input, and return the public function `name` that builds it.

    By default its code is a call of the kernel `name`, and its type is `name` in camel case.
    """
    op_type = op_type or camel_case(name)

    def function(x, name=None):
        return build_tensor(op_type, x, name=name)

    def rule(op, dy):
        return [lambda: gradient(op.inputs[0], op.outputs[0], dy)]

    if gradient in (None, no_gradient):
        rule = gradient
    _register(op_type, "x:T", code or name, rule, allowed, **rules)
    return _public(function, name, f"{doc}\n\nElementwise: the result has the shape of x.", allowed)


def binary(
    name, code, gradient, doc, allowed=NUMBERS, op_type="", default_name=None, **rules
) -> Callable:
    """Register an op with two inputs, and return the public function `name` that builds it.

    By default its type is `name` in camel case, and ops are named after their type.
    """
    op_type = op_type or camel_case(name)

    def function(x, y, name=None):
        return build_tensor(op_type, x, y, name=name or default_name)

    def rule(op, dz):
        def summed(i, reshape):
            found = gradient(*op.inputs, op.outputs[0], dz)[i]
            found = found() if callable(found) else found
            return build_tensor("Unbroadcast", found, op.inputs[i], name=reshape)

        return [lambda: summed(0, "Reshape"), lambda: summed(1, "Reshape_1")]

    _register(op_type, "x:T y:T", code, gradient and rule, allowed, explain=_explain, **rules)
    doc += """

    Elementwise, with broadcasting; x and y must have the same dtype. Raises ValueError if the
    shapes don't fit."""
    return _public(function, name, doc, allowed)


def _register(
    op_type, inputs, code, gradient, allowed, kind="T", dtype=lambda dtype: dtype, **traits
):
    """Register an elementwise op. `dtype` maps the dtype of its inputs to that of the result."""

    def infer(op):
        shape = broadcast(op.inputs[0].shape, op.inputs[-1].shape)
        return [(dtype(op.inputs[0].dtype.base_dtype), shape)]

    inputs, gradient = inputs.replace("T", kind), gradient or not_differentiable
    register(op_type, inputs, infer, code, gradient, weak=True, allowed=allowed, **traits)


def _public(function, name, doc, allowed):
    rule = (
        f"unless the dtype is one of {', '.join(allowed)}" if allowed else "if a dtype doesn't fit"
    )
    return named(function, name, f"{doc} Raises TypeError {rule}.")


def _explain(x, y):
    try:
        np.broadcast_shapes(np.shape(x), np.shape(y))
    except ValueError:
        return f"Incompatible shapes: {in_message(np.shape(x))} vs. {in_message(np.shape(y))}"
    return None


# One input.


def _real(dtype):
    return as_dtype(dtype.as_numpy_dtype().real.dtype)


def truth(_: dtypes.DType) -> dtypes.DType:
    """The dtype of a comparison's result, whatever it compares."""
    return dtypes.bool


WITH_SIGN = (*FLOATS, *SIGNED)
negative = unary("negative", lambda x, y, dy: -dy, "-x.", WITH_SIGN, "-", "Neg")
abs = unary("abs", lambda x, y, dy: dy * sign(x), "Absolute value of x.", WITH_SIGN, dtype=_real)
sign = unary("sign", lambda x, y, dy: zeros_like(x), "Sign of x: -1, 0 or 1.", WITH_SIGN)
square = unary("square", lambda x, y, dy: multiply(dy, multiply(x, 2.0)), "x * x.", NUMBERS)
sqrt = unary("sqrt", lambda x, y, dy: mul_no_nan(0.5 / y, dy), "Square root of x.")
exp = unary("exp", lambda x, y, dy: dy * y, "e to the power x.")
log = unary("log", lambda x, y, dy: dy / x, "Natural logarithm of x.")
log1p = unary("log1p", lambda x, y, dy: dy / (1.0 + x), "log(1 + x).")
sin = unary("sin", lambda x, y, dy: dy * cos(x), "Sine of x, in radians.")
cos = unary("cos", lambda x, y, dy: -dy * sin(x), "Cosine of x, in radians.")
tanh = unary("tanh", lambda x, y, dy: dy * (1.0 - square(y)), "Hyperbolic tangent of x.")
sigmoid = unary("sigmoid", lambda x, y, dy: dy * y * (1.0 - y), "1 / (1 + exp(-x)).")
_conj = unary("conj", None, "Conjugate of x. No gradient.", ("complex64", "complex128"))
floor = unary("floor", None, "x rounded down. No gradient.", REAL_FLOATS)
ceil = unary("ceil", None, "x rounded up. No gradient.", REAL_FLOATS)
logical_not = unary("logical_not", None, "Whether x is false.", (), kind="bool")
_round = unary("round", None, "x rounded.", WITH_SIGN, "rint")


def round(x, name=None) -> Tensor:
    """x rounded to the nearest integer, and halves to the nearest even one.

    Integers are returned as they are. No gradient.
    """
    x = convert_to_tensor(x, name="x")
    return x if x.dtype.is_integer else _round(x, name=name)


def conj(x, name=None) -> Tensor:
    """Conjugate of x; real numbers are returned as they are. No gradient.

    Raises TypeError for bools and strings.
    """
    x = convert_to_tensor(x, name="x")
    if x.dtype.is_complex:
        return _conj(x, name=name)
    if x.dtype.is_floating or x.dtype.is_integer:
        return x
    raise TypeError(f"Expected numeric or variant tensor, got dtype {x.dtype!r}.")


# Two inputs.


def _by_1(z, x, y):
    """Return x for x / 1 and x * 1, if it has the shape of the result."""
    return x if y.is_all(1) and x.same_shape(z) else None


def _whole_by_1(z, x, y):
    return None if z.tensor.dtype.is_floating else _by_1(z, x, y)


def _other_factor(z, x, y):
    return _by_1(z, x, y) or _by_1(z, y, x)


def _division(operator):
    """The code of floor division (`//`) or of its remainder (`%`)."""

    def code(op, x, y):
        of_floats = op.outputs[0].dtype.is_floating
        if of_floats and operator == "//":  # NumPy's own // corrects rounding errors
            return f"floor({infix('/', x, y)})"
        may_be_zero = not of_floats and (y.constant is None or np.any(y.constant == 0))
        return infix(operator, x, f"nonzero({y})" if may_be_zero else y)

    return code


def _power_gradient(x, y, z, dz):
    def by_exponent():
        """dz * z * log(x), where numbers without a logarithm count as 0."""
        positive = greater(x, zeros_like(x))
        logarithm = log(where_v2(positive, x, ones_like(x)))
        return dz * (z * where_v2(positive, logarithm, zeros_like(x)))

    return lambda: dz * (y * x ** (y - 1)), by_exponent


def _to_x_where(chosen):
    """A rule that sends the gradient to x where `chosen(x, y)` is true, and to y elsewhere."""
    return lambda x, y, z, dz: (
        lambda: where_v2(chosen(x, y), dz, zeros_like(dz)),
        lambda: where_v2(chosen(x, y), zeros_like(dz), dz),
    )


_add = binary("add", "+", lambda x, y, z, dz: (dz, dz), "x + y.", (*NUMBERS, "string"), "AddV2")
subtract = binary("subtract", "-", lambda x, y, z, dz: (dz, lambda: -dz), "x - y.", op_type="Sub")
multiply = binary(
    "multiply",
    "*",
    lambda x, y, z, dz: (lambda: dz * y, lambda: dz * x),
    "x * y.",
    op_type="Mul",
    simplify=_other_factor,
)
realdiv = binary(
    "realdiv",
    "/",
    lambda x, y, z, dz: (lambda: dz / y, lambda: -dz * z / y),
    "x / y.",
    op_type="RealDiv",
    missing=(*SIGNED, *UNSIGNED),
    simplify=_by_1,
)
mul_no_nan = binary(
    "mul_no_nan",
    "multiply_no_nan",
    lambda x, y, z, dz: (lambda: mul_no_nan(dz, y), lambda: mul_no_nan(x, dz)),
    "x * y, or 0 if y is 0.",
    FLOATS,
    simplify=_by_1,
)
floor_div = binary(
    "floor_div",
    _division("//"),
    None,
    "x / y rounded down. No gradient.",
    simplify=_whole_by_1,
    missing=("complex64", "complex128"),
)
floormod = binary(
    "floormod",
    _division("%"),
    lambda x, y, z, dz: (dz, lambda: -dz * (x // y)),
    "x modulo y.",
    REALS,
    "FloorMod",
)
_POWERS = (*FLOATS, *SIGNED)
pow = binary("pow", "**", _power_gradient, "x to the power y.", _POWERS, simplify=_by_1)


def _equality(operator, of_text):
    def code(op, x, y):
        if op.inputs[0].dtype.base_dtype is dtypes.string:  # the operator returns Python's bool
            return f"{of_text}({x}, {y})"
        return infix(operator, x, y)

    return code


greater = binary("greater", ">", None, "x > y.", REALS, dtype=truth)
greater_equal = binary("greater_equal", ">=", None, "x >= y.", REALS, dtype=truth)
less = binary("less", "<", None, "x < y.", REALS, dtype=truth)
less_equal = binary("less_equal", "<=", None, "x <= y.", REALS, dtype=truth)
equal = binary(
    "equal", _equality("==", "equal"), None, "Whether x and y are equal.", (), dtype=truth
)
not_equal = binary(
    "not_equal", _equality("!=", "not_equal"), None, "Whether x and y differ.", (), dtype=truth
)
maximum = binary("maximum", "maximum", _to_x_where(greater_equal), "The larger of x and y.", REALS)
minimum = binary("minimum", "minimum", _to_x_where(less_equal), "The smaller of x and y.", REALS)
logical_and = binary("logical_and", "&", None, "Whether both x and y are true.", (), kind="bool")
logical_or = binary("logical_or", "|", None, "Whether x, y or both are true.", (), kind="bool")


def logical_xor(x, y, name="LogicalXor") -> Tensor:
    """Whether exactly one of x and y is true."""
    return logical_and(logical_or(x, y), logical_not(logical_and(x, y)), name=name)


_WHOLE = tuple(name for name in REALS if "int" in name)
_invert = unary("invert", None, "x with all bits flipped.", _WHOLE)
_and = binary("bitwise_and", "&", None, "Bitwise and of x and y.", _WHOLE)
_or = binary("bitwise_or", "|", None, "Bitwise or of x and y.", _WHOLE)
_xor = binary("bitwise_xor", "^", None, "Bitwise exclusive or of x and y.", _WHOLE)


def add(x, y, name=None) -> Tensor:
    """x + y, elementwise, with broadcasting. Strings are joined.

    Raises ValueError if the shapes don't fit, TypeError if the dtypes differ or are bool.
    """
    with name_scope(name, "Add", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return _add(x, convert_to_tensor(y, dtype_hint=x.dtype.base_dtype, name="y"), name=scope)


def truediv(x, y, name=None) -> Tensor:
    """x / y, elementwise, with broadcasting, as a float.

    Integers are converted to float64 first, those of 8 and 16 bits to float32. Raises TypeError if
    the dtypes differ, ValueError if the shapes don't fit.
    """
    with name_scope(name, "truediv", [x, y]) as scope:
        x, y = as_floats(x, y)
        check_divisible(x.dtype.base_dtype, "__truediv__")
        return realdiv(x, y, name=scope)


def as_floats(x, y) -> tuple[Tensor, Tensor]:
    """x and y as tensors, which are floats if they were integers. Both must have one dtype."""
    x = convert_to_tensor(x, name="x")
    y = convert_to_tensor(y, name="y", dtype_hint=x.dtype.base_dtype)
    one, other = x.dtype.base_dtype, y.dtype.base_dtype
    if one is not other:
        raise TypeError(f"`x` and `y` must have the same dtype, got {one!r} != {other!r}.")
    if not one.is_integer:
        return x, y
    wanted = dtypes.float32 if one.size <= 2 else dtypes.float64
    return cast(x, wanted), cast(y, wanted)


def check_divisible(dtype: dtypes.DType, function: str) -> None:
    """Raise TypeError for bools and strings."""
    if dtype not in dtypes.NUMERIC:
        known = ", ".join(map(repr, dtypes.NUMERIC))
        raise TypeError(f"Invalid dtype {dtype!r} in {function}. Expected one of {{{known}}}.")


def divide(x, y, name=None) -> Tensor:
    """x / y, like Python's `/`."""
    if name is not None:
        return truediv(x, y, name)
    return (x if is_tensor(x) or is_tensor(y) else convert_to_tensor(x)) / y


def floordiv(x, y, name=None) -> Tensor:
    """x / y rounded down, like Python's `//`. No gradient."""
    return floor_div(x, y, name or "floordiv")


# Casts.


def _cast_code(op, x):
    wanted = op.outputs[0].dtype
    names = [proto_name(dtype) for dtype in (op.inputs[0].dtype, wanted)]
    if "string" in names:
        return call("no_cast", x, *map(quoted, names))
    if op.inputs[0].dtype.is_complex and not wanted.is_complex:
        x = f"{atom(x)}.real"
    return f"bool_({x})" if wanted is dtypes.bool else f"{wanted.name}({x})"


def _infer_cast(op):
    return [(op.attrs["DstT"], op.inputs[0].shape)]


def _cast_already(result, x):
    return x if x.tensor.dtype.base_dtype is result.tensor.dtype else None


def _cast_gradient(op, dy):
    return [lambda: cast(dy, op.inputs[0].dtype)]


register("Cast", "x=SrcT", _infer_cast, _cast_code, _cast_gradient, simplify=_cast_already)


def cast(x, dtype, name=None) -> Tensor:
    """x converted to `dtype`; a float that becomes an integer loses its fraction."""
    wanted = as_dtype(dtype).base_dtype
    if isinstance(x, Tensor) and x.dtype is wanted:
        return x
    with name_scope(name, "Cast", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        if x.dtype.base_dtype is wanted:
            return x
        return build_tensor("Cast", x, name=scope, DstT=wanted)


# Products of matrices.


@shaped
def _product_shape(op, x, y):
    for tensor in (x, y):
        if op.type == "MatMul":
            check_rank(tensor, 2)
        else:
            check_rank_at_least(tensor, 2)
    a, b = x.shape, y.shape
    if None in (a.rank, b.rank):
        return UNKNOWN
    rows, shared = a.lengths[-2:][:: -1 if op.attrs["transpose_a"] else 1]
    other, columns = b.lengths[-2:][:: -1 if op.attrs["transpose_b"] else 1]
    check_equal(shared, other)
    return broadcast(a[:-2], b[:-2]).concatenate(TensorShape.of((rows, columns)))


def _factor(x, transpose):
    if transpose and x.rank == 2:
        return f"{atom(x)}.T"
    code = x if x.rank else f"matrix({x})"
    return f"swapaxes({code}, -1, -2)" if transpose else code


def _product_code(op, a, b):
    factors = _factor(a, op.attrs["transpose_a"]), _factor(b, op.attrs["transpose_b"])
    return infix("@", *factors)


def _matmul_gradient(op, dc):
    a, b = op.inputs
    ta, tb = op.attrs["transpose_a"], op.attrs["transpose_b"]

    def product(x, factors, number):
        """The gradient of x, summed over the batch axes along which x was broadcast."""
        found = matmul(*factors, name=f"MatMul{number}")
        if op.type == "MatMul":
            return found
        return build_tensor("Unbroadcast", found, x, name=f"Reshape{number}")

    return [
        lambda: product(a, (b, dc, tb, True) if ta else (dc, b, False, not tb), ""),
        lambda: product(b, (dc, a, True, ta) if tb else (a, dc, not ta, False), "_1"),
    ]


def _explain_product(a, b):
    for i, x in enumerate((a, b)):
        if np.ndim(x) < 2:
            return f"In[{i}] ndims must be >= 2: {np.ndim(x)}"
    try:
        np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError:
        shapes = f"{in_message(a.shape)} vs. {in_message(b.shape)}"
        return f"In[0] and In[1] must have compatible batch dimensions: {shapes}"
    shapes = f"In[0]: {in_message(a.shape)}, In[1]: {in_message(b.shape)}"
    return f"Matrix size-incompatible: {shapes}"


_MATRICES = (*FLOATS, "int32", "int64", *UNSIGNED)
_PRODUCT = {
    "infer": _product_shape,
    "code": _product_code,
    "gradient": _matmul_gradient,
    "explain": _explain_product,
    "missing": UNSIGNED,
    "defaults": {"transpose_a": False, "transpose_b": False},
}
register("MatMul", "a:T b:T", allowed=_MATRICES, **_PRODUCT)
register(
    "BatchMatMulV2",
    "x:T y:T",
    allowed=("int16", *_MATRICES),
    renamed={"transpose_a": "adj_x", "transpose_b": "adj_y"},
    **_PRODUCT,
)


def matmul(
    a,
    b,
    transpose_a=False,
    transpose_b=False,
    adjoint_a=False,
    adjoint_b=False,
    a_is_sparse=False,
    b_is_sparse=False,
    name=None,
) -> Tensor:
    """The matrix product of `a` [..., n, k] and `b` [..., k, m], of shape [..., n, m].

    The leading axes, if any, are broadcast. `transpose_a` and `transpose_b` swap the last two axes
    of a matrix first; `adjoint_a` and `adjoint_b` also conjugate it. `a_is_sparse` and
    `b_is_sparse` are ignored. Raises ValueError if the matrices don't fit or one is both transposed
    and adjoint.
    """
    for which, transpose, adjoint in (("a", transpose_a, adjoint_a), ("b", transpose_b, adjoint_b)):
        if transpose and adjoint:
            raise ValueError(
                f"Only one of `transpose_{which}` and `adjoint_{which}` can be True. "
                f"Received `transpose_{which}`={transpose}, `adjoint_{which}`={adjoint}."
            )
    with name_scope(name, "MatMul", [a, b]) as scope:
        a = convert_to_tensor(a, name="a")
        b = convert_to_tensor(b, name="b", dtype_hint=a.dtype.base_dtype)
        a = conj(a) if adjoint_a and a.dtype.is_complex else a
        b = conj(b) if adjoint_b and b.dtype.is_complex else b
        op_type = "MatMul" if {a.shape.rank, b.shape.rank} <= {0, 1, 2} else "BatchMatMulV2"
        ta, tb = adjoint_a or transpose_a, adjoint_b or transpose_b
        if op_type == "BatchMatMulV2":
            ta, tb = bool(ta), bool(tb)
        return build_tensor(op_type, a, b, name=scope, transpose_a=ta, transpose_b=tb)


# The operators.


def _both_ways(name, function):
    """The methods for a tensor on the left and on the right, which build an op called `name`."""

    def backward(y, x):
        with name_scope(None, name, [y]) as scope:
            return function(constant(x, y.dtype.base_dtype, name="x"), y, name=scope)

    return _forward(function, name), backward


def _forward(function, name=None):
    """The method that an operator calls on its left operand."""

    def method(x, y):
        # A NumPy array takes the dtype of the float tensor to its left.
        if isinstance(y, np.ndarray | np.generic) and x.dtype.base_dtype.is_floating:
            y = y.astype(x.dtype.base_dtype.as_numpy_dtype)
        return function(x, y, name=name)

    return method


def _by_dtype(of_truth, of_bits):
    """The function of an operator that builds one op for bools and another for integers."""

    def function(x, y, name):
        with name_scope(name, name, [x, y]) as scope:
            return of_truth(x, y, name=scope) if x.dtype.is_bool else of_bits(x, y)

    return function


Operators.__add__, Operators.__radd__ = _both_ways("add", add)
Operators.__sub__, Operators.__rsub__ = _both_ways("sub", subtract)
Operators.__mul__, Operators.__rmul__ = _both_ways("mul", multiply)
Operators.__truediv__, Operators.__rtruediv__ = _both_ways("truediv", truediv)
Operators.__floordiv__, Operators.__rfloordiv__ = _both_ways("floordiv", floordiv)
Operators.__mod__, Operators.__rmod__ = _both_ways("mod", floormod)
Operators.__pow__, Operators.__rpow__ = _both_ways("pow", pow)
Operators.__matmul__, Operators.__rmatmul__ = _both_ways("matmul", matmul)
Operators.__and__, Operators.__rand__ = _both_ways("and", _by_dtype(logical_and, _and))
Operators.__or__, Operators.__ror__ = _both_ways("or", _by_dtype(logical_or, _or))
Operators.__xor__, Operators.__rxor__ = _both_ways("xor", _by_dtype(logical_xor, _xor))
Operators.__gt__, Operators.__ge__ = _forward(greater), _forward(greater_equal)
Operators.__lt__, Operators.__le__ = _forward(less), _forward(less_equal)
Operators.__neg__, Operators.__abs__ = negative, abs
Operators.__invert__ = lambda x: logical_not(x) if x.dtype.is_bool else _invert(x)
Operators.__array_priority__ = 100  # so that a NumPy array on the left defers to the tensor
