"""Everything that can go wrong while a graph runs is an OpError that names the op.

Stands for tensorflow/python/framework/errors_impl.py. Mistakes found while a graph is built are plain
ValueError and TypeError, as in TensorFlow.
"""

from __future__ import annotations

from typing import Any

OK = 0


class OpError(Exception):
    """A run failed at an op.

    `op` is the Operation (None where no op is to blame), `message` says what went wrong, `error_code`
    is TensorFlow's number for the kind.
    """

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int):
        super().__init__()
        self.node_def = node_def
        self.op = op
        self.message = message
        self.error_code = error_code

    def __str__(self) -> str:
        if self.op is None:
            return self.message
        return f"{self.message}\n\t [[{{{{node {self.op.name}}}}}]], {self.op.made_at}"

    def __reduce__(self) -> tuple:
        # A graph can't travel to another process, its words can.
        return type(self), (None, None, str(self))


def _kind(name: str, code: int, meaning: str) -> type[OpError]:
    """An error class whose constructor takes (node_def, op, message)."""

    def __init__(self: OpError, node_def: Any, op: Any, message: str, *args: Any):
        OpError.__init__(self, node_def, op, message, code)

    return type(name, (OpError,), {"__init__": __init__, "__doc__": meaning})


CancelledError = _kind("CancelledError", 1, "The run was cancelled.")
UnknownError = _kind("UnknownError", 2, "The reason is not known.")
InvalidArgumentError = _kind("InvalidArgumentError", 3, "An op was given what it can't work with.")
DeadlineExceededError = _kind("DeadlineExceededError", 4, "The run took too long.")
NotFoundError = _kind("NotFoundError", 5, "A file or an entry does not exist.")
AlreadyExistsError = _kind("AlreadyExistsError", 6, "What was to be made is there already.")
PermissionDeniedError = _kind("PermissionDeniedError", 7, "The caller may not do this.")
ResourceExhaustedError = _kind("ResourceExhaustedError", 8, "Memory or disk ran out.")
FailedPreconditionError = _kind(
    "FailedPreconditionError", 9, "The state is not ready, as when a variable is uninitialized."
)
AbortedError = _kind("AbortedError", 10, "The run was aborted and may be tried again.")
OutOfRangeError = _kind("OutOfRangeError", 11, "The input ended.")
UnimplementedError = _kind("UnimplementedError", 12, "This is not implemented.")
InternalError = _kind("InternalError", 13, "An invariant of the system is broken.")
UnavailableError = _kind("UnavailableError", 14, "A part of the system can't be reached.")
DataLossError = _kind("DataLossError", 15, "Stored data is damaged.")
UnauthenticatedError = _kind("UnauthenticatedError", 16, "The caller is not known.")


class OperatorNotAllowedInGraphError(TypeError):
    """A tensor was used where Python needs a value: there is none before `run`."""
