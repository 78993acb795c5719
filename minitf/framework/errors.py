"""Everything that can go wrong while a graph runs is an OpError that names the op.

Mirrors tensorflow/python/framework/errors_impl.py. Mistakes found while a graph is built are plain
ValueError and TypeError, as in TensorFlow.
"""

from collections.abc import Iterator
from contextlib import contextmanager

# TensorFlow's numbers for the kinds of error.
OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND = range(6)
ALREADY_EXISTS, PERMISSION_DENIED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION, ABORTED = range(6, 11)
OUT_OF_RANGE, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS, UNAUTHENTICATED = range(11, 17)


class OpError(Exception):
    """A run failed at an op.

    `op` is the Operation (None where no op is to blame), `message` says what went wrong,
    `error_code` is TensorFlow's number for the kind.
    """

    def __init__(self, node_def, op, message: str, error_code: int, *args):
        super().__init__()
        self.node_def, self.op, self.message, self.error_code = node_def, op, message, error_code

    def __str__(self) -> str:
        return self.message if self.op is None else f"{self.message}{self.op.place}"

    def __reduce__(self) -> tuple:
        # A graph can't travel to another process, its words can.
        return type(self), (None, None, str(self))


def _kind(name: str, code: int, meaning: str) -> type[OpError]:
    """Return an error class whose constructor takes (node_def, op, message)."""

    def __init__(self: OpError, node_def, op, message: str, *args):
        OpError.__init__(self, node_def, op, message, code)

    __init__.__qualname__ = f"{name}.__init__"
    return type(name, (OpError,), {"__init__": __init__, "__doc__": meaning})


CancelledError = _kind("CancelledError", CANCELLED, "The run was cancelled.")
UnknownError = _kind("UnknownError", UNKNOWN, "The reason is not known.")
InvalidArgumentError = _kind(
    "InvalidArgumentError", INVALID_ARGUMENT, "An op was given what it can't work with."
)
DeadlineExceededError = _kind("DeadlineExceededError", DEADLINE_EXCEEDED, "The run took too long.")
NotFoundError = _kind("NotFoundError", NOT_FOUND, "A file or an entry does not exist.")
AlreadyExistsError = _kind(
    "AlreadyExistsError", ALREADY_EXISTS, "What was to be made is there already."
)
PermissionDeniedError = _kind(
    "PermissionDeniedError", PERMISSION_DENIED, "The caller may not do this."
)
ResourceExhaustedError = _kind(
    "ResourceExhaustedError", RESOURCE_EXHAUSTED, "Memory or disk ran out."
)
FailedPreconditionError = _kind(
    "FailedPreconditionError", FAILED_PRECONDITION, "A variable has no value yet."
)
AbortedError = _kind("AbortedError", ABORTED, "The run was aborted and may be tried again.")
OutOfRangeError = _kind("OutOfRangeError", OUT_OF_RANGE, "The input ended.")
UnimplementedError = _kind("UnimplementedError", UNIMPLEMENTED, "This is not implemented.")
InternalError = _kind("InternalError", INTERNAL, "An invariant of the system is broken.")
UnavailableError = _kind("UnavailableError", UNAVAILABLE, "A part of the system can't be reached.")
DataLossError = _kind("DataLossError", DATA_LOSS, "Stored data is damaged.")
UnauthenticatedError = _kind("UnauthenticatedError", UNAUTHENTICATED, "The caller is not known.")


class OperatorNotAllowedInGraphError(TypeError):
    """A tensor was used where Python needs a value: there is none before `run`."""


class InaccessibleTensorError(ValueError):
    """A tensor was asked for from where it has no value."""


_OF_FILES = {
    FileNotFoundError: NotFoundError,
    FileExistsError: AlreadyExistsError,
    PermissionError: PermissionDeniedError,
}


@contextmanager
def of_files() -> Iterator[None]:
    """Turn what the operating system says about files into one of these errors."""
    try:
        yield
    except OSError as error:
        kind = _OF_FILES.get(type(error), FailedPreconditionError)
        raise kind(None, None, f"{error.filename}; {error.strerror}") from None
