"""Turns what was recorded into findings, each with its evidence, and questions.

What the run shows to be wrong is a finding. What only might be wrong is a question.
"""

import math
import re
from collections import Counter, defaultdict
from itertools import combinations_with_replacement, pairwise, permutations, product

from minitf.client.dependencies import computed_from as above
from minitf.client.dependencies import held_by as held
from minitf.client.dependencies import initializes
from minitf.explain.record import GETTERS, SCHEDULES, is_counter
from minitf.explain.source import TRAINS, called, counted, is_used, named, text, with_step
from minitf.framework.graph import GraphKeys

# Each finding: its identifier, its lesson, and what it says.
TITLES = """
step-not-found | 08_finding_the_clock | The step can't be found
step-created-twice | 08_finding_the_clock | There are two steps, and training counts only one
not-initialized | 08_finding_the_clock | A variable had no value yet
step-not-passed | 04_who_adds_one | An optimizer trains without counting
step-counted-twice | 04_who_adds_one | Each turn of the loop counts twice
step-never-moves | 03_the_experiment | The step never moves
rate-never-moves | 03_the_experiment | A schedule never changes the rate
rate-grows | 05_the_rate_reads_the_clock | The rate grows
decay-in-epochs | 05_the_rate_reads_the_clock | decay_steps and the step count different things
order-undefined | 07_before_or_after | A fetch races an update
step-not-saved | 10_stop_and_resume | The checkpoints lack the step
step-not-restored | 10_stop_and_resume | A restore didn't bring everything back
step-in-name-only | 10_stop_and_resume | The number in a checkpoint's name isn't the step
python-counter | 12_watching | Python counts instead of the step
summary-without-step | 12_watching | Summaries are written without a step
graph-grows | 12_watching | The graph grows between steps
"""
_FALLING = ["exponential_decay", "natural_exp_decay", "inverse_time_decay", "cosine_decay"]
_NAMES = ("global_step", "global_step_1")
_GET = "tf.train.get_or_create_global_step()"


def item(says, *lines, **facts):
    """Return an item of the report, about some lines of the script."""
    return {"says": says, "lines": [str(line) for line in dict.fromkeys(lines)], **facts}


class Clock:
    """A variable that is counted up, or should be.

    `found` says how it was found, with a line for each way. `works` are the Works that ran and
    changed it, and `weights` what they train. The script calls it `name`.
    """

    def __init__(self, seen, variable):
        self.variable, self.graph, self.key = variable, variable.graph, variable.name
        self.line = variable.source_line
        self.name = named(variable)
        self.works = [work for work in seen.works if variable in work.changed]
        self.weights = {weight for work in self.works for weight in work.weights}
        calls = [call for call in seen.calls() if variable in above(call.step)]
        self.found = {c.name.replace("apply_gradients", "minimize"): c.line for c in calls}
        self.passed = "minimize" in self.found
        steps = self.graph.get_collection(GraphKeys.GLOBAL_STEP)
        reasons = {
            "the collection GLOBAL_STEP": any(variable in above(step) for step in steps),
            "its name": self.key in _NAMES,
            "the runs that changed it": self.works,
        }
        self.found |= {reason: "" for reason, holds in reasons.items() if holds}
        runs = [r for r in seen.runs if r.graph is self.graph and self.key in r.numbers]
        ends = [runs[0].numbers, runs[-1].state] if runs else []
        self.first, self.last = [end[self.key].item() for end in ends] or (None, None)
        self.moved = bool(self.works) or self.first != self.last
        self.trained = any(run.work.trains for run in runs) and seen.record.trained


class Seen:
    """What was recorded, put in order.

    `words` is the text of the error that ended the script, and `whole` whether it came to its end.
    `rates` has, for each rate, the call that made or used it, and its points.
    """

    def __init__(self, record, error=None, whole=True):
        self.record, self.calls, self.whole = record, record.calls, whole
        self.words, self.runs = str(error or ""), record.calls("run")
        self.works = [work for work in record.works.values() if work.times]
        for work in self.works:
            work.longest = max(run.times for run in self.runs if run.work is work)
        self.trains, self.rates = record.calls("apply_gradients"), {}
        for train in self.trains:
            train.works = [work for work in self.works if train in work.calls]
            train.times = sum(work.times for work in train.works)
        graphs = dict.fromkeys(call.graph for call in self.calls())
        self.ops = [op for graph in graphs for op in graph.get_operations()]
        clocks = [Clock(self, op) for op in self.ops if is_counter(op)]
        self.clocks = [clock for clock in clocks if clock.found]
        for call in [*self.calls(*SCHEDULES), *self.trains]:
            points = [(n, float(v)) for n, v in record.rates[call.rate] if math.isfinite(v)]
            if points:
                self.rates.setdefault(call.rate, (call, points))

    def resumed(self):
        """Yield each restore that came before its session's first training run, and that run."""
        for call in self.calls("restore"):
            runs = [run for run in self.runs if run.state is call.state and run.work.weights]
            if runs and call.at < runs[0].at:
                yield call, runs[0]

    def by_line(self, *names):
        """Return the calls of these functions, grouped by line."""
        lines = defaultdict(list)
        for call in self.calls(*names):
            lines[call.name, call.line].append(call)
        return lines.values()


