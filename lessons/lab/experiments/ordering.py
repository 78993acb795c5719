"""A Variable is read and changed by ops, and paths say which of them comes first: what lessons ask of that.

minitf/client/dependencies.py has the answers, also for the compiler and for `--explain`.
"""

from collections.abc import Iterable

import minitf as tf
from minitf.client.dependencies import all_before as all_before
from minitf.client.dependencies import changes, computed_from, held_by, may_read, trains
from minitf.client.dependencies import ordered as ordered
from minitf.client.dependencies import waits_for as waits_for


def updates_of(variable: tf.Variable, ops: Iterable[tf.Operation]) -> list[tf.Operation]:
    """Return those of `ops` that change `variable`, except those that give it its first value."""
    return [op for op in ops if variable.op in changes(op) and trains(op)]


def is_variable(tensor: tf.Tensor, variable: tf.Variable) -> bool:
    """Say whether `tensor` is still the variable itself, because nothing has read its value yet."""
    return held_by(tensor) is variable.op


def reads_of(variable: tf.Variable, op: tf.Operation) -> list[tf.Operation]:
    """Return the operations that read `variable`, among those whose values `op` depends on."""
    return [reader for reader in computed_from(op) if variable.op in may_read(reader)]
