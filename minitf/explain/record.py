"""Records what a script does while it runs: what its runs change, and the calls that matter.

    with recording() as record:
        run_the_script()

A Record watches every run (client/watchers.py) and hears of every call (framework/events.py).
"""

import itertools
import math
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import SimpleNamespace
from typing import NamedTuple
from weakref import finalize

import numpy as np

from minitf.client.arithmetic import calculate
from minitf.client.compiler import compile_program
from minitf.client.dependencies import Race, changes, computed_from, races, trains
from minitf.client.feeds_and_fetches import flatten
from minitf.client.watchers import SessionRun, Watcher, watching
from minitf.framework.events import Event, listening
from minitf.framework.graph import GraphKeys, default_graphs
from minitf.framework.operation import SourceLine, user_line
from minitf.framework.registry import OPS

KEPT = 200  # calls from one line; and runs, after which only some of the rates are recorded
GETTERS = ["get_global_step", "get_or_create_global_step", "create_global_step"]
SCHEDULES = [
    "exponential_decay",
    "natural_exp_decay",
    "inverse_time_decay",
    "polynomial_decay",
    "piecewise_constant",
    "cosine_decay",
    "cosine_decay_restarts",
    "linear_cosine_decay",
    "noisy_linear_cosine_decay",
]
_FUNCTIONS = {*GETTERS, *SCHEDULES}


def is_counter(op):
    """Return whether an operation is a variable that holds a single whole number.

    Some scripts count in floats; such a step is known by its name.
    """
    value = op.outputs[0] if op.type == "VariableV2" else None
    counts = value is not None and (value.dtype.is_integer or "global_step" in op.name)
    return counts and value.shape.rank == 0


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
        self.changed = dict.fromkeys(variable for op in updates for variable in changes(op))
        trainable = self.graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)
        self.weights = {v.op for v in trainable}.intersection(self.changed)
        self.trains, self.turn = bool(self.weights or calls), SimpleNamespace(count=0)


class RunRace(NamedTuple):
    """A race, with the line of the run in which it is, and that run's Work."""

    race: Race
    line: SourceLine
    work: Work


class Sampled(NamedTuple):
    """A rate to record before runs: its points so far, how to compute it, and its step's name."""

    points: list
    compute: Callable
    step: str


class Watched(NamedTuple):
    """What is known of a program whose runs are recorded."""

    work: Work
    line: SourceLine
    samples: list[Sampled]


class Record(Watcher):
    """Everything that was recorded.

    `races` has each RunRace. `rates` maps a rate's tensor to its values before runs, as (step,
    rate). If the rate reads no step, the training runs are counted instead.
    """

    def __init__(self, limit=None):
        self.limit, self.trained, self.works, self.races = limit, 0, {}, []
        self.rates, self._calls = defaultdict(list), defaultdict(list)
        self._number = itertools.count().__next__
        self._turn = SimpleNamespace(work=None, state={})
        # What is known of each program, by its id; None for one that changes nothing.
        self._programs: dict[int, Watched | None] = {}

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

    # Calls.

    def hear(self, event: Event) -> None:
        """Record a call of a function that matters for a step."""
        if event.name in _FUNCTIONS and not event.by_user or event.name == "should_stop":
            return  # minitf's own question
        given, result = event.arguments, event.result
        sess, owner = given.get("sess"), given.get("self")
        saved = {tensor.op for tensor in (getattr(owner, "_variables", None) or {}).values()}
        if sess is not None and not saved:
            return  # an empty saver does nothing
        sess = sess._tf_sess() if hasattr(sess, "_tf_sess") else sess
        graph = getattr(sess or result, "graph", None) or default_graphs.get()
        call = self._note(event.name, user_line(), graph, (sess or self._turn).state)
        call.given, call.result, call.saved = given, result, saved
        call.step = given.get("global_step", given.get("x", result))
        call.rate = getattr(owner, "_lr_t", result)
        path = result if event.name == "save" else given.get("save_path", "")
        call.file = os.path.basename(path)
        call.ends = lambda number: re.search(rf"-0*{number}$", call.file)

    # Runs.

    def before_run(self, run: SessionRun) -> None:
        """Record a run that changes something: its turn, and the rates that it uses."""
        key = id(run.program)
        if key not in self._programs:
            self._programs[key] = self._watched(run)
            finalize(run.program, self._programs.pop, key)
        watched = self._programs[key]
        if watched is None:
            return
        work, turn = watched.work, self._turn
        same_turn = turn.work is work and turn.state is run.state
        if not same_turn or len(work.graph.operations) != turn.size:
            self._begin_turn(watched, run.state)
        if work.times >= work.due:
            work.due = work.times + 1 + work.times // KEPT
            self._sample(watched, run)

    def after_run(self, run: SessionRun) -> None:
        """Count a run, and stop the script if it was the last one that was asked for."""
        watched = self._programs.get(id(run.program))
        if watched is None:
            return
        work = watched.work
        work.times += 1
        work.turn.times += 1
        self.trained += work.trains
        if work.trains and self.trained >= (self.limit or math.inf):
            raise Stopped

    def _watched(self, run: SessionRun) -> Watched | None:
        """Return what there is to know about a new program; None if it changes nothing."""
        program = run.program
        updates = [op for op in program.ops if trains(op)]
        if not updates:
            return None
        line, calls = user_line(), self.calls("apply_gradients")
        work = Work(program, updates, [call for call in calls if call.result in program.ops])
        work = self.works.setdefault((program.graph, *updates), work)
        fetches = run.fetches
        if isinstance(fetches, dict):  # a monitored session's, with what its hooks ask for
            fetches = fetches.get("caller", fetches)
        found = races(program.ops, flatten(fetches, program.graph)[0])
        self.races += (RunRace(race, line, work) for race in found)
        return Watched(work, line, [*self._samples(work, program)])

    def _begin_turn(self, watched: Watched, state) -> None:
        work = watched.work
        if work.turn.count <= KEPT or work.turn.state is not state:
            work.turn = self._note("run", watched.line, work.graph, state)
        self._turn = turn = work.turn
        turn.work, turn.times, turn.step = work, 0, None

    def _sample(self, watched: Watched, run: SessionRun) -> None:
        for sampled in watched.samples:
            with suppress(Exception):
                step = int(run.state.get(sampled.step, self.trained))
                rate = calculate(sampled.compute, run.state, *run.fed)
                sampled.points.append((step, rate))

    def _samples(self, work, program) -> Iterator[Sampled]:
        """Yield each rate that can be computed before these runs."""
        schedules = [call for call in self.calls(*SCHEDULES) if call.graph is work.graph]
        for tensor in dict.fromkeys(call.rate for call in [*schedules, *work.calls]):
            with suppress(Exception):  # it may need something that isn't fed
                made = compile_program(work.graph, [tensor], program.feeds)
                steps = [op.name for op in computed_from(tensor) if is_counter(op)]
                if not any(OPS[op.type].stateful and op.type != "VariableV2" for op in made.ops):
                    yield Sampled(self.rates[tensor], made.function, [*steps, ""][0])


@contextmanager
def recording(limit=None):
    """Yield a Record of what happens inside the `with`.

    Training run number `limit` raises Stopped.
    """
    record = Record(limit)
    with watching(record), listening(record.hear):
        yield record
