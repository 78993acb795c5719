"""When a statement fails, find the op that failed and report it in TensorFlow's words."""

from traceback import walk_tb
from typing import Any

from minitf.client.lowering import evaluate
from minitf.client.nodes import Copy, Node, Value
from minitf.client.program import Program, Statement
from minitf.framework import errors
from minitf.framework.graph import Graph
from minitf.framework.op_def_library import const_op
from minitf.framework.operation import Operation
from minitf.framework.registry import OPS


def explained(error: Exception, program: Program) -> Exception:
    """Return the error that names the op, given the `error` that a run of `program` raised.

    Returns `error` itself if it doesn't come from one of the program's statements.
    """
    found = _failing_frame(error, program)
    if found is None:
        return error
    variables, statement = found
    known = {node: [variables.get(name) for name in names] for node, names in program.names.items()}
    op, values = _failing_op(statement.node, known)
    if isinstance(error, errors.OpError):
        return type(error)(op, op, error.message) if error.op is None else error
    if isinstance(error, MemoryError):
        return errors.ResourceExhaustedError(op, op, f"Out of memory: {error}")
    if any(value is None for value in values):  # from a branch that was not taken
        return errors.InvalidArgumentError(op, op, "Retval[0] does not have value")
    words = OPS[op.type].explain
    reason = words(*values) if words else _refusal(op, values)
    return errors.InvalidArgumentError(op, op, reason or str(error))


def _refusal(op: Operation, values: list[Any]) -> str | None:
    """Return the message of the op's shape rule, asked again with all values known, or None."""
    if len(values) != len(op.inputs):  # one input is a variable's place in the state
        return None
    graph = Graph()
    pairs = zip(values, op.inputs, strict=True)
    inputs = tuple(const_op(graph, v, t.dtype.base_dtype, "x") for v, t in pairs)
    try:
        OPS[op.type].infer(Operation(graph, op.type, op.name, inputs, [], op.attrs))
    except ValueError as error:
        return str(error)
    return None


def _failing_frame(error: Exception, program: Program) -> tuple[dict[str, Any], Statement] | None:
    """Return the variables of the program's innermost failing function, and its statement."""
    found = None
    for frame, lineno in walk_tb(error.__traceback__):
        if frame.f_code.co_filename == program.filename:
            statement = program.statement_at(lineno)
            found = ({**frame.f_globals, **frame.f_locals}, statement) if statement else found
    return found


def _failing_op(node: Node, known: dict[Node, list[Any]]) -> tuple[Operation, list[Any]]:
    """Recompute the parts of a statement until one fails; return that op and its input values.

    `known` are the results of each node that has names.
    """
    try:
        return node.op, [_value(value, known) for value in node.arguments]
    except _Failed as failed:
        return failed.args


class _Failed(Exception):
    """Its arguments are the results of `_failing_op`."""


def _value(value: Value, known: dict[Node, list[Any]]):
    if value.constant is not None:
        return value.constant
    if value.node in known:
        return known[value.node][value.index]
    inputs = [_value(argument, known) for argument in value.node.arguments]
    if isinstance(value.node, Copy):
        return inputs[0]
    try:
        return evaluate(value.node.op, inputs)
    except Exception:
        raise _Failed(value.node.op, inputs) from None
