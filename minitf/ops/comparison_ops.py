"""Comparisons give a truth value for each pair of elements, and `Select` chooses by it.

Mirrors greater, less, equal and the like of tensorflow/python/ops/math_ops.py and where of array_ops.py.
"""

from collections.abc import Callable

import numpy as np

from minitf.framework import dtypes, errors
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Operators, Tensor
from minitf.framework.registry import KERNELS, atom, infix, kernel, quoted, register
from minitf.framework.tensor_shape import broadcast, in_message, same_for_certain
from minitf.ops.array_ops import zeros_like
from minitf.ops.elementwise import binary, forward, overload, unary
from minitf.ops.shape_ops import merged


def truth(_: dtypes.DType) -> dtypes.DType:
    """The dtype of a comparison's result, whatever is compared."""
    return dtypes.bool


def _equality(operator: str, of_text: str) -> Callable:
    KERNELS[of_text] = getattr(np, of_text)

    def code(op: Operation, x: str, y: str) -> str:
        if op.inputs[0].dtype.base_dtype is dtypes.string:  # Python's own answer is no NumPy bool
            return f"{of_text}({x}, {y})"
        return infix(operator, x, y)

    return code


greater = binary("greater", "Greater", ">", None, "x > y.", dtypes.REALS, dtype=truth)
greater_equal = binary(
    "greater_equal", "GreaterEqual", ">=", None, "x >= y.", dtypes.REALS, dtype=truth
)
less = binary("less", "Less", "<", None, "x < y.", dtypes.REALS, dtype=truth)
less_equal = binary("less_equal", "LessEqual", "<=", None, "x <= y.", dtypes.REALS, dtype=truth)
equal = binary(
    "equal", "Equal", _equality("==", "equal"), None, "Whether x and y are equal.", (), dtype=truth
)
not_equal = binary(
    "not_equal",
    "NotEqual",
    _equality("!=", "not_equal"),
    None,
    "Whether they differ.",
    (),
    dtype=truth,
)
Operators.__gt__, Operators.__ge__ = forward(greater), forward(greater_equal)
Operators.__lt__, Operators.__le__ = forward(less), forward(less_equal)

# Truth values, and the bits of whole numbers.

_WHOLE = tuple(name for name in dtypes.REALS if "int" in name)
logical_not = unary(
    "logical_not", "LogicalNot", "logical_not", None, "Whether x is false.", (), kind="bool"
)
logical_and = binary(
    "logical_and", "LogicalAnd", "&", None, "Whether both are true.", (), kind="bool"
)
logical_or = binary(
    "logical_or", "LogicalOr", "|", None, "Whether x, y or both are true.", (), kind="bool"
)
_invert = unary("invert", "Invert", "invert", None, "x with all bits changed.", _WHOLE)
_and = binary("bitwise_and", "BitwiseAnd", "&", None, "The bits that both have.", _WHOLE)
_or = binary("bitwise_or", "BitwiseOr", "|", None, "The bits that x, y or both have.", _WHOLE)
_xor = binary("bitwise_xor", "BitwiseXor", "^", None, "The bits that one of x and y has.", _WHOLE)


def logical_xor(x, y, name: str | None = "LogicalXor") -> Tensor:
    """Whether one of x and y is true and the other false."""
    return logical_and(logical_or(x, y), logical_not(logical_and(x, y)), name=name)


def _by_dtype(of_truth: Callable, of_bits: Callable) -> Callable:
    """What an operator does: something else to truth values than to whole numbers."""

    def function(x, y, name: str) -> Tensor:
        with name_scope(name, name, [x, y]) as scope:
            return of_truth(x, y, name=scope) if x.dtype.is_bool else of_bits(x, y)

    return function


overload("and", _by_dtype(logical_and, _and))
overload("or", _by_dtype(logical_or, _or))
overload("xor", _by_dtype(logical_xor, _xor))
Operators.__invert__ = lambda x: logical_not(x) if x.dtype.is_bool else _invert(x)

# Choosing.


@kernel
def where(condition, t, e):
    """`t` where the condition holds, and `e` elsewhere."""
    return np.where(condition, t, e)[()]


@kernel
def select(name: str, condition, t, e):
    """`where` of three arrays of one shape; a number stands for an array full of it."""
    shape = np.shape(condition)
    for x in (t, e):
        if np.ndim(x) and shape and np.shape(x) != shape:
            shapes = f"Input 0: {in_message(shape)} != input 1: {in_message(np.shape(x))}"
            problem = f"Inputs to operation {name} of type Select must have the same size and shape.  {shapes}"
            raise errors.InvalidArgumentError(None, None, problem)
    return where(condition, t, e)


def _select_gradient(op: Operation, dz: Tensor) -> list:
    condition, t, e = op.inputs

    def gradient(x: Tensor, *chosen: Tensor) -> Tensor:
        selected = build_tensor("Select", condition, *chosen, **op.attrs)
        return build_tensor("Unbroadcast", selected, x)

    return [None, lambda: gradient(t, dz, zeros_like(dz)), lambda: gradient(e, zeros_like(dz), dz)]


def _chosen(z, condition, t, e):
    """What a constant condition chooses, if it has the shape of the result."""
    chosen = t if condition.is_all(True) else e if condition.is_all(False) else None
    return chosen if chosen is not None and chosen.same_shape(z) else None


def _infer_select(op: Operation) -> list:
    """All broadcast; with `alike` they have one shape, or else the condition chooses rows or all."""
    condition, t, e = (i.shape for i in op.inputs)
    if "alike" not in op.attrs:
        shape = broadcast(broadcast(condition, t), e)
    else:
        shape = merged([t, e])
        if condition.rank == 1 and t.rank:
            merged([condition, t[:1]])
        elif condition.rank != 0:
            shape = merged([shape, condition])
    return [(op.inputs[1].dtype.base_dtype, shape)]


def _select_code(op: Operation, condition, t, e) -> str:
    rank = op.outputs[0].shape.rank or 0
    certain = all(x.rank == 0 or same_for_certain(condition.shape, x.shape) for x in (t, e))
    free = certain or "alike" not in op.attrs or condition.rank in (0, 1)
    if "alike" in op.attrs and condition.rank == 1 < rank:
        condition = f"{atom(condition)}[:{', None' * (rank - 1)}]"
    return f"{'where(' if free else f'select({quoted(op.name)}, '}{condition}, {t}, {e})"


for _type in ("Select", "SelectV2"):
    register(
        _type,
        "condition:bool t:T e:T",
        _infer_select,
        _select_code,
        _select_gradient,
        simplify=_chosen,
    )
