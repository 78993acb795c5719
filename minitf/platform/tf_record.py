"""`tf.python_io`: a file is a row of records, each of them a length and bytes, with a checksum of both.

Mirrors tensorflow/python/lib/io/tf_record.py and tensorflow/core/lib/io/record_reader.cc.
"""

import struct
from typing import Self

from minitf.framework import errors, protos
from minitf.framework.namespaces import loads_late as _loads_late
from minitf.platform import gfile

_HEADER = struct.Struct("<QI")


class TFRecordWriter:
    """Writes records into a new file. Raises NotFoundError where there is no such directory.

    `options` have no effect: nothing is compressed here.
    """

    def __init__(self, path, options=None):
        self._file = gfile.GFile(path, "wb")
        self._file.write(b"")
        self._records = protos.tensorboard("summary.writer.record_writer").RecordWriter(self._file)
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
    """The records of a file; when the file has grown, it goes on behind its end.

    Raises NotFoundError where there is no file; when it comes to a damaged record, DataLossError with its place.
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


__getattr__, __dir__ = _loads_late("tf.python_io")
