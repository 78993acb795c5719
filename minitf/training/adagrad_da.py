"""Adagrad by dual averaging: each variable is the best one for all gradients so far, small ones being 0.

    gradient_sum += gradient
    square_sum += gradient ** 2
    pull = sign(gradient_sum) * max(abs(gradient_sum) - l1 * steps, 0), where steps = global_step + 1
    variable = -learning_rate * pull / (l2 * steps * learning_rate + sqrt(square_sum))

Mirrors tensorflow/python/training/adagrad_da.py.
"""

from minitf.ops.init_ops import constant_initializer, zeros_initializer
from minitf.ops.training_ops import rule
from minitf.training.optimizer import Optimizer

rule(
    "ApplyAdagradDA",
    "var gradient_sum square_sum",
    "lr l1 l2 steps grad",
    "gradient_sum += grad; "
    "square_sum += grad**2; "
    "var = -lr * sign(gradient_sum) * maximum(abs(gradient_sum) - l1 * steps, 0) "
    "/ (l2 * steps * lr + sqrt(square_sum))",
)


class AdagradDAOptimizer(Optimizer):
    """Dual averaging; the rule reads `global_step`, which counts the steps so far."""

    _op_type = "ApplyAdagradDA"

    def __init__(
        self,
        learning_rate,
        global_step,
        initial_gradient_squared_accumulator_value=0.1,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        use_locking=False,
        name="AdagradDA",
    ):
        if initial_gradient_squared_accumulator_value <= 0.0:
            value = initial_gradient_squared_accumulator_value
            raise ValueError(
                f"initial_gradient_squared_accumulator_value must be positive: {value}"
            )
        numbers = {"l1": l1_regularization_strength, "l2": l2_regularization_strength}
        super().__init__(use_locking, name, learning_rate=learning_rate, **numbers)
        self._global_step = global_step
        squares = constant_initializer(initial_gradient_squared_accumulator_value)
        self._slot_initializers = {"gradient_accumulator": zeros_initializer()}
        self._slot_initializers["gradient_squared_accumulator"] = squares

    def _hyperparameters(self) -> list:
        return [*super()._hyperparameters(), self._global_step + 1]
