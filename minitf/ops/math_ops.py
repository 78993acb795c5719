"""Arithmetic: a table of elementwise rules (NumPy code and gradient beside each other) and matmul.

A gradient rule of one input reads `lambda x, y, dy: ...`: input, output, gradient of the output. Of two
inputs it is `dx=lambda x, y, z, dz: ...` and `dy=...`; where an input was broadcast, its gradient is
summed back to its shape by one shared `unbroadcast`.

Stands for tensorflow/python/ops/math_ops.py and math_grad.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework import dtypes
from minitf.framework.constant_op import constant, convert_to_tensor
from minitf.framework.dtypes import as_dtype
from minitf.framework.errors import InvalidArgumentError
from minitf.framework.graph import Operation, Operators, Tensor, name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.registry import (
    FLOATS,
    KERNELS,
    NUMBERS,
    atom,
    infix,
    kernel,
    not_differentiable,
    register,
)
from minitf.framework.tensor_shape import TensorShape, broadcast, in_message
from minitf.ops.array_ops import ones_like, same_as_first, stop_gradient, zeros_like  # noqa: F401

KERNELS |= {"inf": np.inf, "nan": np.nan}


def _one_input(op_type: str, function: Callable) -> Callable:
    @functools.wraps(function)
    def call(x: Any, name: str | None = None) -> Tensor:
        return build_tensor(op_type, x, name=name)

    return call


def _two_inputs(op_type: str, function: Callable) -> Callable:
    @functools.wraps(function)
    def call(x: Any, y: Any, name: str | None = None) -> Tensor:
        return build_tensor(op_type, x, y, name=name)

    return call


def unary(op_type: str, code: Any, gradient: Callable | None, **traits: Any) -> Callable:
    """Register an elementwise op of one input, and make the decorated function build it."""

    def rule(op: Operation, dy: Tensor) -> list:
        return [gradient(op.inputs[0], op.outputs[0], dy)]

    rule = rule if gradient else not_differentiable
    traits.setdefault("allowed", NUMBERS)
    register(op_type, "x:T", same_as_first, code, rule, weak=True, **traits)
    return functools.partial(_one_input, op_type)


def binary(
    op_type: str,
    code: Any,
    dx: Callable | None = None,
    dy: Callable | None = None,
    **traits: Any,
) -> Callable:
    """Register an elementwise op of two inputs, and make the decorated function build it."""

    def rule(op: Operation, dz: Tensor) -> list:
        x, y = op.inputs
        z = op.outputs[0]
        return [
            lambda: build_tensor("Unbroadcast", dx(x, y, z, dz), x, name="Reshape"),
            lambda: build_tensor("Unbroadcast", dy(x, y, z, dz), y, name="Reshape_1"),
        ]

    traits.setdefault("allowed", NUMBERS)
    register(
        op_type,
        "x:T y:T",
        _infer_broadcast,
        code,
        rule if dx else not_differentiable,
        explain=_explain_broadcast,
        weak=True,
        **traits,
    )
    return functools.partial(_two_inputs, op_type)


def _infer_broadcast(op: Operation) -> list:
    x, y = op.inputs
    return [(x.dtype.base_dtype, broadcast(x.shape, y.shape))]


def _explain_broadcast(x: Any, y: Any) -> str | None:
    try:
        np.broadcast_shapes(np.shape(x), np.shape(y))
    except ValueError:
        return f"Incompatible shapes: {in_message(np.shape(x))} vs. {in_message(np.shape(y))}"
    return None


# One input.


@unary("Neg", "-", lambda x, y, dy: -dy)
def negative(x: Any, name: str | None = None) -> Tensor:
    """-x."""


@unary("Abs", "abs", lambda x, y, dy: dy * sign(x))
def _abs(x: Any, name: str | None = None) -> Tensor:
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


@unary("Floor", "floor", None, allowed=FLOATS)
def floor(x: Any, name: str | None = None) -> Tensor:
    """The largest whole number not above x. No gradient."""


# Two inputs.


@binary(
    "AddV2",
    "+",
    dx=lambda x, y, z, dz: dz,
    dy=lambda x, y, z, dz: dz,
    allowed=(*NUMBERS, "string"),
)
def _add(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x + y."""


