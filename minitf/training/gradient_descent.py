"""Gradient descent: against the gradient, as far as the learning rate says.

    variable -= learning_rate * gradient

Stands for tensorflow/python/training/gradient_descent.py.
"""

from __future__ import annotations

from typing import Any

from minitf.framework.operation import Operation, Tensor
from minitf.ops.variables import Variable
from minitf.training.optimizer import Optimizer


class GradientDescentOptimizer(Optimizer):
    """Plain gradient descent.

    `learning_rate` is a number (rounded to float32), a float tensor, or a function that gives either.

        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    """

    def __init__(self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent"):
        super().__init__(use_locking, name, learning_rate=learning_rate)

    def _apply_dense(self, gradient: Tensor, variable: Variable) -> Operation:
        return self._build("ApplyGradientDescent", variable, [], ["learning_rate", gradient])
