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
from minitf.client.program import Program
from minitf.client.watchers import SessionRun, Watcher, watching

MOST_RUNS = 2_000


class Killed(BaseException):
    """Ends a program as a power cut does: after it, nothing runs and nothing is saved."""


@dataclass(frozen=True)
class Run:
    """One session run: what it fetched, the Variables before and after, the graph's size, what was fed."""

    fetched: list[tf.Tensor | tf.Operation]
    before: dict[str, np.ndarray]
    after: dict[str, np.ndarray]
    ops: int
    fed: list[np.ndarray]
    finalized: bool
    program: Program

    def fits(self, weight: str) -> bool:
        """Whether it was fed, and changed this weight."""
        return bool(self.fed) and self.moved(weight)

    @property
    def moves_a_weight(self) -> bool:
        """Whether it changed a Variable that doesn't hold whole numbers."""
        return any(v.dtype.kind == "f" and self.moved(name) for name, v in self.before.items())

    def moved(self, name: str) -> bool:
        """Whether the run changed a Variable that had a value."""
        old, new = self.before.get(name), self.after.get(name)
        return old is not None and not np.array_equal(old, new, equal_nan=True)


@dataclass
class Seen:
    """What a program printed and logged, how it ended, and its runs."""

    printed: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    error: BaseException | None = None
    killed: bool = False
    runs: list[Run] = field(default_factory=list)
    graph: tf.Graph | None = None  # the last run's, or else the program's default graph

    @property
    def lines(self) -> list[str]:
        """What a reader sees: the printed lines, each distinct line of the log, and the error."""
        logged_once = dict.fromkeys(line.partition(" Current")[0] for line in self.log)
        ended = [type_and_first_line(self.error)] if self.error else []
        return [*self.printed, *logged_once, *ended]

    @property
    def training(self) -> list[Run]:
        """The runs that changed a weight: a Variable that holds no whole numbers."""
        return [run for run in self.runs if run.moves_a_weight]


def watch(program: Callable, *arguments: object, kill: Callable[[Run], bool] | None = None) -> Seen:
    """Call a program in a thread, where it has its own default graph, and watch its sessions.

    It is killed after the first run for which `kill(run)` is true.
    """
    seen = Seen()

    with (
        contextlib.ExitStack() as afterwards,
        ThreadPoolExecutor(1) as thread,
        contextlib.redirect_stdout(io.StringIO()) as out,
        logged() as seen.log,
        watching(_Notes(seen, kill)),
    ):
        afterwards.callback(tf.logging.set_verbosity, tf.logging.get_verbosity())
        tf.logging.set_verbosity(tf.logging.WARN)
        seen.graph = thread.submit(tf.get_default_graph).result()
        error = thread.submit(program, *arguments).exception()  # a learner may write anything
        seen.error = None if seen.killed else error
    seen.printed = out.getvalue().splitlines()
    return seen


class _Notes(Watcher):
    """Notes what each run does, and stops a program that never ends."""

    def __init__(self, seen: Seen, kill: Callable[[Run], bool] | None):
        self.seen, self.kill = seen, kill
        self.before: dict[SessionRun, dict[str, np.ndarray]] = {}  # of the runs that haven't ended

    def before_run(self, run: SessionRun) -> None:
        """Note what the Variables hold; in a killed program, nothing runs."""
        if self.seen.killed:
            raise Killed
        if len(self.seen.runs) >= MOST_RUNS:
            raise RuntimeError(f"The check stops it after {MOST_RUNS} runs.")
        self.before[run] = _values(run)

    def after_run(self, run: SessionRun) -> None:
        """Note the run, and kill the program if it is time."""
        graph, before = run.session.graph, self.before.pop(run)
        ops, after = len(graph.get_operations()), _values(run)
        noted = Run(run.fetched, before, after, ops, run.fed, graph.finalized, run.program)
        self.seen.runs.append(noted)
        self.seen.graph = graph
        if self.kill and self.kill(noted):
            self.seen.killed = True
            raise Killed


def _values(run: SessionRun) -> dict[str, np.ndarray]:
    return {name: np.array(value) for name, value in run.state.items()}


def global_step_of(seen: Seen) -> tf.Variable | tf.Tensor | None:
    """Return what get_global_step finds; what it logs is known already."""
    with logged():
        return tf.train.get_global_step(seen.graph)


def counter(seen: Seen) -> str:
    """Return the name of the Variable that counts: the global step, else the first whole number."""
    step, held = global_step_of(seen), seen.runs[-1].after
    whole = [name for name, value in held.items() if value.dtype.kind in "iu"]
    return step.op.name if step is not None else next(iter(whole), "")


def rate(run: Run) -> float:
    """Return the rate that an update used: where the loss is w ** 2, w is multiplied by 1 - 2 * rate."""
    with np.errstate(all="ignore"):
        return float(1 - run.after["w"] / run.before["w"]) / 2
