"""Gradient descent that then pulls each number towards 0: by `l1` as far as 0 itself, by `l2` in proportion.

    variable -= learning_rate * gradient
    variable = sign(variable) * max(abs(variable) - learning_rate * l1, 0) / (1 + learning_rate * l2)

Mirrors tensorflow/python/training/proximal_gradient_descent.py.
"""

from minitf.ops.training_ops import rule
from minitf.training.optimizer import Optimizer

rule(
    "ApplyProximalGradientDescent",
    "var",
    "alpha l1 l2 grad",
    "var -= alpha * grad; var = sign(var) * maximum(abs(var) - alpha * l1, 0) / (1 + alpha * l2)",
)


class ProximalGradientDescentOptimizer(Optimizer):
    """Gradient descent with penalties on the sizes of the variables."""

    _op_type = "ApplyProximalGradientDescent"

    def __init__(
        self,
        learning_rate,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        use_locking=False,
        name="ProximalGradientDescent",
    ):
        numbers = {"l1": l1_regularization_strength, "l2": l2_regularization_strength}
        super().__init__(use_locking, name, alpha=learning_rate, **numbers)
