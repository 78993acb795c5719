"""A checkpoint on disk: a sorted table says where each tensor is in the data files.

    PREFIX.index                  the table: name -> dtype, shape, data file, place, checksum
    PREFIX.data-00000-of-00001    the bytes of the tensors, one after the other

The table is a file of blocks, each followed by its checksum. A block holds keys and values sorted
by key; for each key, it stores how many bytes are shared with the key before, then the rest. A
footer says where to find the block that lists the other blocks. The values are protocol buffers:
pairs of a field number and a value, with integers as varints (seven bits per byte). Checksums are
CRC32C. Nothing that is read is ever executed.

The first save or restore loads this module.

Mirrors tensorflow/core/util/tensor_bundle, tensorflow/tsl/lib/io/table and py_checkpoint_reader.py.
"""

import io
import itertools
import math
import os
from collections import namedtuple
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from glob import escape, glob
from typing import Any, BinaryIO, Self

import numpy as np

from minitf.framework import dtypes, errors
from minitf.framework.late import imported
from minitf.framework.protos import defined, protobuf
from minitf.training.checkpoint_management import one_writer, replacing

MAGIC = 0xDB4775248B80FB57.to_bytes(8, "little")  # how each table ends
FOOTER_SIZE = 48
# How many times as long as its block all keys of a block can be: every sixteenth key that
# TensorFlow writes is complete.
_LONGEST_KEYS = 20
OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
_FIRST = "float32 float64 int32 uint8 int16 int8 string complex64 int64 bool"
_NUMBERS = dict(enumerate(_FIRST.split(), 1))
_NUMBERS |= {17: "uint16", 18: "complex128", 19: "float16", 22: "uint32", 23: "uint64"}
TYPES = {number: dtypes.as_dtype(name) for number, name in _NUMBERS.items()}
TYPES[14] = BFLOAT16 = dtypes.DType(np.float32, "bfloat16")  # which NumPy and so graphs lack


@cache
def _crc32c():
    return imported(
        "google_crc32c", "Checkpoints need the package google-crc32c: pip install google-crc32c"
    )


def checksum(*pieces) -> int:
    """Return the CRC32C of all pieces, masked because data may contain checksums itself."""
    crc = 0
    for piece in pieces:
        crc = _crc32c().extend(crc, piece)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


# Numbers.


def varint(number: int) -> bytes:
    """Return a number as seven bits per byte, lowest first; all bytes but the last start with 1."""
    low = []
    while number > 127:
        low.append(number & 127 | 128)
        number >>= 7
    return bytes([*low, number])


class Bytes(io.BytesIO):
    """Bytes that are read piece by piece."""

    def varint(self) -> int:
        """Read a varint of at most 64 bits.

        Raises IndexError at the end, ValueError for a longer one.
        """
        number = 0
        for shift in range(0, 70, 7):
            byte = self.read(1)[0]
            number |= (byte & 127) << shift
            if byte < 128:
                return number
        raise ValueError(f"the number before byte {self.tell()} has no end")

    def exactly(self, size: int) -> bytes:
        """Read so many bytes. Raises ValueError if there are fewer."""
        piece = self.read(size)
        if len(piece) < size:
            raise ValueError(f"ends {size - len(piece)} bytes too early")
        return piece