# Each of these yields an identifier, whether it is sure, the evidence, a cure, and lines.


def _finding_the_clock(seen):
    """Look for a step that nobody finds, a second one, and variables without a value."""
    cure, lines = f"step = {_GET}  # and no other step", [c.line for c in seen.calls(*GETTERS)]
    if "Global step should be created" in seen.words:
        yield "step-not-found", True, seen.words, cure, *lines
    if '"global_step" already exists' in seen.words:
        yield "step-created-twice", True, seen.words, cure, *lines
    for call, clock in product(seen.calls("get_global_step"), seen.clocks):
        made = clock.graph is call.graph and clock.variable.number < call.size
        if call.result is None and clock.works and made:
            said = f"get_global_step() returned None, although training counts {clock.name}."
            yield "step-not-found", True, said, cure, call.line, clock.line
    for idle, clock in permutations(seen.clocks, 2):
        if clock.works and clock.passed and idle.key in _NAMES and not idle.moved:
            said = f"Training counts {clock.key}, while {idle.key} stayed at {idle.last}."
            yield "step-created-twice", True, said, cure, clock.line, idle.line
    for name in re.findall(r"(?:uninitialized value|not initialized:) ([^\s,]+)", seen.words):
        made = [op for op in seen.ops if op.name == name]
        made += [op for op in seen.ops if any(map(initializes, op.control_inputs))]
        said = f"{name} had no value when a run read it."
        cure = "init = tf.global_variables_initializer()  # after the last variable"
        yield "not-initialized", True, said, cure, *(op.source_line for op in made)


def _counting(seen):
    """Look for train ops that don't count, turns that count twice, and clocks that never move."""
    clocks = sorted(seen.clocks, key=lambda clock: (clock.moved, len(clock.found)))
    for train in seen.trains:
        for clock in [clock for clock in clocks if clock.graph is train.graph][-1:]:
            counts = sum(work.times for work in clock.works)
            said = f"It trained {train.times} times without counting {clock.name}, "
            said += f"and other runs counted {counts or 'no'} times."
            beside = any(w.longest > 2 and w.weights & clock.weights for w in train.works)
            sure = beside or not clock.passed and not clock.moved
            apart = train.step is None and not {*train.works} & {*clock.works}
            # If these runs alternate with those that count, each turn counts once.
            if apart and train.times > 1 and (sure or abs(train.times - counts) > 1):
                cure = with_step(train.line, TRAINS, clock.name) if sure else ""
                yield "step-not-passed", sure, said, cure, train.line, clock.line
    for clock in seen.clocks:
        for one, two in combinations_with_replacement(clock.works, 2):
            turns, ops = min(one.times, two.times), [*one.updates, *two.updates]
            lines = [op.source_line for op in ops if held(op.outputs[0]) is clock.variable]
            apart = min(one.longest, two.longest) < 3 <= turns and not one.weights & two.weights
            if len(lines) > 2 if one is two else apart:
                said = f"{clock.name} went from {clock.first} to {clock.last} in {turns} turns."
                cure = f"{with_step(lines[0], TRAINS, 'None')}  # only one of them should count"
                yield "step-counted-twice", True, said, cure, *lines
        if not clock.moved and clock.trained > 1 and clock.last is not None:
            sure = any(clock.found.values()) and (seen.whole or not clock.passed)
            said = f"{clock.name} stayed at {clock.last} through {clock.trained} training runs."
            trains = [train for train in seen.trains if train.graph is clock.graph and train.works]
            cure = f"tf.assign_add({clock.name}, 1)  # and run it in each turn"
            for train in trains[:1]:
                cure = with_step(train.line, TRAINS, clock.name)
            yield "step-never-moves", sure, said, cure, clock.line


def _rates(seen):
    """Look for schedules that stand still, grow, or assume a different number of steps."""
    for call, points in seen.rates.values():
        (first, before), (last, after) = points[0], points[-1]
        length, runs, line = call.given.get("decay_steps", 0), seen.record.trained, call.line
        said = f"It gave {before:.4g} at step {first} and {after:.4g} at step {last}, "
        said += f"over {runs} training runs; decay_steps is {length or 'not set'}."
        if call.name in SCHEDULES and runs > 1 and math.isclose(before, after):
            cure = "decay_steps=...  # fewer than the steps in a run"
            names = [clock.name for clock in seen.clocks if clock.graph is call.graph]
            if not any(map(is_counter, above(call.rate))):
                cure = f"{with_step(line, call.name, [*names, _GET][0])}  # a step that moves"
            elif last == first:
                cure = with_step(seen.trains[0].line, TRAINS, names[0]) if seen.trains else ""
            yield "rate-never-moves", seen.whole or last == first, said, cure, line
        if call.name in _FALLING and after > before * 1.000001:
            cure = "decay_rate=0.5  # below 1; for natural_exp_decay, above 0"
            yield "rate-grows", True, said, cure, line
        if call.name in _FALLING and isinstance(length, int | float):
            steps, cure = last - first + 1, f"decay_steps={length} * steps_per_epoch"
            short = steps > 20 * length and not 1e-4 < after / (before or 1) < 1e4
            if short or 1 < steps < min(length, runs) / 10:
                yield "decay-in-epochs", short, said, cure if short else "", line


