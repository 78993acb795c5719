"""Two ops are ordered if a path leads from one to the other; otherwise either may go first."""

from collections.abc import Callable, Iterable

import minitf as tf
from minitf.framework.registry import OPS
from minitf.ops.state_ops import variable_of

# These don't read the value. They pass the variable on, and its reader looks when its turn comes.
HAND_ON = {"Identity", "Reshape", "StopGradient"}


def all_before(op: tf.Operation) -> list[tf.Operation]:
    """Return `op`, and every operation from which a path of values or control leads to it."""
    return _up(op, lambda op: [*_givers(op), *op.control_inputs])


def waits_for(op: tf.Operation, other: tf.Operation) -> bool:
    """Say whether a path leads from `other` to `op`, so that `op` comes later."""
    return op is not other and other in all_before(op)


def updates_of(variable: tf.Variable, ops: Iterable[tf.Operation]) -> list[tf.Operation]:
    """Return those of `ops` that change `variable`, except those that give it its first value."""
    changing = [op for op in ops if OPS[op.type].updates and op is not variable.initializer]
    changing = [op for op in changing if op.inputs[-1].op.type != "RestoreV2"]  # a Saver's
    return [op for op in changing if variable_of(op.outputs[0]) is variable.op]


def is_variable(tensor: tf.Tensor, variable: tf.Variable) -> bool:
    """Say whether `tensor` is still the variable itself, because nothing has read its value yet."""
    op = tensor.op
    while op.type in HAND_ON:
        op = op.inputs[0].op
    return op is variable.op or bool(updates_of(variable, [op]))


def reads_of(variable: tf.Variable, op: tf.Operation) -> list[tf.Operation]:
    """Return the operations that read `variable`, among those whose values `op` depends on."""

    def above(op: tf.Operation) -> list[tf.Operation]:
        return [] if OPS[op.type].updates else _givers(op)  # an update returns the variable itself

    may_read = [op for op in _up(op, above) if op.type not in HAND_ON and not OPS[op.type].updates]
    return [op for op in may_read if any(is_variable(tensor, variable) for tensor in op.inputs)]


def _givers(op: tf.Operation) -> list[tf.Operation]:
    return [tensor.op for tensor in op.inputs]


def _up(op: tf.Operation, above: Callable) -> list[tf.Operation]:
    """Return `op`, everything above it, everything above that, and so on."""
    found: dict[tf.Operation, None] = {}
    waiting = [op]
    while waiting:
        op = waiting.pop()
        if op not in found:
            found[op] = None
            waiting += above(op)
    return list(found)