# An index holds a header, and an entry for each tensor. In an object-based checkpoint, one of the
# tensors is a TrackableObjectGraph, with the objects' names. Fields that nobody reads are left out.
_PROTOS = defined("""
name: "checkpoint.proto" syntax: "proto3"
message_type {
  name: "BundleHeaderProto"
  field { name: "num_shards" number: 1 type: TYPE_INT32 }
  field { name: "endianness" number: 2 type: TYPE_INT32 }
  field { name: "version" number: 3 type_name: "VersionDef" }
}
message_type {
  name: "VersionDef"
  field { name: "producer" number: 1 type: TYPE_INT32 }
}
message_type {
  name: "BundleEntryProto"
  field { name: "type_number" number: 1 type: TYPE_INT32 }
  field { name: "shape" number: 2 type_name: "TensorShapeProto" }
  field { name: "shard" number: 3 type: TYPE_INT32 }
  field { name: "offset" number: 4 type: TYPE_UINT64 }
  field { name: "size" number: 5 type: TYPE_UINT64 }
  field { name: "checksum" number: 6 type: TYPE_FIXED32 }
  field { name: "slices" number: 7 type_name: "TensorSliceProto" label: LABEL_REPEATED }
}
message_type {
  name: "TensorShapeProto"
  field { name: "dim" number: 2 type_name: "Dim" label: LABEL_REPEATED }
}
message_type {
  name: "Dim"
  field { name: "size" number: 1 type: TYPE_INT64 }
}
message_type {
  name: "TensorSliceProto"
  field { name: "extent" number: 1 type_name: "Extent" label: LABEL_REPEATED }
}
message_type {
  name: "Extent"
  field { name: "start" number: 1 type: TYPE_INT64 }
  field { name: "length" number: 2 type: TYPE_INT64 oneof_index: 0 }
  oneof_decl { name: "has_length" }
}
message_type {
  name: "TrackableObjectGraph"
  field { name: "nodes" number: 1 type_name: "TrackableObject" label: LABEL_REPEATED }
}
message_type {
  name: "TrackableObject"
  field { name: "attributes" number: 2 type_name: "SerializedTensor" label: LABEL_REPEATED }
}
message_type {
  name: "SerializedTensor"
  field { name: "full_name" number: 2 type: TYPE_BYTES }
  field { name: "checkpoint_key" number: 3 type: TYPE_BYTES }
}
""")
_Header, _Entry = _PROTOS["BundleHeaderProto"], _PROTOS["BundleEntryProto"]
DecodeError = protobuf("message").DecodeError


# The table.


def _block(items: list[tuple[bytes, bytes]]) -> bytes:
    """Return a block. Every key is written in full, so that a reader may start at any of them."""
    block, starts = bytearray(), []
    for key, value in items:
        starts.append(len(block))
        block += varint(0) + varint(len(key)) + varint(len(value)) + key + value
    return bytes(block) + np.array([*starts, len(starts)] if starts else [0, 1], "<u4").tobytes()


def table(items: list[tuple[bytes, bytes]]) -> bytes:
    """Return a table of (key, value) pairs sorted by key: one block, and a block that lists it."""
    file = b""

    def add(block: bytes) -> bytes:
        nonlocal file
        handle = varint(len(file)) + varint(len(block))
        file += block + b"\0" + checksum(block, b"\0").to_bytes(4, "little")  # 0: not compressed
        return handle

    handle = add(_block(items))
    footer = add(_block([])) + add(_block([(items[-1][0], handle)]))
    return file + footer.ljust(FOOTER_SIZE - len(MAGIC), b"\0") + MAGIC


