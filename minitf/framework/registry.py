"""The op registry: each op's inputs, shape rule, NumPy code and gradient, registered together.

`OPS` maps an op type to its OpDef. `KERNELS` holds every function that a compiled program can call
(most of them are in ops/kernels.py). An op's code is text, because you read a program as well as
run it: `code="exp"` means `exp(x)`, `code="*"` means `x * y`, and a function `code(op, *arguments)`
returns any other expression.

Mirrors TensorFlow's op registry (tensorflow/core/framework/op.h) and RegisterGradient.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from minitf.framework.tensor_shape import UNKNOWN, Dimension, TensorShape

if TYPE_CHECKING:
    from minitf.framework.operation import Operation


def never(op: Operation) -> bool:
    """Return False."""
    return False


def always(op: Operation) -> bool:
    """Return True."""
    return True


def not_differentiable(op: Operation, *gradients) -> list[None]:
    """Return no gradients: the rule of an op that no gradient flows through."""
    return []


def no_gradient(op: Operation, *gradients):
    """Raise LookupError: the rule of an op that has no gradient, not even the answer None.

    TensorFlow registers none for most of these, such as IsNan; minitf lacks that of MaxPoolGrad.
    """
    raise LookupError(f"No gradient defined for operation'{op.name}' (op type: {op.type}).")


class OpDef(NamedTuple):
    """The definition of one type of op.

    The modules of ops don't annotate these functions, because their arguments are always the same.

    inputs: the name and kind of each input. `x:T` and `y:T` must have the same dtype,
        `shape:length` and `rows:index` are int32 or int64 (an empty list is an int32 length, but
        no index; as a `length64` it is int64), `x:bool` and `x:int64` have this dtype, `ref:ref`
        is a variable itself, `x` can have any dtype, and `values:*T` is any number of tensors of
        one dtype.
    infer: Operation -> a (dtype, static shape) for each output. Raises ValueError for invalid
        shapes.
    code: the NumPy code (see above); None for ops that compute nothing themselves.
    gradient: (op, *gradients of the outputs) -> a gradient or None for each input, as far as the
        last that has one. A gradient may be a function without arguments, which is called only if
        that gradient is needed.
    simplify: (result, *arguments) -> the argument that equals the result, or the result if it is
        constant, or None. `result` and the arguments are the compiler's Values.
    instead: (feeds, *arguments) -> the arguments to use instead, with which the same code gives the
        same result for less work. All are Values, or plain constants.
    explain: (*values) -> TensorFlow's message for invalid input values, or None.
    allowed: the names of the dtypes that the first input can have; empty if it can have any.
    missing: the names of the dtypes that it can have, but for which TensorFlow has no kernel.
    stateful: whether runs can give different results, so that the op is never folded or shared.
    updates: whether it assigns to the variables that are its `ref` inputs. Its code is then one or
        more statements, in which a variable is its place `state["w"]`.
    view: whether the result may share memory with the first input.
    weak: whether it is elementwise, so that a scalar constant can be a plain number in the code.
    spreads: the index of an input that, if it is a scalar, the op only broadcasts.
    passes_on: Operation -> whether its output is its first input, so that nothing is computed.
        Whatever uses a variable that was passed on reads it then, and not before.
    holds: whether the result, which is a list, may also share memory with the other inputs.

    The others say how TensorFlow stores the op, where that isn't as in minitf:

    dtype_attrs: for each input, the attribute that holds its dtype. With `x=Tx` in `inputs` it is
        called Tx, by default T; `-` stands for none, because the dtype is fixed, and so do kinds
        such as `bool`. `T*` stands for a list of inputs, whose number is an attribute as well, and
        `+T` for the list of their dtypes.
    defaults: the attributes that may be missing, with their values then.
    renamed: other names that attributes have there.
    fixed: attributes that aren't stored, and the only value that TensorFlow may have there.
    places: for each of TensorFlow's inputs in turn, its place among minitf's, if that differs.
    """

    type: str
    inputs: tuple[tuple[str, str], ...]
    infer: Callable
    code: str | Callable | None
    gradient: Callable | None
    simplify: Callable | None = None
    instead: Callable | None = None
    explain: Callable | None = None
    allowed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    stateful: bool = False
    updates: bool = False
    view: bool = False
    weak: bool = False
    spreads: int | None = None
    passes_on: Callable = never
    holds: bool = False
    dtype_attrs: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = MappingProxyType({})
    renamed: Mapping[str, str] = MappingProxyType({})
    fixed: Mapping[str, Any] = MappingProxyType({})
    places: tuple[int, ...] | None = None


OPS: dict[str, OpDef] = {}
KERNELS: dict[str, Callable] = {}


# Kinds of inputs, and the attribute that holds the dtype unless the op says otherwise.
_DTYPE_ATTRS = dict.fromkeys(("bool", "int32", "int64", "float32"), "-") | {"*T": "T*"}


def definition(op_type: str, inputs: str, infer, code, gradient, **traits) -> OpDef:
    """Return an OpDef; the arguments are its fields."""
    parsed, dtype_attrs = [], []
    for given in inputs.split():
        argument, _, attr = given.partition("=")
        name, _, kind = argument.partition(":")
        parsed.append((name, kind or "any"))
        dtype_attrs.append(attr or _DTYPE_ATTRS.get(kind, "T"))
    traits["dtype_attrs"] = tuple(dtype_attrs)
    return OpDef(op_type, tuple(parsed), infer, code, gradient, **traits)


def register(op_type: str, inputs: str, infer, code, gradient, **traits) -> OpDef:
    """Add an op to `OPS` and return its OpDef; the arguments are OpDef's fields.

    Code that is a single name calls a kernel: the one in ops/kernels.py, or else NumPy's function.
    """
    OPS[op_type] = definition(op_type, inputs, infer, code, gradient, **traits)
    if isinstance(code, str) and code.isidentifier() and code not in KERNELS:
        KERNELS[code] = getattr(np, code)
    return OPS[op_type]


def shaped(rule: Callable) -> Callable:
    """Return an `infer`: the dtype is that of the first input, the shape is `rule(op, *inputs)`."""
    return lambda op: [(op.inputs[0].dtype.base_dtype, rule(op, *op.inputs))]


same_as_first = shaped(lambda op, x, *others: x.shape)


def first_itself(op) -> list:
    """An `infer` for an output that is the first input itself, so it keeps a `_ref` dtype."""
    return [(op.inputs[0].dtype, op.inputs[0].shape)]


def defines(op_type: str, inputs: str, code, gradient, **traits) -> Callable:
    """Return a decorator that registers an op; it decorates the op's shape rule (see `shaped`)."""

    def enter(rule):
        register(op_type, inputs, shaped(rule), code, gradient, **traits)
        return rule

    return enter


