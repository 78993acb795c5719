"""A monitored session calls its hooks around each `run`; they may ask for more values in it.

    begin                  before there is a session, while ops can still be added to the graph
    after_create_session   there is a session (called again if a lost one has been replaced)
    before_run, after_run  around each `run`; what `before_run` asks for, `after_run` is given
    end                    before the session is closed, unless an error ends it

Many hooks follow the global step. Such a hook reads it in the run that it watches and gets the step
from before that run's update (in TensorFlow it may be either). If the exact step counts and the
hook may be due, it reads the step once more, in a separate run.

Mirrors tensorflow/python/training/session_run_hook.py and a part of basic_session_run_hooks.py.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from minitf.summary.writer import FileWriterCache
from minitf.training.training_util import global_step_read


class SessionRunArgs(NamedTuple):
    """What to run: fetches as in `Session.run`, what to feed, and options, without effect here."""

    fetches: Any
    feed_dict: Any = None
    options: Any = None


class SessionRunValues(NamedTuple):
    """The values of a hook's fetches, in the form of these. Options and metadata are empty here."""

    results: Any
    options: Any
    run_metadata: Any


class SessionRunContext:
    """One call of `run`.

    original_args: what the caller asked for, a SessionRunArgs.
    session: the session, to run more in; no hook is called for that.
    stop_requested: whether a hook wants this run to be the last.
    """

    def __init__(self, original_args: SessionRunArgs, session):
        self._original_args, self._session, self._stop_requested = original_args, session, False

    original_args = property(lambda self: self._original_args)
    session = property(lambda self: self._session)
    stop_requested = property(lambda self: self._stop_requested)

    def request_stop(self) -> None:
        """Let this run be the last one: the session's `should_stop` is true after it."""
        self._stop_requested = True


class SessionRunHook:
    """The base of all hooks: each method does nothing."""

    def begin(self) -> None:
        """Called once, before there is a session; afterwards the graph is finalized."""

    def after_create_session(self, session, coord) -> None:
        """Called when there is a new session, its variables initialized or restored."""

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Called before each run.

        What it returns is run and fed together with what the caller wants.
        """

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Called after each run that succeeds, with the values of what `before_run` asked for."""

    def end(self, session) -> None:
        """Called before the session is closed, except after errors other than OutOfRangeError."""


class SecondOrStepTimer:
    """Says when something is due: at the first step, and then every so many seconds or steps.

    Raises ValueError unless exactly one of the two is given.
    """

    def __init__(self, every_secs: float | None = None, every_steps: int | None = None):
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")
        self._every_secs, self._every_steps = every_secs, every_steps
        self.reset()

    def reset(self) -> None:
        """Forget when it last happened, so that it is due at once."""
        self._last_step = self._last_time = None

    def should_trigger_for_step(self, step: int) -> bool:
        """Return whether it is due at this step; never twice at the same step."""
        if self._last_step is None or self._last_step == step:
            return self._last_step is None
        if self._every_secs is not None:
            return time.time() >= self._last_time + self._every_secs
        return bool(step >= self._last_step + self._every_steps)

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Say that it happens now, at this step.

        Return the seconds and steps since the last time, or two None.
        """
        now, passed = time.time(), (None, None)
        if self._last_step is not None:
            passed = (now - self._last_time, step - self._last_step)
        self._last_time, self._last_step = now, step
        return passed

    def last_triggered_step(self) -> int | None:
        """Return the step at which it last happened, or None."""
        return self._last_step


class StepHook(SessionRunHook):
    """A hook that reads the global step in each run; it may have a timer and a writer.

    Its `begin` raises RuntimeError if there is no global step.
    """

    _hook_name = "StepHook"  # in that error, also that of your own subclass
    _summary_writer = _output_dir = None
    _steps_per_run: float = 1  # how far a run may move the step

    def begin(self):
        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._global_step_tensor = global_step_read()
        if self._global_step_tensor is None:
            raise RuntimeError(f"Global step should be created to use {self._hook_name}.")

    def before_run(self, run_context):
        return SessionRunArgs(self._global_step_tensor)

    def _step_if_due(self, session, step_before: int) -> int | None:
        """Return the session's step if the timer is due at it.

        The step is read only if the timer can be due.
        """
        if not self._timer.should_trigger_for_step(step_before + self._steps_per_run):
            return None
        step = session.run(self._global_step_tensor)
        return step if self._timer.should_trigger_for_step(step) else None
