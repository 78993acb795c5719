"""What was recorded of a script, put in order: its steps, train ops, rates and runs."""

import math
from collections import defaultdict

from minitf.client.dependencies import computed_from
from minitf.explain.record import SCHEDULES, is_counter
from minitf.explain.source import named
from minitf.framework.graph import GraphKeys

_NAMES = ("global_step", "global_step_1")


class Step:
    """A variable that is counted up, or should be.

    `found_by` says how it was found, with a line for each way. `works` are the Works that ran and
    changed it, and `weights` what they train. The script calls it `name`.
    """

    def __init__(self, script, variable):
        self.variable, self.graph, self.key = variable, variable.graph, variable.name
        self.line, self.name = variable.source_line, named(variable)
        self.has_usual_name = self.key in _NAMES
        self.works = [work for work in script.works if variable in work.changed]
        self.weights = {weight for work in self.works for weight in work.weights}
        calls = [call for call in script.calls() if variable in computed_from(call.step)]
        self.found_by = {c.name.replace("apply_gradients", "minimize"): c.line for c in calls}
        self.passed = "minimize" in self.found_by
        steps = self.graph.get_collection(GraphKeys.GLOBAL_STEP)
        reasons = {
            "the collection GLOBAL_STEP": any(variable in computed_from(step) for step in steps),
            "its name": self.has_usual_name,
            "the runs that changed it": self.works,
        }
        self.found_by |= {reason: "" for reason, holds in reasons.items() if holds}
        runs = [r for r in script.runs if r.graph is self.graph and self.key in r.numbers]
        ends = [runs[0].numbers, runs[-1].state] if runs else []
        self.first, self.last = [end[self.key].item() for end in ends] or (None, None)
        self.moved = bool(self.works) or self.first != self.last
        self.trained = any(run.work.trains for run in runs) and script.record.trained

    @property
    def counts(self):
        """How many runs changed it."""
        return sum(work.times for work in self.works)

    @property
    def is_known_in_two_ways(self):
        """Whether it is surely a step, and not just some variable with a whole number."""
        return len(self.found_by) > 1


class ScriptRun:
    """What a script did.

    `error` is the text of the error that ended it, and `whole` whether it came to its end. `rates`
    has, for each rate, the call that made or used it, and its points.
    """

    def __init__(self, record, error=None, whole=True):
        self.record, self.calls, self.whole = record, record.calls, whole
        self.error, self.runs = str(error or ""), record.calls("run")
        self.works = [work for work in record.works.values() if work.times]
        for work in self.works:
            work.longest = max(run.times for run in self.runs if run.work is work)
        self.trains = record.calls("apply_gradients")
        for train in self.trains:
            train.works = [work for work in self.works if train in work.calls]
            train.times = sum(work.times for work in train.works)
        graphs = dict.fromkeys(call.graph for call in self.calls())
        self.ops = [op for graph in graphs for op in graph.get_operations()]
        steps = [Step(self, op) for op in self.ops if is_counter(op)]
        self.steps = [step for step in steps if step.found_by]
        self.rates = {}
        for call in [*self.calls(*SCHEDULES), *self.trains]:
            points = [(n, float(v)) for n, v in record.rates[call.rate] if math.isfinite(v)]
            if points:
                self.rates.setdefault(call.rate, (call, points))

    def steps_of(self, graph):
        """Return the steps in a graph."""
        return [step for step in self.steps if step.graph is graph]

    def resumed(self):
        """Return each restore before its session's first training run, and that run."""
        found = []
        for call in self.calls("restore"):
            runs = [run for run in self.runs if run.state is call.state and run.work.weights]
            if runs and call.at < runs[0].at:
                found.append((call, runs[0]))
        return found

    def by_line(self, *names):
        """Return the calls of these functions, grouped by line."""
        lines = defaultdict(list)
        for call in self.calls(*names):
            lines[call.name, call.line].append(call)
        return lines.values()
