"""A session that starts itself, calls hooks around each run, and begins anew where its session is lost.

It has skins as an onion has: outside the recoverable session, in it the coordinated one, then the one with hooks, and
innermost the plain Session.

    with tf.train.MonitoredTrainingSession(checkpoint_dir=directory, hooks=hooks) as sess:
        while not sess.should_stop():
            sess.run(train_op)

Mirrors tensorflow/python/training/monitored_session.py.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from minitf.client.session import Session
from minitf.framework import errors
from minitf.framework.graph import Graph, get_default_graph
from minitf.framework.namespaces import RunMetadata, RunOptions
from minitf.platform import tf_logging
from minitf.training.basic_session_run_hooks import (
    CheckpointSaverHook,
    StepCounterHook,
    SummarySaverHook,
)
from minitf.training.coordinator import Coordinator
from minitf.training.scaffold import (
    ChiefSessionCreator,
    Scaffold,
    SessionCreator,
    WorkerSessionCreator,
)
from minitf.training.session_run_hook import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)

USE_DEFAULT = object()
_LOST = (errors.AbortedError, errors.UnavailableError)


class StepContext:
    """What a `step_fn` gets: the plain session, and a `run` that calls the hooks."""

    def __init__(self, session: Session, run_with_hooks_fn: Callable):
        self.session, self.run_with_hooks = session, run_with_hooks_fn

    def request_stop(self) -> None:
        """End the loop: raises StopIteration, at which a monitored session's `with` ends."""
        raise StopIteration("step_fn has requested the iterations to stop.")


class _WrappedSession:
    """A session around another one."""

    def __init__(self, sess):
        self._sess = sess

    graph = property(lambda self: self._sess.graph)
    sess_str = property(lambda self: self._sess.sess_str)

    def should_stop(self) -> bool:
        """Whether this session or one inside it wants no more runs; a closed one wants none."""
        if self._check_stop() or not self._sess:
            return True
        return isinstance(self._sess, _WrappedSession) and self._sess.should_stop()

    def _check_stop(self) -> bool:
        return False

    def close(self) -> None:
        """Close the session inside."""
        if self._sess:
            try:
                self._sess.close()
            except _LOST as error:
                tf_logging.error(
                    "An error occurred when attempting to close the session. Error: %s", error
                )
            finally:
                self._sess = None

    def run(self, *args, **kwargs):
        """As `Session.run`."""
        return self._sess.run(*args, **kwargs)

    def call(self, function: Callable[[Any], Any]):
        """What the function of a session returns."""
        return function(self)


class _RecoverableSession(_WrappedSession):
    """Where the session inside is lost, does what was asked for again in a new one."""

    def __init__(self, sess_creator):
        super().__init__(None)
        self._sess_creator = sess_creator
        self.call(lambda session: None)

    def call(self, function: Callable[[Any], Any]):
        """What the function of a session returns; called as often as it takes."""
        while True:
            try:
                self._sess = self._sess or self._sess_creator.create_session()
                return function(self._sess)
            except _LOST as error:
                when = "" if self._sess else " while a session was being created"
                words = "The current session will be closed and a new" if self._sess else "A new"
                tf_logging.info(
                    f"An error was raised{when}. {words} session will be created. Error: %s", error
                )
                self.close()

    def _check_stop(self) -> bool:
        try:
            return not self._sess or self.call(lambda session: session._check_stop())
        except Exception:
            return True

    def run(self, *args, **kwargs):
        """As `Session.run`."""
        return self.call(lambda session: session.run(*args, **kwargs))


class _CoordinatedSession(_WrappedSession):
    """Stops when its coordinator says so, and raises what was reported to that."""

    def __init__(self, sess, coord: Coordinator, stop_grace_period_secs: float = 120):
        super().__init__(sess)
        self._coord, self._stop_grace_period_secs = coord, stop_grace_period_secs

    def _check_stop(self) -> bool:
        self._coord.raise_requested_exception()
        return self._coord.should_stop()

    def close(self) -> None:
        """Let the coordinator's threads end, then close the session inside."""
        self._coord.request_stop()
        try:
            self._coord.join(None, self._stop_grace_period_secs, ignore_live_threads=True)
        finally:
            super().close()

    def run(self, *args, **kwargs):
        """As `Session.run`."""
        try:
            return self._sess.run(*args, **kwargs)
        except Exception as error:
            if isinstance(self._coord.error, _LOST):  # then this error only follows from that one
                raise self._coord.error from error
            raise


