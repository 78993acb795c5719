"""A decay schedule is a learning rate computed from the global step: it moves only if the step does.

Stands for tensorflow/python/keras/optimizer_v2/legacy_learning_rate_decay.py (once
tensorflow/python/training/learning_rate_decay.py).
"""

from __future__ import annotations

from typing import Any

from minitf.framework.constant_op import convert_to_tensor
from minitf.framework.graph import name_scope
from minitf.framework.operation import Tensor
from minitf.ops import math_ops


def exponential_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """`learning_rate * decay_rate ** (global_step / decay_steps)`, a scalar of the rate's dtype.

    Every `decay_steps` steps the rate is multiplied by `decay_rate`: below 1 it falls, above 1 it grows.
    With `staircase` the fraction is rounded down, and the rate falls in steps.

    Raises ValueError where there is no `global_step`.
    """
    values = [learning_rate, global_step, decay_steps, decay_rate]
    with name_scope(name, "ExponentialDecay", values) as scope:
        learning_rate = convert_to_tensor(learning_rate, name="initial_learning_rate")
        dtype = learning_rate.dtype.base_dtype
        decay_steps = math_ops.cast(decay_steps, dtype)
        decay_rate = math_ops.cast(decay_rate, dtype)
        passed = math_ops.cast(global_step, dtype) / decay_steps
        if staircase:
            passed = math_ops.floor(passed)
        return math_ops.multiply(learning_rate, decay_rate**passed, name=scope)
