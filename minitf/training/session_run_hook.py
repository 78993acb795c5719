"""A hook is told what happens around each `run` of a monitored session, and may ask for more values in the same run.

    begin                  before the session, while ops can still be made
    after_create_session   a session is there (again, when a lost one has been replaced)
    before_run, after_run  around each `run`; what `before_run` asks for, `after_run` is given
    end                    before the session is closed, unless an error ends it

Mirrors tensorflow/python/training/session_run_hook.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class SessionRunArgs(NamedTuple):
    """What to run: fetches as in `Session.run`, what to feed, and options, which have no effect here."""

    fetches: Any
    feed_dict: Any = None
    options: Any = None


class SessionRunValues(NamedTuple):
    """What came out: the values of the hook's fetches, in their form. Options and metadata are empty here."""

    results: Any
    options: Any
    run_metadata: Any


class SessionRunContext:
    """One call of `run`: what was asked for (a SessionRunArgs), the session, and whether it shall be the last."""

    def __init__(self, original_args: SessionRunArgs, session):
        self._original_args, self._session, self._stop_requested = original_args, session, False

    original_args = property(
        lambda self: self._original_args, doc="What the caller of `run` asked for."
    )
    session = property(
        lambda self: self._session, doc="The session, to run more in; no hook is called for that."
    )
    stop_requested = property(
        lambda self: self._stop_requested, doc="Whether a hook wants this run to be the last."
    )

    def request_stop(self) -> None:
        """Let this run be the last one: `should_stop` becomes true after it."""
        self._stop_requested = True


class SessionRunHook:
    """The base of all hooks: each method does nothing."""

    def begin(self) -> None:
        """Called once before there is a session; the graph takes no more ops afterwards."""

    def after_create_session(self, session, coord) -> None:
        """Called when there is a new session, its variables initialized or restored."""

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Called before each run. What it returns is run and fed together with what the caller wants."""

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Called after each run that raised nothing, with the values of what `before_run` asked for."""

    def end(self, session) -> None:
        """Called before the session is closed, unless an error other than OutOfRangeError ended it."""
