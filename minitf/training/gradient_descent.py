"""Gradient descent: against the gradient, as far as the learning rate says.

    variable -= learning_rate * gradient

Stands for tensorflow/python/training/gradient_descent.py.
"""

from __future__ import annotations

from typing import Any

from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.op_def_library import build
from minitf.framework.operation import Operation, Tensor
from minitf.ops.math_ops import cast
from minitf.ops.variables import Variable
from minitf.training.optimizer import Optimizer


class GradientDescentOptimizer(Optimizer):
    """Plain gradient descent.

    `learning_rate` is a number (rounded to float32), a float tensor, or a function that gives either.

        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    """

    def __init__(
        self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent"
    ):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._rate: Tensor | None = None

    def _prepare(self) -> None:
        rate = self._learning_rate() if callable(self._learning_rate) else self._learning_rate
        self._rate = convert_to_tensor(rate, name="learning_rate")

    def _apply(self, gradient: Tensor, variable: Variable) -> Operation:
        rate = cast(self._rate, variable.dtype.base_dtype)
        name = "ApplyGradientDescent"
        return build("ApplyGradientDescent", variable, rate, gradient, name=name)
