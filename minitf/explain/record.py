"""Records what a script does while it runs: what its runs change, and the calls that matter.

    with recording() as record:
        run_the_script()

A Record watches every run (client/watchers.py) and hears of every call (framework/events.py).
"""

import itertools
import os
import threading
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple
from weakref import finalize

import numpy as np

from minitf.client.dependencies import (
    Race,
    UpdateRace,
    changes,
    computed_from,
    initializes,
    races,
    restores,
    trains,
    update_races,
)
from minitf.client.feeds_and_fetches import flatten
from minitf.client.watchers import SessionRun, Watcher, watching
from minitf.explain.samples import Samples
from minitf.framework.events import Event, listening
from minitf.framework.graph import Graph, GraphKeys, default_graphs
from minitf.framework.operation import Operation, SourceLine, user_line
from minitf.training import learning_rate_decay

KEPT = 200  # calls from one line; and runs, after which only some of the rates are recorded
GETTERS = ["get_global_step", "get_or_create_global_step", "create_global_step"]
SCHEDULES = [schedule.__name__ for schedule in learning_rate_decay.SCHEDULES]
_FUNCTIONS = {*GETTERS, *SCHEDULES}


class Stopped(BaseException):
    """Ends a script after the requested number of training runs."""


@dataclass(eq=False)
class Moment:
    """A call or a turn: where the script made it, and what was known then.

    `at` puts the moments in order. `state` has the values of a session's variables, which go on
    changing; `numbers` are the scalars in it at this moment, and `size` the number of the graph's
    operations.
    """

    at: int
    line: SourceLine
    graph: Graph
    state: Any
    numbers: dict[str, Any]
    size: int


@dataclass(eq=False)
class Call(Moment):
    """A call of a function that matters for a step, by the script (`by_user`) or by minitf itself.

    `count` is how often this line has called it so far. `saved` are a saver's variables, and `file`
    is the name of the checkpoint.
    """

    name: str
    given: dict[str, Any]
    result: Any
    count: int
    saved: set[Operation]
    file: str
    by_user: bool
    in_background: bool

    @property
    def step(self):
        """The step that the call was given or, by a getter, returned."""
        if self.name == "apply":
            return self.given["self"]._num_updates
        return self.given.get("global_step", self.given.get("x", self.result))

    @property
    def rate(self):
        """A schedule's result, or the learning rate of the optimizer."""
        return getattr(self.given.get("self"), "_lr_t", self.result)


@dataclass(eq=False)
class Turn(Moment):
    """Consecutive runs of the same Work."""

    work: "Work"
    times: int = 0


@dataclass(eq=False, slots=True)
class Place:
    """A line that runs a Work: what it fetches, and how often it did."""

    line: SourceLine
    fetched: list
    work: "Work"
    times: int = 0


class Work:
    """What a run changes: all runs with the same updates are one Work, which ran `times` times.

    `weights` are the trainable variables that it changes, and `calls` the apply_gradients calls
    whose ops it runs; with any of these, it `trains`. `places` are the lines that run it. `turn` is
    the last of its turns to be recorded. `before` has the weights before the first run of each
    session.
    """

    def __init__(self, program, updates, calls):
        self.graph, self.program, self.times, self.due = program.graph, program, 0, 0
        self.updates, self.calls, self.places = updates, calls, []
        self.changed = dict.fromkeys(variable for op in updates for variable in changes(op))
        trainable = self.graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)
        self.weights = {v.op for v in trainable}.intersection(self.changed)
        self.trains, self.turn, self.turns = bool(self.weights or calls), None, 0
        self.longest = 0  # its longest turn
        self.began = 0  # when its first turn began
        self.clocks: list[Operation] = []  # the steps that it counts
        sets = [op for op in updates if op.type == "Assign"]
        self.sets_a_step = any(is_counter(variable) for op in sets for variable in changes(op))
        self.moved = False  # whether its weights were seen to change
        self.seen = 0  # how many training runs there were when it was last measured
        self.before: dict[int, tuple[Any, dict[str, np.ndarray]]] = {}


class RunRace(NamedTuple):
    """A race, with the line of the run in which it is, and that run's Work."""

    race: Race
    line: SourceLine
    work: Work


@dataclass(eq=False)
class SetBack:
    """A step that became smaller between two runs that count, with no restore in between."""

    variable: Operation
    before: Any
    after: Any
    line: SourceLine | None  # that initialized it
    begun_anew: bool  # whether the weights were initialized as well
    times: int = 0


@dataclass(eq=False, slots=True)
class Watched:
    """What is known of a program that changes something."""

    work: "Work"
    place: Place
    samples: Samples


@dataclass(eq=False)
class Begins:
    """What is known of a program that only gives variables their first values, or restores them."""

    variables: set[Operation]


class Initialized(NamedTuple):
    """When and where a variable got its first value."""

    at: int
    line: SourceLine


