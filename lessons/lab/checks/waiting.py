"""What an op waits for, and which ops change a Variable: what checks ask of a graph."""

from __future__ import annotations

import minitf as tf

UPDATES = ("Assign", "AssignAdd", "AssignSub", "ApplyGradientDescent")


def updates_of(variable: tf.Variable, ops: list[tf.Operation]) -> list[tf.Operation]:
    """Return those of `ops` that change `variable`, without its initializer."""
    return [
        op
        for op in ops
        if op.type in UPDATES and op.inputs[0].op is variable.op and op is not variable.initializer
    ]


def waited_for(op: tf.Operation) -> list[tf.Operation]:
    """Return `op` and everything that it waits for, by values or by control edges."""
    found, todo = {op: None}, [op]
    while todo:
        now = todo.pop()
        for before in (*now.control_inputs, *(tensor.op for tensor in now.inputs)):
            if before not in found:
                found[before] = None
                todo.append(before)
    return list(found)
