"""Turns what was noted into findings, which say what was seen, and questions.

What was seen is evidence. What only might be wrong is a question.
"""

import itertools
import os
import re
from contextlib import suppress

import numpy as np

from minitf.client.session import Session
from minitf.explain.graphs import above, added, held, initializes, is_scalar
from minitf.explain.record import GETTERS, SCHEDULES
from minitf.explain.source import TRAINS, called, counted, text, with_step
from minitf.framework.errors import OpError
from minitf.framework.graph import GraphKeys

# The identifier of each finding, its lesson, and what it says.
TITLES = """
step-not-found | 08_finding_the_clock | The step can't be found
step-created-twice | 08_finding_the_clock | There are two steps, and training counts only one
not-initialized | 08_finding_the_clock | A variable had no value yet
step-not-passed | 04_who_adds_one | An optimizer trains without counting
step-counted-twice | 04_who_adds_one | Each turn counts twice
step-never-moves | 03_the_experiment | The step never moves
rate-never-moves | 03_the_experiment | A schedule never moves the rate
rate-grows | 05_the_rate_reads_the_clock | The rate grows
decay-in-epochs | 05_the_rate_reads_the_clock | decay_steps looks like epochs, but it counts steps
order-undefined | 07_before_or_after | A fetch races an update
step-not-saved | 10_stop_and_resume | The checkpoints lack the step
step-not-restored | 10_stop_and_resume | A restore didn't bring the step back
step-in-name-only | 10_stop_and_resume | The number in a checkpoint's name isn't the step
python-counter | 12_watching | Python counts, where the step should
summary-without-step | 12_watching | Summaries are written without a step
graph-grows | 12_watching | The graph grows between the steps
"""
_FALLING = ["exponential_decay", "natural_exp_decay", "inverse_time_decay", "cosine_decay"]
_NAMES = ("global_step", "global_step_1")
_GET = "tf.train.get_or_create_global_step()"


def scalars(value):
    """Return the variables with a single number that a value is computed from."""
    return [op for op in above(value) if is_scalar(op)]


def place(line):
    """Return a line as `file:line`."""
    return str(line).split(": ")[0]


def item(says, *lines, **facts):
    """Return something that the report says about lines of the script."""
    spots = [{"line": place(line), "text": text(line)[:200]} for line in dict.fromkeys(lines)]
    return {"says": says, "lines": spots, **facts}


def saved_by(call):
    """Return the variables that a call of save or restore is about."""
    return {tensor.op for tensor in call.given["self"]._variables.values()}


def number(path):
    """Return the number at the end of a checkpoint's name, or None."""
    found = re.search(r"-(\d+)$", str(path))
    return int(found[1]) if found else None


class Clock:
    """A variable that is counted up, or should be.

    `found` says how it was found; it is `main` unless that was only an op that adds to it. `works`
    are those that ran and changed it. In the script it is called `called`, if that is known.
    """

    def __init__(self, record, variable, found):
        self.variable, self.graph, self.found = variable, variable.graph, found
        self.key, self.line = variable.name, variable.source_line
        self.called = called(self.line, r"[\w.]*(ariable|global_step)\(")
        self.name = self.called or self.key
        self.main, self.passed = "counted" not in found[0], "passed" in found[0]
        self.works = [w for w in record.works.values() if w.times and variable in w.changed]
        begins = [b for b in record.begins if b.work.graph is self.graph and self.key in b.numbers]
        self.first, self.last, self.state = None, None, {}
        if begins:
            self.first, self.state = begins[0].numbers[self.key], begins[-1].state
            self.last = self.state[self.key]
        moved = any(begin.numbers[self.key] != begin.state[self.key] for begin in begins)
        self.moved = bool(self.works) or moved or variable in record.fed


