"""A moving average follows a value slowly: it keeps most of itself and adds a little of the value.

    average -= (1 - decay) * (average - value)

Mirrors tensorflow/python/training/moving_averages.py.
"""

from collections.abc import Iterable
from typing import Any

from minitf.framework import dtypes
from minitf.framework.events import announced
from minitf.framework.graph import GraphKeys, get_default_graph, name_scope
from minitf.framework.op_def_library import convert_to_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.tensor_shape import SCALAR
from minitf.ops import variables
from minitf.ops.control_flow_ops import group
from minitf.ops.init_ops import zeros_initializer
from minitf.ops.math_ops import cast, minimum
from minitf.ops.state_ops import assign, assign_sub
from minitf.ops.variables import Variable
from minitf.training.optimizer import create_slot


class ExponentialMovingAverage:
    """Keeps moving averages of variables: older values fade by the factor `decay` at each step.

    With `num_updates` (n), such as the global step, the decay is at most (1 + n) / (10 + n), so
    that averages move faster at first. A variable's average starts at its initial value; a
    tensor's starts at 0, and `zero_debias` corrects for that.

        ema = tf.train.ExponentialMovingAverage(0.99)
        with tf.control_dependencies([train_op]):
            train_op = ema.apply([w])
    """

    def __init__(self, decay, num_updates=None, zero_debias=False, name="ExponentialMovingAverage"):
        self._decay, self._num_updates, self._zero_debias = decay, num_updates, zero_debias
        self._name = name
        self._averages: dict[Any, Variable] = {}

    name: str = property(lambda self: self._name, doc="The end of the averages' names.")

    @announced
    def apply(self, var_list: Iterable[Any] | None = None) -> Operation:
        """Return an op that updates the averages of `var_list`, by default all trainable variables.

        Creates the averages on first use. Raises TypeError for a variable or tensor that is not
        float16, float32 or float64.
        """
        var_list = variables.trainable_variables() if var_list is None else var_list
        debiased, graph = [], get_default_graph()
        for var in var_list:
            if not var.dtype.is_floating:
                raise TypeError(f"The variables must be half, float, or double: {var.name}")
            if var not in self._averages:
                is_variable = isinstance(var, Variable)
                with graph.control_dependencies(None), graph.name_scope(None):
                    value = var.initialized_value() if is_variable else zeros_initializer()
                    self._averages[var] = create_slot(var, value, self._name)
                if is_variable:
                    graph.add_to_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, var)
                elif self._zero_debias:
                    debiased.append(var)
        with name_scope(self._name) as scope:
            decay = convert_to_tensor(self._decay, dtypes.float32, name="decay")
            if self._num_updates is not None:
                n = cast(self._num_updates, dtypes.float32, name="num_updates")
                decay = minimum(decay, (1.0 + n) / (10.0 + n))
            moved = [self._move(v, decay, v in debiased) for v in var_list]
            return group(*moved, name=scope)

    def _move(self, var, decay: Tensor, debias: bool) -> Tensor:
        average = self._averages[var]
        with name_scope("AssignMovingAvg") as scope:
            part = cast(1.0 - decay, average.dtype.base_dtype)
            if not debias:
                return assign_sub(average, (average - var) * part, name=scope)
            with get_default_graph().control_dependencies(None):
                biased = create_slot(average, zeros_initializer(), "biased")
                steps = create_slot(average, zeros_initializer(), "local_step", SCALAR)
            moved, count = biased.assign_sub((biased - var) * part), steps.assign_add(1.0)
            whole = 1.0 - (1.0 - part) ** count
            return assign(average, moved / whole, name=scope)

    def average(self, var) -> Variable | None:
        """Return the variable that holds the average of `var`, or None before `apply`."""
        return self._averages.get(var)

    def average_name(self, var) -> str:
        """Return the name of the average of `var`, even before `apply`: checkpoints use it."""
        if var in self._averages:
            return self._averages[var].op.name
        return get_default_graph().unique_name(f"{var.op.name}/{self._name}", mark_as_used=False)

    def variables_to_restore(self, moving_avg_variables=None) -> dict[str, Variable]:
        """Return a `var_list` for a Saver that restores variables from their averages.

            saver = tf.train.Saver(ema.variables_to_restore())

        Variables without an average are restored as usual. `moving_avg_variables` are by default
        the trainable ones, and those that have averages.
        """
        averaged = moving_avg_variables
        if averaged is None:
            averaged = variables.trainable_variables() + variables.moving_average_variables()
        found = {self.average_name(v): v for v in dict.fromkeys(averaged)}
        names = {v.op.name for v in found.values()}
        rest = [v for v in variables.global_variables() if v.op.name not in names]
        return found | {v.op.name: v for v in rest if v.op.name not in found}
