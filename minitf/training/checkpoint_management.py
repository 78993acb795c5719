"""Which checkpoints a folder holds, and which is the latest: a small text file called 'checkpoint' says so.

    model_checkpoint_path: "model-200"
    all_model_checkpoint_paths: "model-100"
    all_model_checkpoint_paths: "model-200"

Mirrors tensorflow/python/checkpoint/checkpoint_management.py and training/checkpoint_utils.py.
"""

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from glob import escape, glob
from pathlib import Path
from typing import Self

from minitf.framework import errors
from minitf.platform import tf_logging
from minitf.training.checkpoint_format import CheckpointReader, replacing

_BETWEEN = r"(?:[\s;,]|#.*)*"
_FIELD = re.compile(
    rf"""{_BETWEEN}(\w+)\s*:\s*(?:(["'])((?:(?!\2)[^\\\n]|\\.)*)\2|([-+.\w]+)){_BETWEEN}"""
)
_ESCAPES = str.maketrans(
    {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "'": "\\'"}
)


@dataclass
class CheckpointState:
    """What the file 'checkpoint' says: the latest checkpoint, and all of them, the oldest first."""

    model_checkpoint_path: str = ""
    all_model_checkpoint_paths: list[str] = field(default_factory=list)
    all_model_checkpoint_timestamps: list[float] = field(default_factory=list)  # seconds since 1970
    last_preserved_timestamp: float = 0.0

    def __str__(self) -> str:
        lines = []
        for name, value in vars(self).items():
            for item in value if isinstance(value, list) else [value] if value else []:
                text = (
                    f'"{item.translate(_ESCAPES)}"'
                    if isinstance(item, str)
                    else str(item).removesuffix(".0")
                )
                lines.append(f"{name}: {text}\n")
        return "".join(lines)

    __repr__ = __str__

    @classmethod
    def parse(cls, text: str) -> Self:
        """The state that a text says. Raises ValueError for any other text."""
        state, at = cls(), 0
        while at < len(text):
            found = _FIELD.match(text, at)
            if not found or found[1] not in vars(state):
                raise ValueError(f"no field of a CheckpointState: {text[at:][:80]!r}")
            name, _, string, number, at = *found.groups(), found.end()
            value = (
                float(number)
                if number
                else string.encode().decode("unicode_escape").encode("latin-1").decode()
            )
            setattr(
                state, name, [*getattr(state, name), value] if name.startswith("all_") else value
            )
        return state


def _state_file(checkpoint_dir, latest_filename: str | None) -> str:
    return os.path.join(
        checkpoint_dir, "checkpoint" if latest_filename is None else latest_filename
    )


