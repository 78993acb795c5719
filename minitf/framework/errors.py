"""The errors of a run: each is an OpError that names the op that failed.

Mistakes found while a graph is built raise a plain ValueError or TypeError, as in TensorFlow.

Mirrors tensorflow/python/framework/errors_impl.py.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

# TensorFlow's error codes.
OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND = range(6)
ALREADY_EXISTS, PERMISSION_DENIED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION, ABORTED = range(6, 11)
OUT_OF_RANGE, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS, UNAUTHENTICATED = range(11, 17)


class OpError(Exception):
    """An error raised while a graph runs.

    `op` is the Operation that failed (None if no op is to blame), `message` says what went wrong,
    and `error_code` is TensorFlow's code for this kind of error.
    """

    def __init__(self, node_def, op, message: str, error_code: int, *args):
        super().__init__()
        self.node_def, self.op, self.message, self.error_code = node_def, op, message, error_code

    def __str__(self) -> str:
        return self.message if self.op is None else f"{self.message}{self.op.place}"

    def __reduce__(self) -> tuple:
        # An op can't be pickled without its graph, so another process gets only the words.
        return type(self), (None, None, str(self))


class _Kind(OpError):
    """An OpError of one kind, whose constructor takes (node_def, op, message)."""

    _code: int

    def __init__(self, node_def, op, message: str, *args):
        super().__init__(node_def, op, message, self._code)


class CancelledError(_Kind):
    """The run was cancelled."""

    _code = CANCELLED


class UnknownError(_Kind):
    """The cause is unknown."""

    _code = UNKNOWN


class InvalidArgumentError(_Kind):
    """An op received invalid input."""

    _code = INVALID_ARGUMENT


class DeadlineExceededError(_Kind):
    """The run took too long."""

    _code = DEADLINE_EXCEEDED


class NotFoundError(_Kind):
    """A file or an entry does not exist."""

    _code = NOT_FOUND


class AlreadyExistsError(_Kind):
    """The file or entry already exists."""

    _code = ALREADY_EXISTS


class PermissionDeniedError(_Kind):
    """The caller lacks permission."""

    _code = PERMISSION_DENIED


class ResourceExhaustedError(_Kind):
    """Memory or disk space ran out."""

    _code = RESOURCE_EXHAUSTED


class FailedPreconditionError(_Kind):
    """A variable was read before it was initialized."""

    _code = FAILED_PRECONDITION


class AbortedError(_Kind):
    """The run was aborted; try again."""

    _code = ABORTED


class OutOfRangeError(_Kind):
    """The input is exhausted."""

    _code = OUT_OF_RANGE


class UnimplementedError(_Kind):
    """The feature is not implemented."""

    _code = UNIMPLEMENTED


class InternalError(_Kind):
    """An internal invariant was broken."""

    _code = INTERNAL


class UnavailableError(_Kind):
    """Part of the system can't be reached."""

    _code = UNAVAILABLE


class DataLossError(_Kind):
    """Stored data is corrupt."""

    _code = DATA_LOSS


class UnauthenticatedError(_Kind):
    """The caller is unknown."""

    _code = UNAUTHENTICATED


class OperatorNotAllowedInGraphError(TypeError):
    """Python needed a value, but was given a tensor, which has none until a session runs it."""


class InaccessibleTensorError(ValueError):
    """A tensor inside a cond or loop was fetched from outside."""


def _numbers(names: str) -> list[int]:
    """Return the numbers of the operating system's errors, as far as this system has them."""
    return [getattr(errno, name) for name in names.split() if hasattr(errno, name)]


# What TensorFlow makes of the operating system's errors; of any other, an UnknownError.
_KINDS = {
    InvalidArgumentError: "EINVAL ENAMETOOLONG E2BIG EDOM EFAULT EILSEQ ENOTTY ESPIPE",
    DeadlineExceededError: "ETIMEDOUT ETIME",
    NotFoundError: "ENOENT ENODEV ENXIO ESRCH",
    AlreadyExistsError: "EEXIST",
    PermissionDeniedError: "EPERM EACCES EROFS",
    FailedPreconditionError: "ENOTEMPTY EISDIR ENOTDIR EBADF EBUSY ECHILD ENOTBLK EPIPE ETXTBSY",
    ResourceExhaustedError: "ENOSPC EDQUOT EMFILE EMLINK ENFILE ENOBUFS ENOMEM",
    OutOfRangeError: "EFBIG EOVERFLOW ERANGE",
    UnimplementedError: "ENOSYS ENOTSUP EXDEV",
    UnavailableError: "EAGAIN EINTR ENOLCK EHOSTDOWN ENETDOWN",
    AbortedError: "EDEADLK ESTALE",
}
_OF_FILES = {number: kind for kind, names in _KINDS.items() for number in _numbers(names)}


@contextmanager
def of_files(path=None) -> Iterator[None]:
    """Within the `with`, turn the operating system's errors about files into OpErrors.

    They name the file, which is `path` if the operating system doesn't say.
    """
    try:
        yield
    except OSError as error:
        kind = _OF_FILES.get(error.errno, UnknownError)
        place = error.filename if path is None or error.filename is not None else path
        place = os.fsdecode(place) if isinstance(place, bytes | os.PathLike) else place
        raise kind(None, None, f"{place}; {error.strerror or error}") from None


def open_to_read(path) -> BinaryIO:
    """Open a file. Raises OSError, also for what isn't a file: a pipe or a device may never end."""
    file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115 (the caller closes it)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "Is not a regular file", path)
    return file


def _without_waiting(path, flags: int) -> int:
    """Open a pipe at once, not when somebody begins to write to it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
