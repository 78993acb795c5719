"""RMSProp: the gradient is divided by the root of a moving average of its square.

    ms += (1 - decay) * (gradient ** 2 - ms)
    mom = momentum * mom + learning_rate * gradient / sqrt(ms + epsilon)
    variable -= mom

Stands for tensorflow/python/training/rmsprop.py.
"""

from __future__ import annotations

from typing import Any

from minitf.framework.operation import Operation, Tensor
from minitf.ops.training_ops import rule
from minitf.ops.variables import Variable
from minitf.training.optimizer import Optimizer

rule(
    "ApplyRMSProp",
    "var:ref ms:ref mom:ref lr:T rho:T momentum:T epsilon:T grad:T",
    "ms += (1 - rho) * (grad**2 - ms); mom = momentum * mom + lr * grad / sqrt(ms + epsilon); var -= mom",
)
rule(
    "ApplyCenteredRMSProp",
    "var:ref mg:ref ms:ref mom:ref lr:T rho:T momentum:T epsilon:T grad:T",
    "ms += (1 - rho) * (grad**2 - ms); "
    "mg += (1 - rho) * (grad - mg); "
    "mom = momentum * mom + lr * grad / sqrt(ms - mg**2 + epsilon); "
    "var -= mom",
)


class RMSPropOptimizer(Optimizer):
    """RMSProp; its slots are "rms", which starts at 1, "momentum", and if `centered` also "mg".

    `centered` subtracts the square of the gradient's own moving average, mg, from that of its square.
    """

    def __init__(
        self,
        learning_rate: Any,
        decay: Any = 0.9,
        momentum: Any = 0.0,
        epsilon: Any = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        name: str = "RMSProp",
    ):
        numbers = {"decay": decay, "momentum": momentum, "epsilon": epsilon}
        super().__init__(use_locking, name, learning_rate=learning_rate, **numbers)
        self._centered = centered
        self._slot_values = {"rms": 1, **({"mg": 0} if centered else {}), "momentum": 0}

    def _apply_dense(self, gradient: Tensor, variable: Variable) -> Operation:
        op_type, slots = "ApplyRMSProp", ["rms", "momentum"]
        if self._centered:
            op_type, slots = "ApplyCenteredRMSProp", ["mg", *slots]
        return self._build(op_type, variable, slots, [*self._numbers, gradient])
