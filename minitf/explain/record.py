"""Notes what a script does while it runs: what its runs change, and the calls that matter.

    with recording() as record:
        run_the_script()

Sessions, optimizers, schedules, savers and writers are wrapped from outside for the time of the
`with`; minitf's other files know nothing about it.
"""

import functools
import inspect
import itertools
import re
import sys
from collections import Counter, defaultdict
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np

from minitf import training
from minitf.client.feeds_and_fetches import flatten
from minitf.client.session import Session
from minitf.explain.graphs import above, held, initializes, is_scalar, races
from minitf.framework.graph import GraphKeys, default_graphs
from minitf.framework.operation import _MINITF, Tensor, user_line
from minitf.framework.registry import OPS
from minitf.ops.state_ops import variables_of
from minitf.summary.writer import FileWriter
from minitf.training.checkpoint_format import CheckpointReader

KEPT = 200  # programs, points of a curve, and calls from one line
GETTERS = ["get_global_step", "get_or_create_global_step", "create_global_step"]
SCHEDULES = [
    name
    for name, function in vars(training).items()
    if callable(function) and re.search("_(decay|restarts|constant)$", name)
]
_NOTED = [
    (Session, "_new_plan"),
    (training.Optimizer, "apply_gradients"),
    *((training.Saver, name) for name in ("__init__", "save", "restore")),
    (FileWriter, "add_summary"),
    *((training, name) for name in SCHEDULES + GETTERS),
]


class Stopped(BaseException):
    """Ends a script after the number of training runs that was asked for."""


class Work:
    """What a run changes: all runs with the same updates are one Work.

    `weights` are the trainable variables that it changes, `trains` the calls of apply_gradients
    whose op it runs. It ran `times` times, last in `state`, and up to `longest` times in a row.
    """

    def __init__(self, line, graph, updates):
        self.line, self.graph, self.updates = line, graph, updates
        self.times = self.longest = self.started = 0
        self.changed = list(dict.fromkeys(v for op in updates for v in variables_of(op)))
        trainable = graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)
        self.weights = {v.op for v in trainable}.intersection(self.changed)
        self.program = self.state = None


