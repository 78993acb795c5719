"""Notes what a script does while it runs: what its runs change, and the calls that matter.

    with recording() as record:
        run_the_script()

Sessions, optimizers, schedules, savers and the like are wrapped from outside for the time of the
`with`; minitf's other files know nothing about it.
"""

import functools
import inspect
import itertools
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np

from minitf import training
from minitf.client.feeds_and_fetches import flatten
from minitf.client.session import Session
from minitf.explain.graphs import above, held, initializes, is_scalar, races
from minitf.framework.graph import Graph, GraphKeys, default_graphs
from minitf.framework.operation import _MINITF, Operation, SourceLine, Tensor, user_line
from minitf.framework.registry import OPS
from minitf.ops.state_ops import variables_of
from minitf.summary.writer import FileWriter
from minitf.training.checkpoint_format import CheckpointReader
from minitf.training.optimizer import Optimizer
from minitf.training.saver import Saver

KEPT = 200  # programs, points of a curve, and calls from one line
GETTERS = ["get_global_step", "get_or_create_global_step", "create_global_step"]
SCHEDULES = [
    name
    for name, function in vars(training).items()
    if callable(function) and re.search("_(decay|restarts|constant)$", name)
]
_NOTED = [
    (Session, "_new_plan"),
    (Optimizer, "apply_gradients"),
    (Saver, "__init__"),
    (Saver, "save"),
    (Saver, "restore"),
    (FileWriter, "add_summary"),
    *((training, name) for name in SCHEDULES + GETTERS),
]


class Stopped(BaseException):
    """Ends a script after the number of training runs that was asked for."""


class Work:
    """What a run changes: all runs with the same updates are one Work.

    `weights` are the trainable variables that it updates, `trains` the calls of apply_gradients
    whose op it runs. It ran `times` times, last in `state`.
    """

    def __init__(self, line: SourceLine, graph: Graph, updates: list[Operation]):
        self.line, self.graph, self.updates = line, graph, updates
        self.times = self.longest = self.started = 0
        self.changed = list(dict.fromkeys(v for op in updates for v in variables_of(op)))
        trainable = {v.op for v in graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)}
        self.weights = [v for v in self.changed if v in trainable]
        self.trains: list[Any] = []
        self.program = self.state = None

    def most(self) -> int:
        """Return how often it ran in a row, at most."""
        return max(self.longest, self.times - self.started)


