"""Ops that compute nothing: they tie other ops together, or let a value pass if it is as it should be.

Stands for tensorflow/python/ops/control_flow_ops.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from minitf.framework.errors import InvalidArgumentError
from minitf.framework.graph import control_dependencies, get_default_graph, graph_of, name_scope
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import kernel, not_differentiable, quoted, register
from minitf.ops import array_ops

register("NoOp", "", lambda op: [], code=None, gradient=not_differentiable)


def no_op(name: str | None = None) -> Operation:
    """An op that does nothing; with control dependencies, it waits for them."""
    return get_default_graph().create_op("NoOp", name=name)


def group(*inputs: Any, name: str | None = None) -> Operation:
    """An op that is done when all `inputs` (ops, tensors, variables, or lists of them) are.

    Raises TypeError for anything else.
    """
    operations = [_as_operation(i) for i in _flattened(inputs)]
    graph = graph_of([t for i in operations for t in i.outputs[:1]])
    with graph.as_default(), control_dependencies(operations):
        return no_op(name=name or "group_deps")


def _flattened(inputs: Iterable[Any]) -> Iterable[Any]:
    for item in inputs:
        if isinstance(item, list | tuple):
            yield from _flattened(item)
        else:
            yield item


def _as_operation(item: Any) -> Operation:
    item = item._as_graph_element() if hasattr(item, "_as_graph_element") else item
    if isinstance(item, Operation):
        return item
    if isinstance(item, Tensor):
        return item.op
    raise TypeError(f"'inputs' should be zero or more (nested) Tensors. Received '{item}' with type '{type(item)}'.")


def tuple_(tensors: Iterable[Any], name: str | None = None, control_inputs: Iterable[Any] | None = None) -> list:
    """The same tensors, each of which is ready only when all are; None stays None.

    Raises ValueError where there is no tensor.
    """
    tensors = list(tensors)
    with name_scope(name, "tuple", [t for t in tensors if t is not None]):
        waits = [_as_operation(t) for t in tensors if t is not None]
        waits += [_as_operation(c) for c in control_inputs or ()]
        if not waits:
            raise ValueError(f"Must have at least one Tensor: {tensors}")
        gate = group(*waits)
        with control_dependencies([gate]):
            return [None if t is None else array_ops.identity(t, name="control_dependency") for t in tensors]


@kernel
def in_one_interval(scope: str, x: Any, *boundaries: Any) -> Any:
    """`x`, which must lie in one of the intervals that the boundaries make: they have to increase."""
    between = zip(boundaries, boundaries[1:], strict=False)
    true = [x <= boundaries[0], x > boundaries[-1], *(a < x <= b for a, b in between)]
    if sum(true) > 1:
        names = ["LessEqual", "Greater", "and", *(f"and_{i}" for i in range(1, len(true) - 2))]
        shown = ", ".join(f"{scope}/{name}:0" for name in names[: len(true)])
        raise InvalidArgumentError(
            None,
            None,
            f"assertion failed: [Input error: exclusive=True: more than 1 conditions ({shown}) "
            f"evaluated as True:] [{' '.join(str(int(t)) for t in true)}]",
        )
    return x


def _infer_in_one_interval(op: Operation) -> list:
    x = op.inputs[0]
    if x.shape.rank not in (None, 0):
        raise ValueError(f"Shape must be rank 0 but is rank {x.shape.rank}")
    return [(x.dtype.base_dtype, x.shape)]


def _surely_in_one(result: Any, x: Any, *boundaries: Any) -> Any:
    constants = [b.constant for b in boundaries]
    in_order = None not in constants and sorted(constants) == constants
    return x if in_order else None


register(
    "InOneInterval",
    "values:*T",
    _infer_in_one_interval,
    lambda op, *values: f"in_one_interval({quoted(op.name.rpartition('/case/')[0])}, {', '.join(values)})",
    not_differentiable,
    simplify=_surely_in_one,
)
