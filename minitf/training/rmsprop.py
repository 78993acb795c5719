"""RMSProp: the gradient is divided by the root of a moving average of its square.

    ms += (1 - decay) * (gradient ** 2 - ms)
    mom = momentum * mom + learning_rate * gradient / sqrt(ms + epsilon)
    variable -= mom

Stands for tensorflow/python/training/rmsprop.py.
"""

from __future__ import annotations

from minitf.ops.training_ops import rule
from minitf.training.optimizer import Optimizer

_AVERAGE = "ms += (1 - rho) * (grad**2 - ms); "
rule(
    "ApplyRMSProp",
    "var ms mom",
    "lr rho momentum epsilon grad",
    _AVERAGE + "mom = momentum * mom + lr * grad / sqrt(ms + epsilon); var -= mom",
)
rule(
    "ApplyCenteredRMSProp",
    "var mg ms mom",
    "lr rho momentum epsilon grad",
    _AVERAGE + "mg += (1 - rho) * (grad - mg); "
    "mom = momentum * mom + lr * grad / sqrt(ms - mg**2 + epsilon); var -= mom",
)


class RMSPropOptimizer(Optimizer):
    """RMSProp; its slots are "rms", which starts at 1, "momentum", and if `centered` also "mg".

    `centered` subtracts the square of the gradient's own moving average, mg, from that of its square.
    """

    _op_type, _slot_values = "ApplyRMSProp", {"rms": 1, "momentum": 0}

    def __init__(
        self, learning_rate, decay=0.9, momentum=0.0, epsilon=1e-10, use_locking=False, centered=False, name="RMSProp"
    ):
        numbers = {"decay": decay, "momentum": momentum, "epsilon": epsilon}
        super().__init__(use_locking, name, learning_rate=learning_rate, **numbers)
        if centered:
            self._op_type, self._slot_values = "ApplyCenteredRMSProp", {"rms": 1, "mg": 0, "momentum": 0}
            self._slot_order = ["mg", "rms", "momentum"]
