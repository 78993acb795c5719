"""FTRL ("follow the regularized leader"): each variable is the best one for all gradients so far, small ones being 0.

    linear += gradient - ((accum + gradient ** 2) ** 0.5 - accum ** 0.5) / learning_rate * variable
    accum += gradient ** 2
    variable = (l1 * sign(linear) - linear) / (accum ** 0.5 / learning_rate + 2 * l2), or 0 where abs(linear) <= l1

Mirrors tensorflow/python/training/ftrl.py.
"""

from minitf.ops.init_ops import constant_initializer, zeros_initializer
from minitf.ops.training_ops import rule
from minitf.training.optimizer import Optimizer

rule(
    "ApplyFtrl",
    "var accum linear",
    "lr l1 l2 lr_power grad",
    "linear += grad - ((accum + grad**2) ** -lr_power - accum ** -lr_power) / lr * var; "
    "accum += grad**2; "
    "var = (abs(linear) > l1) * (l1 * sign(linear) - linear) / (accum ** -lr_power / lr + 2 * l2)",
)


class FtrlOptimizer(Optimizer):
    """FTRL; its slots are "accum", which starts at `initial_accumulator_value`, and "linear".

    Not here: `l2_shrinkage_regularization_strength` and `beta`, which must be left out.
    """

    _op_type = "ApplyFtrl"

    def __init__(
        self,
        learning_rate,
        learning_rate_power=-0.5,
        initial_accumulator_value=0.1,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        use_locking=False,
        name="Ftrl",
    ):
        numbers = {
            "l1": l1_regularization_strength,
            "l2": l2_regularization_strength,
            "lr_power": learning_rate_power,
        }
        if (
            initial_accumulator_value < 0.0
            or learning_rate_power > 0.0
            or min(numbers["l1"], numbers["l2"]) < 0.0
        ):
            raise ValueError(
                f"Of {numbers} and initial_accumulator_value={initial_accumulator_value} one has no sense"
            )
        super().__init__(use_locking, name, learning_rate=learning_rate, **numbers)
        self._slot_initializers = {"accum": constant_initializer(initial_accumulator_value)}
        self._slot_initializers["linear"] = zeros_initializer()