class Record:
    """Everything that was noted.

    `calls` are the calls that matter: where, with which arguments and result, when (`at`), and the
    single numbers in the session's state at that moment. `begins` has these numbers when a session
    first trained, or first after a restore. `rates` has, for a call of apply_gradients and the name
    of a variable or feed that its rate depends on, the value whenever it changed, as (training run,
    value). `growth` has how often a line made ops between two training runs.
    """

    def __init__(self, limit: int | None = None):
        self.limit, self.trained = limit, 0
        self.works: dict[Any, Work] = {}
        self.switches: Counter = Counter()  # of (one Work, the next one)
        self.races: list[Any] = []
        self.begins: list[Any] = []
        self.rates: dict[Any, list] = defaultdict(list)
        self.growth: Counter = Counter()
        self.fed: set[Operation] = set()
        self.counts: Counter = Counter()  # of (function, line)
        self._calls: dict[Any, list] = defaultdict(list)
        self._number = itertools.count(1).__next__
        self._last = self._training = None
        self._sizes: dict[Graph | None, int] = {}
        self._begun: set[int] = set()

    def calls(self, *names: str) -> list[Any]:
        """Return the calls of these functions, in order; of many from one line, the first ones."""
        found = [call for key, calls in self._calls.items() if key[0] in names for call in calls]
        return sorted(found, key=lambda call: call.at)

    def call(self, name: str, signature: inspect.Signature, line, result, *values, **named) -> None:
        """Note a call."""
        given = signature.bind(*values, **named)
        given.apply_defaults()
        given = given.arguments
        sess = given.get("sess")
        sess = sess._tf_sess() if hasattr(sess, "_tf_sess") else sess
        state = sess.state if sess else self._last.state if self._last else {}
        graph = sess.graph if sess else getattr(result, "graph", None) or default_graphs.get()
        facts = {"line": line, "given": given, "result": result, "graph": graph, "state": state}
        facts |= {"name": name, "at": self._number(), "numbers": numbers(state)}
        facts["size"] = len(graph.operations)
        if name == "restore":
            reader = CheckpointReader(given["save_path"])
            shapes = reader.get_variable_to_shape_map().items()
            facts["inside"] = {n: reader.get_tensor(n) for n, shape in shapes if not shape}
            self._begun.discard(id(state))
            self._last = None  # so that the next run notes where it begins
        self.counts[name, line] += 1
        kept = self._calls[name, line]
        del kept[KEPT - 1 :]
        kept.append(SimpleNamespace(**facts))

    # Runs.

    def plan(self, line, plan, session, fetches, feed_dict) -> None:
        """Note a new plan and, if it changes a variable, each of its runs from now on."""
        program, graph = plan.program, session.graph
        self.fed.update(held(tensor) or tensor.op for tensor in program.feeds)
        updates = [op for op in program.ops if OPS[op.type].updates and not initializes(op)]
        if not updates:
            return
        work = self.works.setdefault((graph, frozenset(updates)), Work(line, graph, updates))
        if len(self.works) < KEPT:
            work.program = work.program or program
        work.trains = [c for c in self.calls("apply_gradients") if c.result in program.ops]
        asked = fetches.get("caller", fetches) if isinstance(fetches, dict) else fetches
        tensors = [fetch for fetch in flatten(asked, graph)[0] if isinstance(fetch, Tensor)]
        self.races += ((*race, line, work) for race in races(program.ops, tensors))
        program.function = self._noting(work, program.function, [*self._watched(work, program)])

    def _watched(self, work: Work, program) -> Iterator[tuple[list, str, int]]:
        """Yield what the work's rates depend on: its points, and a variable's name or a feed."""
        fed = {t.op: i for i, t in enumerate(program.feeds) if t.shape.rank == 0}
        for train in work.trains:
            for op in above(rate_of(train)) if rate_of(train) is not None else ():
                if op in fed or is_scalar(op) and op.attrs["dtype"].is_floating:
                    points = self.rates[train.line, op.name]
                    yield points, "" if op in fed else op.name, fed.get(op, 0)

    def _noting(self, work: Work, function: Callable, watched: list[tuple]) -> Callable:
        """Return a program's function that also notes each run."""
        operations, trains = work.graph.operations, bool(work.weights or work.trains)

        def run(state, *values):
            changed = self._last is not work or work.state is not state
            if changed or trains and len(operations) != self._sizes[work.graph]:
                self._turn(work, state, trains)
            for points, name, index in watched:
                value = state.get(name) if name else values[index]
                if not points or points[-1][1] != value:
                    del points[KEPT - 1 :]
                    points.append((self.trained, value))
            result = function(state, *values)
            work.times += 1
            if trains:
                self.trained += 1
                if self.trained == self.limit:
                    raise Stopped
            return result

        return run

    def _turn(self, work: Work, state, trains: bool) -> None:
        """Note that another work runs than before, or in another session, or in a grown graph."""
        self.switches[self._last, work] += 1
        work.longest, work.started = work.most(), work.times
        self._last, work.state = work, state
        if not trains:
            return
        if id(state) not in self._begun:
            self._begun.add(id(state))
            facts = {"at": self._number(), "work": work, "state": state}
            self.begins.append(SimpleNamespace(numbers=numbers(state), **facts))
        size = len(work.graph.operations)
        new = size - self._sizes.get(work.graph, size)
        if self._training is work or self._training and self._training.times == 1:
            made = itertools.islice(reversed(work.graph.operations.values()), new)
            self.growth.update({op.source_line for op in made})
        self._sizes[work.graph], self._training = size, work


def rate_of(train) -> Tensor | None:
    """Return the learning rate that a call of apply_gradients used."""
    rate = getattr(train.given["self"], "_lr_t", None)
    return rate if isinstance(rate, Tensor) and rate.graph is train.graph else None


def numbers(state) -> dict[str, Any]:
    """Return the single numbers in a session's state."""
    return {name: value for name, value in state.items() if isinstance(value, np.number)}


def _wrapped(function: Callable, note: Callable, inner: bool) -> Callable:
    """Return a function that also notes the user's line, the result and the arguments of a call.

    Calls from minitf's own files are noted only if `inner`.
    """

    @functools.wraps(function)
    def noting(*arguments, **named):
        result = function(*arguments, **named)
        if inner or not sys._getframe(1).f_code.co_filename.startswith(_MINITF):
            note(user_line(), result, *arguments, **named)
        return result

    return noting


@contextmanager
def recording(limit: int | None = None) -> Iterator[Record]:
    """Yield a Record of what happens within the `with`.

    The training run that is number `limit` raises Stopped.
    """
    record = Record(limit)
    before = [(home, name, getattr(home, name)) for home, name in _NOTED]
    try:
        for home, name, function in before:
            note = functools.partial(record.call, name, inspect.signature(function))
            note = record.plan if name == "_new_plan" else note
            setattr(home, name, _wrapped(function, note, inner=isinstance(home, type)))
        yield record
    finally:
        for home, name, function in before:
            setattr(home, name, function)
