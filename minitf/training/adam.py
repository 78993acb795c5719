"""Adam: momentum and a rate for each number, both from moving averages that are corrected for their start.

    m += (1 - beta1) * (gradient - m)
    v += (1 - beta2) * (gradient ** 2 - v)
    variable -= learning_rate * sqrt(1 - beta2 ** t) / (1 - beta1 ** t) * m / (sqrt(v) + epsilon)

Two variables hold the powers of beta1 and beta2; step t ends with multiplying them once more.
Stands for tensorflow/python/training/adam.py.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from minitf.framework.graph import control_dependencies, get_default_graph, name_scope
from minitf.framework.operation import Operation, Tensor
from minitf.ops.training_ops import rule
from minitf.ops.variables import Variable
from minitf.training.optimizer import Optimizer

rule(
    "ApplyAdam",
    "var:ref m:ref v:ref beta1_power:T beta2_power:T lr:T beta1:T beta2:T epsilon:T grad:T",
    "m += (1 - beta1) * (grad - m); "
    "v += (1 - beta2) * (grad**2 - v); "
    "var -= lr * sqrt(1 - beta2_power) / (1 - beta1_power) * m / (sqrt(v) + epsilon)",
)


class AdamOptimizer(Optimizer):
    """Adam; its slots are "m" and "v". All but the flags may be numbers, tensors or functions.

    `use_own_namescope_for_non_slot_vars` puts beta1_power and beta2_power into a scope called `name`.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
        use_own_namescope_for_non_slot_vars: bool = False,
    ):
        betas = {"beta1": beta1, "beta2": beta2}
        super().__init__(use_locking, name, learning_rate=learning_rate, **betas, epsilon=epsilon)
        self._own_scope = use_own_namescope_for_non_slot_vars

    _slot_values = {"m": 0, "v": 0}

    def _create_slots(self, var_list: list[Variable]) -> None:
        with ExitStack() as scopes:
            for scope in (self._name, f"{self._name}/") if self._own_scope else ():
                scopes.enter_context(name_scope(scope))
            for beta in ("beta1", "beta2"):
                self._create_non_slot_variable(self._number(beta), f"{beta}_power")
        super()._create_slots(var_list)

    def _powers(self) -> list[Variable]:
        graph = get_default_graph()
        return [self._non_slots[graph, f"{beta}_power"] for beta in ("beta1", "beta2")]

    def _apply_dense(self, gradient: Tensor, variable: Variable) -> Operation:
        values = [*self._powers(), *self._numbers, gradient]
        return self._build("ApplyAdam", variable, ["m", "v"], values)

    def _finish(self, update_ops: list[Operation], name: str) -> Operation:
        with control_dependencies(update_ops):
            products = []
            for beta, power in zip(("beta1", "beta2"), self._powers(), strict=True):
                products.append(power.assign(power * self._tensors[beta]).op)
        return super()._finish([*update_ops, *products], name)
