"""Which checkpoints a folder holds, and which is the latest: the text file 'checkpoint' lists them.

    model_checkpoint_path: "model-200"
    all_model_checkpoint_paths: "model-100"
    all_model_checkpoint_paths: "model-200"

Mirrors tensorflow/python/checkpoint/checkpoint_management.py.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from glob import escape, glob
from types import SimpleNamespace
from typing import Any, BinaryIO, Self

from minitf.framework import errors, tf_logging
from minitf.framework.registry import quoted

_TOKEN = re.compile(
    r"""(?P<between>(?:\s|\#[^\n]*+)++)
    |(?P<name>[A-Za-z_]\w*+)
    |(?P<number>[-+.0-9][-+.\w]*+)
    |(?P<string>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')
    |(?P<mark>[:,;\[\]])""",
    re.VERBOSE | re.ASCII,
)
_ESCAPE = re.compile(
    rb"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([abfnrtv?\\'\"]))"
)
_LETTERS = dict(zip(b"abfnrtv?\\'\"", b"\a\b\f\n\r\t\v?\\'\"", strict=True))


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


class CheckpointState(SimpleNamespace):
    """The contents of the file 'checkpoint': the latest one, and all of them, oldest first."""

    def __init__(
        self,
        model_checkpoint_path="",
        all_model_checkpoint_paths=(),
        all_model_checkpoint_timestamps=(),  # seconds since 1970
        last_preserved_timestamp=0.0,
    ):
        self.model_checkpoint_path = model_checkpoint_path
        self.all_model_checkpoint_paths = list(all_model_checkpoint_paths)
        self.all_model_checkpoint_timestamps = list(all_model_checkpoint_timestamps)
        self.last_preserved_timestamp = last_preserved_timestamp

    def __str__(self) -> str:
        lines = []
        for name, value in vars(self).items():
            for item in value if isinstance(value, list) else [value] if value else []:
                text = str(item).removesuffix(".0")
                if isinstance(item, str):
                    text = quoted(item).replace("'", r"\'")
                lines.append(f"{name}: {text}\n")
        return "".join(lines)

    __repr__ = __str__

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the state that a text describes. Raises ValueError if it describes none."""
        state, tokens = cls(), _Tokens(text)
        while tokens.kind:
            name = tokens.take("name")
            if name not in vars(state):
                raise ValueError(f'"tensorflow.CheckpointState" has no field named "{name}"')
            tokens.take("mark", ":")
            read = tokens.number if name.endswith(("timestamp", "timestamps")) else tokens.string
            if name.startswith("all_"):
                getattr(state, name).extend(tokens.list_of(read))
            else:
                setattr(state, name, read())
            if tokens.text in (",", ";"):
                tokens.advance()
        return state


class _Tokens:
    """The tokens of a text in protobuf's text format, read one after the other.

    `kind` and `text` are those of the next one; at the end, both are "".
    """

    def __init__(self, source: str):
        self._source, self._at = source, 0
        self.advance()

    def advance(self) -> None:
        """Go to the next token. Raises ValueError if there is none, but something else."""
        self.kind = "between"
        while self.kind == "between":
            found = _TOKEN.match(self._source, self._at)
            if found is None and self._at < len(self._source):
                raise self._unexpected()
            self.kind, self.text = (found.lastgroup, found[0]) if found else ("", "")
            self._at += len(self.text)

    def take(self, kind: str, text="") -> str:
        """Return the next token and go on. Raises ValueError if it is another one."""
        if self.kind != kind or text not in ("", self.text):
            self._at -= len(self.text)
            raise self._unexpected(text or kind)
        taken = self.text
        self.advance()
        return taken

    def _unexpected(self, wanted="token") -> ValueError:
        return ValueError(f"Expected {wanted} but found: {self._source[self._at :][:80]!r}")

    def list_of(self, read: Callable[[], Any]) -> list:
        """Return one value, or those in brackets."""
        if self.text != "[":
            return [read()]
        self.advance()
        found = []
        while self.text != "]":
            if found:
                self.take("mark", ",")
            found.append(read())
        self.advance()
        return found

    def string(self) -> str:
        """Return a string. Adjacent ones are one, as in Python."""
        pieces = [self.take("string")[1:-1]]
        while self.kind == "string":
            pieces.append(self.take("string")[1:-1])
        return _ESCAPE.sub(_unescaped, "".join(pieces).encode()).decode()

    def number(self) -> float:
        """Return a number; "inf" and "nan" are names to a scanner."""
        text = self.take("name" if self.kind == "name" else "number").lower()
        if "_" in text:
            raise ValueError(f"Couldn't parse float: {text}")
        return float(text.removesuffix("f") if text not in ("inf", "-inf") else text)


def _unescaped(found: re.Match) -> bytes:
    """Return what an escape in a string stands for."""
    octal, byte, short, long, letter = found.groups()
    if octal or byte:
        return bytes([int(octal, 8) & 255 if octal else int(byte, 16)])
    if letter:
        return bytes([_LETTERS[letter[0]]])
    number = int(short or long, 16)
    if number > sys.maxunicode:
        raise ValueError(f"no character has the number {number}")
    return chr(number).encode()


def _state_file(checkpoint_dir, latest_filename: str | None) -> str:
    name = "checkpoint" if latest_filename is None else latest_filename
    return os.path.join(checkpoint_dir, name)


def generate_checkpoint_state_proto(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: list[str] | None = None,
    all_model_checkpoint_timestamps: list[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> CheckpointState:
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
        written.write(str(state).encode())


def get_checkpoint_state(
    checkpoint_dir, latest_filename: str | None = None
) -> CheckpointState | None:
    """Return the contents of the file 'checkpoint', with full paths, or None if it can't be read.

    Raises ValueError if it doesn't name the latest checkpoint.
    """
    checkpoint_dir = os.fspath(checkpoint_dir)
    file = _state_file(checkpoint_dir, latest_filename)
    if not os.path.exists(file):
        return None
    try:
        with errors.of_files(file), errors.open_to_read(file) as stored:
            state = CheckpointState.parse(stored.read().decode())
    except (ValueError, errors.OpError) as error:
        tf_logging.warning("%s: %s", type(error).__name__, error)
        tf_logging.warning("%s: Checkpoint ignored", file)
        return None
    if not state.model_checkpoint_path:
        raise ValueError(f"Invalid checkpoint state loaded from {checkpoint_dir}")
    latest, *paths = [
        os.path.join(checkpoint_dir, path)
        for path in [state.model_checkpoint_path, *state.all_model_checkpoint_paths]
    ]
    state.model_checkpoint_path, state.all_model_checkpoint_paths = latest, paths
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
