"""Ops that compute nothing: they tie other ops together, or let a value pass if it is as it should be.

Stands for tensorflow/python/ops/control_flow_ops.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from minitf.framework.graph import control_dependencies, get_default_graph, graph_of, name_scope
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import Code, kernel, not_differentiable, quoted, register
from minitf.framework.tensor_shape import TensorShape
from minitf.ops import array_ops
from minitf.ops.shape_ops import check_rank, defines

register("NoOp", "", lambda op: [], code=None, gradient=not_differentiable)


def no_op(name: str | None = None) -> Operation:
    """An op that does nothing; with control dependencies, it waits for them."""
    return get_default_graph().create_op("NoOp", name=name)


def group(*inputs: Any, name: str | None = None) -> Operation:
    """An op that is done when all `inputs` (ops, tensors, variables, or lists of them) are.

    Raises TypeError for anything else.
    """
    operations = list(_operations(inputs))
    graph = graph_of([t for i in operations for t in i.outputs[:1]])
    with graph.as_default(), control_dependencies(operations):
        return no_op(name=name or "group_deps")


def flattened(structure: Any) -> Iterable[Any]:
    """What is in nested lists, tuples and dicts (these in the order of their keys)."""
    if isinstance(structure, dict):
        structure = [structure[key] for key in sorted(structure)]
    if isinstance(structure, list | tuple):
        for item in structure:
            yield from flattened(item)
    else:
        yield structure


def _operations(inputs: Iterable[Any]) -> Iterable[Operation]:
    """The operations of all tensors, variables and operations in nested lists."""
    for item in flattened(inputs):
        if isinstance(op := getattr(item, "op", item), Operation):
            yield op
        else:
            kind = f"Received '{item}' with type '{type(item)}'."
            raise TypeError(f"'inputs' should be zero or more (nested) Tensors. {kind}")


def tuple_(tensors: Iterable[Any], name: str | None = None, control_inputs: Iterable[Any] | None = None) -> list:
    """The same tensors, each of which is ready only when all are; None stays None.

    Raises ValueError where there is no tensor.
    """
    tensors = list(tensors)
    given = [t for t in tensors if t is not None]
    with name_scope(name, "tuple", given):
        if not given and not control_inputs:
            raise ValueError(f"Must have at least one Tensor: {tensors}")
        with control_dependencies([group(given, list(control_inputs or ()))]):
            return [None if t is None else array_ops.identity(t, name="control_dependency") for t in tensors]


@kernel
def in_one_interval(scope: str, x: Any, *boundaries: Any) -> Any:
    """`x`, which must lie in one of the intervals that the boundaries make: they have to increase."""
    between = zip(boundaries, boundaries[1:], strict=False)
    true = [x <= boundaries[0], x > boundaries[-1], *(a < x <= b for a, b in between)]
    if sum(true) > 1:
        names = ["LessEqual", "Greater", "and", *(f"and_{i}" for i in range(1, len(true) - 2))]
        shown = ", ".join(f"{scope}/{name}:0" for name in names[: len(true)])
        problem = f"exclusive=True: more than 1 conditions ({shown}) evaluated as True:"
        raise ValueError(f"assertion failed: [Input error: {problem}] [{' '.join(str(int(t)) for t in true)}]")
    return x


def _surely_in_one(result: Any, x: Any, *boundaries: Any) -> Any:
    constants = [b.constant for b in boundaries]
    return x if None not in constants and sorted(constants) == constants else None


def _in_one_interval_code(op: Operation, *values: Code) -> str:
    return f"in_one_interval({quoted(op.name.rpartition('/case/')[0])}, {', '.join(values)})"


@defines("InOneInterval", "values:*T", _in_one_interval_code, not_differentiable, simplify=_surely_in_one)
def _one_step(op: Operation, x: Tensor, *boundaries: Tensor) -> TensorShape:
    check_rank(x, 0)
    return x.shape
