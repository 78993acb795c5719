"""A monitored session initializes itself, calls hooks around each run, and replaces a lost session.

    with tf.train.MonitoredTrainingSession(checkpoint_dir=directory, hooks=hooks) as sess:
        while not sess.should_stop():
            sess.run(train_op)

Mirrors tensorflow/python/training/monitored_session.py.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from minitf.client.session import Session
from minitf.framework import errors, tf_logging
from minitf.framework.events import announced
from minitf.framework.graph import Graph, get_default_graph
from minitf.framework.protos import message
from minitf.training.basic_session_run_hooks import (
    CheckpointSaverHook,
    StepCounterHook,
    SummarySaverHook,
)
from minitf.training.coordinator import Coordinator
from minitf.training.scaffold import ChiefSessionCreator, Scaffold, WorkerSessionCreator
from minitf.training.session_run_hook import SessionRunArgs, SessionRunContext, SessionRunValues

USE_DEFAULT = object()
_LOST = (errors.AbortedError, errors.UnavailableError)


class StepContext:
    """The argument of a `step_fn`: the plain session, and a way to run it with hooks."""

    def __init__(self, session: Session, run_with_hooks_fn: Callable):
        self.session, self.run_with_hooks = session, run_with_hooks_fn

    def request_stop(self) -> None:
        """End the loop by raising StopIteration, which also ends a monitored session's `with`."""
        raise StopIteration("step_fn has requested the iterations to stop.")


class _MonitoredSession:
    """What the two monitored sessions share: a plain session, its hooks and its coordinator."""

    StepContext = StepContext
    # The errors after which a new session takes over.
    _recovers_from: tuple[type[Exception], ...] = ()
    _layers = 2  # of sessions around the plain one, in TensorFlow

    def __init__(self, session_creator, hooks, stop_grace_period_secs: float):
        self._graph_was_finalized = get_default_graph().finalized
        self._creator, self._hooks = session_creator or ChiefSessionCreator(), hooks or []
        self._stop_grace_period_secs = stop_grace_period_secs
        self._session: Session | None = None
        self._running = self._closed = False
        for hook in self._hooks:
            hook.begin()
        self._in_session(lambda: None)  # creates the session

    @property
    def graph(self) -> Graph | None:
        """The graph of the session, or None once it is closed."""
        return self._session and self._session.graph

    @property
    def _sess(self):
        """The plain session, as deep as in TensorFlow: users write `_sess._sess._sess._sess`."""
        inside = self._session
        for _ in range(self._layers if inside else 0):
            inside = SimpleNamespace(_sess=inside)
        return inside

    def _tf_sess(self) -> Session | None:
        return self._session

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """Like `Session.run`, but with the hooks called around it.

        Raises RuntimeError after a stop was requested, or if the same tensor is fed twice.
        """
        self._check_open()
        return self._in_session(
            lambda: self._run_with_hooks(fetches, feed_dict, options, run_metadata)
        )

    def run_step_fn(self, step_fn: Callable[[StepContext], Any]):
        """Return what `step_fn(step_context)` returns.

        The function may run the plain session, run it with hooks, or request a stop (StepContext).
        Raises ValueError unless its argument is called `step_context`.
        """
        names = tuple(inspect.signature(step_fn).parameters)
        if names not in [("step_context",), ("self", "step_context")]:
            raise ValueError(
                "`step_fn` may either have one `step_context` argument, or `self` and "
                f"`step_context` arguments if it's an instance method. Got {names} instead."
            )
        self._check_open()
        return self._in_session(lambda: step_fn(StepContext(self._session, self._run_with_hooks)))

    @announced
    def should_stop(self) -> bool:
        """Return whether a hook or the coordinator has asked to stop, or the session is closed."""
        if not self._running:
            return True
        try:
            return self._in_session(self._stop_wanted)
        except Exception:
            if self._recovers_from:
                return True  # closing the session raises the error
            raise

    def close(self) -> None:
        """Call the hooks' `end`, and close the session.

        The graph then accepts new ops again, unless it was finalized before the session.
        """
        self._close(failed=False)

    def __enter__(self) -> _MonitoredSession:
        return self

    def __exit__(self, exception_type, *exception) -> bool:
        ends_of_input = (None, errors.OutOfRangeError, StopIteration)
        failed = exception_type not in ends_of_input
        self._close(failed)
        return not failed

    def _close(self, failed: bool) -> None:
        try:
            for hook in [] if failed else self._hooks:
                hook.end(self._session)
        finally:
            try:
                if self._closed:
                    raise RuntimeError("Session is already closed.")
                self._end_session()
            finally:
                self._session, self._closed = None, True
                get_default_graph().finalized &= self._graph_was_finalized

    def _check_open(self) -> None:
        if self._closed:
            raise AttributeError("'NoneType' object has no attribute 'run': the session is closed")

    def _in_session(self, work: Callable[[], Any]):
        """Return what `work()` returns. If the session is lost, try again in a new one."""
        while True:
            try:
                if not self._running:
                    self._start_session()
                return work()
            except self._recovers_from as error:
                when = "" if self._running else " while a session was being created"
                words = "The current session will be closed and a new" if self._running else "A new"
                tf_logging.info(
                    f"An error was raised{when}. {words} session will be created. Error: %s", error
                )
                self._end_session()

    def _start_session(self) -> None:
        self._session = self._creator.create_session()
        self._coord = Coordinator(clean_stop_exception_types=[])
        self._stop_requested = False
        for hook in self._hooks:
            hook.after_create_session(self._session, self._coord)
        self._running = True

    def _end_session(self) -> None:
        """Wait for the coordinator's threads to end, then close the plain session."""
        if not self._running:
            return
        self._running = False
        try:
            self._coord.request_stop()
            self._coord.join(None, self._stop_grace_period_secs, ignore_live_threads=True)
        except self._recovers_from as error:
            tf_logging.error(
                "An error occurred when attempting to close the session. Error: %s", error
            )
        finally:
            self._session.close()

    def _stop_wanted(self) -> bool:
        self._coord.raise_requested_exception()
        return self._coord.should_stop() or self._stop_requested

    def _run_with_hooks(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """Run the caller's fetches together with those of the hooks."""
        try:
            if self._stop_requested:
                raise RuntimeError("Run called even after should_stop requested.")
            return self._run_once(fetches, feed_dict, options, run_metadata)
        except Exception as error:
            if isinstance(self._coord.error, _LOST):  # that is the cause of this one
                raise self._coord.error from error
            raise

    def _run_once(self, fetches, feed_dict, options, run_metadata):
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict), self._session)
        given = {"options": options or message("RunOptions")()}
        given["run_metadata"] = run_metadata or message("RunMetadata")()
        all_fetches, feeds = {"caller": fetches}, {}
        for hook in self._hooks:
            wanted = hook.before_run(context)
            if wanted is not None:
                if wanted.fetches is not None:
                    all_fetches[hook] = wanted.fetches
                _add_feeds(feeds, wanted.feed_dict, "two hooks")
        if feeds:
            _add_feeds(feeds, feed_dict, "a SessionRunHook and user")
        values = self._session.run(all_fetches, feed_dict=feeds or feed_dict, **given)
        for hook in self._hooks:
            hook.after_run(context, SessionRunValues(values.get(hook), **given))
        self._stop_requested = context.stop_requested
        return values["caller"]


