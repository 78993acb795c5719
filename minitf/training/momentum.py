"""Momentum: the variable follows a running sum of the gradients, in which each fades a little every step.

    accum = momentum * accum + gradient
    variable -= learning_rate * accum

Mirrors tensorflow/python/training/momentum.py.
"""

from minitf.ops.init_ops import zeros_initializer
from minitf.ops.training_ops import rule
from minitf.training.optimizer import Optimizer


def _formulas(op) -> str:
    step = "lr * (grad + momentum * accum)" if op.attrs["use_nesterov"] else "lr * accum"
    return f"accum = momentum * accum + grad; var -= {step}"


rule("ApplyMomentum", "var accum", "lr grad momentum", _formulas)


class MomentumOptimizer(Optimizer):
    """Gradient descent with momentum; the slot is called "momentum".

    `learning_rate` and `momentum` are numbers, float tensors or functions that give them. With
    `use_nesterov` the step looks ahead: `learning_rate * (gradient + momentum * accum)`.
    """

    _op_type, _slot_initializers = "ApplyMomentum", {"momentum": zeros_initializer()}

    def __init__(
        self, learning_rate, momentum, use_locking=False, name="Momentum", use_nesterov=False
    ):
        super().__init__(use_locking, name, learning_rate=learning_rate, momentum=momentum)
        self._attrs = {"use_nesterov": use_nesterov}
