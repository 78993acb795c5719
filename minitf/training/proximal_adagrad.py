"""Adagrad that then pulls each number towards 0: by `l1` as far as 0 itself, by `l2` in proportion.

    accum += gradient ** 2
    rate = learning_rate / sqrt(accum)
    variable -= rate * gradient
    variable = sign(variable) * max(abs(variable) - rate * l1, 0) / (1 + rate * l2)

Mirrors tensorflow/python/training/proximal_adagrad.py.
"""

from minitf.ops.init_ops import constant_initializer
from minitf.ops.training_ops import rule
from minitf.training.optimizer import Optimizer

rule(
    "ApplyProximalAdagrad",
    "var accum",
    "lr l1 l2 grad",
    "accum += grad**2; "
    "var -= lr / sqrt(accum) * grad; "
    "var = sign(var) * maximum(abs(var) - lr / sqrt(accum) * l1, 0) / (1 + lr / sqrt(accum) * l2)",
)


class ProximalAdagradOptimizer(Optimizer):
    """Adagrad with penalties on the sizes of the variables."""

    _op_type = "ApplyProximalAdagrad"

    def __init__(
        self,
        learning_rate,
        initial_accumulator_value=0.1,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        use_locking=False,
        name="ProximalAdagrad",
    ):
        if initial_accumulator_value <= 0.0:
            raise ValueError(
                f"initial_accumulator_value must be positive: {initial_accumulator_value}"
            )
        numbers = {"l1": l1_regularization_strength, "l2": l2_regularization_strength}
        super().__init__(use_locking, name, learning_rate=learning_rate, **numbers)
        self._slot_initializers = {"accumulator": constant_initializer(initial_accumulator_value)}
