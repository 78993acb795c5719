"""An op is one place: its inputs, shape rule, NumPy code and gradient are registered together.

`OPS` maps an op's type to its OpDef, `KERNELS` holds every function that a compiled program may
call (most of them are in ops/kernels.py). Code is text, because you read a program as well as run
it: `code="exp"` means `exp(x)`, `code="*"` means `x * y`, and a function `code(op, *arguments)`
returns any other expression.

Mirrors TensorFlow's op registry (tensorflow/core/framework/op.h) and RegisterGradient.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from minitf.framework.tensor_shape import UNKNOWN, TensorShape

if TYPE_CHECKING:
    from minitf.framework.operation import Operation


def not_differentiable(op: Operation, *gradients) -> list[None]:
    """The gradient function of an op through which no gradient flows."""
    return [None] * len(op.inputs)


class OpDef(NamedTuple):
    """Everything there is to know about one type of op.

    The functions have these arguments in every module of ops, where nothing repeats their types.

    inputs: names, each followed by a type. `x:T` and `y:T` must have the same dtype, `shape:length`
        is int32 or int64, `x:bool` a truth value, `ref:ref` a variable itself; `x` alone takes any
        dtype, `values:*T` any number of tensors of one dtype.
    infer: Operation -> a (dtype, static shape) for each output. Raises ValueError for wrong shapes.
    code: how NumPy computes it (see above); None for ops that do nothing by themselves.
    gradient: (op, *gradients of the outputs) -> one gradient for each input, or None. An entry may
        be a function without arguments: it is called only if somebody asks for that gradient.
    simplify: (result, *arguments) -> the argument that already is the result, or None; all of them
        are the compiler's Values.
    explain: (*values) -> TensorFlow's words for what is wrong with these values, or None.
    allowed: the names of the dtypes that the first input may have; empty for all.
    stateful: whether each run may give something else (never folded, never shared).
    updates: whether it assigns to the variables that are its `ref` inputs; its code is a statement,
        or several lines of them, in which a variable is its place `state["w"]`.
    view: whether the result may share memory with the first input.
    weak: whether it is elementwise, so that a scalar constant may be a plain number in the code.
    spreads: the number of the input that, if a scalar, is repeated to give the result.
    """

    type: str
    inputs: tuple[tuple[str, str], ...]
    infer: Callable
    code: str | Callable | None
    gradient: Callable | None
    simplify: Callable | None = None
    explain: Callable | None = None
    allowed: tuple[str, ...] = ()
    stateful: bool = False
    updates: bool = False
    view: bool = False
    weak: bool = False
    spreads: int | None = None


OPS: dict[str, OpDef] = {}
KERNELS: dict[str, Callable] = {}


def register(op_type: str, inputs: str, infer, code, gradient, **traits) -> OpDef:
    """Enter an op into `OPS`; the arguments are OpDef's.

    Code that is just a name is a kernel, NumPy's unless ops/kernels.py has one of that name.
    """
    parsed = tuple(tuple(i.split(":")) if ":" in i else (i, "any") for i in inputs.split())
    OPS[op_type] = OpDef(op_type, parsed, infer, code, gradient, **traits)
    if isinstance(code, str) and code.isidentifier() and code not in KERNELS:
        KERNELS[code] = getattr(np, code)
    return OPS[op_type]


def shaped(rule: Callable) -> Callable:
    """The `infer` of an op with the dtype of its first input and the shape `rule(op, *inputs)`."""
    return lambda op: [(op.inputs[0].dtype.base_dtype, rule(op, *op.inputs))]


same_as_first = shaped(lambda op, x, *others: x.shape)


def defines(op_type: str, inputs: str, code, gradient, **traits) -> Callable:
    """A decorator that registers an op; the function is its shape rule (see `shaped`)."""

    def enter(rule):
        register(op_type, inputs, shaped(rule), code, gradient, **traits)
        return rule

    return enter


def kernel(function: Callable) -> Callable:
    """Let compiled programs call `function` by its name."""
    KERNELS[function.__name__] = function
    return function


# How tightly an operator binds, by Python's rules: the later its row, the tighter.
_ROWS = ("< > <= >= == !=", "|", "^", "&", "+ -", "* / // % @", "unary", "**")
_BINDS = {operator: row for row, operators in enumerate(_ROWS) for operator in operators.split()}
ATOM = len(_ROWS)


class Code:
    """An expression: how tightly it binds, its value if that is known before a run, and what is
    certain about its shape.

    In an f-string it is its text alone. So an op's code is either made of its arguments by `infix`
    and `prefix`, or a text that needs no parentheses: a call, a name, or one of these with `.T` or
    `[0]`.
    """

    __slots__ = ("text", "binds", "constant", "shape")

    def __init__(self, text: str, binds: int = ATOM, constant=None, shape: TensorShape = UNKNOWN):
        self.text, self.binds, self.constant, self.shape = text, binds, constant, shape

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
    groups_left = operator != "**" and binds > _BINDS["<"]  # Python chains comparisons
    left = _within(binds + (not groups_left), left)
    right = _within(binds + (operator != "**"), right)
    return Code(f"{left} {operator} {right}", binds)


def prefix(operator: str, operand: Code | str) -> Code:
    """`-x` and the like."""
    binds = _BINDS["unary"]
    return Code(f"{operator}{_within(binds, operand)}", binds)


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


def call_code(function: str, **defaults) -> Callable:
    """The code `function(...)`, without an axis and attributes that have the value in `defaults`.

    The function is a kernel, or else NumPy's.
    """
    KERNELS.setdefault(function, getattr(np, function, None))

    def code(op, *arguments):
        inputs, shown = OPS[op.type].inputs, []
        if inputs[0][1] == "*T":
            listed = len(arguments) - len(inputs) + 1
            shown = [f"[{', '.join(map(str, arguments[:listed]))}]"]
            arguments, inputs = arguments[listed:], inputs[1:]
        for argument, (name, kind) in zip(arguments, inputs, strict=True):
            text = shape_code(argument) if kind == "length" else str(argument)
            if name not in ("axis", "split_dim"):
                shown.append(text)
            elif text != str(defaults.get("axis")):
                shown.append(f"axis={text}")
        attrs = {name: op.attrs.get(name, usual) for name, usual in defaults.items()}
        shown += [f"{name}={attrs[name]}" for name in attrs if attrs[name] != defaults[name]]
        return call(function, *shown)

    return code


def shape_code(dims: Code) -> str:
    """An argument of whole numbers: `2` or `(2, 3)` where it is constant and short."""
    if dims.constant is None or np.size(dims.constant) > 20:
        return str(dims)
    numbers = np.asarray(dims.constant).tolist()
    return str(tuple(numbers) if np.ndim(dims.constant) == 1 else numbers)


def quoted(name: str) -> str:
    """A name as a Python string, in double quotes."""
    return f'"{name}"'.replace("\\", "\\\\")
