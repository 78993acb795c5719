"""What was recorded of a script, put in order: its steps, train ops, rates and runs."""

import math
import os
import traceback
from collections import defaultdict
from functools import cached_property

import minitf
from minitf.client.dependencies import all_before, changes, computed_from, held_by, trains
from minitf.explain.record import SCHEDULES, Call, Record, Turn, Work, clocks_of, is_counter
from minitf.explain.source import is_scripts, named
from minitf.framework.graph import Graph, GraphKeys
from minitf.framework.op_def_library import constant_value
from minitf.framework.operation import Operation, SourceLine

_MINITF = os.path.dirname(minitf.__file__)
_NAMES = ("global_step", "global_step_1")


class Step:
    """A variable that is counted up, or should be.

    `found_by` says how it was found, with a line for each way. `works` are the Works that ran and
    changed it, and `weights` what they train. The script calls it `name`.
    """

    def __init__(self, script: "ScriptRun", variable: Operation):
        self.variable, self.graph, self.key = variable, variable.graph, variable.name
        self.line, self.name = variable.source_line, named(variable)
        self.has_usual_name = self.key in _NAMES
        self.works = [work for work in script.works if variable in work.changed]
        self.weights = {weight for work in self.works for weight in work.weights} - {variable}
        calls = [call for call in script.calls() if variable in clocks_of(call)]
        self.found_by = {c.name.replace("apply_gradients", "minimize"): c.line for c in calls}
        self.passed = "minimize" in self.found_by
        steps = self.graph.get_collection(GraphKeys.GLOBAL_STEP)
        self.is_collected = any(variable in computed_from(step) for step in steps)
        reasons = {
            "the collection GLOBAL_STEP": self.is_collected,
            "its name": self.has_usual_name,
            "the runs that changed it": self.works and is_counter(variable),
        }
        self.found_by |= {reason: "" for reason, holds in reasons.items() if holds}
        turns = [t for t in script.turns if t.graph is self.graph and self.key in t.numbers]
        ends = [turns[0].numbers, turns[-1].state] if turns else []
        self.first, self.last = [end[self.key].item() for end in ends] or (None, None)
        self.moved = bool(self.works) or self.first != self.last
        trained = any(turn.work.trains for turn in turns)
        self.trained = script.record.trained if trained else 0

    @property
    def is_used(self) -> bool:
        """Whether a call was given it as a step; its name or its changes only suggest it."""
        return any(self.found_by.values())

    @property
    def counts(self) -> int:
        """How many runs changed it."""
        return sum(work.times for work in self.works)

    @property
    def is_known_in_two_ways(self) -> bool:
        """Whether it is surely a step, and not just some variable with a whole number."""
        return len(self.found_by) > 1

    @property
    def can_be_found(self) -> bool:
        """Whether `get_global_step` finds it."""
        return self.is_collected or self.key == "global_step"

    @property
    def may_move_later(self) -> bool:
        """Whether the script has an op that changes it, which may run if the script goes on."""
        updates = [op for op in self.graph.get_operations() if trains(op)]
        return any(self.variable in changes(op) for op in updates)

    def updates(self, work: Work) -> list[Operation]:
        """Return the ops that change it in a Work."""
        return [op for op in work.updates if held_by(op.outputs[0]) is self.variable]


class Rate:
    """A learning rate: the call that made or used it, and what it was before runs that train."""

    def __init__(self, call: Call, points: list):
        self.call, self.points = call, points
        self.is_schedule = call.name in SCHEDULES
        self.first, self.last = points[0], points[-1]
        self.low = min(point.rate for point in points)
        self.high = max(point.rate for point in points)

    @property
    def is_flat(self) -> bool:
        """Whether it stayed the same."""
        return math.isclose(self.low, self.high, rel_tol=1e-6, abs_tol=1e-30)

    def number(self, name: str) -> float | None:
        """Return a schedule's argument as a number, or None if it isn't known before a run."""
        value = self.call.given.get(name)
        if hasattr(value, "op"):
            value = constant_value(value) if hasattr(value, "dtype") else None
        try:
            return float(value)
        except (TypeError, ValueError):
            return None

    @property
    def boundaries(self) -> list[float]:
        """The boundaries of a piecewise constant, where they're numbers."""
        given = self.call.given.get("boundaries", ())
        return [float(b) for b in given if isinstance(b, int | float)]


class Train:
    """A train op: the call of apply_gradients that made it, and the Works in which it ran."""

    def __init__(self, script: "ScriptRun", call: Call):
        self.call, self.line, self.graph = call, call.line, call.graph
        self.step = call.given.get("global_step")
        self.op, self.rate = call.result, call.rate
        self.works = [work for work in script.works if call in work.calls]
        self.times = sum(work.times for work in self.works)

    @cached_property
    def weights(self) -> set[Operation]:
        """The trainable variables that it changes."""
        trainable = {v.op for v in self.graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)}
        return trainable & {v for op in self.before if trains(op) for v in changes(op)}

    @cached_property
    def before(self) -> set[Operation]:
        """The op itself, and everything from which a path leads to it."""
        return set(all_before(self.op))


def _line_of(error: BaseException | None) -> SourceLine | None:
    """Return the innermost line of the script in an error's traceback."""
    frames = traceback.extract_tb(error.__traceback__) if error else []
    lines = [SourceLine(frame.filename, frame.lineno or 0) for frame in frames]
    own = [line for line in lines if is_scripts(line) and not line.filename.startswith(_MINITF)]
    return own[-1] if own else None


class ScriptRun:
    """What a script did.

    `chosen` are the kinds of faults to look for. `error` is the text of the error that ended it,
    and `whole` whether it came to its end. `rates` has a Rate for each tensor that was used as one
    or came from a schedule.
    """

    def __init__(self, record: Record, error=None, whole=True):
        self.record, self.calls, self.whole = record, record.calls, whole
        self.chosen: set[str] = set()
        self.error, self.error_line, self.turns = str(error or ""), _line_of(error), record.turns
        self.works = [work for work in record.works.values() if work.times]
        self.trains = [Train(self, call) for call in record.calls("apply_gradients")]
        graphs = dict.fromkeys([call.graph for call in self.calls()])
        self.graphs = [*graphs, *({turn.graph for turn in self.turns} - graphs.keys())]
        self.ops = [op for graph in self.graphs for op in graph.get_operations()]
        passed = {op for call in self.calls() for op in clocks_of(call)}
        steps = [Step(self, op) for op in self.ops if is_counter(op) or op in passed]
        self.steps = [step for step in steps if step.found_by]
        self.rates: list[Rate] = []
        seen = set()
        for call in [*self.calls(*SCHEDULES), *(train.call for train in self.trains)]:
            points = record.rates.get(call.rate, []) if call.rate not in seen else []
            seen.add(call.rate)
            if points:
                self.rates.append(Rate(call, points))

    def steps_of(self, graph: Graph) -> list[Step]:
        """Return the steps in a graph."""
        return [step for step in self.steps if step.graph is graph]

    def resumed(self) -> list[tuple[Call, Turn]]:
        """Return each restore before its session's first training run, and that run's turn."""
        found = []
        for call in self.calls("restore"):
            turns = [t for t in self.turns if t.state is call.state and t.work.weights]
            if turns and call.at < turns[0].at:
                found.append((call, turns[0]))
        return found

    def by_line(self, *names: str) -> list[list[Call]]:
        """Return the calls of these functions, grouped by line."""
        lines: dict[tuple[str, SourceLine], list[Call]] = defaultdict(list)
        for call in self.calls(*names):
            lines[call.name, call.line].append(call)
        return list(lines.values())