def kernel(function: Callable) -> Callable:
    """Register a function that compiled programs can call by its name."""
    KERNELS[function.__name__] = function
    return function


# Python's operator precedence: operators in later rows bind more tightly.
_ROWS = ("< > <= >= == !=", "|", "^", "&", "+ -", "* / // % @", "unary", "**")
_BINDS = {operator: row for row, operators in enumerate(_ROWS) for operator in operators.split()}
ATOM = len(_ROWS)


class Code:
    """A Python expression and what is known about its value before a run.

    In an f-string it becomes its bare text. So an op's code is either built by `infix` and
    `prefix`, which add parentheses, or is text that needs none: a call, a name, or one of these
    followed by `.T` or `[0]`.

    `binds` is its precedence, `constant` its value if that is known, and `shape` what is known of
    its shape in every run. `plain` says whether it is a plain number, which has no dtype.
    """

    __slots__ = ("text", "binds", "constant", "shape", "plain")

    def __init__(
        self,
        text: str,
        binds: int = ATOM,
        constant=None,
        shape: TensorShape = UNKNOWN,
        plain: bool = False,
    ):
        self.text, self.binds, self.constant, self.shape = text, binds, constant, shape
        self.plain = plain

    @property
    def rank(self) -> int | None:
        """The rank in every run, or None if it is unknown."""
        return self.shape.rank

    def __str__(self) -> str:
        return self.text


def _within(binds: int, operand: Code | str) -> str:
    """Return the operand of an operator with precedence `binds`, in parentheses if needed."""
    return f"({operand})" if getattr(operand, "binds", ATOM) < binds else str(operand)


