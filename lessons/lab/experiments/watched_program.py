"""Runs a program of the bug clinic in an empty graph, and sees what it prints and changes."""

import contextlib
import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

import minitf as tf
from lab.experiments.errors import type_and_first_line
from lab.files.logged import logged
from minitf.client.dependencies import changes, trains
from minitf.client.program import Program
from minitf.client.watchers import SessionRun, Watcher, watching

MOST_RUNS = 2_000
State = dict[str, np.ndarray]  # what the Variables hold, by name


class Killed(BaseException):
    """Ends a program as a power cut does: after it, nothing runs and nothing is saved."""


@dataclass(frozen=True)
class Run:
    """One session run: what it fetched, the Variables before and after, the graph's size, what was fed."""

    fetched: list[tf.Tensor | tf.Operation]
    before: State
    after: State
    ops: int
    fed: list[np.ndarray]
    finalized: bool
    program: Program

    def moved(self, name: str) -> bool:
        """Whether the run changed a Variable that had a value."""
        old, new = self.before.get(name), self.after.get(name)
        return old is not None and not np.array_equal(old, new, equal_nan=True)

    def fits(self, weight: str) -> bool:
        """Whether it was fed, and changed this weight."""
        return bool(self.fed) and self.moved(weight)

    @property
    def trains(self) -> bool:
        """Whether it updates a weight, a Variable that holds no whole number."""
        changed = (v.name for op in self.program.ops if trains(op) for v in changes(op))
        return any(self.after[name].dtype.kind == "f" for name in changed)


@dataclass
class Seen:
    """What a program printed and logged, how it ended, and its runs."""

    printed: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    error: BaseException | None = None
    killed: bool = False
    runs: list[Run] = field(default_factory=list)
    graph: tf.Graph | None = None  # the last run's

    @property
    def complaints(self) -> list[str]:
        """Each distinct line of the log, and the error."""
        logged_once = dict.fromkeys(line.partition(" Current")[0] for line in self.log)
        return [*logged_once, *([type_and_first_line(self.error)] if self.error else [])]

    @property
    def training(self) -> list[Run]:
        """The runs that update a weight."""
        return [run for run in self.runs if run.trains]

    @property
    def counter(self) -> str:
        """The name of the Variable that counts: the global step, else the first whole number."""
        with logged():
            step = tf.train.get_global_step(self.graph)
        whole = [name for name, v in self.runs[-1].after.items() if v.dtype.kind in "iu"]
        return step.op.name if step is not None else next(iter(whole), "")

    def step(self, state: State) -> int:
        """Return what the counter holds in a state; -1 for nothing."""
        return int(state.get(self.counter, -1))


def watch(program: Callable, *arguments: object, kill: Callable[[Run], bool] | None = None) -> Seen:
    """Call a program in a thread, where it has its own default graph, and watch its sessions.

    It is killed after the first run for which `kill(run)` is true.
    """
    seen, verbosity = Seen(), tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.WARN)
    with (
        ThreadPoolExecutor(1) as thread,
        contextlib.redirect_stdout(io.StringIO()) as out,
        logged() as seen.log,
        watching(_Notes(seen, kill)),
    ):
        error = thread.submit(program, *arguments).exception()  # a learner may write anything
    tf.logging.set_verbosity(verbosity)
    seen.error = None if seen.killed else error
    seen.printed = out.getvalue().splitlines()
    return seen


class _Notes(Watcher):
    """Notes what each run does, and stops a program that never ends."""

    def __init__(self, seen: Seen, kill: Callable[[Run], bool] | None):
        self.seen, self.kill = seen, kill

    def before_run(self, run: SessionRun) -> None:
        """Note what the Variables hold; in a killed program, nothing runs."""
        if self.seen.killed:
            raise Killed
        if len(self.seen.runs) >= MOST_RUNS:
            raise RuntimeError(f"The check stops it after {MOST_RUNS} runs.")
        self.before = _values(run)

    def after_run(self, run: SessionRun) -> None:
        """Note the run, and kill the program if it is time."""
        graph = self.seen.graph = run.session.graph
        changes, size = (self.before, _values(run)), len(graph.get_operations())
        noted = Run(run.fetched, *changes, size, run.fed, graph.finalized, run.program)
        self.seen.runs.append(noted)
        if self.kill and self.kill(noted):
            self.seen.killed = True
            raise Killed


def _values(run: SessionRun) -> State:
    return {name: np.array(value) for name, value in run.state.items()}