class Record(Watcher):
    """Everything that was recorded.

    `races` has each RunRace, `update_races` those between two updates, and `set_back` the steps
    that went back. `initialized` says when and where each variable of a state last got its first
    value. `rates` maps a rate's tensor to its Points; `not_finite` says which weights were found
    not to be finite, and when.
    """

    def __init__(self, limit=None):
        self.limit, self.trained = limit, 0
        self.works: dict[Any, Work] = {}
        self.races: list[RunRace] = []
        self.update_races: list[tuple[UpdateRace, SourceLine, Work]] = []
        self.set_back: dict[Operation, SetBack] = {}
        self.initialized: dict[tuple[int, Operation], Initialized] = {}
        self.rates = defaultdict(list)
        self.not_finite: dict[Operation, tuple[int, int]] = {}
        self._calls: dict[Any, list[Call]] = defaultdict(list)
        self.problems: list[Exception] = []  # minitf's own errors
        self.errors: list[tuple[Exception, SourceLine]] = []
        self.turns: list[Turn] = []  # of a Work that has very many, the first ones and the last
        self._number = itertools.count().__next__
        self._turn: Turn | None = None
        self._last: dict[int, dict[str, Any]] = {}  # steps that may be set back, in each state
        self._states: dict[int, Any] = {}  # keeps the states, so that their ids stay theirs
        # What was initialized since a state's last run that counts, and where.
        self._begun: dict[int, tuple[set[Operation], SourceLine]] = {}
        # What is known of each program, by its id; None for one that changes nothing.
        self._programs: dict[int, Watched | Begins | None] = {}

    def calls(self, *names: str) -> list[Call]:
        """Return the calls of these functions (by default all) in order, each with its arguments.

        If one line makes very many calls, only the first ones and the last one are kept.
        """
        found = [c for (name, _), c in self._calls.items() if name in names or not names]
        return sorted(itertools.chain(*found), key=lambda call: call.at)

    def _moment(self, line: SourceLine, graph: Graph, state) -> dict[str, Any]:
        """Return what is known at this moment, by the names of a Moment's fields."""
        numbers = {name: n for name, n in state.items() if isinstance(n, np.number)}
        return {
            "at": self._number(),
            "line": line,
            "graph": graph,
            "state": state,
            "numbers": numbers,
            "size": len(graph.operations),
        }

    # Calls.

    def hear(self, event: Event) -> None:
        """Record a call; a script goes on even if that fails."""
        with self._carefully():
            self._hear(event)

    @contextmanager
    def _carefully(self):
        """Keep an error of minitf, which must not end the script, for the report."""
        try:
            yield
        except Exception as error:
            self.problems.append(error)

    def _hear(self, event: Event) -> None:
        own = event.name in _FUNCTIONS and not event.by_user  # minitf's own question
        if event.name == "should_stop" or own and event.result is not None:
            return
        given, owner = event.arguments, event.arguments.get("self")
        saved = {tensor.op for tensor in (getattr(owner, "_variables", None) or {}).values()}
        session = given.get("sess")
        if session is not None and not saved:
            return  # an empty saver does nothing
        if hasattr(session, "_tf_sess"):
            session = session._tf_sess()
        graph = getattr(session or event.result, "graph", None) or default_graphs.get()
        state = session.state if session else self._turn.state if self._turn else {}
        line = user_line()
        kept = self._calls[event.name, line]
        if len(kept) > KEPT and event.name == "add_summary":  # only the last of so many counts
            kept[-1].count, kept[-1].given = kept[-1].count + 1, given
            return
        path = event.result if event.name == "save" else given.get("save_path", "")
        call = Call(
            **self._moment(line, graph, state),
            name=event.name,
            given=given,
            result=event.result,
            count=kept[-1].count + 1 if kept else 1,
            saved=saved,
            file=os.path.basename(str(path or "")),
            by_user=event.by_user,
            in_background=threading.current_thread() is not threading.main_thread(),
        )
        kept[KEPT:] = [call]
        if event.name == "restore":
            self.end_turn()
            self._last.pop(id(state), None)  # a step may go back to that of a checkpoint

    def schedules(self, graph: Graph) -> list[Call]:
        """Return the schedules that were made in a graph."""
        return [call for call in self.calls(*SCHEDULES) if call.graph is graph]

    # Runs.

    def before_run(self, run: SessionRun) -> None:
        """Record a run that changes something: its turn, its steps, and the rates that it uses."""
        key = id(run.program)
        if key not in self._programs:
            self._programs[key] = None
            with self._carefully():
                self._programs[key] = self._watched(run)
            finalize(run.program, self._programs.pop, key)
        watched = self._programs[key]
        if watched is None:
            return
        if watched.__class__ is Begins:
            self._begin(watched, run.state)
            return
        work, turn = watched.work, self._turn
        same_turn = turn is not None and turn.work is work and turn.state is run.state
        if not same_turn or len(work.graph.operations) != turn.size:
            self._begin_turn(watched, run.state)
        if work.times >= work.due:
            work.due = work.times + 1 + work.times // KEPT
            watched.samples.take(run)

    def after_run(self, run: SessionRun) -> None:
        """Count a run, and stop the script if it was the last one that was asked for."""
        watched = self._programs.get(id(run.program))
        if watched is None or watched.__class__ is Begins:
            return
        work = watched.work
        watched.place.times += 1
        work.times += 1
        work.turn.times += 1
        if work.trains:
            self.trained += 1
            if self.limit and self.trained >= self.limit:
                raise Stopped

    def failed_run(self, run: SessionRun, error: Exception) -> None:
        """Record an error, which the script may catch."""
        self.errors.append((error, user_line()))

    def _watched(self, run: SessionRun) -> Watched | Begins | None:
        """Return what there is to know about a new program; None if it changes nothing."""
        program, line = run.program, user_line()
        updates = [op for op in program.ops if trains(op)]
        if not updates:
            begun = [op for op in program.ops if initializes(op) or restores(op)]
            first = [
                op for op in begun if initializes(op) and not program.feeds
            ]  # else it's loaded
            variables = {variable for op in first for variable in changes(op)}
            return Begins(variables) if begun else None
        work = self.works.get((program.graph, *updates))
        if work is None:
            applied = [c for c in self.calls("apply_gradients") if c.result in program.ops]
            work = self.works[(program.graph, *updates)] = Work(program, updates, applied)
        fetched = _asked_for(run)
        self.races += (RunRace(race, line, work) for race in races(program.ops, fetched))
        self.update_races += ((race, line, work) for race in update_races(program.ops))
        work.places.append(Place(line, fetched, work))
        passed = {op for call in self.calls() for op in clocks_of(call)}
        counts = {variable for op in updates if op.type == "AssignAdd" for variable in changes(op)}
        work.clocks = [op for op in counts if is_counter(op) or op in passed]
        return Watched(work, work.places[-1], Samples(self, work, program))

    def _begin(self, begins: Begins, state) -> None:
        """Record that variables are about to get their first values, or those of a checkpoint."""
        self.end_turn()
        self._remember_steps(state)
        begun, _ = self._begun.get(id(state), (set(), None))
        now = Initialized(self._number(), user_line())
        self._begun[id(state)] = (begun | begins.variables, now.line)
        self.initialized |= {(id(state), variable): now for variable in begins.variables}

    def _begin_turn(self, watched: Watched, state) -> None:
        """Record a turn, or let the last one that was recorded stand for this one as well."""
        work = watched.work
        self.end_turn()
        if work.turns > KEPT and work.turn.state is state:
            work.turn.times = 0
        else:
            work.turn = Turn(**self._moment(watched.place.line, work.graph, state), work=work)
            work.began = work.began or work.turn.at + 1
            work.turns += 1
            self.turns.append(work.turn)
            self._states[id(state)] = state
        self._turn = work.turn
        if work.sets_a_step:
            self._remember_steps(state)
        elif self._last and work.clocks:
            self._check_steps(work, state)

    def end_turn(self) -> None:
        """Record how long the last turn was."""
        turn, self._turn = self._turn, None
        if turn is not None and turn.times > turn.work.longest:
            turn.work.longest = turn.times

    def finish(self) -> None:
        """Record what is true at the end."""
        self.end_turn()
        for watched in list(self._programs.values()):
            if isinstance(watched, Watched) and watched.work.times:
                watched.samples.finish(watched.work.turn.state)

    # Steps that go back.

    def _remember_steps(self, state) -> None:
        """Remember what the steps have come to, before something that may set them back."""
        clocks = {clock for work in self.works.values() for clock in work.clocks}
        self._states[id(state)] = state
        self._last.setdefault(id(state), {c.name: state.get(c.name) for c in clocks})

    def _check_steps(self, work: Work, state) -> None:
        """Note the steps that are smaller than they were when they were remembered."""
        remembered = self._last.pop(id(state), {})
        begun, line = self._begun.pop(id(state), (set(), None))
        for clock in work.clocks:
            before, now = remembered.get(clock.name), state.get(clock.name)
            if before is not None and now is not None and now < before:
                anew = bool(work.weights) and work.weights <= begun
                noted = self.set_back.setdefault(clock, SetBack(clock, before, now, line, anew))
                noted.times += 1


def _asked_for(run: SessionRun) -> list:
    """Return what the script fetches in a run; hooks of a monitored session may fetch more."""
    fetches = run.fetches
    if isinstance(fetches, dict):
        fetches = fetches.get("caller", fetches)
    return flatten(fetches, run.program.graph)[0]


def is_counter(op: Operation) -> bool:
    """Return whether an operation is a variable that holds a single whole number.

    Some scripts count in floats; such a step is known by its name.
    """
    value = op.outputs[0] if op.type == "VariableV2" else None
    counts = value is not None and (value.dtype.is_integer or "global_step" in op.name)
    return counts and value.shape.rank == 0


def clocks_of(call: Call) -> list[Operation]:
    """Return the scalar variables that a call's step is computed from."""
    return [
        op
        for op in computed_from(call.step)
        if op.type == "VariableV2" and op.outputs[0].shape.rank == 0
    ]


@contextmanager
def recording(limit=None):
    """Yield a Record of what happens inside the `with`.

    Training run number `limit` raises Stopped.
    """
    record = Record(limit)
    try:
        with watching(record), listening(record.hear):
            yield record
    finally:
        record.finish()
