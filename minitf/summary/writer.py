"""A FileWriter appends events, such as summaries and graphs, to a file that TensorBoard reads.

Mirrors tensorflow/python/summary/writer/writer.py and writer_cache.py.
"""

from __future__ import annotations

import itertools
import os
import time
import warnings
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from minitf.framework import errors, tf_logging
from minitf.framework.events import announced
from minitf.framework.graph import Graph, get_default_graph
from minitf.framework.locks import add_lock
from minitf.framework.protos import message, record_writer

_numbers = itertools.count()


@errors.of_files()
def make_directory(dirname) -> None:
    """Create a directory and its parents. Raises FailedPreconditionError if the path is a file."""
    try:
        os.makedirs(dirname or os.curdir, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        blocking = os.fspath(dirname)
        while not os.path.lexists(blocking):
            blocking = os.path.dirname(blocking)
        words = f"{os.fsdecode(blocking)} is not a directory"
        raise errors.FailedPreconditionError(None, None, words) from None


class FileWriter:
    """Writes events to a new file in the directory `logdir`, which it creates if necessary.

        with tf.summary.FileWriter("logs", sess.graph) as writer:
            writer.add_summary(summary, global_step=10)

    `graph`, or a GraphDef as `graph_def`, becomes the first event, and `filename_suffix` the end of
    the file's name. Events become visible to other programs at the first event, then every
    `flush_secs` seconds when one is added, after `flush` and `close`, and when Python exits.
    `max_queue` and `session` are ignored because events don't wait in a queue here.

    Raises FailedPreconditionError if a file is in the place of the directory. If the file of events
    can't be written, for example because the disk is full, training continues without it: a line
    on stderr says so, and further events are dropped.
    """

    def __init__(
        self,
        logdir,
        graph=None,
        max_queue=10,
        flush_secs=120,
        graph_def=None,
        filename_suffix=None,
        session=None,
    ):
        self._logdir, self._suffix = os.fspath(logdir), filename_suffix or ""
        self._flush_secs, self._flush_at = flush_secs, 0.0
        self._file: Any = None  # from the first event on
        self._closed = False
        add_lock(self, "_lock")
        self._path, self._failed = "", False  # the file of events, and whether that has been said
        self._tags_with_metadata: set[str] = set()
        self._run_tags: set[str] = set()
        make_directory(self._logdir)
        if graph is not None or graph_def is not None:
            stored = _as_graph_def(graph, graph_def)
            self.add_graph(stored)
            self.add_meta_graph(message("MetaGraphDef")(graph_def=stored))

    def get_logdir(self) -> str:
        """Return the directory."""
        return self._logdir

    @announced
    def add_summary(self, summary, global_step=None) -> None:
        """Write a Summary message, or the value of a summary op, for this step."""
        if isinstance(summary, bytes):
            summary = message("Summary").FromString(summary)
        for value in summary.value:
            # Only the first event of a tag has metadata.
            if value.HasField("metadata") and value.tag in self._tags_with_metadata:
                value.ClearField("metadata")
            elif value.HasField("metadata"):
                self._tags_with_metadata.add(value.tag)
        self._add(global_step, summary=summary)

    def add_graph(self, graph, global_step=None, graph_def=None) -> None:
        """Write a graph, or a GraphDef, with its static shapes.

        Raises TypeError for anything else, ValueError if both are given.
        """
        self._add(global_step, graph_def=_as_graph_def(graph, graph_def).SerializeToString())

    def add_meta_graph(self, meta_graph_def, global_step=None) -> None:
        """Write a MetaGraphDef, which in minitf contains only the graph.

        Raises TypeError for anything else.
        """
        if not isinstance(meta_graph_def, message("MetaGraphDef")):
            kind = type(meta_graph_def)
            raise TypeError(f"meta_graph_def must be type MetaGraphDef, saw type: {kind}")
        self._add(global_step, meta_graph_def=meta_graph_def.SerializeToString())

    def add_run_metadata(self, run_metadata, tag: str, global_step=None) -> None:
        """Record that a run with this tag took place. It has no data: minitf measures nothing.

        Raises ValueError if the tag has been used before.
        """
        if tag in self._run_tags:
            raise ValueError("The provided tag was already used for this event type")
        self._run_tags.add(tag)
        self._add(global_step, tagged_run_metadata=message("TaggedRunMetadata")(tag=tag))

    def add_session_log(self, session_log, global_step=None) -> None:
        """Write a SessionLog, which says that a session starts, stops or has saved a checkpoint."""
        self._add(global_step, session_log=session_log)

    def _add(self, global_step, **content) -> None:
        step = {} if global_step is None else {"step": int(global_step)}
        self.add_event(message("Event")(wall_time=time.time(), **step, **content))

    def add_event(self, event) -> None:
        """Write an Event. Raises TypeError for anything else."""
        if not isinstance(event, message("Event")):
            raise TypeError(f"{type(event)} is not a valid proto.")
        if self._is_open():
            with self._lock, self._going_on():
                if self._file is None:
                    self._begin_file()
                self._file.write(event.SerializeToString())
                if time.monotonic() >= self._flush_at:
                    self._file.flush()
                    self._flush_at = time.monotonic() + self._flush_secs

    @contextmanager
    def _going_on(self) -> Iterator[None]:
        """Within the `with`, let no error of the file stop the program; the first one is logged."""
        if self._failed and self._file is not None:
            self._file = _Nowhere()  # what is in it ends in the middle of an event
        try:
            yield
        except OSError as error:
            if not self._failed:
                words = "Events are dropped, because %s can't be written: %s"
                tf_logging.error(words, self._path, error.strerror or error)
            self._failed = True

    def _begin_file(self) -> None:
        import socket  # here, because importing it takes long and most programs need no writer

        place = f"{socket.gethostname()}.{os.getpid()}.{next(_numbers)}{self._suffix}"
        name = f"events.out.tfevents.{int(time.time()):010d}.{place}"
        self._path = os.path.join(self._logdir, name)
        # Not more of it may be lost with Python 3.14, whose own buffers have 128 KiB.
        file = open(self._path, "wb", buffering=8192)  # noqa: SIM115 (`close` closes it)
        self._file = record_writer(file)
        weakref.finalize(self, _close, self._file)
        version = message("Event")(wall_time=time.time(), file_version="brain.Event:2")
        self._file.write(version.SerializeToString())

    def flush(self) -> None:
        """Make all events so far visible to other programs."""
        if self._is_open() and self._file is not None:
            with self._going_on():
                self._file.flush()

    def close(self) -> None:
        """Close the file. Until `reopen`, further events are dropped with a warning."""
        self._closed = True
        if self._file is not None:
            with self._going_on():
                self._file.close()

    def reopen(self) -> None:
        """If the file is closed, let the next event start a new one."""
        if self._closed:
            self._closed, self._file, self._failed = False, None, False

    def _is_open(self) -> bool:
        if self._closed:
            noop = "The operation will be a noop unless the FileWriter is explicitly reopened."
            warnings.warn(f"Attempting to use a closed FileWriter. {noop}", stacklevel=3)
        return not self._closed

    def __enter__(self) -> FileWriter:
        return self

    def __exit__(self, *exception) -> None:
        self.close()


def _as_graph_def(graph, graph_def):
    if graph is not None and graph_def is not None:
        raise ValueError("Please pass only graph, or graph_def (deprecated), but not both.")
    found = graph if graph_def is None else graph_def
    if isinstance(found, Graph):
        return found.as_graph_def(add_shapes=True)
    if isinstance(found, message("GraphDef")):
        return found
    raise TypeError("The passed graph must be an instance of `Graph` or the deprecated `GraphDef`")


class _Nowhere:
    """Takes the place of a file that can't be written any more."""

    def write(self, record: bytes) -> None:
        """Drop a record."""

    flush = close = lambda self: None


def _close(file) -> None:
    """Close a file when Python exits, when nobody is left to be told that it fails."""
    with suppress(OSError):
        file.close()


class FileWriterCache:
    """One FileWriter for each directory, so that all events for a directory are in one file."""

    _writers: dict[str, FileWriter] = {}

    @classmethod
    def get(cls, logdir) -> FileWriter:
        """Return the FileWriter of this directory, creating it on first use."""
        with cls._lock:
            if logdir not in cls._writers:
                cls._writers[logdir] = FileWriter(logdir, graph=get_default_graph())
            return cls._writers[logdir]

    @classmethod
    def clear(cls) -> None:
        """Close all writers and forget them."""
        with cls._lock:
            for writer in cls._writers.values():
                writer.close()
            cls._writers.clear()


add_lock(FileWriterCache, "_lock")
