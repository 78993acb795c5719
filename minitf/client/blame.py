"""When a statement fails, find the op that failed and say so in TensorFlow's words."""

from __future__ import annotations

from types import FrameType
from typing import Any

from minitf.client.lowering import evaluate
from minitf.client.nodes import Node, Value
from minitf.client.program import Program
from minitf.framework import errors
from minitf.framework.constant_op import const_op
from minitf.framework.graph import Graph
from minitf.framework.operation import Operation
from minitf.framework.registry import OPS


def explained(error: Exception, program: Program) -> Exception:
    """The error that a run of `program` raises for `error`: one that names the op."""
    found = _failing_frame(error, program)
    if found is None:
        return error
    frame, lineno = found
    statement = program.statement_at(lineno)
    if statement is None:
        return error
    known = {**frame.f_globals, **frame.f_locals}
    known |= {tensor: known.get(name) for tensor, name in program.parameters}
    op, values = _failing_op(statement.node, known)
    if isinstance(error, errors.OpError):
        return type(error)(op, op, error.message) if error.op is None else error
    if isinstance(error, MemoryError):
        return errors.ResourceExhaustedError(op, op, f"Out of memory: {error}")
    words = OPS[op.type].explain
    message = None if values is None else words(*values) if words else _refusal(op, values)
    return errors.InvalidArgumentError(op, op, message or str(error))


def _refusal(op: Operation, values: list[Any]) -> str | None:
    """What the op's own shape rule says, asked again now that all shapes and values are known."""
    if len(values) != len(op.inputs):  # it has a variable's place for an input
        return None
    graph = Graph()
    inputs = tuple(const_op(graph, v, t.dtype.base_dtype, "x") for v, t in zip(values, op.inputs, strict=True))
    try:
        OPS[op.type].infer(Operation(graph, op.type, op.name, inputs, [], op.attrs))
    except ValueError as error:
        return str(error)
    return None


def _failing_frame(error: Exception, program: Program) -> tuple[FrameType, int] | None:
    traceback = error.__traceback__
    while traceback:
        if traceback.tb_frame.f_code.co_filename == program.filename:
            found = traceback.tb_frame, traceback.tb_lineno
            if program.statement_at(found[1]):
                return found
        traceback = traceback.tb_next
    return None


def _failing_op(node: Node, known: dict[Any, Any]) -> tuple[Operation, list[Any] | None]:
    """Compute the parts of the statement again, one at a time, until one fails.

    Gives the op that fails and the values that it was given.
    """
    try:
        return node.op, _values(node, known)
    except _Failed as failed:
        return failed.op, failed.values


class _Failed(Exception):
    def __init__(self, op: Operation, values: list[Any]):
        super().__init__()
        self.op = op
        self.values = values


def _values(node: Node, known: dict[Any, Any]) -> list[Any]:
    return [_value(value, known) for value in node.arguments]


def _value(value: Value, known: dict[Any, Any]) -> Any:
    if value.constant is not None:
        return value.constant
    if value.node is None:
        return known[value.tensor]  # it was fed
    if value.node.names:
        return known.get(value.node.names[value.index])
    inputs = _values(value.node, known)
    if value.node.kind in ("copy", "alias"):
        return inputs[0]
    try:
        return evaluate(value.node.op, inputs)
    except Exception:
        raise _Failed(value.node.op, inputs) from None
