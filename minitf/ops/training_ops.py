"""An optimizer's rule is an op: a few formulas that change a variable and the slots beside it in place.

    rule("ApplyMomentum", "var:ref accum:ref lr:T grad:T momentum:T", "accum = momentum * accum + grad; ...")

A formula is the statement that a program shows, the words standing for the op's inputs.
Stands for tensorflow/core/kernels/training_ops.cc.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from minitf.framework.errors import InvalidArgumentError
from minitf.framework.operation import Operation
from minitf.framework.registry import Code, atom, kernel
from minitf.framework.tensor_shape import in_message, same_for_certain
from minitf.ops.state_ops import register_update


@kernel
def check_update(variable: Any, grad: Any, **numbers: Any) -> None:
    """The gradient must have the variable's shape, and a hyperparameter none."""
    for name, value in numbers.items():
        if np.shape(value):
            shown = in_message(np.shape(value))
            raise InvalidArgumentError(None, None, f"{name} is not a scalar: {shown}")
    if np.shape(variable) != np.shape(grad):
        shapes = f"{in_message(np.shape(variable))} {in_message(np.shape(grad))}"
        words = f"var and grad do not have the same shape{shapes}"
        raise InvalidArgumentError(None, None, words)


def rule(op_type: str, inputs: str, formulas: str | Callable[[Operation], str]) -> None:
    """Enter an update that changes all its `ref` inputs by the formulas, which `;` separates."""
    names = [i.partition(":")[0] for i in inputs.split()]

    def code(op: Operation, *arguments: Code) -> str:
        given = dict(zip(names, arguments, strict=True))

        def argument(found: re.Match) -> str:
            one_minus, name = found.groups()
            value = given.get(name)
            if value is None:
                return found[0]
            if one_minus and value.constant is not None and value[0] not in "bf":
                # NumPy subtracts it as a number of its dtype, Python would take more digits.
                value = f"{value.constant.dtype.name}({value})"
            return f"{one_minus or ''}{atom(value)}"

        text = formulas(op) if callable(formulas) else formulas
        lines = re.sub(r"(1 - )?\b([a-z]\w*)", argument, text).split("; ")
        return "\n".join(_checks(given) + lines)

    register_update(op_type, inputs, code)


def _checks(given: dict[str, Code]) -> list[str]:
    """What the shapes known before the run leave open."""
    var, grad = given["var"], given["grad"]
    numbers = {n: v for n, v in given.items() if not v.startswith("state[") and n != "grad"}
    unsure = [f"{name}={value}" for name, value in numbers.items() if value.rank != 0]
    if same_for_certain(var.shape, grad.shape) and not unsure:
        return []
    return [f"check_update({', '.join([var, grad, *unsure])})"]
