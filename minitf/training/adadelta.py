"""Adadelta: the rate of each number is the size of its last updates over that of its last gradients.

    accum += (1 - rho) * (gradient ** 2 - accum)
    update = sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * gradient
    variable -= learning_rate * update
    accum_update += (1 - rho) * (update ** 2 - accum_update)

Mirrors tensorflow/python/training/adadelta.py.
"""

from minitf.ops.init_ops import zeros_initializer
from minitf.ops.training_ops import rule
from minitf.training.optimizer import Optimizer

rule(
    "ApplyAdadelta",
    "var accum accum_update",
    "lr rho epsilon grad",
    "accum += (1 - rho) * (grad**2 - accum); "
    "var -= lr * sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * grad; "
    "accum_update += (1 - rho) * ((accum_update + epsilon) / (accum + epsilon) * grad**2 - accum_update)",
)


class AdadeltaOptimizer(Optimizer):
    """Adadelta; its slots are "accum" and "accum_update"."""

    _op_type = "ApplyAdadelta"
    _slot_initializers = {"accum": zeros_initializer(), "accum_update": zeros_initializer()}

    def __init__(
        self, learning_rate=0.001, rho=0.95, epsilon=1e-8, use_locking=False, name="Adadelta"
    ):
        super().__init__(use_locking, name, lr=learning_rate, rho=rho, epsilon=epsilon)
