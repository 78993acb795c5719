"""Adam: momentum and a rate for each number, both from moving averages that are corrected for their start.

    m += (1 - beta1) * (gradient - m)
    v += (1 - beta2) * (gradient ** 2 - v)
    variable -= learning_rate * sqrt(1 - beta2 ** t) / (1 - beta1 ** t) * m / (sqrt(v) + epsilon)

Two variables hold the powers of beta1 and beta2; step t ends with multiplying them once more.
Mirrors tensorflow/python/training/adam.py.
"""

from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.graph import control_dependencies, get_default_graph
from minitf.framework.indexed_slices import IndexedSlices
from minitf.framework.operation import Operation
from minitf.ops import shape_ops
from minitf.ops.init_ops import zeros_initializer
from minitf.ops.training_ops import rule
from minitf.ops.variables import Variable
from minitf.training.optimizer import Optimizer

rule(
    "ApplyAdam",
    "var m v",
    "beta1_power beta2_power lr beta1 beta2 epsilon grad",
    "m += (1 - beta1) * (grad - m); "
    "v += (1 - beta2) * (grad**2 - v); "
    "var -= lr * sqrt(1 - beta2_power) / (1 - beta1_power) * m / (sqrt(v) + epsilon)",
)


class AdamOptimizer(Optimizer):
    """Adam; its slots are "m" and "v". The rate, the betas and epsilon may be numbers, tensors or functions."""

    _op_type, _slot_initializers = "ApplyAdam", {"m": zeros_initializer(), "v": zeros_initializer()}

    def __init__(
        self,
        learning_rate=0.001,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-8,
        use_locking=False,
        name="Adam",
    ):
        super().__init__(
            use_locking,
            name,
            learning_rate=learning_rate,
            beta1=beta1,
            beta2=beta2,
            epsilon=epsilon,
        )

    def _create_slots(self, var_list: list[Variable]) -> None:
        for beta in ("beta1", "beta2"):
            key = get_default_graph(), f"{beta}_power"
            if key not in self._non_slots:
                self._non_slots[key] = Variable(self._numbers[beta], name=key[1], trainable=False)
        super()._create_slots(var_list)

    def _get_beta_accumulators(self) -> list[Variable | None]:
        return [
            self._non_slots.get((get_default_graph(), f"{beta}_power"))
            for beta in ("beta1", "beta2")
        ]

    def _hyperparameters(self) -> list:
        return self._get_beta_accumulators() + super()._hyperparameters()

    def _apply_sparse_duplicate_indices(
        self, gradient: IndexedSlices, variable: Variable
    ) -> Operation:
        """All rows move, by what they have in m; the gradient of those that are not in `gradient` is 0."""
        whole = IndexedSlices(gradient.values, gradient.indices, shape_ops.shape(variable))
        return self._apply_dense(convert_to_tensor(whole), variable)

    def _finish(self, update_ops: list[Operation], name: str) -> Operation:
        with control_dependencies(update_ops):
            betas = zip(("beta1", "beta2"), self._get_beta_accumulators(), strict=True)
            products = [power.assign(power * self._tensors[beta]).op for beta, power in betas]
        return super()._finish([*update_ops, *products], name)
