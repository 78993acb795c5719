"""How an elementwise op is entered: one line of a table has its code and its gradient, and makes the
function that builds it.

A gradient rule of one input reads `lambda x, y, dy: ...`: input, output, gradient of the output. Of two
inputs it is `lambda x, y, z, dz: (..., ...)`, where what builds an op waits in a lambda until asked for;
where an input was broadcast, its gradient is summed back to its shape by one shared `unbroadcast`.

Mirrors the gradients and operators of tensorflow/python/ops/math_grad.py and math_ops.py.
"""

from collections.abc import Callable

import numpy as np

from minitf.framework.constant_op import constant
from minitf.framework.dtypes import FLOATS, NUMBERS
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor, named
from minitf.framework.operation import Operation, Operators, Tensor
from minitf.framework.registry import Code, kernel, not_differentiable, register
from minitf.framework.tensor_shape import TensorShape, broadcast, in_message
from minitf.ops.shape_ops import as_static_shape, called, defines, shape

# Broadcasting.


@kernel
def unbroadcast(gradient, like):
    """`gradient`, summed over the axes along which a value of the shape of `like` was repeated."""
    if gradient.shape == like.shape:
        return gradient
    extra = gradient.ndim - like.ndim
    axes = [i for i, d in enumerate(gradient.shape) if i < extra or like.shape[i - extra] != d]
    return np.add.reduce(gradient, tuple(axes)).reshape(like.shape)[()]


def _unbroadcast_code(op: Operation, gradient: str, like: Code) -> str:
    return f"unbroadcast({gradient}, {like})" if like.rank != 0 else f"sum({gradient})"


def _unbroadcast_gradient(op: Operation, dy: Tensor) -> list:
    return [lambda: broadcast_to_op(dy, shape(op.inputs[0])), None]


def _as_it_is(result, x, _):
    return x if x.same_shape(result) else None


_TRAITS = {"simplify": _as_it_is, "view": True}


@defines("Unbroadcast", "gradient:T like:T", _unbroadcast_code, _unbroadcast_gradient, **_TRAITS)
def _shape_of_like(op: Operation, gradient: Tensor, like: Tensor) -> TensorShape:
    return like.shape


@kernel
def broadcast_to(x, shape) -> np.ndarray:
    """`x` repeated to fill `shape` (a read-only view)."""
    return np.broadcast_to(x, shape)[()]


def _broadcast_gradient(op: Operation, dy: Tensor) -> list:
    return [lambda: build_tensor("Unbroadcast", dy, op.inputs[0]), None]


@defines(
    "BroadcastTo",
    "input:T shape:length",
    called("broadcast_to"),
    _broadcast_gradient,
    spreads=0,
    **_TRAITS,
)
def _filled_shape(op: Operation, x: Tensor, dims: Tensor) -> TensorShape:
    wanted = as_static_shape(dims)
    if None not in (x.shape.rank, wanted.rank):
        if x.shape.rank > wanted.rank:
            raise ValueError(f"Shape must be at most rank {wanted.rank} but is rank {x.shape.rank}")
        for a, b in zip(x.shape.as_list()[::-1], wanted.as_list()[::-1], strict=False):
            if None not in (a, b) and a not in (1, b):
                raise ValueError(f"Dimensions must be equal, but are {a} and {b}")
    return wanted


def broadcast_to_op(input, shape, name: str | None = None) -> Tensor:
    """`input` repeated to fill `shape` (TensorFlow's `tf.broadcast_to`)."""
    return build_tensor("BroadcastTo", input, shape, name=name)


# The rules.

Names = tuple[str, ...]


def unary(
    name: str,
    op_type: str,
    code,
    gradient: Callable | None,
    doc: str,
    allowed: Names = FLOATS,
    **rules,
) -> Callable:
    """Register an op of one input, and give the function `name` that builds it."""

    def call(x, name: str | None = None) -> Tensor:
        return build_tensor(op_type, x, name=name)

    def rule(op: Operation, dy: Tensor) -> list:
        return [lambda: gradient(op.inputs[0], op.outputs[0], dy)]

    _register(op_type, "x", code, gradient and rule, allowed, **rules)
    return _public(call, name, f"{doc}\n\nElementwise: the result has the shape of x.", allowed)


def binary(
    name: str,
    op_type: str,
    code,
    gradient: Callable | None,
    doc: str,
    allowed: Names = NUMBERS,
    **rules,
) -> Callable:
    """Register an op of two inputs, and give the function `name` that builds it, as `called` (else its type)."""
    called = rules.pop("called", None)

    def call(x, y, name: str | None = None) -> Tensor:
        return build_tensor(op_type, x, y, name=name or called)

    def rule(op: Operation, dz: Tensor) -> list:
        def summed(i: int, reshape: str) -> Tensor:
            found = gradient(*op.inputs, op.outputs[0], dz)[i]
            return build_tensor(
                "Unbroadcast", found() if callable(found) else found, op.inputs[i], name=reshape
            )

        return [lambda: summed(0, "Reshape"), lambda: summed(1, "Reshape_1")]

    _register(op_type, "x y", code, gradient and rule, allowed, explain=_explain, **rules)
    doc += "\n\nElementwise, with broadcasting. Raises ValueError where the shapes don't fit."
    return _public(call, name, doc, allowed)


def _register(
    op_type: str,
    inputs: str,
    code,
    gradient: Callable | None,
    allowed: Names,
    kind: str = "T",
    dtype: Callable = lambda dtype: dtype,
    **traits,
) -> None:
    """`dtype` says the dtype of the result for that of the inputs, each of which is of this `kind`."""

    def infer(op: Operation) -> list:
        return [
            (
                dtype(op.inputs[0].dtype.base_dtype),
                broadcast(op.inputs[0].shape, op.inputs[-1].shape),
            )
        ]

    inputs = " ".join(f"{argument}:{kind}" for argument in inputs.split())
    register(
        op_type,
        inputs,
        infer,
        code,
        gradient or not_differentiable,
        weak=True,
        allowed=allowed,
        **traits,
    )


def _public(function: Callable, name: str, doc: str, allowed: Names) -> Callable:
    one_of = f" of one of {', '.join(allowed)}" if allowed else ""
    return named(function, name, f"{doc} Raises TypeError unless all is of one dtype{one_of}.")


def _explain(x, y) -> str | None:
    try:
        np.broadcast_shapes(np.shape(x), np.shape(y))
    except ValueError:
        return f"Incompatible shapes: {in_message(np.shape(x))} vs. {in_message(np.shape(y))}"
    return None


def overload(name: str, function: Callable) -> None:
    """Let Python's operator `__name__` build an op called `name` by `function`, from both sides."""

    def backward(y, x) -> Tensor:
        with name_scope(None, name, [y]) as scope:
            return function(constant(x, y.dtype.base_dtype, name="x"), y, name=scope)

    setattr(Operators, f"__{name}__", forward(function, name))
    setattr(Operators, f"__r{name}__", backward)


def forward(function: Callable, name: str | None = None) -> Callable:
    """The method of the left side of an operator."""

    def method(x, y) -> Tensor:
        # A NumPy array takes the dtype of the float tensor to its left.
        if isinstance(y, np.ndarray | np.generic) and x.dtype.base_dtype.is_floating:
            y = y.astype(x.dtype.base_dtype.as_numpy_dtype)
        return function(x, y, name=name)

    return method
