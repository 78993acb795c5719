"""Which checkpoints a folder holds, and which is the latest: the text file 'checkpoint' lists them.

    model_checkpoint_path: "model-200"
    all_model_checkpoint_paths: "model-100"
    all_model_checkpoint_paths: "model-200"

Mirrors tensorflow/python/checkpoint/checkpoint_management.py.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from glob import escape, glob
from typing import BinaryIO

from minitf.framework import errors, tf_logging
from minitf.framework.protos import defined, protobuf

# The file 'checkpoint', which holds the message CheckpointState as text.
_STATE = """
name: "checkpoint_state.proto" package: "tensorflow" syntax: "proto3"
message_type {
  name: "CheckpointState"
  field { name: "model_checkpoint_path" number: 1 type: TYPE_STRING }
  field { name: "all_model_checkpoint_paths" number: 2 type: TYPE_STRING label: LABEL_REPEATED }
  field {
    name: "all_model_checkpoint_timestamps" number: 3 type: TYPE_DOUBLE label: LABEL_REPEATED
  }
  field { name: "last_preserved_timestamp" number: 4 type: TYPE_DOUBLE }
}
"""


@contextmanager
def replacing(path: str) -> Iterator[BinaryIO]:
    """Yield a temporary file, which replaces `path` once it is complete, or else disappears."""
    temporary = f"{path}.tempstate{os.urandom(16).hex()}"
    try:
        with open(temporary, "wb") as file:
            yield file
        os.replace(temporary, path)
    except OSError as error:
        error.filename = error.filename or path  # a full disk has no name
        raise
    finally:
        with suppress(FileNotFoundError):
            os.remove(temporary)


@contextmanager
def one_writer(folder: str) -> Iterator[None]:
    """Let no other process or thread write a checkpoint into the folder within the `with`.

    Where folders can't be locked, as on Windows and in some network folders, it doesn't wait.
    """
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            import fcntl  # which Windows lacks

            descriptor = os.open(folder or os.curdir, os.O_RDONLY)
            stack.callback(os.close, descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            # Closing wouldn't be enough if a process has been forked meanwhile.
            stack.callback(fcntl.flock, descriptor, fcntl.LOCK_UN)
        yield


@cache
def _state_message() -> type:
    """Return the class of the file's contents: the latest checkpoint, and all, oldest first."""
    return defined(_STATE)["tensorflow.CheckpointState"]


def _state_file(checkpoint_dir, latest_filename: str | None) -> str:
    name = "checkpoint" if latest_filename is None else latest_filename
    return os.path.join(checkpoint_dir, name)


def generate_checkpoint_state_proto(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: list[str] | None = None,
    all_model_checkpoint_timestamps: list[float] | None = None,
    last_preserved_timestamp: float | None = None,
):
    """Return the CheckpointState of a folder with these checkpoints.

    If `save_dir` is relative, the paths become relative to it. The latest checkpoint,
    `model_checkpoint_path`, is added to the list of all if it isn't the last one (as in TensorFlow,
    to the very list that was passed). Raises ValueError unless there are as many timestamps as
    paths.
    """
    paths, times = all_model_checkpoint_paths or [], list(all_model_checkpoint_timestamps or ())
    if paths[-1:] != [model_checkpoint_path]:
        words = "%s is not in all_model_checkpoint_paths. Manually adding it."
        tf_logging.info(words, model_checkpoint_path)
        paths.append(model_checkpoint_path)
    if times and len(times) != len(paths):
        raise ValueError(
            f"Checkpoint timestamps, if provided, must match checkpoint paths (got paths {paths} "
            f"and timestamps {times})"
        )
    if not os.path.isabs(save_dir):
        start = save_dir or "."
        paths = [path if os.path.isabs(path) else os.path.relpath(path, start) for path in paths]
    return _state_message()(
        model_checkpoint_path=paths[-1],
        all_model_checkpoint_paths=paths,
        all_model_checkpoint_timestamps=times,
        last_preserved_timestamp=last_preserved_timestamp,
    )


