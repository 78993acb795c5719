"""A monitored session calls its hooks around each `run`; they can ask it for more values.

    begin                  before there is a session, while ops can still be added to the graph
    after_create_session   when there is a session (again if a lost one has been replaced)
    before_run, after_run  around each `run`; `after_run` gets the values `before_run` asked for
    end                    before the session is closed, unless an error ended it

Many hooks follow the global step. They read it in the run that they watch, and get the step before
that run's update (in TensorFlow, it may be either). If the exact step matters and the hook may be
due, it reads the step once more, in a separate run.

Mirrors tensorflow/python/training/session_run_hook.py and a part of basic_session_run_hooks.py.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from minitf.summary.writer import FileWriterCache
from minitf.training.training_util import global_step_read


class SessionRunArgs(NamedTuple):
    """What to run: fetches and feeds as in `Session.run`. The options are ignored."""

    fetches: Any
    feed_dict: Any = None
    options: Any = None


class SessionRunValues(NamedTuple):
    """The values of a hook's fetches, in their structure. Options and metadata are empty here."""

    results: Any
    options: Any
    run_metadata: Any


class SessionRunContext:
    """One call of `run`, as hooks see it.

    original_args: the caller's SessionRunArgs.
    session: the plain session, in which a hook can run more without any hook being called.

    `stop_requested` is whether a hook wants this run to be the last.
    """

    def __init__(self, original_args: SessionRunArgs, session):
        self._original_args, self._session, self._stop_requested = original_args, session, False

    original_args = property(lambda self: self._original_args)
    session = property(lambda self: self._session)
    stop_requested = property(lambda self: self._stop_requested)

    def request_stop(self) -> None:
        """Make this run the last one: afterwards, the session's `should_stop()` is True."""
        self._stop_requested = True


class SessionRunHook:
    """The base class of all hooks. Its methods do nothing; override those that you need."""

    def begin(self) -> None:
        """Called once, before there is a session; afterwards the graph is finalized."""

    def after_create_session(self, session, coord) -> None:
        """Called when there is a new session, with its variables initialized or restored."""

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Called before each run, which then includes the fetches and feeds that it returns."""

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Called after each successful run, with the values that `before_run` asked for."""

    def end(self, session) -> None:
        """Called before the session is closed, except after errors other than OutOfRangeError."""


class SecondOrStepTimer:
    """Tells when something is due: at the first step, then every so many seconds or steps.

    Raises ValueError unless exactly one of `every_secs` and `every_steps` is given.
    """

    def __init__(self, every_secs: float | None = None, every_steps: int | None = None):
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")
        self._every_secs, self._every_steps = every_secs, every_steps
        self.reset()

    def reset(self) -> None:
        """Forget when it last happened, so that it is due immediately."""
        self._last_step = self._last_time = None

    def should_trigger_for_step(self, step: int) -> bool:
        """Return whether it is due at this step; never twice at the same step."""
        if self._last_step is None or self._last_step == step:
            return self._last_step is None
        if self._every_secs is not None:
            return time.time() >= self._last_time + self._every_secs
        return bool(step >= self._last_step + self._every_steps)

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Record that it happens now, at this step.

        Returns the seconds and the steps since the last time, or (None, None).
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
    """A hook that reads the global step in each run, and may have a timer and a summary writer.

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
        """Return the session's step if the timer is due, else None. Read it only if that may be."""
        if not self._timer.should_trigger_for_step(step_before + self._steps_per_run):
            return None
        step = session.run(self._global_step_tensor)
        return step if self._timer.should_trigger_for_step(step) else None
