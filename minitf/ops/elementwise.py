"""How an elementwise op is entered: a decorator takes its code and its gradient, and makes the function
that builds it.

A gradient rule of one input reads `lambda x, y, dy: ...`: input, output, gradient of the output. Of two
inputs it is `dx=lambda x, y, z, dz: ...` and `dy=...`; where an input was broadcast, its gradient is
summed back to its shape by one shared `unbroadcast`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework import dtypes
from minitf.framework.constant_op import constant
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Operators, Tensor
from minitf.framework.registry import NUMBERS, not_differentiable, register
from minitf.framework.tensor_shape import broadcast, in_message
from minitf.ops import broadcast_ops  # noqa: F401  (the gradients build Unbroadcast)
from minitf.ops.array_ops import same_as_first


def unary(op_type: str, code: Any, gradient: Callable | None, **traits: Any) -> Callable:
    """Register an op of one input, and let the decorated function build it."""

    def rule(op: Operation, dy: Tensor) -> list:
        return [lambda: gradient(op.inputs[0], op.outputs[0], dy)]

    allowed = traits.setdefault("allowed", NUMBERS)
    rule = rule if gradient else not_differentiable
    register(op_type, "x:T", same_as_first, code, rule, weak=True, **traits)

    def decorate(function: Callable) -> Callable:
        @functools.wraps(function)
        def call(x: Any, name: str | None = None) -> Tensor:
            return build_tensor(op_type, x, name=name)

        call.__doc__ = f"""{function.__doc__}

        Elementwise: the result has the shape and dtype of x. Raises TypeError unless that dtype is one of
        {", ".join(allowed)}.
        """
        return call

    return decorate


def binary(
    op_type: str,
    code: Any,
    dx: Callable | None = None,
    dy: Callable | None = None,
    name: str | None = None,
    operator: str | None = None,
    **traits: Any,
) -> Callable:
    """Register an op of two inputs, and let the decorated function, and perhaps an operator, build it.

    The op is called `name` (else its type); made by Python's operator, it is called `operator`.
    """

    def rule(op: Operation, dz: Tensor) -> list:
        x, y = op.inputs
        z = op.outputs[0]
        return [
            lambda: build_tensor("Unbroadcast", dx(x, y, z, dz), x, name="Reshape"),
            lambda: build_tensor("Unbroadcast", dy(x, y, z, dz), y, name="Reshape_1"),
        ]

    traits.setdefault("allowed", NUMBERS)
    rule = rule if dx else not_differentiable
    return _two_inputs(op_type, _infer_broadcast, code, rule, name, operator, traits)


def comparison(op_type: str, code: Any, operator: str | None = None, **traits: Any) -> Callable:
    """Register an op of two inputs whose output is a truth value; `operator` is Python's method."""

    def infer(op: Operation) -> list:
        return [(dtypes.bool, broadcast(op.inputs[0].shape, op.inputs[1].shape))]

    decorate = _two_inputs(op_type, infer, code, not_differentiable, None, None, traits)

    def decorate_and_overload(function: Callable) -> Callable:
        call = decorate(function)
        if operator:
            setattr(Operators, f"__{operator}__", _forward(call, op_type))
        return call

    return decorate_and_overload


def _two_inputs(
    op_type: str,
    infer: Callable,
    code: Any,
    rule: Callable,
    default_name: str | None,
    operator: str | None,
    traits: dict[str, Any],
) -> Callable:
    register(op_type, "x:T y:T", infer, code, rule, explain=_explain, weak=True, **traits)
    allowed = traits.get("allowed")

    def decorate(function: Callable) -> Callable:
        @functools.wraps(function)
        def call(x: Any, y: Any, name: str | None = None) -> Tensor:
            return build_tensor(op_type, x, y, name=name or default_name)

        call.__doc__ = f"""{function.__doc__}

        Elementwise, with broadcasting. Raises ValueError where the shapes don't fit, TypeError unless both
        have one dtype{" of " + ", ".join(allowed) if allowed else ""}.
        """
        if operator:
            overload(operator, call)
        return call

    return decorate


def _infer_broadcast(op: Operation) -> list:
    x, y = op.inputs
    return [(x.dtype.base_dtype, broadcast(x.shape, y.shape))]


def _explain(x: Any, y: Any) -> str | None:
    try:
        np.broadcast_shapes(np.shape(x), np.shape(y))
    except ValueError:
        return f"Incompatible shapes: {in_message(np.shape(x))} vs. {in_message(np.shape(y))}"
    return None


def overload(name: str, function: Callable) -> None:
    """Let Python's operator `__name__` build an op called `name` by `function`, from both sides."""

    def backward(y: Any, x: Any) -> Tensor:
        if isinstance(x, Tensor):
            return function(x, y, name=name)
        with name_scope(None, name, [y]) as scope:
            return function(constant(x, y.dtype.base_dtype, name="x"), y, name=scope)

    setattr(Operators, f"__{name}__", _forward(function, name))
    setattr(Operators, f"__r{name}__", backward)


def _forward(function: Callable, name: str) -> Callable:
    def forward(x: Any, y: Any) -> Tensor:
        # A NumPy array takes the dtype of the float tensor to its left.
        if isinstance(y, np.ndarray | np.generic) and x.dtype.base_dtype.is_floating:
            y = y.astype(x.dtype.base_dtype.as_numpy_dtype)
        return function(x, y, name=name)

    return forward