@errors.of_files()
def update_checkpoint_state(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: list[str] | None = None,
    latest_filename: str | None = None,
    all_model_checkpoint_timestamps: list[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> None:
    """Write the file 'checkpoint' (or `latest_filename`) of a folder.

    For the arguments, see `generate_checkpoint_state_proto`. Raises RuntimeError if the latest
    checkpoint has the same name as the file, NotFoundError if there is no such folder.
    """
    file = _state_file(save_dir, latest_filename)
    state = generate_checkpoint_state_proto(
        save_dir,
        model_checkpoint_path,
        all_model_checkpoint_paths,
        all_model_checkpoint_timestamps,
        last_preserved_timestamp,
    )
    if file == state.model_checkpoint_path:
        raise RuntimeError(
            f"Save path '{model_checkpoint_path}' conflicts with path used for checkpoint state. "
            " Please use a different save path."
        )
    with replacing(file) as written:
        written.write(protobuf("text_format").MessageToString(state).encode())


def get_checkpoint_state(checkpoint_dir, latest_filename: str | None = None):
    """Return the contents of the file 'checkpoint', with full paths, or None if it can't be read.

    Raises ValueError if it doesn't name the latest checkpoint.
    """
    checkpoint_dir = os.fspath(checkpoint_dir)
    file = _state_file(checkpoint_dir, latest_filename)
    if not os.path.exists(file):
        return None
    text_format, state = protobuf("text_format"), _state_message()()
    try:
        with errors.of_files(file), errors.open_to_read(file) as stored:
            text_format.Merge(stored.read().decode(), state)
    except (ValueError, text_format.ParseError, errors.OpError) as error:
        tf_logging.warning("%s: %s", type(error).__name__, error)
        tf_logging.warning("%s: Checkpoint ignored", file)
        return None
    if not state.model_checkpoint_path:
        raise ValueError(f"Invalid checkpoint state loaded from {checkpoint_dir}")
    paths = state.all_model_checkpoint_paths
    state.model_checkpoint_path = os.path.join(checkpoint_dir, state.model_checkpoint_path)
    paths[:] = [os.path.join(checkpoint_dir, path) for path in paths]
    return state


def latest_checkpoint(checkpoint_dir, latest_filename: str | None = None) -> str | None:
    """Return the latest checkpoint of a folder, for `Saver.restore`, or None if there is none."""
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state and checkpoint_exists(state.model_checkpoint_path):
        return state.model_checkpoint_path
    if state:
        tf_logging.error("Couldn't match files for checkpoint %s", state.model_checkpoint_path)
    return None


def checkpoint_exists(checkpoint_prefix: str) -> bool:
    """Return whether a checkpoint with this name exists."""
    return bool(_files(checkpoint_prefix))


def _files(prefix: str) -> list[str]:
    """Return the index file of a checkpoint or, as in TensorFlow, any file with just this name."""
    exact = [name for name in (f"{prefix}.index", prefix) if os.path.exists(name)]
    folder, name = os.path.split(prefix)
    pattern = os.path.join(escape(folder), name)  # or a file could make this search the whole disk
    found = exact or glob(f"{pattern}.index") or glob(pattern)
    return [name for name in found if os.path.exists(name)]


def get_checkpoint_mtimes(checkpoint_prefixes: Iterable[str]) -> list[float]:
    """Return when these checkpoints were written, in seconds since 1970.

    Missing ones are left out.
    """
    found = [files[0] for files in map(_files, checkpoint_prefixes) if files]
    return [float(os.stat(name).st_mtime) for name in found]


@errors.of_files()
def remove_checkpoint(
    checkpoint_prefix: str, checkpoint_format_version=2, meta_graph_suffix="meta"
) -> None:
    """Delete whichever of a checkpoint's files exist, starting with its index.

    `checkpoint_format_version` is ignored: there is only one format.
    """
    for ending in (".index", ".data-?????-of-?????", f".{meta_graph_suffix}"):
        for name in glob(escape(checkpoint_prefix) + ending):
            with suppress(FileNotFoundError):
                os.remove(name)