class Seen:
    """What was noted, put in order.

    `words` are those of the error that ended the script; it is `whole` if it came to its end.
    """

    def __init__(self, record, error=None, whole=True):
        self.record, self.calls, self.whole = record, record.calls, whole
        self.words = str(error or "")
        self.works = [work for work in record.works.values() if work.times]
        self.trains = record.calls("apply_gradients")
        for train in self.trains:
            train.works = [work for work in self.works if train in work.trains]
        found = {}
        for variable, reason in self._reasons():
            found.setdefault(variable, {})[reason] = None
        self.clocks = [Clock(record, variable, [*reasons]) for variable, reasons in found.items()]
        self.main = [clock for clock in self.clocks if clock.main]
        self.curves = [(call, self.curve(call.result)) for call in self.calls(*SCHEDULES)]

    def _reasons(self):
        """Yield what may be a clock, and why."""
        values = [(t.given["global_step"], "passed to minimize", t.line) for t in self.trains]
        for call in self.calls(*SCHEDULES):
            values.append((step_of(call), f"read by {call.name}", call.line))
        for call in self.calls(*GETTERS):
            values.append((call.result, f"given by {call.name}", call.line))
        for graph in self.record.graphs:
            tensors = [op.outputs[0] for op in map(graph.operations.get, _NAMES) if op]
            values += [(tensor, "found by its name", "") for tensor in tensors]
            for step in graph.get_collection(GraphKeys.GLOBAL_STEP):
                values.append((step, "in the collection GLOBAL_STEP", ""))
            for tensor in graph.get_collection("global_step_read_op_cache"):
                values.append((tensor, "read by hooks", ""))
        for update in {op: None for work in self.works for op in work.updates}:
            if added(update) is not None and update.inputs[0].dtype.is_integer:
                values.append((update.outputs[0], "counted by an op", update.source_line))
        for value, reason, line in values:
            for variable in scalars(value):
                yield variable, f"{reason} ({place(line)})" if line else reason

    def curve(self, rate):
        """Return a rate over the steps that were seen, as (step, rate)."""
        clocks = [c for c in self.clocks if c.variable in scalars(rate) and c.last is not None]
        points = []
        for clock in clocks[:1]:
            session = Session(graph=clock.graph)
            session.state.update(clock.state)
            steps = np.linspace(clock.first, clock.last, 200).astype(type(clock.last))
            with suppress(OpError, TypeError):
                for session.state[clock.key] in np.unique(steps):
                    points.append((session.state[clock.key].item(), float(session.run(rate))))
        return points

    def clock(self, graph):
        """Return the clock that a graph's training should count, or None."""
        found = [clock for clock in self.main if clock.graph is graph]
        return max(found, key=lambda clock: (clock.moved, len(clock.found)), default=None)

    def trained(self, graph):
        """Return how many runs trained this graph."""
        works = [w for w in self.works if w.graph is graph and (w.weights or w.trains)]
        return sum(work.times for work in works)

    def resumed(self):
        """Yield where a session first trained, with the calls that had restored it."""
        states = []
        for begin in self.record.begins:
            if begin.work.weights and not any(begin.state is state for state in states):
                states.append(begin.state)
                calls = [c for c in self.calls("restore") if c.state is begin.state]
                calls = [call for call in calls if call.at < begin.at]
                yield from [(begin, calls)] if calls else []

    def by_line(self, name):
        """Return the calls of a function, by their lines."""
        lines = {}
        for call in self.calls(name):
            lines.setdefault(call.line, []).append(call)
        return lines.items()


def step_of(schedule):
    """Return the step that a schedule was given."""
    return schedule.given.get("global_step", schedule.given.get("x"))


# Each of these yields whether it is sure, the evidence, a cure, and lines of the script.


def step_not_found(seen):
    """Look for get_global_step without a result, and for hooks that find none."""
    for call in seen.calls("get_global_step"):
        for clock in seen.clocks:
            made = clock.graph is call.graph and clock.variable.number < call.size
            if call.result is None and clock.works and made:
                said = f"get_global_step() returned None, although training counts {clock.name}."
                yield True, said, f"{clock.name} = {_GET}", call.line, clock.line
    if "Global step should be created" in seen.words:
        yield True, seen.words, f"step = {_GET}  # and only this in GLOBAL_STEP"


def step_created_twice(seen):
    """Look for a second step that nothing counts."""
    if '"global_step" already exists' in seen.words:
        yield True, seen.words, f"step = {_GET}", *(call.line for call in seen.calls(*GETTERS))
    for idle, clock in itertools.permutations(seen.main, 2):
        counted = clock.works and clock.passed and clock.graph is idle.graph
        if counted and idle.key in _NAMES and not idle.moved:
            said = f"Training counts {clock.name}, while {idle.name} stayed at {idle.last}."
            yield True, said, f"{clock.name} = {_GET}", clock.line, idle.line


def not_initialized(seen):
    """Look for the variable that had no value when the script failed."""
    for name in re.findall(r"(?:uninitialized value|not initialized:) ([^\s,]+)", seen.words):
        for graph in seen.record.graphs:
            operations = graph.get_operations()
            inits = [op for op in operations if any(map(initializes, op.control_inputs))]
            for op in operations:
                if op.name == name:
                    early = [init.source_line for init in inits if init.number < op.number]
                    said = f"{name} was made after the op that initializes." if early else ""
                    said = said or f"{name} had no value, because nothing had initialized it."
                    cure = "init = tf.global_variables_initializer()  # after the last variable"
                    yield True, said, cure, op.source_line, *early


