"""Records what a script does while it runs: what its runs change, and the calls that matter.

    with recording() as record:
        run_the_script()

Sessions, optimizers, schedules, savers and writers are wrapped from outside while the `with` lasts;
minitf's other files know nothing about it.
"""

import functools
import inspect
import itertools
import math
import os
import re
from collections import defaultdict
from contextlib import ExitStack, contextmanager, suppress
from types import SimpleNamespace

import numpy as np

from minitf import training
from minitf.client.compiler import compile_program
from minitf.client.feeds_and_fetches import flatten
from minitf.client.session import Session
from minitf.explain.graphs import above, initializes, is_counter, races
from minitf.framework.graph import GraphKeys, default_graphs
from minitf.framework.operation import user_line
from minitf.framework.registry import OPS
from minitf.ops.state_ops import variables_of
from minitf.summary.writer import FileWriter
from minitf.training import learning_rate_decay

KEPT = 200  # calls from one line; and runs, after which only some of the rates are recorded
GETTERS = ["get_global_step", "get_or_create_global_step", "create_global_step"]
SCHEDULES = [
    name for name in vars(learning_rate_decay) if re.search("_(decay|restarts|constant)$", name)
]
_NOTED = {
    Session: ["_new_plan"],
    training.Optimizer: ["apply_gradients"],
    training.Saver: ["__init__", "save", "restore"],
    FileWriter: ["add_summary"],
    training: SCHEDULES + GETTERS,
}


class Stopped(BaseException):
    """Ends a script after the requested number of training runs."""


class Work:
    """What a run changes: all runs with the same updates are one Work, which ran `times` times.

    `weights` are the trainable variables that it changes, and `calls` the apply_gradients calls
    whose ops it runs; with any of these, it `trains`. `turn` is the last of its turns to be
    recorded, and the rates are recorded again when it has run `due` times.
    """

    def __init__(self, program, updates, calls):
        self.graph, self.program, self.times, self.due = program.graph, program, 0, 0
        self.updates, self.calls = updates, calls
        self.changed = dict.fromkeys(v for op in updates for v in variables_of(op))
        trainable = self.graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)
        self.weights = {v.op for v in trainable}.intersection(self.changed)
        self.trains, self.turn = bool(self.weights or calls), SimpleNamespace(count=0)


class Record:
    """Everything that was recorded.

    `races` has what `graphs.races` found, with the line of the run and its Work. `rates` maps a
    rate's tensor to its values before runs, as (step, rate). If the rate reads no step, the
    training runs are counted instead.
    """

    def __init__(self, limit=None):
        self.limit, self.trained, self.works, self.races = limit, 0, {}, []
        self.rates, self._calls = defaultdict(list), defaultdict(list)
        self._number = itertools.count().__next__
        self._turn = SimpleNamespace(work=None, state={})

    def calls(self, *names):
        """Return the calls of these functions (by default all) in order, each with its arguments.

        A call of "run" is a turn: consecutive runs of the same Work. If one line makes very many
        calls, only the first ones and the last one are kept.
        """
        calls = [c for (name, _), c in self._calls.items() if name in names or not names]
        return sorted(itertools.chain(*calls), key=lambda call: call.at)

    def _note(self, name, line, graph, state):
        """Record a call, with the scalars in a session's state and the size of the graph."""
        kept = self._calls[name, line]
        call = SimpleNamespace(name=name, line=line, graph=graph, state=state)
        call.numbers = {
            name: value for name, value in state.items() if isinstance(value, np.number)
        }
        call.at, call.size = self._number(), len(graph.operations)
        call.count = kept[-1].count + 1 if kept else 1
        kept[KEPT:] = [call]
        return call

    def wrapped(self, name, function):
        """Return a function that also records its calls."""
        parameters = inspect.signature(function).parameters
        defaults = {word: parameter.default for word, parameter in parameters.items()}
        note = self._plan if name == "_new_plan" else self._call

        @functools.wraps(function)
        def noting(*values, **named):
            result = function(*values, **named)
            given = defaults | dict(zip(parameters, values, strict=False)) | named
            note(name, user_line(), result, given)
            return result

        return noting

    def _call(self, name, line, result, given):
        sess, owner = given.get("sess"), given.get("self")
        saved = {tensor.op for tensor in (getattr(owner, "_variables", None) or {}).values()}
        if saved or sess is None:  # an empty saver does nothing
            sess = sess._tf_sess() if hasattr(sess, "_tf_sess") else sess
            graph = getattr(sess or result, "graph", None) or default_graphs.get()
            call = self._note(name, line, graph, (sess or self._turn).state)
            call.given, call.result, call.saved = given, result, saved
            call.step = given.get("global_step", given.get("x", result))
            call.rate = getattr(owner, "_lr_t", result)
            path = result if name == "save" else given.get("save_path", "")
            call.file = os.path.basename(path)
            call.ends = lambda number: re.search(rf"-0*{number}$", call.file)

    def _plan(self, name, line, plan, given):
        """Record what a new program changes, if anything, and each of its runs from now on."""
        program, fetches = plan.program, given["fetches"]
        updates = [op for op in program.ops if OPS[op.type].updates and not initializes(op)]
        if updates:
            calls = [c for c in self.calls("apply_gradients") if c.result in program.ops]
            work = Work(program, updates, calls)
            work = self.works.setdefault((program.graph, *updates), work)
            asked = fetches.get("caller", fetches) if isinstance(fetches, dict) else fetches
            found = races(program.ops, flatten(asked, program.graph)[0])
            self.races += ((*race, line, work) for race in found)
            program.function = self._noting(work, line, program)

    def _noting(self, work, line, program):
        """Return a program's function that also records each run."""
        function, operations = program.function, work.graph.operations
        samples = [*self._samples(work, program)]

        def run(state, *values):
            turn = self._turn
            if turn.work is not work or turn.state is not state or len(operations) != turn.size:
                turn = work.turn
                if turn.count <= KEPT or turn.state is not state:
                    turn = self._note("run", line, work.graph, state)
                self._turn = work.turn = turn
                turn.work, turn.times, turn.step = work, 0, None
            if work.times >= work.due:
                work.due = work.times + 1 + work.times // KEPT
                for points, rate, clock in samples:
                    with suppress(Exception):
                        points.append((int(state.get(clock, self.trained)), rate(state, *values)))
            result = function(state, *values)
            turn.times, work.times = turn.times + 1, work.times + 1
            self.trained += work.trains
            if work.trains and self.trained >= (self.limit or math.inf):
                raise Stopped
            return result

        return run

    def _samples(self, work, program):
        """Yield each rate's points so far, the function that computes it, and its step's name."""
        schedules = [call for call in self.calls(*SCHEDULES) if call.graph is work.graph]
        for tensor in dict.fromkeys(call.rate for call in [*schedules, *work.calls]):
            with suppress(Exception):  # it may need something that isn't fed
                made = compile_program(work.graph, [tensor], program.feeds)
                clocks = [op.name for op in above(tensor) if is_counter(op)]
                if not any(OPS[op.type].stateful and op.type != "VariableV2" for op in made.ops):
                    yield self.rates[tensor], made.function, [*clocks, ""][0]


@contextmanager
def recording(limit=None):
    """Yield a Record of what happens inside the `with`.

    Training run number `limit` raises Stopped.
    """
    record = Record(limit)
    with ExitStack() as stack:
        for home, names in _NOTED.items():
            for name in names:
                function = getattr(home, name)
                stack.callback(setattr, home, name, function)
                setattr(home, name, record.wrapped(name, function))
        yield record