class Record:
    """Everything that was noted.

    `begins` has the single numbers in a session's state when a work first ran there. `rates` has,
    for the line of a train op and the name of a variable or feed that its rate depends on, the
    value whenever it changed, as (training run, value). `growth` has how often a line made ops
    between two training runs, `switches` how often one work followed another.
    """

    def __init__(self, limit=None):
        self.limit, self.trained, self.works = limit, 0, {}
        self.races, self.begins, self.fed, self.graphs = [], [], set(), {}
        self.switches, self.growth = Counter(), Counter()
        self.rates, self._calls = defaultdict(list), defaultdict(list)
        self._number, self._sizes = itertools.count().__next__, {}
        self._last = self._training = None

    def calls(self, *names):
        """Return the calls of these functions, in order: where, the arguments, the result, when.

        Each also has the single numbers in the session's state and the size of the graph at that
        moment. Of very many calls from one line, these are the first ones and the last one.
        """
        found = [call for key, calls in self._calls.items() if key[0] in names for call in calls]
        return sorted(found, key=lambda call: call.at)

    def call(self, name, signature, line, result, *values, **named):
        """Note a call."""
        given = signature.bind(*values, **named)
        given.apply_defaults()
        given, kept = given.arguments, self._calls[name, line]
        if name in ("save", "restore") and not given["self"]._variables:
            return  # an empty saver does nothing
        sess = given.get("sess")
        sess = sess._tf_sess() if hasattr(sess, "_tf_sess") else sess
        state = getattr(sess or self._last, "state", {})
        graph = getattr(sess or result, "graph", None) or default_graphs.get()
        call = SimpleNamespace(name=name, line=line, given=given, result=result, graph=graph)
        call.at, call.state, call.numbers = self._number(), state, numbers(state)
        call.size, call.count = len(graph.operations), kept[-1].count + 1 if kept else 1
        if name == "restore":
            reader = CheckpointReader(given["save_path"])
            shapes = reader.get_variable_to_shape_map().items()
            call.numbers = {name: reader.get_tensor(name) for name, shape in shapes if not shape}
        kept[KEPT:] = [call]

    # Runs.

    def plan(self, line, plan, session, fetches, feed_dict):
        """Note a new plan and, if it changes a variable, each of its runs from now on."""
        program, graph = plan.program, session.graph
        self.graphs[graph] = None
        self.fed.update(held(tensor) or tensor.op for tensor in program.feeds)
        updates = [op for op in program.ops if OPS[op.type].updates and not initializes(op)]
        if updates:
            work = self.works.setdefault((graph, *updates), Work(line, graph, updates))
            work.program = work.program or (len(self.works) < KEPT and program)
            work.trains = [c for c in self.calls("apply_gradients") if c.result in program.ops]
            asked = fetches.get("caller", fetches) if isinstance(fetches, dict) else fetches
            tensors = [t for t in flatten(asked, graph)[0] if isinstance(t, Tensor)]
            found = dict.fromkeys(races(program.ops, tensors))
            self.races += ((*race, line, work) for race in found)
            program.function = self._noting(work, program.function, [*self._watched(work, program)])

    def _watched(self, work, program):
        """Yield what the work's rates depend on: its points, and a variable's name or a feed."""
        fed = {t.op: i for i, t in enumerate(program.feeds) if t.shape.rank == 0}
        for train in work.trains:
            for op in above(rate_of(train)):
                if op in fed or is_scalar(op) and op.attrs["dtype"].is_floating:
                    yield self.rates[train.line, op.name], op in fed, fed.get(op, op.name)

    def _noting(self, work, function, watched):
        """Return a program's function that also notes each run."""
        operations, trains = work.graph.operations, bool(work.weights or work.trains)

        def run(state, *values):
            changed = self._last is not work or work.state is not state
            if changed or trains and len(operations) != self._sizes[work.graph]:
                self._turn(work, state, trains)
            for points, is_fed, key in watched:
                value = values[key] if is_fed else state.get(key)
                if not points or points[-1][1] != value:
                    points[KEPT:] = [(self.trained, value)]
            result = function(state, *values)
            work.times += 1
            if trains:
                self.trained += 1
                if self.limit and self.trained >= self.limit:
                    raise Stopped
            return result

        return run

    def _turn(self, work, state, trains):
        """Note that another work runs than before, or in another session, or in a grown graph."""
        if work.state is not state:
            begin = SimpleNamespace(at=self._number(), work=work, numbers=numbers(state))
            self.begins.append(begin)
            begin.state = state
        self.switches[self._last, work] += 1
        work.longest = max(work.longest, work.times - work.started)
        self._last, work.state, work.started = work, state, work.times
        if trains:
            size = len(work.graph.operations)
            new = size - self._sizes.get(work.graph, size)
            if self._training is work or self._training and self._training.times == 1:
                made = itertools.islice(reversed(work.graph.operations.values()), new)
                self.growth.update(dict.fromkeys(op.source_line for op in made).keys())
            self._sizes[work.graph], self._training = size, work


def rate_of(train):
    """Return the learning rate that a call of apply_gradients used, as a tensor."""
    rate = getattr(train.given["self"], "_lr_t", None)
    return rate if isinstance(rate, Tensor) and rate.graph is train.graph else None


def numbers(state):
    """Return the single numbers in a session's state."""
    return {name: value for name, value in state.items() if isinstance(value, np.number)}


def _wrapped(function, note, inner):
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
def recording(limit=None):
    """Yield a Record of what happens within the `with`.

    The training run that is number `limit` raises Stopped.
    """
    record = Record(limit)
    before = [(home, name, getattr(home, name)) for home, name in _NOTED]
    try:
        for home, name, function in before:
            note = functools.partial(record.call, name, inspect.signature(function))
            note = record.plan if home is Session else note
            setattr(home, name, _wrapped(function, note, inner=home is not training))
        yield record
    finally:
        for home, name, function in before:
            setattr(home, name, function)