def step_not_passed(seen):
    """Look for train ops that don't count, where something should."""
    for train in seen.trains:
        clock, times = seen.clock(train.graph), sum(work.times for work in train.works)
        counts = clock and any(clock.variable in work.changed for work in train.works)
        if train.given["global_step"] is None and clock and times > 1 and not counts:
            most = max(max(work.longest, work.times - work.started) for work in train.works)
            weights = train.works[0].weights
            if (
                not clock.passed
                and not clock.moved
                or most > 2
                and any(weights & w.weights for w in clock.works)
            ):
                said = f"It trained {times} times without a global_step: {clock.name} stood still."
                cure, _ = with_step(train.line, TRAINS, 1, clock.called or _GET)
                yield True, said, cure, train.line, clock.line


def step_counted_twice(seen):
    """Look for runs that add to a clock twice, and for two that take turns and both add."""
    for clock in seen.clocks:
        adders = {
            work: [op for op in work.updates if held(op.outputs[0]) is clock.variable]
            for work in clock.works
        }
        pairs = [pair for pair in seen.record.switches if {*pair} <= adders.keys()]
        pairs = {frozenset(pair): pair for pair in [*pairs, *zip(adders, adders, strict=True)]}
        for one, two in pairs.values():
            switches = seen.record.switches[one, two] + seen.record.switches[two, one]
            fewer = min(one.times, two.times)
            turns = fewer > 2 and switches >= fewer / 2 and not one.weights & two.weights
            if turns if one is not two else len([op for op in adders[one] if not op.block]) > 1:
                said = f"{clock.name} went from {clock.first} to {clock.last} in {fewer} turns."
                lines = [op.source_line for op in adders[one] + adders[two]]
                yield True, said, with_step(lines[-1], TRAINS, 1)[0], *lines


def step_never_moves(seen):
    """Look for a clock that something reads, and nothing moves."""
    for clock in seen.main:
        times = seen.trained(clock.graph)
        if not clock.moved and times > 1 and clock.last is not None:
            said = f"{clock.name} stayed at {clock.last} in {times} training runs."
            cure = f"tf.assign_add({clock.called or _GET}, 1)  # or give it to minimize"
            asked = not {*clock.found} <= {"found by its name", "in the collection GLOBAL_STEP"}
            yield asked and (seen.whole or not clock.passed), said, cure, clock.line


def rate_never_moves(seen):
    """Look for schedules whose rate is the same at the end."""
    for call, points in seen.curves:
        length, step = call.given.get("decay_steps", "its boundaries"), step_of(call)
        rates = [rate for _, rate in points]
        if isinstance(step, int | float):
            cure, _ = with_step(call.line, call.name, 1, _GET)
            yield True, f"Its step is the number {step}.", cure, call.line
        elif points and np.allclose(rates, rates[0], 1e-6, 0) and seen.trained(call.graph) > 1:
            said = f"It gave {rates[0]:.4g} from step {points[0][0]} to step {points[-1][0]}."
            moved = len(points) > 1
            cure = f"decay_steps={points[-1][0] // 2}  # not {length}" if moved else ""
            yield seen.whole or not moved, said, cure, call.line


def rate_grows(seen):
    """Look for schedules that should let a rate fall, and don't."""
    for call, points in seen.curves:
        if call.name in _FALLING and points and points[-1][1] > points[0][1] * 1.000001:
            said = f"It gave {points[0][1]:.4g} at step {points[0][0]}, but {points[-1][1]:.4g} "
            cure = "decay_rate=0.5  # below 1; natural_exp_decay and inverse_time_decay: above 0"
            yield True, f"{said}at step {points[-1][0]}.", cure, call.line


def decay_in_epochs(seen):
    """Look for a rate that runs away or vanishes, because decay_steps is small."""
    for call, points in seen.curves:
        length = call.given.get("decay_steps")
        if points and isinstance(length, int | float) and call.name in _FALLING[:3]:
            steps, factor = points[-1][0] - points[0][0], points[-1][1] / (points[0][1] or 1)
            if steps > 20 * length and not 1e-4 < factor < 1e4:
                said = f"In {steps} steps, with decay_steps {length}, the rate was multiplied by "
                cure = f"decay_steps={length} * steps_per_epoch"
                yield True, f"{said}{factor:.3g}.", cure, call.line