def _add_feeds(feeds: dict, more: Mapping | None, whose: str) -> None:
    if both := [key for key in more or () if key in feeds]:
        raise RuntimeError(f"Same tensor is fed by {whose}. Conflict(s): {both}")
    feeds.update(more or {})


class MonitoredSession(_MonitoredSession):
    """A session that calls hooks, and starts over after an AbortedError or UnavailableError.

    `session_creator`, by default a ChiefSessionCreator, creates the plain sessions. OutOfRangeError
    and StopIteration end a `with` quietly; after any other error, `end` of the hooks isn't called.
    """

    _recovers_from, _layers = _LOST, 3

    def __init__(self, session_creator=None, hooks=None, stop_grace_period_secs=120):
        super().__init__(session_creator, hooks, stop_grace_period_secs)


class SingularMonitoredSession(_MonitoredSession):
    """A session that calls hooks and handles no errors itself."""

    def __init__(
        self,
        hooks=None,
        scaffold=None,
        master="",
        config=None,
        checkpoint_dir=None,
        stop_grace_period_secs=120,
        checkpoint_filename_with_path=None,
    ):
        creator = ChiefSessionCreator(
            scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path
        )
        super().__init__(creator, hooks, stop_grace_period_secs)

    def raw_session(self) -> Session | None:
        """Return the plain session."""
        return self._session


def MonitoredTrainingSession(
    master="",
    is_chief=True,
    checkpoint_dir=None,
    scaffold=None,
    hooks=None,
    chief_only_hooks=None,
    save_checkpoint_secs=USE_DEFAULT,
    save_summaries_steps=USE_DEFAULT,
    save_summaries_secs=USE_DEFAULT,
    config=None,
    stop_grace_period_secs=120,
    log_step_count_steps=100,
    max_wait_secs=7200,
    save_checkpoint_steps=USE_DEFAULT,
    summary_dir=None,
    save_graph_def=True,
) -> MonitoredSession:
    """Return a MonitoredSession that counts steps, writes summaries and saves checkpoints.

        with tf.train.MonitoredTrainingSession(checkpoint_dir="model", hooks=hooks) as sess:
            while not sess.should_stop():
                sess.run(train_op)

    By default it writes summaries every 100 steps and checkpoints every 600 seconds; None or 0
    turns them off. Checkpoints go to `checkpoint_dir`, summaries to `summary_dir` or else there
    too; without a directory nothing is written. Hooks are called in this order:
    `chief_only_hooks`, the built-in ones, `hooks`. A worker (`is_chief=False`) has only `hooks`.
    `save_graph_def` is whether to write the graph too, as CheckpointSaverHook does.
    """
    scaffold = scaffold or Scaffold()
    if not is_chief:
        worker = WorkerSessionCreator(scaffold, master, config, max_wait_secs)
        return MonitoredSession(worker, hooks, stop_grace_period_secs)
    summary_dir = summary_dir or checkpoint_dir
    summaries = _chosen(save_summaries_steps, save_summaries_secs, (100, None))
    checkpoints = _chosen(save_checkpoint_secs, save_checkpoint_steps, (600, None))
    all_hooks = list(chief_only_hooks or [])
    if summary_dir and (log_step_count_steps or 0) > 0:
        all_hooks.append(StepCounterHook(log_step_count_steps, output_dir=summary_dir))
    if summary_dir and _ever(summaries):
        all_hooks.append(SummarySaverHook(*summaries, output_dir=summary_dir, scaffold=scaffold))
    if checkpoint_dir and _ever(checkpoints):
        all_hooks.append(
            CheckpointSaverHook(
                checkpoint_dir, *checkpoints, scaffold=scaffold, save_graph_def=save_graph_def
            )
        )
    creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir)
    return MonitoredSession(creator, all_hooks + list(hooks or []), stop_grace_period_secs)


def _chosen(one, other, defaults: tuple) -> tuple:
    if one is USE_DEFAULT and other is USE_DEFAULT:
        return defaults
    return tuple(None if value is USE_DEFAULT else value for value in (one, other))


def _ever(when: tuple) -> bool:
    return max(value or 0 for value in when) > 0
