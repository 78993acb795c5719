"""Each statement stands for operations: its own, and those that were folded, shared or dropped on the way."""

from minitf.client.nodes import Node
from minitf.client.program import Statement
from minitf.framework.operation import Operation


def credit(order: list[Operation], became: dict[Operation, Node]) -> None:
    """Note with each statement the operations of the run that it stands for, in their order.

    An operation that became no statement counts for the one that first follows it, or else for the last
    that it follows.
    """
    follows: dict[Operation, Statement] = {}
    for op in reversed(order):  # what follows an op is known before the op
        statement = _statement_of(became.get(op)) or follows.get(op)
        if statement is not None:
            follows[op] = statement
            for source in _sources(op):
                follows[source] = statement
    for op in order:
        if op not in follows:
            before = [follows[source] for source in _sources(op) if source in follows]
            if before:
                follows[op] = before[-1]
        if op in follows:
            follows[op].ops.append(op)


def _sources(op: Operation) -> list[Operation]:
    return [*(t.op for t in op.inputs), *op.control_inputs]


def _statement_of(node: Node | None) -> Statement | None:
    """The statement that a node is written in."""
    while node is not None and node.kind != "parameter":
        if node.statement is not None:
            return node.statement
        node = node.consumer
    return None
