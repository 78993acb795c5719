"""A collection is a list with a name in the graph: how one function finds what another one made.

Stands for GraphKeys and the collection methods of Graph in tensorflow/python/framework/ops.py.
"""

from __future__ import annotations

import re
from typing import Any


class GraphKeys:
    """The names of the collections that TensorFlow itself uses."""

    GLOBAL_VARIABLES = "variables"
    VARIABLES = "variables"  # an old name
    LOCAL_VARIABLES = "local_variables"
    MODEL_VARIABLES = "model_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    METRIC_VARIABLES = "metric_variables"
    SUMMARIES = "summaries"
    QUEUE_RUNNERS = "queue_runners"
    TABLE_INITIALIZERS = "table_initializer"
    ASSET_FILEPATHS = "asset_filepaths"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    REGULARIZATION_LOSSES = "regularization_losses"
    CONCATENATED_VARIABLES = "concatenated_variables"
    SAVERS = "savers"
    WEIGHTS = "weights"
    BIASES = "biases"
    ACTIVATIONS = "activations"
    UPDATE_OPS = "update_ops"
    LOSSES = "losses"
    SUMMARY_OP = "summary_op"
    GLOBAL_STEP = "global_step"
    TRAIN_OP = "train_op"
    EVAL_STEP = "eval_step"
    COND_CONTEXT = "cond_context"
    WHILE_CONTEXT = "while_context"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    READY_OP = "ready_op"
    READY_FOR_LOCAL_INIT_OP = "ready_for_local_init_op"


class Collections:
    """The collections of one graph."""

    def __init__(self):
        self._lists: dict[str, list] = {}

    def add(self, name: str, value: Any) -> None:
        """Append `value`."""
        self.ref(name).append(value)

    def ref(self, name: str) -> list:
        """The list itself, made if need be."""
        return self._lists.setdefault(name, [])

    def get(self, name: str, scope: str | None = None) -> list:
        """A copy; with `scope`, only what has a `name` that the regular expression matches."""
        values = self._lists.get(name, [])
        if scope is None:
            return list(values)
        pattern = re.compile(scope)
        return [v for v in values if hasattr(v, "name") and pattern.match(v.name)]

    def keys(self) -> list[str]:
        """The names of the lists that hold anything."""
        return [name for name, values in self._lists.items() if values and isinstance(name, str)]

    def clear(self, name: str) -> None:
        """Forget the list."""
        self._lists.pop(name, None)