class _HookedSession(_WrappedSession):
    """Calls hooks before and after each run, and runs what they ask for together with what the caller wants."""

    def __init__(self, sess, hooks: list[SessionRunHook]):
        super().__init__(sess)
        self._hooks, self._should_stop = hooks, False

    def _check_stop(self) -> bool:
        return self._should_stop

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """As `Session.run`. Raises RuntimeError after a stop was requested, or where two feed the same tensor."""
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict), self._sess)
        unused = {"options": options or RunOptions(), "run_metadata": run_metadata or RunMetadata()}
        all_fetches, feeds = {"caller": fetches}, {}
        for hook in self._hooks:
            wanted = hook.before_run(context)
            if wanted is not None:
                if wanted.fetches is not None:
                    all_fetches[hook] = wanted.fetches
                _add_feeds(feeds, wanted.feed_dict, "two hooks")
        if feeds:
            _add_feeds(feeds, feed_dict, "a SessionRunHook and user")
        values = self._sess.run(all_fetches, feed_dict=feeds or feed_dict, **unused)
        for hook in self._hooks:
            hook.after_run(context, SessionRunValues(values.get(hook), **unused))
        self._should_stop = self._should_stop or context.stop_requested
        return values["caller"]


def _add_feeds(feeds: dict, more: Mapping | None, whose: str) -> None:
    if both := [key for key in more or () if key in feeds]:
        raise RuntimeError(f"Same tensor is fed by {whose}. Conflict(s): {both}")
    feeds.update(more or {})


class _CoordinatedSessionCreator(SessionCreator):
    """Makes sessions that call hooks and have a coordinator; `tf_sess` is the last plain session in one."""

    def __init__(
        self,
        session_creator: SessionCreator,
        hooks: list[SessionRunHook],
        stop_grace_period_secs: float,
    ):
        self._session_creator, self._hooks, self._grace = (
            session_creator,
            hooks,
            stop_grace_period_secs,
        )
        self.tf_sess = self.coord = None

    def create_session(self) -> _CoordinatedSession:
        self.tf_sess = self._session_creator.create_session()
        self.coord = Coordinator(clean_stop_exception_types=[])
        for hook in self._hooks:
            hook.after_create_session(self.tf_sess, self.coord)
        return _CoordinatedSession(
            _HookedSession(self.tf_sess, self._hooks), self.coord, self._grace
        )


class _MonitoredSession:
    """What MonitoredSession and SingularMonitoredSession share."""

    StepContext = StepContext

    def __init__(self, session_creator, hooks, should_recover: bool, stop_grace_period_secs: float):
        self._graph_was_finalized = get_default_graph().finalized
        self._hooks = hooks or []
        for hook in self._hooks:
            hook.begin()
        creator = session_creator or ChiefSessionCreator()
        self._coordinated_creator = _CoordinatedSessionCreator(
            creator, self._hooks, stop_grace_period_secs
        )
        start = _RecoverableSession if should_recover else _CoordinatedSessionCreator.create_session
        self._sess: Any = start(self._coordinated_creator)

    @property
    def graph(self) -> Graph | None:
        """The graph that is run; None once the session is closed."""
        return self._tf_sess() and self._tf_sess().graph

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """As `Session.run`, with all hooks called.

        Raises RuntimeError after a stop was requested, or where two feed the same tensor.
        """
        return self._open().run(
            fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata
        )

    def run_step_fn(self, step_fn: Callable[[StepContext], Any]):
        """What `step_fn(step_context)` returns: it may run the plain session, run with hooks, and request a stop.

        Raises ValueError if the function's argument has another name.
        """
        names = tuple(inspect.signature(step_fn).parameters)
        if names not in [("step_context",), ("self", "step_context")]:
            words = "`self` and `step_context` arguments if it's an instance method."
            raise ValueError(
                f"`step_fn` may either have one `step_context` argument, or {words} Got {names} instead."
            )
        return self._open().call(lambda session: step_fn(StepContext(self._tf_sess(), session.run)))

    def _open(self) -> _WrappedSession:
        if self._sess is None:
            raise AttributeError("'NoneType' object has no attribute 'run': the session is closed")
        return self._sess

    def should_stop(self) -> bool:
        """Whether a hook or the coordinator has asked to stop, or the session is closed."""
        return self._sess is None or self._sess.should_stop()

    def close(self) -> None:
        """Call `end` of the hooks and close the session; the graph takes ops again if it did before."""
        self._close(failed=False)

    def __enter__(self) -> _MonitoredSession:
        return self

    def __exit__(self, exception_type, *exception) -> bool:
        failed = exception_type not in (
            None,
            errors.OutOfRangeError,
            StopIteration,
        )  # the two say: the input has ended
        self._close(failed)
        return not failed

    def _close(self, failed: bool) -> None:
        try:
            for hook in [] if failed else self._hooks:
                hook.end(self._tf_sess())
        finally:
            try:
                if self._sess is None:
                    raise RuntimeError("Session is already closed.")
                self._sess.close()
            finally:
                self._sess = self._coordinated_creator.tf_sess = self._coordinated_creator.coord = (
                    None
                )
                get_default_graph().finalized &= self._graph_was_finalized

    def _is_closed(self) -> bool:
        return self._tf_sess() is None

    def _tf_sess(self) -> Session | None:
        return self._coordinated_creator.tf_sess


