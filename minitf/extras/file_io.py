"""Files of records, events and graphs: a record is a length and bytes, with a checksum of both.

Mirrors tensorflow/python/lib/io/tf_record.py, tensorflow/python/summary/summary_iterator.py and
tensorflow/python/framework/graph_io.py.
"""

import os
import struct
from typing import Self

from minitf.extras import gfile
from minitf.framework import errors, protos
from minitf.framework.graph import Graph

_HEADER = struct.Struct("<QI")


class TFRecordWriter:
    """Writes records into a new file. Raises NotFoundError if there is no such directory.

    `options` have no effect: nothing is compressed here.
    """

    def __init__(self, path, options=None):
        self._file = gfile.GFile(path, "wb")
        self._file.write(b"")
        self._records = protos.record_writer(self._file)
        self.flush, self._closed = self._file.flush, False

    def write(self, record: bytes | str) -> None:
        """Write a record. Raises FailedPreconditionError after `close`."""
        if self._closed:
            raise errors.FailedPreconditionError(None, None, "Writer is closed.")
        self._records.write(record.encode() if isinstance(record, str) else record)

    def close(self) -> None:
        """End the file."""
        self._closed = True
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception) -> None:
        self.close()


class tf_record_iterator:
    """The records of a file. Once it has ended, it goes on where the file has grown since.

    Raises NotFoundError if there is no such file, and DataLossError at a damaged record.
    """

    def __init__(self, path, options=None):
        self._file = gfile.GFile(path, "rb")
        self._file.read(0)

    def __iter__(self) -> Self:
        return self

    def __next__(self):
        checksum = protos.tensorboard("compat.tensorflow_stub.pywrap_tensorflow").masked_crc32c
        place = self._file.tell()
        header = self._file.read(_HEADER.size)
        if len(header) < _HEADER.size:
            self._file.seek(place)
            raise StopIteration
        length, check = _HEADER.unpack(header)
        if checksum(header[:8]) != check:
            doubt = "" if place else " (Is this even a TFRecord file?)"
            raise errors.DataLossError(None, None, f"corrupted record at {place}{doubt}")
        content = self._file.read(length + 4)
        if len(content) < length + 4:
            words = f"truncated record at {place}' failed with Read less bytes than requested"
            raise errors.DataLossError(None, None, words)
        if checksum(content[:length]) != int.from_bytes(content[length:], "little"):
            raise errors.DataLossError(None, None, f"corrupted record at {place + _HEADER.size}")
        return content[:length]


class summary_iterator(tf_record_iterator):
    """The events of a file that a FileWriter writes, perhaps still; errors as in `tf_record_iterator`."""

    def __init__(self, path):
        super().__init__(path)

    def __next__(self):
        return protos.message("Event").FromString(super().__next__())


def write_graph(graph_or_graph_def, logdir, name: str, as_text: bool = True) -> str:
    """Write a graph or GraphDef into a file, as text or bytes, and return the file's path.

    The directory `logdir` is created if need be.
    """
    stored = graph_or_graph_def
    if isinstance(stored, Graph):
        stored = stored.as_graph_def()
    gfile.MakeDirs(logdir)
    path = os.path.join(logdir, name)
    with gfile.GFile(path, "w" if as_text else "wb") as file:
        file.write(str(stored) if as_text else stored.SerializeToString())
    return path
