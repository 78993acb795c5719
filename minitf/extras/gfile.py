"""`tf.gfile` and `tf.io.gfile`: Python's files and directories, with TensorFlow's names and errors.

    with tf.gfile.GFile("/tmp/notes.txt", "w") as notes:
        notes.write("step 1")

Mirrors tensorflow/python/platform/gfile.py and tensorflow/python/lib/io/file_io.py.
"""

import glob as globbing
import os
import shutil
from collections import namedtuple
from collections.abc import Iterator
from contextlib import suppress
from io import IOBase
from os.path import join as join
from typing import BinaryIO

from minitf.framework import errors
from minitf.ops.kernels import invalid
from minitf.summary.writer import make_directory as MakeDirs


class GFile(IOBase):
    """A file that is opened when it is first read or written.

    `mode` is as for Python's `open`: text in UTF-8, or bytes with "b". Positions and lengths count
    bytes. Raises InvalidArgumentError for an unknown mode. Reading or writing raises NotFoundError
    if there is no such file, FailedPreconditionError if it is a directory, InvalidArgumentError for
    a pipe or a device, ResourceExhaustedError if the disk is full, and PermissionDeniedError if the
    mode doesn't allow it.
    """

    def __init__(self, name, mode="r"):
        self.name, self.mode, self._plain = name, mode, mode.replace("b", "")
        self._open: dict[str, BinaryIO] = {}
        if self._plain not in ("r", "w", "a", "r+", "w+", "a+"):
            raise invalid("mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'")

    def _file(self, purpose: str) -> BinaryIO:
        """Return the file, open for "reading" or "writing"."""
        if purpose not in self._open:
            if self._plain in {"reading": ("w", "a"), "writing": ("r",)}[purpose]:
                raise errors.PermissionDeniedError(None, None, f"File isn't open for {purpose}")
            with self._errors():
                self._open[purpose] = self._opened(purpose)
        return self._open[purpose]

    def _opened(self, purpose: str) -> BinaryIO:
        if purpose == "reading":
            return errors.open_to_read(self.name)
        # TensorFlow empties an existing file for "r+" as well.
        return open(self.name, "ab" if "a" in self._plain else "wb")

    def _errors(self):
        return errors.of_files(self.name)

    def _given(self, read: bytes) -> str | bytes:
        return read if "b" in self.mode else read.decode()

    def size(self) -> int:
        """Return the length of the file in bytes."""
        return Stat(self.name).length

    def read(self, n: int = -1) -> str | bytes:
        """Return the next `n` bytes, or the rest of the file."""
        if n < -1:
            raise invalid(f"Can't read a negative number of bytes: {n}")
        with self._errors():
            return self._given(self._file("reading").read(n))

    def readline(self) -> str | bytes:
        """Return the next line with its newline, or an empty string at the end of the file."""
        with self._errors():
            return self._given(self._file("reading").readline().replace(b"\r", b""))

    def readlines(self) -> list[str] | list[bytes]:
        """Return the remaining lines."""
        return list(self)

    def seek(self, offset: int, whence=0) -> None:
        """Continue reading at `offset` from the start (`whence` 0), from here (1) or the end (2).

        Raises InvalidArgumentError for a place before the start, or an unknown `whence`.
        """
        file = self._file("reading")
        if whence not in (0, 1, 2):
            raise invalid(f"Invalid whence argument: {whence}. Valid values are 0, 1, or 2.")
        place = (0, file.tell(), self.size())[whence] + offset
        if place < 0:
            raise invalid(f"Seeking to a negative position: {place}")
        file.seek(place)

    def seekable(self) -> bool:
        """Return True: `seek` works. (Python asks this before it reads an archive.)"""
        return True

    def tell(self) -> int:
        """Return the position of the next read or, in a file that can't be read, the next write."""
        return self._file("writing" if self._plain in ("w", "a") else "reading").tell()

    def write(self, file_content: str | bytes) -> None:
        """Append text or bytes to what has been written."""
        content = file_content.encode() if isinstance(file_content, str) else file_content
        with self._errors():
            self._file("writing").write(content)

    def flush(self) -> None:
        """Make what has been written visible to other programs."""
        with self._errors():
            for file in self._open.values():
                file.flush()

    def close(self) -> None:
        """Close the file. Using it again reopens it."""
        with self._errors():
            while self._open:
                self._open.popitem()[1].close()


FileStatistics = namedtuple("FileStatistics", "length mtime_nsec is_directory")


def Exists(filename) -> bool:
    """Return whether there is a file or directory of this name."""
    return os.path.exists(filename)


def IsDirectory(dirname) -> bool:
    """Return whether there is a directory of this name."""
    return os.path.isdir(dirname)


def Glob(filename) -> list[str]:
    """Return the paths that match a pattern, or each of several, with `*`, `?` or `[abc]`."""
    patterns = [filename] if isinstance(filename, str | os.PathLike) else filename
    found = [sorted(globbing.glob(os.fspath(p), include_hidden=True)) for p in patterns]
    return [name for names in found for name in names]


def ListDirectory(dirname) -> list[str]:
    """Return the names of what is in a directory. Raises NotFoundError if it doesn't exist."""
    if not os.path.isdir(dirname):
        raise errors.NotFoundError(None, None, f"Could not find directory {dirname}")
    return os.listdir(dirname)


def Walk(top, in_order=True) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield (path, names of directories, names of files) for a directory and all below it.

    With `in_order=False`, a directory comes after those below it.
    """
    return os.walk(top, topdown=in_order)


@errors.of_files()
def Stat(filename) -> FileStatistics:
    """Return a file's length, when it last changed, and whether it is a directory.

    Raises NotFoundError if there is no such file.
    """
    found = os.stat(filename)
    return FileStatistics(found.st_size, found.st_mtime_ns, os.path.isdir(filename))


@errors.of_files()
def MkDir(dirname) -> None:
    """Create a directory unless it exists. Raises NotFoundError if its parent doesn't."""
    with suppress(FileExistsError):
        os.mkdir(dirname or os.curdir)


@errors.of_files()
def Remove(filename) -> None:
    """Delete a file. Raises NotFoundError, or FailedPreconditionError if it is a directory."""
    os.remove(filename)


@errors.of_files()
def DeleteRecursively(dirname) -> None:
    """Delete a file, or a directory and everything in it.

    Raises NotFoundError if there is neither.
    """
    shutil.rmtree(dirname) if os.path.isdir(dirname) else os.remove(dirname)


def Copy(oldpath, newpath, overwrite=False) -> None:
    """Copy a file. Raises NotFoundError, or AlreadyExistsError unless `overwrite`."""
    _check_free(newpath, overwrite)
    with errors.of_files(newpath), errors.open_to_read(oldpath) as old, open(newpath, "wb") as new:
        shutil.copyfileobj(old, new)


@errors.of_files()
def Rename(oldname, newname, overwrite=False) -> None:
    """Rename a file or directory. Raises the same errors as `Copy`."""
    _check_free(newname, overwrite)
    os.replace(oldname, newname)


def _check_free(name, overwrite: bool) -> None:
    if os.path.exists(name) and not overwrite:
        raise errors.AlreadyExistsError(None, None, "file already exists")


# Other names for the same functions.
Open = FastGFile = GFile
copy, exists, glob, isdir, listdir = Copy, Exists, Glob, IsDirectory, ListDirectory
makedirs, mkdir, remove, rename = MakeDirs, MkDir, Remove, Rename
rmtree, stat, walk = DeleteRecursively, Stat, Walk
