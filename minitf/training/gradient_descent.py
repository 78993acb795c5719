"""Gradient descent: against the gradient, as far as the learning rate says.

    variable -= learning_rate * gradient

Mirrors tensorflow/python/training/gradient_descent.py.
"""

from minitf.framework.indexed_slices import IndexedSlices
from minitf.framework.operation import Operation
from minitf.ops import math_ops, state_ops
from minitf.ops.variables import Variable
from minitf.training.optimizer import Optimizer


class GradientDescentOptimizer(Optimizer):
    """Plain gradient descent.

    `learning_rate` is a number (rounded to float32), a float tensor, or a function that gives either.

        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    """

    _op_type = "ApplyGradientDescent"

    def __init__(self, learning_rate, use_locking=False, name="GradientDescent"):
        super().__init__(use_locking, name, learning_rate=learning_rate)

    def _apply_sparse_duplicate_indices(
        self, gradient: IndexedSlices, variable: Variable
    ) -> Operation:
        rate = math_ops.cast(self._tensors["learning_rate"], variable.dtype.base_dtype)
        return state_ops.scatter_sub(variable, gradient.indices, gradient.values * rate).op