@binary("Sub", "-", dx=lambda x, y, z, dz: dz, dy=lambda x, y, z, dz: -dz)
def _subtract(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x - y."""


@binary(
    "Mul",
    "*",
    dx=lambda x, y, z, dz: dz * y,
    dy=lambda x, y, z, dz: dz * x,
    simplify=lambda z, x, y: (
        y if x.is_all(1) and y.same_shape(z) else x if y.is_all(1) and x.same_shape(z) else None
    ),
)
def _multiply(x: Any, y: Any, name: str | None = None) -> Tensor:
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
    def code(op: Operation, x: str, y: str) -> str:
        divisor = getattr(y, "constant", None)
        never_zero = divisor is not None and np.all(divisor != 0)
        if op.outputs[0].dtype.is_floating or never_zero:
            return infix(operator, x, y)
        return f"{whole}({x}, {y})"

    return code


@binary(
    "FloorDiv",
    _checked_for_zero("//", "whole_divide"),
    simplify=lambda z, x, y: (
        x if y.is_all(1) and x.same_shape(z) and not x.tensor.dtype.is_floating else None
    ),
)
def _floor_div(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y rounded down. No gradient."""


@binary(
    "FloorMod",
    _checked_for_zero("%", "whole_remainder"),
    dx=lambda x, y, z, dz: dz,
    dy=lambda x, y, z, dz: -dz * _floor_div(x, y),
)
def floormod(x: Any, y: Any, name: str | None = None) -> Tensor:
    """What is left of x after division by y, of the sign of y."""


def _log_where_positive(x: Tensor) -> Tensor:
    """log(x), and 0 where there is no logarithm."""
    positive = _greater(x, zeros_like(x))
    safe = build_tensor("Select", positive, x, ones_like(x))
    return build_tensor("Select", positive, log(safe), zeros_like(x))


@binary(
    "Pow",
    "**",
    dx=lambda x, y, z, dz: dz * (y * x ** (y - 1)),
    dy=lambda x, y, z, dz: dz * (z * _log_where_positive(x)),
    simplify=lambda z, x, y: x if y.is_all(1) and x.same_shape(z) else None,
)
def _pow(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x to the power y."""


@binary(
    "Maximum",
    "maximum",
    dx=lambda x, y, z, dz: build_tensor("Select", _at_least(x, y), dz, zeros_like(dz)),
    dy=lambda x, y, z, dz: build_tensor("Select", _at_least(x, y), zeros_like(dz), dz),
)
def maximum(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The larger of x and y; where they are equal, the gradient goes to x."""


@binary(
    "Minimum",
    "minimum",
    dx=lambda x, y, z, dz: build_tensor("Select", _at_least(y, x), dz, zeros_like(dz)),
    dy=lambda x, y, z, dz: build_tensor("Select", _at_least(y, x), zeros_like(dz), dz),
)
def minimum(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The smaller of x and y; where they are equal, the gradient goes to x."""


# Comparisons: two inputs, a truth value.


def _comparison(op_type: str, operator: str) -> Callable:
    register(
        op_type,
        "x:T y:T",
        lambda op: [(dtypes.bool, broadcast(op.inputs[0].shape, op.inputs[1].shape))],
        operator,
        not_differentiable,
        explain=_explain_broadcast,
        weak=True,
    )
    return functools.partial(_two_inputs, op_type)


@_comparison("Greater", ">")
def _greater(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x > y, elementwise."""


@_comparison("GreaterEqual", ">=")
def _at_least(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x >= y, elementwise."""


@_comparison("Less", "<")
def _less(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x < y, elementwise."""


@_comparison("LessEqual", "<=")
def _at_most(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x <= y, elementwise."""


@_comparison("Equal", "==")
def equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Whether x and y are equal, elementwise (`==` on tensors asks whether they are one tensor)."""


@_comparison("NotEqual", "!=")
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


# Casts and sums.


def _cast_code(op: Operation, x: str) -> str:
    wanted = op.outputs[0].dtype
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


register(
    "AddN",
    "inputs:*T",
    same_as_first,
    lambda op, *terms: functools.reduce(lambda a, b: infix("+", a, b), terms),
    lambda op, dy: [dy] * len(op.inputs),
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


# Matrices.


def _infer_matmul(op: Operation) -> list:
    a, b = (t.shape for t in op.inputs)
    dtype = op.inputs[0].dtype.base_dtype
    if a.lengths is None or b.lengths is None:
        return [(dtype, TensorShape(None))]
    for shape in (a, b):
        if shape.rank < 2:
            raise ValueError(f"Shape must be rank 2 but is rank {shape.rank}")
    a_rows, a_columns = a.lengths[-2:][:: -1 if op.attrs["transpose_a"] else 1]
    b_rows, b_columns = b.lengths[-2:][:: -1 if op.attrs["transpose_b"] else 1]
    if isinstance(a_columns, int) and isinstance(b_rows, int) and a_columns != b_rows:
        raise ValueError(f"Dimensions must be equal, but are {a_columns} and {b_rows}")
    batch = broadcast(TensorShape.of(a.lengths[:-2]), TensorShape.of(b.lengths[:-2]))
    return [(dtype, batch.concatenate(TensorShape.of((a_rows, b_columns))))]


def _transposed(x: Any, flag: bool) -> str:
    if not flag:
        return x
    return f"{atom(x)}.T" if x.rank == 2 else f"swapaxes({x}, -1, -2)"


KERNELS["swapaxes"] = np.swapaxes


def _matmul_code(op: Operation, a: str, b: str) -> str:
    left, right = op.attrs["transpose_a"], op.attrs["transpose_b"]
    return infix("@", _transposed(a, left), _transposed(b, right))


def _matmul_gradient(op: Operation, dc: Tensor) -> list:
    a, b = op.inputs
    ta, tb = op.attrs["transpose_a"], op.attrs["transpose_b"]

    def da() -> Tensor:
        if ta:
            return matmul(b, dc, transpose_a=tb, transpose_b=True, name="MatMul")
        return matmul(dc, b, transpose_b=not tb, name="MatMul")

    def db() -> Tensor:
        if tb:
            return matmul(dc, a, transpose_a=True, transpose_b=ta, name="MatMul_1")
        return matmul(a, dc, transpose_a=not ta, name="MatMul_1")

    return [da, db]


def _explain_matmul(a: Any, b: Any) -> str:
    a, b = np.shape(a), np.shape(b)
    return f"Matrix size-incompatible: In[0]: {in_message(a)}, In[1]: {in_message(b)}"


register(
    "MatMul", "a:T b:T", _infer_matmul, _matmul_code, _matmul_gradient, explain=_explain_matmul
)


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """The matrix product of a [..., n, k] and b [..., k, m]: [..., n, m].

    A matrix whose `transpose_` is set is transposed first. Raises ValueError where k differs.
    """
    flags = {"transpose_a": bool(transpose_a), "transpose_b": bool(transpose_b)}
    return build_tensor("MatMul", a, b, name=name, **flags)


# Names of the operators: `x + y` is an op called "add", `tf.add(x, y)` one called "Add".


def _right_operand(x: Tensor, y: Any) -> Any:
    """What stands to the right of an operator, a NumPy array in the dtype of the tensor to the left."""
    if isinstance(y, np.ndarray | np.generic) and x.dtype.base_dtype.is_floating:
        return y.astype(x.dtype.base_dtype.as_numpy_dtype)
    return y


def _add_right(x: Any, y: Any) -> Tensor:
    """`x + y`: alone among the operators, it takes a right side of another type and then complains."""
    if isinstance(y, Tensor):
        return _add(x, y, name="add")
    with name_scope(None, "add", [x]) as scope:
        return _add(x, convert_to_tensor(y, dtype_hint=x.dtype.base_dtype, name="y"), name=scope)


def _both_ways(function: Callable, name: str) -> tuple[Callable, Callable]:
    def forward(x: Any, y: Any) -> Tensor:
        return function(x, _right_operand(x, y), name=name)

    def backward(y: Any, x: Any) -> Tensor:
        if not isinstance(x, Tensor):
            with name_scope(None, name, [y]) as scope:
                return function(constant(x, y.dtype.base_dtype, name="x"), y, name=scope)
        return function(x, y, name=name)

    return forward, backward


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
        if not x.dtype.base_dtype.is_floating:
            wanted = dtypes.float32 if x.dtype.size <= 2 else dtypes.float64
            x, y = cast(x, wanted), cast(y, wanted)
        return _real_div(x, y, name=scope)


def divide(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y, as Python's `/`."""
    return convert_to_tensor(x) / y if name is None else truediv(x, y, name)


def _named(function: Callable, op_name: str, public_name: str) -> Callable:
    @functools.wraps(function)
    def call(x: Any, y: Any, name: str | None = None) -> Tensor:
        return function(x, y, name=name or op_name)

    call.__name__ = call.__qualname__ = public_name
    return call


add = _named(_add, "Add", "add")
subtract = _named(_subtract, "Sub", "subtract")
multiply = _named(_multiply, "Mul", "multiply")
pow = _named(_pow, "Pow", "pow")
floordiv = _named(_floor_div, "floordiv", "floordiv")
greater = _named(_greater, "Greater", "greater")
greater_equal = _named(_at_least, "GreaterEqual", "greater_equal")
less = _named(_less, "Less", "less")
less_equal = _named(_at_most, "LessEqual", "less_equal")
abs = _abs

Operators.__add__, Operators.__radd__ = _add_right, _both_ways(_add, "add")[1]
Operators.__sub__, Operators.__rsub__ = _both_ways(_subtract, "sub")
Operators.__mul__, Operators.__rmul__ = _both_ways(_multiply, "mul")
Operators.__truediv__, Operators.__rtruediv__ = _both_ways(truediv, "truediv")
Operators.__div__, Operators.__rdiv__ = Operators.__truediv__, Operators.__rtruediv__
Operators.__floordiv__, Operators.__rfloordiv__ = _both_ways(_floor_div, "floordiv")
Operators.__mod__, Operators.__rmod__ = _both_ways(floormod, "mod")
Operators.__pow__, Operators.__rpow__ = _both_ways(_pow, "pow")
Operators.__matmul__, Operators.__rmatmul__ = _both_ways(matmul, "matmul")
Operators.__gt__ = _both_ways(_greater, "Greater")[0]
Operators.__ge__ = _both_ways(_at_least, "GreaterEqual")[0]
Operators.__lt__ = _both_ways(_less, "Less")[0]
Operators.__le__ = _both_ways(_at_most, "LessEqual")[0]
Operators.__neg__ = lambda x: negative(x)
Operators.__abs__ = lambda x: _abs(x)
Operators.__array_priority__ = 100  # a NumPy array to the left leaves the operator to the tensor
