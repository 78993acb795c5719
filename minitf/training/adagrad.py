"""Adagrad: each number of a variable has its own rate, which falls as its squared gradients add up.

    accum += gradient ** 2
    variable -= learning_rate * gradient / sqrt(accum)

Mirrors tensorflow/python/training/adagrad.py.
"""

from minitf.ops.init_ops import constant_initializer
from minitf.ops.training_ops import rule
from minitf.training.optimizer import Optimizer

rule("ApplyAdagrad", "var accum", "lr grad", "accum += grad**2; var -= lr * grad / sqrt(accum)")


class AdagradOptimizer(Optimizer):
    """Adagrad; the slot, "accumulator", starts at `initial_accumulator_value`, which must be above 0."""

    _op_type = "ApplyAdagrad"

    def __init__(
        self, learning_rate, initial_accumulator_value=0.1, use_locking=False, name="Adagrad"
    ):
        if initial_accumulator_value <= 0.0:
            raise ValueError(
                f"initial_accumulator_value must be positive: {initial_accumulator_value}"
            )
        super().__init__(use_locking, name, learning_rate=learning_rate)
        self._slot_initializers = {"accumulator": constant_initializer(initial_accumulator_value)}
