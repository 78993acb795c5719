"""RMSProp: the gradient is divided by the root of a moving average of its square.

    ms += (1 - decay) * (gradient ** 2 - ms)
    mom = momentum * mom + learning_rate * gradient / sqrt(ms + epsilon)
    variable -= mom

Mirrors tensorflow/python/training/rmsprop.py.
"""

from minitf.ops.init_ops import ones_initializer, zeros_initializer
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

    _op_type = "ApplyRMSProp"
    _slot_initializers = {"rms": ones_initializer(), "momentum": zeros_initializer()}

    def __init__(
        self,
        learning_rate,
        decay=0.9,
        momentum=0.0,
        epsilon=1e-10,
        use_locking=False,
        centered=False,
        name="RMSProp",
    ):
        numbers = {"decay": decay, "momentum": momentum, "epsilon": epsilon}
        super().__init__(use_locking, name, learning_rate=learning_rate, **numbers)
        if centered:
            self._op_type, self._slot_order = "ApplyCenteredRMSProp", ["mg", "rms", "momentum"]
            zeros = zeros_initializer()
            self._slot_initializers = {"rms": ones_initializer(), "mg": zeros, "momentum": zeros}
