"""Ops on a variable itself: its place in the session's state, and what assigns to it.

A compiled program keeps the state in a dict: reading a variable is `state["w"]`, an update is a statement
such as `state["w"] += value`. Arrays in the state belong to it alone, so an update may work in place.

Stands for tensorflow/python/ops/state_ops.py and training_ops (ApplyGradientDescent).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework import dtypes
from minitf.framework.errors import InvalidArgumentError
from minitf.framework.op_def_library import build_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import ATOM, NUMBERS, OPS, Code, infix, kernel, not_differentiable, register
from minitf.framework.tensor_shape import SCALAR, difference, in_message, same_for_certain

register(
    "VariableV2",
    "",
    lambda op: [(op.attrs["dtype"]._as_ref, op.attrs["shape"])],
    code=None,
    gradient=not_differentiable,
    stateful=True,
)

# Two ops that ask the state about a variable without reading it; in the code, it is its name.
register(
    "IsVariableInitialized",
    "ref:ref",
    lambda op: [(dtypes.bool, SCALAR)],
    lambda op, name: f"bool_({name} in state)",
    not_differentiable,
    stateful=True,
)
register(
    "InitializedValue",
    "ref:ref value:T",
    lambda op: [(op.inputs[1].dtype.base_dtype, op.inputs[1].shape)],
    lambda op, name, value: f"copy(state.get({name}, {value}))",
    not_differentiable,
    stateful=True,
)


def _infer_update(op: Operation) -> list:
    """The output is the variable; its slots and the value must have its shape, all else is a number."""
    ref, shape = op.inputs[0], op.inputs[0].shape
    for (name, kind), tensor in zip(OPS[op.type].inputs, op.inputs, strict=True):
        if kind == "ref" or name in ("value", "delta", "grad"):
            if not op.attrs.get("validate_shape", True):
                shape = tensor.shape
            elif not shape.is_compatible_with(tensor.shape):
                raise ValueError(difference(shape, tensor.shape))
        elif tensor.shape.rank not in (None, 0):
            raise ValueError(f"Shape must be rank 0 but is rank {tensor.shape.rank}")
    return [(ref.dtype, shape)]


@kernel
def fitting(value: Any, held: Any, shape: tuple[int, ...] | None) -> Any:
    """`value`, which must have the shape of what the variable holds, or of the variable's own."""
    wanted = shape if held is None else np.shape(held)
    if wanted is not None and np.shape(value) != wanted:
        raise InvalidArgumentError(
            None,
            None,
            "Assign requires shapes of both tensors to match. "
            f"lhs shape= {in_message(wanted)} rhs shape= {in_message(np.shape(value))}",
        )
    return value


@kernel
def scalar(alpha: Any) -> Any:
    """A learning rate, which must be a single number."""
    if np.shape(alpha):
        shown = in_message(np.shape(alpha))
        raise InvalidArgumentError(None, None, f"alpha is not a scalar: {shown}")
    return alpha


@kernel
def like(value: Any, variable: Any) -> Any:
    """`value`, which must have the shape of the variable that it changes."""
    if np.shape(value) != np.shape(variable):
        raise InvalidArgumentError(None, None, "Parameters and update must be the same size")
    return value


def _assign_code(op: Operation, target: Code, value: Code) -> str:
    if op.attrs["validate_shape"] and not same_for_certain(target.shape, value.shape):
        shape = op.inputs[0].shape
        known = tuple(shape.as_list()) if shape.is_fully_defined() else None
        held = target.replace("[", ".get(", 1)[:-1]
        value = f"fitting({value}, {held}), {known})"
    return f"{target} = {value}"


def _fitted(value: Code, target: Code) -> Code:
    """The code of `value`, checked unless it surely has the variable's shape."""
    fits = same_for_certain(target.shape, value.shape)
    return value if fits else Code(f"like({value}, {target})", ATOM)


def _in_place(operator: str) -> Callable:
    def code(op: Operation, target: Code, value: Code) -> str:
        return f"{target} {operator}= {_fitted(value, target)}"

    return code


def register_update(op_type: str, inputs: str, code: Callable, **traits: Any) -> None:
    """Enter an op that assigns to its `ref` inputs."""
    register(op_type, inputs, _infer_update, code, not_differentiable, stateful=True, updates=True, **traits)


register_update("Assign", "ref:ref value:T", _assign_code)
register_update("AssignAdd", "ref:ref value:T", _in_place("+"), allowed=NUMBERS)
register_update("AssignSub", "ref:ref value:T", _in_place("-"), allowed=NUMBERS)


def _apply_gradient_descent_code(op: Operation, target: Code, alpha: Code, delta: Code) -> str:
    alpha = alpha if alpha.rank == 0 else f"scalar({alpha})"
    return f"{target} -= {infix('*', alpha, _fitted(delta, target))}"


register_update("ApplyGradientDescent", "var:ref alpha:T delta:T", _apply_gradient_descent_code)


def variable_of(ref: Tensor) -> Operation:
    """The variable that a `_ref` tensor, such as the output of an assign, stands for."""
    op = ref.op
    while op.type != "VariableV2":
        op = op.inputs[0].op
    return op


def variables_of(op: Operation) -> list[Operation]:
    """The variables that an update changes."""
    pairs = zip(OPS[op.type].inputs, op.inputs, strict=True)
    return [variable_of(tensor) for (_, kind), tensor in pairs if kind == "ref"]


def assign(
    ref: Any, value: Any, validate_shape: bool | None = None, use_locking: bool | None = None, name: str | None = None
) -> Tensor:
    """Set the variable `ref` to `value`; the result is the variable, after that.

    `use_locking` has no meaning here: a run is atomic. With `validate_shape=False` the value may have
    another shape than the variable. Raises TypeError for a value of another dtype and ValueError for one
    of another shape.
    """
    validate = validate_shape is None or bool(validate_shape)
    result = build_tensor("Assign", _variable(ref, "assign"), value, name=name, validate_shape=validate)
    if not validate:
        result.graph.distrust_shape(variable_of(result).outputs[0])
    return result


def assign_add(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Tensor:
    """Add `value` to the variable `ref`: `+=`. The result is the variable, after that."""
    return build_tensor("AssignAdd", _variable(ref, "assign_add"), value, name=name)


def assign_sub(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Tensor:
    """Subtract `value` from the variable `ref`: `-=`. The result is the variable, after that."""
    return build_tensor("AssignSub", _variable(ref, "assign_sub"), value, name=name)


def _variable(ref: Any, method: str) -> Any:
    if isinstance(ref, Tensor) and not ref.dtype._is_ref_dtype or not hasattr(ref, "dtype"):
        raise AttributeError(f"'{type(ref).__name__}' object has no attribute '{method}'")
    return ref