class MonitoredSession(_MonitoredSession):
    """A session that calls hooks and, after AbortedError or UnavailableError, goes on in a new session.

    `session_creator` makes the sessions (a ChiefSessionCreator unless another is given). OutOfRangeError and
    StopIteration end a `with` quietly; after any other error the hooks' `end` is not called.
    """

    def __init__(self, session_creator=None, hooks=None, stop_grace_period_secs=120):
        super().__init__(session_creator, hooks, True, stop_grace_period_secs)


class SingularMonitoredSession(_MonitoredSession):
    """A session that calls hooks and lets every error through."""

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
        super().__init__(creator, hooks, False, stop_grace_period_secs)

    def raw_session(self) -> Session | None:
        """The plain session."""
        return self._tf_sess()


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
    """A MonitoredSession for training: the chief counts steps, and saves summaries and checkpoints.

    Summaries every 100 steps unless said otherwise, checkpoints every 600 seconds, None or 0 for never: only where
    there is a `summary_dir` (unless given, the `checkpoint_dir`). The hooks are called in the order chief-only,
    these, the caller's. Workers (`is_chief=False`) only get `hooks`.
    """
    scaffold = scaffold or Scaffold()
    if not is_chief:
        worker = WorkerSessionCreator(scaffold, master, config, max_wait_secs)
        return MonitoredSession(worker, hooks, stop_grace_period_secs)
    save_summaries_steps, save_summaries_secs = _chosen(
        save_summaries_steps, save_summaries_secs, (100, None)
    )
    save_checkpoint_steps, save_checkpoint_secs = _chosen(
        save_checkpoint_steps, save_checkpoint_secs, (None, 600)
    )
    all_hooks, summary_dir = list(chief_only_hooks or []), summary_dir or checkpoint_dir
    if summary_dir and (log_step_count_steps or 0) > 0:
        all_hooks.append(StepCounterHook(log_step_count_steps, output_dir=summary_dir))
    if summary_dir and max(save_summaries_steps or 0, save_summaries_secs or 0) > 0:
        when = (save_summaries_steps, save_summaries_secs)
        all_hooks.append(SummarySaverHook(*when, output_dir=summary_dir, scaffold=scaffold))
    if checkpoint_dir and max(save_checkpoint_steps or 0, save_checkpoint_secs or 0) > 0:
        when = (save_checkpoint_secs, save_checkpoint_steps)
        all_hooks.append(
            CheckpointSaverHook(
                checkpoint_dir, *when, scaffold=scaffold, save_graph_def=save_graph_def
            )
        )
    creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir)
    return MonitoredSession(creator, all_hooks + list(hooks or []), stop_grace_period_secs)


def _chosen(steps, secs, defaults: tuple) -> tuple:
    if steps is USE_DEFAULT and secs is USE_DEFAULT:
        return defaults
    return tuple(None if value is USE_DEFAULT else value for value in (steps, secs))