def order_undefined(seen):
    """Look for fetches that race an update."""
    clocks = {clock.variable: clock.name for clock in seen.clocks}
    for variable, tensor, line, work in seen.record.races:
        name = called(tensor.op.source_line) or repr(tensor.name)
        known = clocks.get(variable, variable.name)
        said = f"{work.times} runs fetched {name} and changed {known}, and nothing orders the two."
        cure = f"sess.run({name})  # in a run that comes later"
        yield variable in clocks, said, cure, line, tensor.op.source_line


def step_not_saved(seen):
    """Look for checkpoints with everything that is trained, but without the step."""
    for clock in seen.main:
        weights = set().union(*(work.weights for work in clock.works))
        saves = [call for call in seen.calls("save") if call.graph is clock.graph]
        full = [call for call in saves if weights and weights <= saved_by(call)]
        if full and not any(clock.variable in saved_by(call) for call in saves):
            names = ", ".join(sorted(variable.name for variable in saved_by(full[0])))
            made = [c for c in seen.calls("__init__") if c.given["self"] is full[0].given["self"]]
            said = f"{os.path.basename(full[0].result)} has {names}, but not {clock.name}."
            cure = "saver = tf.train.Saver()  # after the step and all other variables"
            yield True, said, cure, full[0].line, *(call.line for call in made)


def step_not_restored(seen):
    """Look for training that goes on from a checkpoint, but not at its step."""
    for clock, (begin, calls) in itertools.product(seen.main, seen.resumed()):
        back, at = {v for call in calls for v in saved_by(call)}, begin.numbers.get(clock.key)
        inside = [c.numbers[clock.key] for c in calls if clock.key in c.numbers]
        known = inside or [number(call.given["save_path"]) for call in calls]
        goes_on = clock.graph is begin.work.graph and begin.work.weights <= back
        if goes_on and at is not None and at != known[-1]:
            file = os.path.basename(calls[-1].given["save_path"])
            said = f"{file} has step {inside[-1]}" if inside else f"{file} has no {clock.name}"
            cure = "saver = tf.train.Saver()  # and restore after the initializer has run"
            yield True, f"{said}; training began at {at}.", cure, calls[-1].line, clock.line


def step_in_name_only(seen):
    """Look for checkpoints that are named after another number."""
    for call in seen.calls("save"):
        clocks = [c for c in seen.main if c.graph is call.graph and c.works]
        values = [call.numbers.get(clock.key) for clock in clocks]
        if clocks and call.given["global_step"] is not None and number(call.result) not in values:
            said = (
                f"{os.path.basename(call.result)} was saved when {clocks[0].name} was {values[0]}."
            )
            yield True, said, with_step(call.line, "save", 2, clocks[0].name)[0], call.line


def python_counter(seen):
    """Look for summaries and checkpoints whose step is a number that a loop counts."""
    clocks = [clock.called or _GET for clock in seen.main if clock.works]
    for name, position in (("add_summary", 1), ("save", 2)):
        for line, calls in seen.by_line(name):
            step = counted(line, name, position)
            if step:
                first, last = (call.given["global_step"] for call in (calls[0], calls[-1]))
                said = f"A loop counts {step}: it went from {first} to {last} here, "
                new = clocks[0] if clocks else _GET
                cure, _ = with_step(
                    line, name, position, new if name == "save" else f"sess.run({new})"
                )
                sure = bool(clocks or [*seen.resumed()])
                yield sure, f"{said}and begins again in the next run.", cure, line


def summary_without_step(seen):
    """Look for lines that write summaries without a step, more than once."""
    for line, calls in seen.by_line("add_summary"):
        if len(calls) > 1 and calls[-1].given["global_step"] is None:
            cure, _ = with_step(line, "add_summary", 1, f"sess.run({_GET})")
            yield True, f"{calls[-1].count} summaries are all at step 0.", cure, line


def graph_grows(seen):
    """Look for lines that make ops between training runs, again and again."""
    for line, times in sorted(seen.record.growth.items()):
        if times > 2:
            cure = "tf.get_default_graph().finalize()  # before the loop, and build nothing in it"
            yield True, f"It made ops {times} times between training runs.", cure, line


def findings(seen):
    """Return what was found, and the questions that are left."""
    found = {}, {}
    for row in TITLES.strip().splitlines():
        name, lesson, title = row.split(" | ")
        for sure, said, cure, *lines in globals()[name.replace("-", "_")](seen):
            facts = {"id": name, "evidence": [], "cure": cure, "lesson": f"lessons/{lesson}.ipynb"}
            new = item(f"{title} [{name}]", *lines, **facts)
            same = found[not sure].setdefault((name, *lines), new)
            same["evidence"] += [said] * (said not in same["evidence"])
    return [[*known.values()] for known in found]