def read_table(file: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield a table's (key, value) pairs. Raises ValueError or IndexError if it isn't a table."""
    if len(file) < FOOTER_SIZE:
        raise ValueError("file is too short to be an sstable")
    if file[-len(MAGIC) :] != MAGIC:
        raise ValueError("not an sstable (bad magic number)")
    footer, end = Bytes(file[-FOOTER_SIZE:]), 0
    footer.varint(), footer.varint()  # the handle of the metaindex block, which is empty
    for _, handle in _read_block(file, _place(footer)):
        start, size = _place(Bytes(handle))
        if start < end:
            raise ValueError(f"the block at byte {start} is not after the one before it")
        yield from _read_block(file, (start, size))
        end = start + size


def _place(handle: Bytes) -> tuple[int, int]:
    """Return where a block begins, and its size."""
    return handle.varint(), handle.varint()


def _read_block(file: bytes, place: tuple[int, int]) -> Iterator[tuple[bytes, bytes]]:
    start, size = place
    content, end = file[start : start + size + 1], start + size + 5
    if end > len(file) or checksum(content) != int.from_bytes(file[end - 4 : end], "little"):
        raise ValueError(f"block checksum mismatch at byte {start}")
    if content[-1]:
        raise ValueError(f"the block at byte {start} is compressed, which minitf can't read")
    key, block, allowed = b"", Bytes(content), _LONGEST_KEYS * len(content)
    size -= 4 + 4 * int.from_bytes(content[-5:-1], "little")
    if size < 0:
        raise ValueError(f"bad entry in the block at byte {start}")
    while block.tell() < size:
        shared, new, length = block.varint(), block.varint(), block.varint()
        if shared > len(key):
            raise ValueError(f"bad entry in the block at byte {start}")
        key = key[:shared] + block.exactly(new)
        allowed -= len(key)
        if allowed < 0:
            raise ValueError(f"the keys in the block at byte {start} are too long")
        yield key, block.exactly(length)


# Tensors.


class Entry(namedtuple("Entry", "type_number shape shard offset size checksum slices")):
    """Where a tensor is stored. If it is stored in slices, each slice has its own entry.

    `slices` holds, for each slice and each axis, the start and the length (-1 for all).
    """

    def packed(self) -> bytes:
        """Return the entry of a tensor without slices as a protocol buffer."""
        shape = {"dim": [{"size": length} for length in self.shape]}
        return _Entry(**self._asdict() | {"shape": shape}).SerializeToString()

    @classmethod
    def unpacked(cls, data: bytes) -> Self:
        """Return the entry that `packed` or TensorFlow has written.

        Raises ValueError or protobuf's DecodeError if it is damaged.
        """
        stored = _Entry.FromString(data)
        lengths = tuple(dim.size for dim in stored.shape.dim)
        if min(lengths, default=0) < 0:
            raise ValueError(f"Shape {list(lengths)} is not fully defined")
        slices = tuple(tuple(map(_limits, part.extent)) for part in stored.slices)
        fields = {name: getattr(stored, name) for name in cls._fields}
        return cls(**fields | {"shape": lengths, "slices": slices})


def _limits(extent) -> tuple[int, int]:
    return extent.start, extent.length if extent.HasField("length") else -1


def slice_key(name: str, part: tuple[tuple[int, int], ...]) -> bytes:
    """Return the table's key for a slice, which sorts as bytes the way its numbers do."""
    key = b"\0" + name.encode() + b"\0\1" + bytes([1, len(part)] if part else [0])
    for number in itertools.chain(*part):
        size = ((~number if number < 0 else number).bit_length() + 7) // 7
        ordered = (number ^ ((1 << size) - 1 << 7 * size)) & ((1 << 8 * size) - 1)
        key += ordered.to_bytes(size, "big")
    return key


def _string_pieces(strings: list[bytes]) -> tuple[list[bytes], list[bytes]]:
    """Return what is stored for strings (lengths, checksum, strings), and what checksums cover."""
    lengths = list(map(len, strings))
    fixed = b"".join(length.to_bytes(4 if length < 1 << 32 else 8, "little") for length in lengths)
    check = checksum(fixed).to_bytes(4, "little")
    return [b"".join(map(varint, lengths)), check, *strings], [fixed, check, *strings]


def _data_file(prefix: str, shard: int, shards: int) -> str:
    return f"{prefix}.data-{shard:05d}-of-{shards:05d}"


@errors.of_files()
def write_checkpoint(prefix: str, tensors: Mapping[str, Any]) -> None:
    """Write the files of a checkpoint.

    If it is killed at any moment, either the checkpoint that was there before or the new one is
    complete. If several processes write the same one, each waits for the others. It creates the
    directory, but raises NotFoundError if that one's parent doesn't exist.
    """
    folder = os.path.dirname(prefix)
    if folder and not os.path.isdir(folder):
        with suppress(FileExistsError):  # it is a file, or another program has just created it
            os.mkdir(os.path.normpath(folder))
    with one_writer(folder):
        _write_files(prefix, tensors)


def _write_files(prefix: str, tensors: Mapping[str, Any]) -> None:
    def write_index(shards: int) -> None:
        header = _Header(num_shards=shards, version={"producer": 1}).SerializeToString()
        with replacing(f"{prefix}.index") as index:
            index.write(table([(b"", header), *[(key, entry.packed()) for key, entry in entries]]))

    path = _data_file(prefix, 0, 1)
    with replacing(path) as data:
        names = sorted(tensors, key=str.encode)
        entries = [(name.encode(), _append(data, tensors[name])) for name in names]
        data.flush()
        if os.path.exists(f"{prefix}.index"):
            # An index must never point to another save's data: give the new data another name.
            pattern = f"{escape(prefix)}.data-*-of-"
            spare = next(n for n in itertools.count(2) if not glob(f"{pattern}{n:05d}"))
            _second_name(data.name, _data_file(prefix, 0, spare))
            write_index(spare)
    write_index(1)
    for old in glob(f"{escape(prefix)}.data-?????-of-?????"):
        if old != path:
            with suppress(FileNotFoundError):  # another process was faster
                os.remove(old)


def _second_name(path: str, name: str) -> None:
    try:
        os.link(path, name)
    except OSError:  # not every file system has links
        import shutil  # here, because most programs never need it

        shutil.copyfile(path, name)


def _append(data: BinaryIO, value) -> Entry:
    # NumPy's arrays of bytes would drop zeros at the end of a string.
    array = np.asarray(value, object if isinstance(value, bytes) else None)
    kind = dtypes.as_dtype(array.dtype)
    if kind is dtypes.string:
        pieces, checked = _string_pieces(array.ravel().tolist())
    else:
        pieces = checked = [np.ascontiguousarray(array, array.dtype.newbyteorder("<"))]
    offset = data.tell()
    for piece in pieces:
        data.write(piece)
    number = next(number for number, dtype in TYPES.items() if dtype is kind)
    return Entry(number, array.shape, 0, offset, data.tell() - offset, checksum(*checked), ())


class CheckpointReader:
    """The contents of a checkpoint.

    Raises NotFoundError if there is none, DataLossError if a file is damaged or isn't a checkpoint.
    """

    def __init__(self, filepattern: str | bytes):
        self._prefix = prefix = os.fsdecode(filepattern)
        path = f"{prefix}.index" if os.path.exists(f"{prefix}.index") else prefix
        if not os.path.exists(path):
            words = "Unsuccessful TensorSliceReader constructor: Failed to find any matching files"
            raise errors.NotFoundError(None, None, f"{words} for {prefix}")
        advice = ": perhaps your file is in a different file format and you need to use a "
        advice += "different restore operator?"
        code = "FAILED_PRECONDITION" if os.path.isdir(path) else "DATA_LOSS"
        place = f"Unable to open table file {path}: {code}: "
        with _blaming(place, advice), errors.open_to_read(path) as index:
            items = dict(read_table(index.read()))
            header = _Header.FromString(items.pop(b"", b""))
            self._shards = header.num_shards
            if not header.num_shards or header.endianness:
                raise ValueError("not a V2 checkpoint from a little-endian machine")
            self._entries = {key: Entry.unpacked(value) for key, value in items.items()}
            self._named = {key.decode(): entry for key, entry in self._entries.items() if key[0]}

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """Return the shapes of the tensors, by name."""
        return {name: list(entry.shape) for name, entry in self._named.items()}

    def get_variable_to_dtype_map(self) -> dict[str, Any]:
        """Return the dtypes of the tensors, by name; None for a dtype that minitf lacks."""
        return {name: TYPES.get(entry.type_number) for name, entry in self._named.items()}

    def has_tensor(self, tensor_str: str | bytes) -> bool:
        """Return whether the checkpoint holds a tensor of this name."""
        return os.fsdecode(tensor_str) in self._named

    def keys_of_names(self) -> dict[str, str]:
        """Return the keys in TensorFlow 2's object-based checkpoints, by variables' names."""
        if not self.has_tensor(OBJECT_GRAPH):
            return {}
        with _blaming(f"TensorBundle at {self._prefix}: {OBJECT_GRAPH}: "):
            graph = _PROTOS["TrackableObjectGraph"].FromString(self.get_tensor(OBJECT_GRAPH))
            attributes = [attribute for node in graph.nodes for attribute in node.attributes]
            found = {each.full_name.decode(): each.checkpoint_key.decode() for each in attributes}
        found.pop("", None)
        return found

    def debug_string(self) -> bytes:
        """Return a line for each tensor, such as `w (DT_FLOAT) [2,3]`."""
        lines = []
        for name, entry in self._named.items():
            number = entry.type_number
            kind = dtypes.proto_name(TYPES[number]) if number in TYPES else number
            lines.append(f"{name} (DT_{str(kind).upper()}) [{','.join(map(str, entry.shape))}]\n")
        return "".join(lines).encode()

    def get_tensor(self, tensor_str: str | bytes):
        """Return the value of a tensor: an array or, for rank 0, a scalar.

        A bfloat16, which is the first half of a float32, is returned as a float32. Raises
        NotFoundError if there is no such tensor, DataLossError if its data are damaged,
        OutOfRangeError if their file is too short.
        """
        name = os.fsdecode(tensor_str)
        if name not in self._named:
            raise errors.NotFoundError(None, None, f"Key {name} not found in checkpoint")
        entry = self._named[name]
        if entry.type_number not in TYPES:
            raise errors.UnimplementedError(
                None, None, f"{name}: Data type {entry.type_number} not supported"
            )
        with _blaming(f"TensorBundle at {self._prefix}: {name}: "):
            if not entry.slices:
                return self._read(entry)[()]
            return self._put_together(name, entry)

    def _put_together(self, name: str, entry: Entry) -> np.ndarray:
        """Return a tensor that is stored in slices. Raises ValueError if they aren't the whole."""
        entries = [self._entries[slice_key(name, part)] for part in entry.slices]
        held, count = sum(math.prod(each.shape) for each in entries), math.prod(entry.shape)
        if held != count:
            raise ValueError(f"slices hold {held} of its {count} values")
        places = sorted((each.shard, each.offset, each.size) for each in entries)
        if any((one[0], one[1] + one[2]) > two[:2] for one, two in itertools.pairwise(places)):
            raise ValueError("its slices overlap in the file")
        pieces = [self._read(each) for each in entries]
        whole = np.empty(entry.shape, TYPES[entry.type_number].as_numpy_dtype)
        filled = np.zeros(entry.shape, bool)
        for part, values in zip(entry.slices, pieces, strict=True):
            place = tuple(slice(s, None if n < 0 else s + n) for s, n in part)
            if filled[place].shape != values.shape or filled[place].any():
                raise ValueError(f"its slice {part} doesn't fit")
            whole[place], filled[place] = values, True
        return whole

    def _read(self, entry: Entry) -> np.ndarray:
        dtype, count = TYPES[entry.type_number], math.prod(entry.shape)
        numbers = np.dtype(dtype.as_numpy_dtype if dtype is not BFLOAT16 else np.uint16)
        numbers = np.dtype(numbers.newbyteorder("<").str)
        with errors.open_to_read(_data_file(self._prefix, entry.shard, self._shards)) as data:
            if os.fstat(data.fileno()).st_size < entry.offset + entry.size:
                words = f"{data.name} ends before byte {entry.offset + entry.size}"
                raise errors.OutOfRangeError(None, None, f"{words}: Read less bytes than requested")
            data.seek(entry.offset)
            if dtype is dtypes.string:
                array, checked = _read_strings(data.read(entry.size), count)
            elif entry.size != count * numbers.itemsize:
                raise ValueError(f"Invalid size in bundle entry: {entry.size}")
            else:
                array = np.fromfile(data, numbers, count)
                checked = [array]
            if checksum(*checked) != entry.checksum:
                raise ValueError(
                    f"Checksum does not match: stored {entry.checksum} for {data.name}, "
                    f"{entry.size} bytes from byte {entry.offset} on"
                )
        if dtype is BFLOAT16:
            array = (array.astype(np.uint32) << 16).view(np.float32)
        return array.reshape(entry.shape)


def _read_strings(data: bytes, count: int) -> tuple[np.ndarray, list[bytes]]:
    stream = Bytes(data)
    lengths = [stream.varint() for _ in range(count)]
    stream.read(4)  # their checksum
    strings = [stream.exactly(length) for length in lengths]
    pieces, checked = _string_pieces(strings)
    if b"".join(pieces) != data:
        raise ValueError("Checksum does not match: the lengths of its strings are damaged")
    array = np.empty(count, object)
    array[:] = strings
    return array, checked


@contextmanager
def _blaming(place: str, advice="") -> Iterator[None]:
    """Turn errors caused by damaged data into a DataLossError that names the place."""
    damage = (ArithmeticError, DecodeError, LookupError, MemoryError, TypeError, ValueError)
    try:
        with errors.of_files():
            yield
    except (*damage, errors.FailedPreconditionError, errors.InvalidArgumentError) as error:
        raise errors.DataLossError(None, None, f"{place}{error}{advice}") from None