def generate_checkpoint_state_proto(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: list[str] | None = None,
    all_model_checkpoint_timestamps: list[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> CheckpointState:
    """The state of a folder with these checkpoints; their paths are from the folder on, if it has a relative path.

    A list that lacks the newest checkpoint gets it, as in TensorFlow.
    Raises ValueError where there are not as many timestamps as paths.
    """
    paths, times = all_model_checkpoint_paths or [], list(all_model_checkpoint_timestamps or ())
    if paths[-1:] != [model_checkpoint_path]:
        tf_logging.info(
            "%s is not in all_model_checkpoint_paths. Manually adding it.", model_checkpoint_path
        )
        paths.append(model_checkpoint_path)
    if times and len(times) != len(paths):
        words = "Checkpoint timestamps, if provided, must match checkpoint paths"
        raise ValueError(f"{words} (got paths {paths} and timestamps {times})")
    if not os.path.isabs(save_dir):
        paths = [
            path if os.path.isabs(path) else os.path.relpath(path, save_dir or ".")
            for path in paths
        ]
    return CheckpointState(paths[-1], paths, times, last_preserved_timestamp or 0.0)


@errors.of_files()
def update_checkpoint_state(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: list[str] | None = None,
    latest_filename: str | None = None,
    all_model_checkpoint_timestamps: list[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> None:
    """Write the file 'checkpoint' of a folder, with the state that `generate_checkpoint_state_proto` gives.

    Raises RuntimeError where a checkpoint has the file's own name, NotFoundError if there is no such folder.
    """
    file, times = (
        _state_file(save_dir, latest_filename),
        (all_model_checkpoint_timestamps, last_preserved_timestamp),
    )
    state = generate_checkpoint_state_proto(
        save_dir, model_checkpoint_path, all_model_checkpoint_paths, *times
    )
    if file == state.model_checkpoint_path:
        words = "conflicts with path used for checkpoint state.  Please use a different save path."
        raise RuntimeError(f"Save path '{model_checkpoint_path}' {words}")
    with replacing(file) as written:
        written.write(str(state).encode())


def get_checkpoint_state(
    checkpoint_dir, latest_filename: str | None = None
) -> CheckpointState | None:
    """What the file 'checkpoint' of a folder says, with full paths; None if there is none that can be read."""
    checkpoint_dir = os.fspath(checkpoint_dir)
    file = _state_file(checkpoint_dir, latest_filename)
    if not os.path.exists(file):
        return None
    try:
        with errors.of_files():
            text = Path(file).read_bytes().decode()
        state = CheckpointState.parse(text)
    except (ValueError, errors.OpError) as error:
        tf_logging.warning("%s: %s", type(error).__name__, error)
        tf_logging.warning("%s: Checkpoint ignored", file)
        return None
    if not state.model_checkpoint_path:
        raise ValueError(f"Invalid checkpoint state loaded from {checkpoint_dir}")
    state.model_checkpoint_path = os.path.join(checkpoint_dir, state.model_checkpoint_path)
    state.all_model_checkpoint_paths = [
        os.path.join(checkpoint_dir, p) for p in state.all_model_checkpoint_paths
    ]
    return state


def latest_checkpoint(checkpoint_dir, latest_filename: str | None = None) -> str | None:
    """The latest checkpoint of a folder, which `Saver.restore` takes; None if there is none."""
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state and checkpoint_exists(state.model_checkpoint_path):
        return state.model_checkpoint_path
    if state:
        tf_logging.error("Couldn't match files for checkpoint %s", state.model_checkpoint_path)
    return None


def checkpoint_exists(checkpoint_prefix: str) -> bool:
    """Whether there is a checkpoint of this name."""
    return bool(_files(checkpoint_prefix))


def _files(prefix: str) -> list[str]:
    """The index of a checkpoint; or, as in TensorFlow, whatever has just this name."""
    exact = [name for name in (f"{prefix}.index", prefix) if os.path.exists(name)]
    return exact or glob(f"{prefix}.index") or glob(prefix)


def get_checkpoint_mtimes(checkpoint_prefixes: Iterable[str]) -> list[float]:
    """When these checkpoints were written (seconds since 1970), without those that are not there."""
    found = [files[0] for files in map(_files, checkpoint_prefixes) if files]
    return [float(os.stat(name).st_mtime) for name in found]


@errors.of_files()
def remove_checkpoint(
    checkpoint_prefix: str, checkpoint_format_version=2, meta_graph_suffix: str = "meta"
) -> None:
    """Delete the files of a checkpoint, as far as they are there; its index goes first. There is only one format."""
    for ending in (".index", ".data-?????-of-?????", f".{meta_graph_suffix}"):
        for name in glob(escape(checkpoint_prefix) + ending):
            with suppress(FileNotFoundError):
                os.remove(name)


def load_checkpoint(ckpt_dir_or_file) -> CheckpointReader:
    """A reader of the checkpoint of this name, or of the latest one in this folder.

    Raises ValueError for a folder without checkpoints, NotFoundError, DataLossError.
    """
    path = os.fspath(ckpt_dir_or_file)
    if os.path.isdir(path):
        path = latest_checkpoint(path)
    if path is None:
        words = "Couldn't find 'checkpoint' file or checkpoints in given directory"
        raise ValueError(f"{words} {ckpt_dir_or_file}")
    return CheckpointReader(path)


def load_variable(ckpt_dir_or_file, name: str):
    """The value that a checkpoint holds for a variable. Raises NotFoundError."""
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


def list_variables(ckpt_dir_or_file) -> list[tuple[str, list[int]]]:
    """(name, shape) of everything a checkpoint holds, in the order of the names."""
    return list(
        load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items()
    )  # as the table is sorted
