"""Add a watcher to `watchers`, and every session tells it of each run, before and after.

    class Printer(Watcher):
        def after_run(self, run):
            print(run.fetches, run.state)

    with watching(Printer()):
        train()

The report on a script and the checks of the lessons watch in this way. (TensorFlow has nothing like
it: there, the hooks of a monitored session see only the runs of that session.)
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from minitf.client.feeds_and_fetches import flatten
from minitf.client.program import Program
from minitf.framework.operation import Operation, Tensor

if TYPE_CHECKING:
    from minitf.client.session import Session


class SessionRun:
    """One run of a session, as watchers see it.

    `fetches` is what the caller asked for, `fed` has a value for each of `program.feeds`, and
    `state` the values of the session's variables, by name.
    """

    __slots__ = ("session", "state", "fetches", "program", "fed", "_watchers")

    def __init__(self, session: "Session", fetches, program: Program, fed: list[Any]):
        self.session, self.state = session, session.state
        self.fetches, self.program, self.fed = fetches, program, fed
        self._watchers = tuple(watchers)  # those who see it begin also see it end

    @property
    def fetched(self) -> list[Tensor | Operation]:
        """The tensors and ops that are fetched, without the structure they were in."""
        return flatten(self.fetches, self.session.graph)[0]

    def begin(self) -> None:
        """Tell the watchers that the run begins."""
        for watcher in self._watchers:
            watcher.before_run(self)

    def fail(self, error: Exception) -> None:
        """Tell the watchers that the run has failed."""
        for watcher in self._watchers:
            watcher.failed_run(self, error)

    def end(self) -> None:
        """Tell the watchers that the run has ended well."""
        for watcher in self._watchers:
            watcher.after_run(self)


class Watcher:
    """Sees each run; derive from it, and override what you need.

    No other thread can run the session meanwhile. An error that a watcher raises ends the run as if
    the run itself had raised it.
    """

    def before_run(self, run: SessionRun) -> None:
        """Do something before a run, which may fail."""

    def after_run(self, run: SessionRun) -> None:
        """Do something after a run that didn't fail."""

    def failed_run(self, run: SessionRun, error: Exception) -> None:
        """Do something after a run that failed with this error."""


watchers: list[Watcher] = []


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Let a watcher see all runs within the `with`."""
    watchers.append(watcher)
    try:
        yield
    finally:
        watchers.remove(watcher)
