"""Files and folders: what Python's own functions do, under TensorFlow's names and with TensorFlow's errors.

    with tf.gfile.GFile("/tmp/notes.txt", "w") as notes:
        notes.write("step 1")

Mirrors tensorflow/python/platform/gfile.py and tensorflow/python/lib/io/file_io.py.
"""

import glob
import os
from collections import namedtuple
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO, Self

from minitf.framework import errors
from minitf.framework.namespaces import loads_late as _loads_late


class GFile:
    """A file, opened when it is first read or written.

    `mode` is that of Python's `open`: text (UTF-8), or bytes where it ends with "b". Positions and lengths are counted
    in bytes. Raises InvalidArgumentError for another mode, later NotFoundError, FailedPreconditionError for a
    directory, PermissionDeniedError for reading what is open for writing and the other way round.
    """

    def __init__(self, name, mode: str = "r"):
        self.name, self.mode, self._plain = name, mode, mode.replace("b", "")
        self._open: dict[str, BinaryIO] = {}
        if self._plain not in ("r", "w", "a", "r+", "w+", "a+"):
            words = "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'"
            raise errors.InvalidArgumentError(None, None, words)

    @errors.of_files()
    def _file(self, purpose: str) -> BinaryIO:
        """The file, open for reading or for writing."""
        if purpose not in self._open:
            if self._plain in {"reading": ("w", "a"), "writing": ("r",)}[purpose]:
                raise errors.PermissionDeniedError(None, None, f"File isn't open for {purpose}")
            # TensorFlow empties an existing file for "r+" as well.
            mode = "rb" if purpose == "reading" else "ab" if "a" in self._plain else "wb"
            self._open[purpose] = open(self.name, mode)  # noqa: SIM115 (`close` closes it)
        return self._open[purpose]

    def _given(self, read: bytes) -> str | bytes:
        return read if "b" in self.mode else read.decode()

    def size(self) -> int:
        """How long the file is."""
        return Stat(self.name).length

    def read(self, n: int = -1) -> str | bytes:
        """The next `n` bytes, or all that is left."""
        if n < -1:
            raise errors.InvalidArgumentError(
                None, None, f"Can't read a negative number of bytes: {n}"
            )
        return self._given(self._file("reading").read(n))

    def readline(self) -> str | bytes:
        """The next line with its end, which is always a single newline; at the end of the file an empty one."""
        return self._given(self._file("reading").readline().replace(b"\r", b""))

    def readlines(self) -> list[str] | list[bytes]:
        """All lines that are left."""
        return list(self)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str | bytes:
        if line := self.readline():
            return line
        raise StopIteration

    def seek(self, offset: int, whence: int = 0) -> None:
        """Go on reading at this place, counted from the start (`whence` 0), from here (1) or from the end (2).

        Raises InvalidArgumentError for a place before the start, and for another `whence`.
        """
        file = self._file("reading")
        if whence not in (0, 1, 2):
            words = f"Invalid whence argument: {whence}. Valid values are 0, 1, or 2."
            raise errors.InvalidArgumentError(None, None, words)
        place = (0, file.tell(), self.size())[whence] + offset
        if place < 0:
            raise errors.InvalidArgumentError(
                None, None, f"Seeking to a negative position: {place}"
            )
        file.seek(place)

    def seekable(self) -> bool:
        """True: `seek` works, which is what Python asks before it reads an archive."""
        return True

    def tell(self) -> int:
        """Where the next byte is read; in a file that can't be read, where it is written."""
        return self._file("writing" if self._plain in ("w", "a") else "reading").tell()

    def write(self, file_content: str | bytes) -> None:
        """Write this behind what was written before."""
        self._file("writing").write(
            file_content.encode() if isinstance(file_content, str) else file_content
        )

    def flush(self) -> None:
        """Let others see what was written."""
        for file in self._open.values():
            file.flush()

    def close(self) -> None:
        """Close the file; it is opened again if it is used again."""
        while self._open:
            self._open.popitem()[1].close()

    __del__ = close

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception) -> None:
        self.close()


Open = FastGFile = GFile


FileStatistics = namedtuple("FileStatistics", "length mtime_nsec is_directory")


def Exists(filename) -> bool:
    """Whether there is a file or directory of this name."""
    return os.path.exists(filename)


def IsDirectory(dirname) -> bool:
    """Whether there is a directory of this name."""
    return os.path.isdir(dirname)


def Glob(filename) -> list[str]:
    """The names that match a pattern with `*`, `?` or `[abc]`, or one of several patterns."""
    patterns = [filename] if isinstance(filename, str | os.PathLike) else filename
    return [name for p in patterns for name in sorted(glob.glob(os.fspath(p), include_hidden=True))]


def ListDirectory(dirname) -> list[str]:
    """The names of what is in a directory. Raises NotFoundError if there is none."""
    if not os.path.isdir(dirname):
        raise errors.NotFoundError(None, None, f"Could not find directory {dirname}")
    return os.listdir(dirname)


def Walk(top, in_order: bool = True) -> Iterator[tuple[str, list[str], list[str]]]:
    """(name, directories in it, files in it) of a directory and of all below it, or first of all below it."""
    return os.walk(top, topdown=in_order)


@errors.of_files()
def Stat(filename) -> FileStatistics:
    """Length, time of the last change, and whether it is a directory. Raises NotFoundError."""
    found = os.stat(filename)
    return FileStatistics(found.st_size, found.st_mtime_ns, os.path.isdir(filename))


@errors.of_files()
def MkDir(dirname) -> None:
    """Make a directory if it is not there. Raises NotFoundError where its parent is not there."""
    with suppress(FileExistsError):
        os.mkdir(dirname or os.curdir)


@errors.of_files()
def MakeDirs(dirname) -> None:
    """Make a directory and those above it, as far as they are not there. FailedPreconditionError where a file is."""
    if os.path.isfile(dirname):
        raise errors.FailedPreconditionError(None, None, f"{os.fspath(dirname)} is not a directory")
    os.makedirs(dirname or os.curdir, exist_ok=True)


@errors.of_files()
def Remove(filename) -> None:
    """Delete a file. Raises NotFoundError, and FailedPreconditionError for a directory."""
    os.remove(filename)


@errors.of_files()
def DeleteRecursively(dirname) -> None:
    """Delete a directory with everything in it. Raises NotFoundError."""
    import shutil  # here, because most programs never need it

    shutil.rmtree(dirname) if os.path.isdir(dirname) else os.remove(dirname)


@errors.of_files()
def Copy(oldpath, newpath, overwrite: bool = False) -> None:
    """Copy a file. Raises NotFoundError, and AlreadyExistsError unless `overwrite`."""
    _check_free(newpath, overwrite)
    import shutil

    shutil.copyfile(oldpath, newpath)


@errors.of_files()
def Rename(oldname, newname, overwrite: bool = False) -> None:
    """Rename a file or directory. Raises NotFoundError, and AlreadyExistsError unless `overwrite`."""
    _check_free(newname, overwrite)
    os.replace(oldname, newname)


def _check_free(name, overwrite: bool) -> None:
    if os.path.exists(name) and not overwrite:
        raise errors.AlreadyExistsError(None, None, "file already exists")


__getattr__, __dir__ = _loads_late("tf.gfile")
