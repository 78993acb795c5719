"""Files of records, events and graphs, and ways to look into a checkpoint or start from one.

A record is a length and that many bytes, with checksums of both.

Mirrors tensorflow/python/lib/io/tf_record.py, summary/summary_iterator.py, framework/graph_io.py,
training/checkpoint_utils.py and training/py_checkpoint_reader.py, and parts of training/saver.py.
"""

import os
import struct
from collections.abc import Mapping
from typing import Self

from minitf.extras import gfile
from minitf.framework import errors, protos
from minitf.framework.graph import Graph
from minitf.framework.op_def_library import build_tensor
from minitf.ops.variable_scope import _scopes
from minitf.ops.variables import Variable
from minitf.training.checkpoint_format import CheckpointReader
from minitf.training.checkpoint_management import latest_checkpoint, replacing

_HEADER = struct.Struct("<QI")


class TFRecordWriter:
    """Writes records to a new file. Raises NotFoundError if its directory doesn't exist.

    `options` are ignored: files are never compressed here.
    """

    def __init__(self, path, options=None):
        self._file = gfile.GFile(path, "wb")
        self._file.write(b"")
        self._records = protos.record_writer(self._file)
        self.flush, self._closed = self._file.flush, False

    def write(self, record: bytes | str) -> None:
        """Write a record; text becomes UTF-8. Raises FailedPreconditionError after `close`."""
        if self._closed:
            raise errors.FailedPreconditionError(None, None, "Writer is closed.")
        self._records.write(record.encode() if isinstance(record, str) else record)

    def close(self) -> None:
        """Close the file."""
        self._closed = True
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception) -> None:
        self.close()


class tf_record_iterator:
    """An iterator over the records of a file, as bytes.

    At the end it stops, but you can continue if the file has grown since. Raises NotFoundError if
    there is no such file, DataLossError for a damaged record. `options` are ignored.
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
        left = self._file.size() - self._file.tell()
        content = self._file.read(length + 4) if length + 4 <= left else b""
        if len(content) < length + 4:
            words = f"truncated record at {place}' failed with Read less bytes than requested"
            raise errors.DataLossError(None, None, words)
        if checksum(content[:length]) != int.from_bytes(content[length:], "little"):
            raise errors.DataLossError(None, None, f"corrupted record at {place + _HEADER.size}")
        return content[:length]


def summary_iterator(path) -> map:
    """Return an iterator over the events in a FileWriter's file, like `tf_record_iterator`."""
    read = protos.message("Event").FromString

    def event(record: bytes):
        try:
            return read(record)
        except Exception as error:  # protobuf's
            error.add_note(f"{os.fspath(path)} is damaged, or isn't a file of events.")
            raise

    return map(event, tf_record_iterator(path))


def write_graph(graph_or_graph_def, logdir, name: str, as_text=True) -> str:
    """Write a Graph, GraphDef or MetaGraphDef to a file, as text or bytes, and return its path.

    Creates the directory `logdir` if necessary.
    """
    stored = graph_or_graph_def
    if isinstance(stored, Graph):
        stored = stored.as_graph_def()
    gfile.MakeDirs(logdir)
    path = os.path.join(logdir, name)
    with errors.of_files(), replacing(path) as file:
        file.write(str(stored).encode() if as_text else stored.SerializeToString())
    return path


NewCheckpointReader = CheckpointReader


def load_checkpoint(ckpt_dir_or_file) -> CheckpointReader:
    """Return a reader of the checkpoint of this name, or of the latest one in a folder.

    Raises ValueError if a folder holds no checkpoint; otherwise like `NewCheckpointReader`.
    """
    path = os.fspath(ckpt_dir_or_file)
    if os.path.isdir(path):
        path = latest_checkpoint(path)
    if path is None:
        raise ValueError(
            f"Couldn't find 'checkpoint' file or checkpoints in given directory {ckpt_dir_or_file}"
        )
    return CheckpointReader(path)


def load_variable(ckpt_dir_or_file, name: str):
    """Return a variable's value in a checkpoint.

    Raises NotFoundError if the checkpoint lacks it.
    """
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


def list_variables(ckpt_dir_or_file) -> list[tuple[str, list[int]]]:
    """Return the (name, shape) of all values in a checkpoint, sorted by name."""
    return list(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


# Initial values from a checkpoint.


def init_from_checkpoint(ckpt_dir_or_file, assignment_map) -> None:
    """Make initializers read a checkpoint: this one, or the latest one in a folder.

        tf.train.init_from_checkpoint("folder", {"old_scope/": "scope/", "old/w": w})

    `assignment_map`, a dict or a list of pairs, maps a name in the checkpoint to a Variable or to
    its name in `get_variable`, or a scope there to the scope whose variables have the same names.
    "/" is the scope of everything. This replaces the variables' `initializer` and `initial_value`,
    so call it before `tf.global_variables_initializer()`.

    Raises ValueError for a name that the checkpoint or the graph lacks, and for a single variable
    with a different shape; TypeError for a list of variables, because minitf has no partitions.
    """
    reader, known = load_checkpoint(ckpt_dir_or_file), _scopes().variables
    shapes = reader.get_variable_to_shape_map()
    pairs = assignment_map.items() if isinstance(assignment_map, Mapping) else assignment_map
    for name, target in sorted(pairs, key=lambda pair: pair[0]):
        variable = known.get(target, target)
        if not isinstance(variable, Variable):
            _init_scope(reader, name, target, known)
        elif name not in shapes:
            raise ValueError(
                f"Tensor {name} is not found in {ckpt_dir_or_file} checkpoint {shapes}"
            )
        elif not variable.shape.is_compatible_with(shapes[name]):
            raise ValueError(
                f"Shape of variable {variable.name} ({variable.shape}) doesn't match with shape of "
                f"tensor {name} ({shapes[name]}) from checkpoint reader."
            )
        else:
            _init_variable(reader, name, variable)


def _init_scope(reader: CheckpointReader, source: str, target: str, known: dict) -> None:
    scope = target.rpartition("/")[0]
    if not source.endswith("/"):
        raise ValueError(
            f"Assignment map with scope only name {scope} should map to scope only {source}. "
            "Should be 'scope/': 'other_scope/'."
        )
    for full in sorted(known):
        if full.startswith(scope and f"{scope}/"):
            inner = full[len(scope) + (target != "/") :]
            name = source.removeprefix("/") + inner
            if not reader.has_tensor(name):
                raise ValueError(
                    f"Tensor {name} ({inner} in {source}) is not found in {reader._prefix} "
                    "checkpoint"
                )
            _init_variable(reader, name, known[full])


def _init_variable(reader: CheckpointReader, name: str, variable: Variable) -> None:
    inputs, attrs = (reader._prefix, [name], [""]), {"dtypes": (variable.dtype.base_dtype,)}
    value = build_tensor("RestoreV2", *inputs, name="checkpoint_initializer", **attrs)
    value.set_shape(variable.shape)
    variable.initial_value, variable.initializer = value, variable.assign(value).op
