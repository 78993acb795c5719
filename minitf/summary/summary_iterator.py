"""An events file is a row of records: a length, the event, and a checksum of each.

Stands for tensorflow/python/summary/summary_iterator.py and tensorflow/core/lib/io/record_reader.cc.
"""

import struct
from collections.abc import Iterator
from typing import Any

from minitf.framework.errors import DataLossError
from minitf.framework.protos import message, tensorboard
from minitf.platform.gfile import GFile

_HEADER = struct.Struct("<QI")


def summary_iterator(path: Any) -> Iterator[Any]:
    """The events of a file, such as a FileWriter writes.

    Raises NotFoundError where there is no file; when it comes to a damaged record, DataLossError with its place.
    """
    file = GFile(path, "rb")
    file.read(0)
    return map(message("Event").FromString, _records(file))


def _records(file: GFile) -> Iterator[bytes]:
    checksum = tensorboard("compat.tensorflow_stub.pywrap_tensorflow").masked_crc32c
    place = 0
    while len(header := file.read(_HEADER.size)) == _HEADER.size:
        length, check = _HEADER.unpack(header)
        if checksum(header[:8]) != check:
            doubt = "" if place else " (Is this even a TFRecord file?)"
            raise DataLossError(None, None, f"corrupted record at {place}{doubt}")
        content = file.read(length + 4)
        if len(content) < length + 4:
            raise DataLossError(None, None, f"truncated record at {place}' failed with Read less bytes than requested")
        if checksum(content[:length]) != int.from_bytes(content[length:], "little"):
            raise DataLossError(None, None, f"corrupted record at {place + _HEADER.size}")
        yield content[:length]
        place += len(header) + len(content)