def infix(operator: str, left: Code | str, right: Code | str) -> Code:
    """Return `left operator right`, with only the parentheses that Python needs."""
    binds = _BINDS[operator]
    groups_left = operator != "**" and binds > _BINDS["<"]  # Python chains comparisons
    left = _within(binds + (not groups_left), left)
    right = _within(binds + (operator != "**"), right)
    return Code(f"{left} {operator} {right}", binds)


def prefix(operator: str, operand: Code | str) -> Code:
    """Return the operator followed by its operand, such as `-x`."""
    binds = _BINDS["unary"]
    return Code(f"{operator}{_within(binds, operand)}", binds)


def atom(operand: Code | str) -> str:
    """Return the expression in a form that `.T` or `[0]` can follow."""
    return _within(ATOM, operand)


def call(function: str, *arguments) -> str:
    """Return the code of a call, such as `function(x, y)`."""
    return f"{function}({', '.join(map(str, arguments))})"


def expression(op: Operation, arguments: list[Code]) -> Code:
    """Return the NumPy code of `op`, given the code of its arguments."""
    code = OPS[op.type].code
    if callable(code):
        found = code(op, *arguments)
    elif code.isidentifier():
        found = call(code, *arguments)
    else:
        found = infix(code, *arguments) if len(arguments) == 2 else prefix(code, *arguments)
    return found if isinstance(found, Code) else Code(found)


def call_code(function: str, **defaults) -> Callable:
    """Return the code of an op that calls `function`, which is a kernel or else NumPy's.

    The attributes named in `defaults` become keyword arguments, and so does an axis, unless they
    have their default value.
    """
    KERNELS.setdefault(function, getattr(np, function, None))  # None until the kernel is defined

    def code(op, *arguments):
        inputs, shown = OPS[op.type].inputs, []
        if inputs[0][1] == "*T":
            listed = len(arguments) - len(inputs) + 1
            shown = [f"[{', '.join(map(str, arguments[:listed]))}]"]
            arguments, inputs = arguments[listed:], inputs[1:]
        for argument, (name, kind) in zip(arguments, inputs, strict=True):
            text = shape_code(argument) if kind in ("length", "index") else str(argument)
            if name not in ("axis", "split_dim"):
                shown.append(text)
            elif text != str(defaults.get("axis")):
                shown.append(f"axis={text}")
        attrs = {name: op.attrs.get(name, usual) for name, usual in defaults.items()}
        shown += [f"{name}={attrs[name]!r}" for name in attrs if attrs[name] != defaults[name]]
        return call(function, *shown)

    return code


def shape_code(dims: Code) -> str:
    """Return the code of an integer argument: `2` or `(2, 3)` if it is constant and short."""
    if dims.constant is None or np.size(dims.constant) > 20:
        return str(dims)
    numbers = np.asarray(dims.constant).tolist()
    return str(tuple(numbers) if np.ndim(dims.constant) == 1 else numbers)


# The attributes that must be single integers or truth values.
_INTEGERS = "axis batch_dims num num_split seed seed2 summarize begin_mask end_mask ellipsis_mask"
_INTEGERS += " new_axis_mask shrink_axis_mask max_images num_true num_sampled range_max"
_TRUTHS = "transpose_a transpose_b exclusive reverse keep_dims unique sorted"
_ATTR_KINDS = dict.fromkeys(_INTEGERS.split(), int) | dict.fromkeys(_TRUTHS.split(), bool)


def plain_attr(name: str, value):
    """Return an attribute as plain Python, so that its `repr` is code with the same value.

    Raises TypeError for a value that TensorFlow doesn't take.
    """
    kind = _ATTR_KINDS.get(name)
    if kind is None and isinstance(value, list | tuple):
        return tuple(plain_attr(name, item) for item in value)
    if kind is bool and not isinstance(value, bool | None):
        raise TypeError(f"Expected bool for argument '{name}' not {value!r}.")
    if kind is int or isinstance(value, np.integer | Dimension):
        try:
            return int(value if not isinstance(value, str) else None)
        except TypeError:
            raise TypeError(f"Expected int for argument '{name}' not {value!r}.") from None
    if kind is bool:
        return bool(value)
    return value.item() if isinstance(value, np.generic) else value


_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t", '"': r"\""})


def quoted(text: str) -> str:
    """Return text as a string literal in double quotes."""
    return f'"{text.translate(_ESCAPES)}"'