def _races(seen):
    """Look for fetches that race an update.

    In TensorFlow, a fetched variable has its new value, or its old one if it is a resource
    variable. The value of an op that reads it is undefined.
    """
    clocks = {clock.variable: clock.name for clock in seen.clocks}
    for (variable, tensor, place), line, work in seen.record.races:
        known, itself = named(variable), held(tensor) is variable
        name = known if itself else called(tensor.op.source_line) or repr(tensor.name)
        said = f"{work.times} runs fetched {name} and changed {known}, in no defined order."
        said += " TensorFlow returns the new value, or the old one of a resource variable." * itself
        sure = variable in clocks and not itself and is_used(line, place)
        cure = f"sess.run({name})  # in a later run"
        yield "order-undefined", sure, said, cure, line, tensor.op.source_line


def _checkpoints(seen):
    """Look for steps that aren't saved or restored, and names with other numbers."""
    saves, resumed = seen.calls("save"), [*seen.resumed()]
    saved = {variable for call in saves for variable in call.saved}
    for clock in [clock for clock in seen.clocks if len(clock.found) > 1]:
        key, variable = clock.key, clock.variable
        if clock.weights and clock.weights <= saved and variable not in saved:
            names = ", ".join(sorted(variable.name for variable in saved))
            said = f"{saves[0].file} has {names}, but not {clock.name}."
            cure = "saver = tf.train.Saver()  # after the step and all other variables"
            lines = [call.line for call in [saves[0], *seen.calls("__init__")]]
            yield "step-not-saved", True, said, cure, *lines
        for call, run in resumed:
            trained, at = run.work.weights, run.numbers.get(key)
            known = [
                c.numbers[key] == at if variable in c.saved else c.ends(at) for c, _ in resumed
            ]
            if at is not None and trained & call.saved and not any(known):
                new = ", ".join(sorted(weight.name for weight in trained - call.saved))
                said = f"Training began with {clock.name} at {at} after {call.file} was restored."
                said += f" That file has no {new}." if new else ""
                cure = "saver = tf.train.Saver()  # so that it takes every variable"
                if variable in call.saved:
                    cure = f"{text(call.line)}  # after the initializer has run"
                yield "step-not-restored", not new, said, cure, call.line, clock.line
    for call in saves:
        clocks = [c for c in seen.clocks if c.graph is call.graph and c.works]
        values = [call.numbers.get(clock.key) for clock in clocks]
        if clocks and call.step is not None and not any(map(call.ends, values)):
            said = f"{call.file} was saved when {clocks[0].name} was {values[0]}."
            cure = with_step(call.line, "save", clocks[0].name)
            yield "step-in-name-only", True, said, cure, call.line


def _watching(seen):
    """Look for steps that Python counts, summaries without a step, and a graph that grows."""
    clocks = [clock.name for clock in seen.clocks if clock.works]
    for calls in seen.by_line("add_summary", "save"):
        name, line, first, last = calls[0].name, calls[0].line, calls[0].step, calls[-1].step
        step, cure = (counted(line, name), f"step = {_GET}  # and pass it to minimize")
        for clock in clocks[:1]:
            cure = with_step(line, name, clock if name == "save" else f"sess.run({clock})")
        if step:
            said = f"A loop counts {step}: it was {first} first and {last} last, and starts over "
            sure = bool(clocks or [*seen.resumed()])
            yield "python-counter", sure, f"{said}next time.", cure, line
        elif name == "add_summary" and len(calls) > 1 and last is None:
            said = f"{calls[-1].count} summaries are all at step 0."
            yield "summary-without-step", True, said, cure, line
    growth = Counter()
    for one, two in pairwise([run for run in seen.runs if run.work.trains]):
        if one.graph is two.graph and (one.work is two.work or one.work.times == 1):
            made = one.graph.get_operations()[one.size : two.size]
            growth.update({op.source_line for op in made})
    for line, times in sorted(growth.items()):
        if times > 2:
            said = f"It created ops {times} times between training runs."
            cure = "tf.get_default_graph().finalize()  # before the loop, with this line above it"
            yield "graph-grows", True, said, cure, line


def findings(seen):
    """Return the findings, and the questions that remain."""
    found = {}, {}
    for look in (_finding_the_clock, _counting, _rates, _races, _checkpoints, _watching):
        for name, sure, said, cure, *lines in look(seen):
            lesson, title = re.search(rf"{name} \| (.*) \| (.*)", TITLES).groups()
            facts = {"id": name, "evidence": said, "cure": cure}
            facts["lesson"] = f"lessons/{lesson}.ipynb"
            new = item(f"{title} [{name}]", *lines, **facts)
            found[not sure].setdefault((name, *lines), new)
    return [[*known.values()] for known in found]
