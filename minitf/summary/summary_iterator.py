"""An events file is a row of records: a length, the event, and a checksum of each.

Stands for tensorflow/python/summary/summary_iterator.py and tensorflow/core/lib/io/record_reader.cc.
"""

import struct
from typing import Any, Self

from minitf.framework.errors import DataLossError
from minitf.framework.protos import message, tensorboard
from minitf.platform.gfile import GFile

_HEADER = struct.Struct("<QI")


class summary_iterator:
    """The events of a file, such as a FileWriter writes; when the file has grown, it goes on behind its end.

    Raises NotFoundError where there is no file; when it comes to a damaged record, DataLossError with its place.
    """

    def __init__(self, path: Any):
        self._file = GFile(path, "rb")
        self._file.read(0)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        checksum = tensorboard("compat.tensorflow_stub.pywrap_tensorflow").masked_crc32c
        place = self._file.tell()
        header = self._file.read(_HEADER.size)
        if len(header) < _HEADER.size:
            self._file.seek(place)
            raise StopIteration
        length, check = _HEADER.unpack(header)
        if checksum(header[:8]) != check:
            doubt = "" if place else " (Is this even a TFRecord file?)"
            raise DataLossError(None, None, f"corrupted record at {place}{doubt}")
        content = self._file.read(length + 4)
        if len(content) < length + 4:
            raise DataLossError(None, None, f"truncated record at {place}' failed with Read less bytes than requested")
        if checksum(content[:length]) != int.from_bytes(content[length:], "little"):
            raise DataLossError(None, None, f"corrupted record at {place + _HEADER.size}")
        return message("Event").FromString(content[:length])
