"""Ops that compute nothing: they tie other ops together.

Mirrors tensorflow/python/ops/control_flow_ops.py.
"""

from collections.abc import Iterable
from typing import Any

from minitf.framework import nest
from minitf.framework.graph import control_dependencies, get_default_graph, graph_of, name_scope
from minitf.framework.indexed_slices import IndexedSlices
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import not_differentiable, register
from minitf.ops import array_ops

register("NoOp", "", lambda op: [], code=None, gradient=not_differentiable)


def no_op(name: str | None = None) -> Operation:
    """An op that does nothing; with control dependencies, it waits for them."""
    return get_default_graph().create_op("NoOp", name=name or None)


def group(*inputs, **kwargs) -> Operation:
    """An op, called `name`, that is done when all `inputs` (ops, tensors, variables, or lists of them) are.

    Raises TypeError for anything else.
    """
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError(f"Unknown keyword arguments: {', '.join(kwargs)}")
    operations = nest.flatten(inputs, _operation)[0]
    graph = graph_of([t for i in operations for t in i.outputs[:1]])
    with graph.as_default(), control_dependencies(operations):
        return no_op(name=name or "group_deps")


def _operation(item) -> Operation:
    op = getattr(item, "op", item)
    if not isinstance(op, Operation):
        kind = f"Received '{item}' with type '{type(item)}'."
        raise TypeError(f"'inputs' should be zero or more (nested) Tensors. {kind}")
    return op


def tuple_(
    tensors: Iterable[Any], name: str | None = None, control_inputs: Iterable[Any] | None = None
) -> list:
    """The same tensors, each of which is ready only when all are; None stays None.

    Raises ValueError where there is no tensor.
    """
    tensors = list(tensors)
    given = [t for t in tensors if t is not None]
    with name_scope(name, "tuple", given):
        if not given and not control_inputs:
            raise ValueError(f"'tensors' must have at least one Tensor. Received: {tensors}.")
        with control_dependencies([group(given, list(control_inputs or ()))]):
            return [None if t is None else _ready(t) for t in tensors]


def _ready(t) -> Tensor | IndexedSlices:
    if isinstance(t, IndexedSlices):
        return IndexedSlices(_ready(t.values), t.indices, t.dense_shape)
    return array_ops.identity(t, name="control_dependency")
