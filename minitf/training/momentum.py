"""Momentum: the variable follows a running sum of the gradients, in which each fades a little every step.

    accum = momentum * accum + gradient
    variable -= learning_rate * accum

Stands for tensorflow/python/training/momentum.py.
"""

from __future__ import annotations

from typing import Any

from minitf.framework.operation import Operation, Tensor
from minitf.ops.training_ops import rule
from minitf.ops.variables import Variable
from minitf.training.optimizer import Optimizer

rule(
    "ApplyMomentum",
    "var:ref accum:ref lr:T grad:T momentum:T",
    lambda op: (
        "accum = momentum * accum + grad; var -= "
        + ("lr * (grad + momentum * accum)" if op.attrs["use_nesterov"] else "lr * accum")
    ),
)


class MomentumOptimizer(Optimizer):
    """Gradient descent with momentum; the slot is called "momentum".

    `learning_rate` and `momentum` are numbers, float tensors or functions that give them. With
    `use_nesterov` the step looks ahead: `learning_rate * (gradient + momentum * accum)`.
    """

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ):
        super().__init__(use_locking, name, learning_rate=learning_rate, momentum=momentum)
        self._use_nesterov = use_nesterov

    _slot_values = {"momentum": 0}

    def _apply_dense(self, gradient: Tensor, variable: Variable) -> Operation:
        values = ["learning_rate", gradient, "momentum"]
        nesterov = self._use_nesterov
        return self._build("ApplyMomentum", variable, ["momentum"], values, use_nesterov=nesterov)
