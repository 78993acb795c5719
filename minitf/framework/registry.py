"""An op is one place: its inputs, its shape rule, its NumPy code and its gradient, registered together.

`OPS` maps an op's type to its OpDef, `KERNELS` holds every function that a compiled program may call.
Code is text, because you read a program as well as run it: `code="exp"` stands for `exp(x)`, `code="*"`
for `x * y`, and a function `code(op, *arguments)` returns any other expression.

Mirrors TensorFlow's op registry (tensorflow/core/framework/op.h) and for RegisterGradient.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from minitf.framework.tensor_shape import UNKNOWN, TensorShape

if TYPE_CHECKING:
    from minitf.framework.operation import Operation


def not_differentiable(op: Operation, *gradients) -> list[None]:
    """The gradient function of an op through which no gradient flows."""
    return [None] * len(op.inputs)


@dataclass(frozen=True, eq=False, slots=True)
class OpDef:
    """All that there is to know of one type of op.

    inputs: names, each followed by a type: `x:T` and `y:T` must agree, `shape:length` is int32 or int64,
        `x:bool` a truth value, `ref:ref` a variable itself, `x` alone takes any type, `values:*T` takes any
        number of them.
    infer: Operation -> a (dtype, static shape) for each output; raises ValueError for wrong shapes.
    code: how NumPy does it (see above); None for ops that do nothing by themselves.
    gradient: (op, *gradients of the outputs) -> one gradient for each input, or None. An entry may be a
        function without arguments: it is called only if somebody asks for that gradient.
    simplify: (result, *arguments) -> the argument that already is the result, or None; they are the
        compiler's Values.
    explain: (*values) -> TensorFlow's words for what is wrong with these values, or None.
    allowed: the names of the dtypes that the first input may have; empty for all.
    stateful: each run may give something else (never folded, never shared).
    updates: it assigns to the variables that are its `ref` inputs; its code is a statement, or several
        lines of them, in which a variable is its place `state["w"]`.
    view: the result may share memory with the first input.
    weak: elementwise, so that a scalar constant may be a plain number in the code.
    spreads: the number of the input that, if a scalar, is repeated to be the result.
    """

    type: str
    inputs: tuple[tuple[str, str], ...]
    infer: Callable[[Operation], list[tuple[Any, TensorShape]]]
    code: str | Callable[..., str] | None
    gradient: Callable[..., list] | None
    simplify: Callable[..., Any] | None = None
    explain: Callable[..., str | None] | None = None
    allowed: tuple[str, ...] = ()
    stateful: bool = False
    updates: bool = False
    view: bool = False
    weak: bool = False
    spreads: int | None = None


OPS: dict[str, OpDef] = {}
KERNELS: dict[str, Callable] = {}


def register(
    op_type: str,
    inputs: str,
    infer: Callable,
    code: str | Callable | None,
    gradient: Callable | None,
    **traits,
) -> OpDef:
    """Enter an op into `OPS`; the arguments are OpDef's."""
    parsed = tuple(tuple(i.split(":")) if ":" in i else (i, "any") for i in inputs.split())
    OPS[op_type] = OpDef(op_type, parsed, infer, code, gradient, **traits)
    if isinstance(code, str) and code.isidentifier() and code not in KERNELS:
        KERNELS[code] = getattr(np, code)
    return OPS[op_type]


def kernel(function: Callable) -> Callable:
    """Let compiled programs call `function` by its name."""
    KERNELS[function.__name__] = function
    return function


# How tightly an operator binds, by Python's rules.
_COMPARISON, _UNARY, _POWER, ATOM = 1, 7, 8, 9
_BINDS = dict.fromkeys(["<", ">", "<=", ">=", "==", "!="], _COMPARISON)
_BINDS |= {"|": 2, "^": 3, "&": 4, "+": 5, "-": 5, "**": _POWER}
_BINDS |= dict.fromkeys(["*", "/", "//", "%", "@"], 6)


@dataclass(slots=True, eq=False)
class Code:
    """An expression: how tightly it binds, its value if that is known before a run, and what is certain of its shape.

    In an f-string it is its text alone. So an op's code is either made of its arguments by `infix` and
    `prefix`, or a text that needs no parentheses: a call, a name, or one of these with `.T` or `[0]`.
    """

    text: str
    binds: int = ATOM
    constant: Any = None
    shape: TensorShape = UNKNOWN

    @property
    def rank(self) -> int | None:
        """The rank in every run, where that is known."""
        return self.shape.rank

    def __str__(self) -> str:
        return self.text


def _within(binds: int, operand: Code | str) -> str:
    """The operand of something that binds so tightly, in parentheses if it needs them."""
    return f"({operand})" if getattr(operand, "binds", ATOM) < binds else str(operand)


def infix(operator: str, left: Code | str, right: Code | str) -> Code:
    """`left operator right`, with just the parentheses that Python needs."""
    binds = _BINDS[operator]
    groups_left = operator != "**" and binds > _COMPARISON  # Python chains comparisons
    left = _within(binds + (not groups_left), left)
    right = _within(binds + (operator != "**"), right)
    return Code(f"{left} {operator} {right}", binds)


def prefix(operator: str, operand: Code | str) -> Code:
    """`-x` and the like."""
    return Code(f"{operator}{_within(_UNARY, operand)}", _UNARY)


def atom(operand: Code | str) -> str:
    """The expression in such a form that `.T` or `[0]` may follow."""
    return _within(ATOM, operand)


def call(function: str, *arguments) -> str:
    """`function(x, y)`."""
    return f"{function}({', '.join(map(str, arguments))})"


def expression(op: Operation, arguments: list[Code]) -> Code:
    """The NumPy code of `op` applied to the code of its arguments."""
    code = OPS[op.type].code
    if callable(code):
        found = code(op, *arguments)
    elif code.isidentifier():
        found = call(code, *arguments)
    else:
        found = infix(code, *arguments) if len(arguments) == 2 else prefix(code, *arguments)
    return found if isinstance(found, Code) else Code(found)


def quoted(name: str) -> str:
    """A name as a Python string, in double quotes."""
    return f'"{name}"'.replace("\\", "\\\\")
