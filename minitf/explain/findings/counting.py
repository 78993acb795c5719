"""Findings about what adds one to the step: nothing, two updates, or what sets it back."""

import ast
import re
from itertools import combinations_with_replacement, pairwise, product

import numpy as np

from minitf.client.dependencies import changes, computed_from, reads_for, waits_for
from minitf.explain.cure import Cure, cured, step_in_scope, with_argument, with_step
from minitf.explain.finding import Fault, finding
from minitf.explain.source import STEP_PLACES, TRAINS, calls, calls_in, scope_of, statement, step_of
from minitf.explain.uses import same_turn
from minitf.framework.graph import GraphKeys
from minitf.syntax import around, callee, loops

_WHO = "04_who_adds_one"


@finding(
    "step-not-passed",
    _WHO,
    "An optimizer trains without counting",
    causes=[
        "step-never-moves",
        "rate-never-moves",
        "step-in-name-only",
        "step-not-restored",
        "summary-without-step",
    ],
)
def step_not_passed(script):
    """A train op got no step, and runs apart from those that count."""
    for train in script.trains:
        step = _likely_step(script, train.graph)
        if step is None or not _never_counts(train, step):
            continue
        sure = _trains_beside(train, step) or not step.passed and not step.moved
        if sure and (script.whole or step.moved or not step.may_move_later):
            said = f"It trained {train.times} times without counting {step.name}, and "
            said += f"there were {step.counts or 'no'} other runs that counted it."
            yield Fault(said, [train.line, step.line], pass_step(train, step), about=[step])


def pass_step(train, step) -> Cure:
    """Return the cure that passes a step to what makes a train op."""
    node = statement(train.line)
    words = f"Pass global_step={step.name} to minimize or apply_gradients."
    for work in train.works:
        fetched = [fetch for place in work.places for fetch in place.fetched]
        if any(_would_race(fetch, step, work.updates) for fetch in fetched):
            return Cure((), f"{words} Then fetch whatever reads {step.name} in a separate run.")
    code = step_in_scope(step, node, train.line.filename)
    return cured(train.line.filename, with_step(node, TRAINS, code), otherwise=words)


def _would_race(fetch, step, updates) -> bool:
    """Return whether a fetch reads a step, and no update waits for it, as one does for its rate."""
    return any(
        read.variable is step.variable
        and (read.last or not any(waits_for(update, read.op) for update in updates))
        for read in reads_for(fetch)
    )


def _likely_step(script, graph):
    """Return the step of a graph that looks most like one, or None."""
    steps = [step for step in script.steps_of(graph) if step.is_used or step.has_usual_name]
    steps = sorted(steps, key=lambda step: (step.moved, len(step.found_by)))
    return steps[-1] if steps else None


def _never_counts(train, step):
    """Return whether a train op that got no step ran, and no run of it changed this one."""
    counted_beside = any(work in step.works for work in train.works)
    return train.step is None and train.times > 1 and not counted_beside


def _trains_beside(train, step):
    """Return whether it ran several times in a row, on weights that the counting runs train."""
    return any(work.longest > 2 and work.weights & step.weights for work in train.works)


@finding("step-counted-twice", _WHO, "Each pass through the loop counts twice")
def step_counted_twice(script):
    """One run has two updates of the step, or each turn has two runs that count."""
    for step in script.steps:
        works = [work for work in step.works if _counts(work, step)]
        for one, other in combinations_with_replacement(works, 2):
            ops = _counts(one, step) + (_counts(other, step) if one is not other else [])
            twice_in_a_run = one is other and len(ops) > 1 and one.times > 1
            if twice_in_a_run or one is not other and _share_turns(one, other):
                turns = min(one.times, other.times)
                said = f"{step.name} went from {step.first} to {step.last} in {turns} passes."
                lines = [op.source_line for op in ops]
                loose = [op for op in ops if one is other and _is_loose(op, one)]
                yield Fault(said, lines, _count_once(script, step, lines, loose), about=[step])


def _counts(work, step):
    """Return the ops of a Work that count, and neither train the step nor set it to a number."""
    return [op for op in step.updates(work) if op.type == "AssignAdd" or _adds(op, step)]


def _adds(op, step):
    """Return whether an op stores the step plus something."""
    adds = op.type == "Assign" and op.inputs[1].op.type in ("Add", "AddV2")
    return adds and step.variable in computed_from(op.inputs[1])


def _share_turns(one, other):
    """Return whether each turn of a loop has both kinds of runs, which train different weights."""
    both_often = min(one.times, other.times) >= 3
    if not both_often or one.weights & other.weights:
        return False
    pairs = product(one.places, other.places)
    turns = [same_turn(statement(a.line), statement(b.line)) for a, b in pairs]
    if None not in turns:
        return any(turns)
    as_often = max(one.times, other.times) <= 2 * min(one.times, other.times)
    alternate = min(one.longest, other.longest) < 3
    return as_often and alternate


def _is_loose(op, work) -> bool:
    """Return whether an op counts, but waits for none of the updates of weights in its run."""
    trained = [update for update in work.updates if work.weights.intersection(changes(update))]
    return bool(trained) and not any(waits_for(op, update) for update in trained)


def _count_once(script, step, lines, loose) -> Cure:
    """Return the cure by which only one of two updates counts.

    It's the one that runs last, so that all of a turn see the same step; never a `loose` one, which
    may count before its run has trained.
    """
    old = any(step.variable in call.saved for call in script.calls("save"))
    note = " Checkpoints from before the change hold a step that's too large." if old else ""
    otherwise = f"Let only one of them count, and leave global_step out of the other.{note}"
    passing = [line for line in lines if calls(statement(line), TRAINS)]
    if len(set(lines)) == 1 and passing:
        return Cure((), f"{_made_at_one_line(lines[0])}{note}")
    if not passing:
        return Cure((), otherwise)
    if len(loose) == 1 and len(lines) == 2:
        where = f"the op in line {loose[0].source_line.lineno}, which doesn't wait for the update"
        return Cure((), f"Let the train op count, and leave out {where}.{note}")
    first = min(passing, key=lambda line: _first_run(step, line))
    found = [call for call in calls(statement(first), TRAINS) if step_of(call) is not None]
    changes = [with_argument(call, *_place(call)) for call in found[-1:]]
    return cured(first.filename, changes, f"{_slower(script, step)}{note}".strip(), otherwise)


def _made_at_one_line(line) -> str:
    """Return how only one of the train ops that a line makes can count."""
    node = statement(line)
    makes_one = len(calls(node, TRAINS)) == 1 and not loops(node)  # each time it runs
    function = getattr(scope_of(node), "name", "") if makes_one else ""
    callers = calls_in(line.filename, re.escape(function)) if function else []
    lines = sorted({call.lineno for call in callers})
    said = f"Line {line.lineno} makes each of the train ops that count"
    if len(lines) < 2:
        return f"{said}, so let it pass global_step for only one of them."
    where = f"{', '.join(map(str, lines[:-1]))} and {lines[-1]}"
    said += f", so give {function} the step as an argument, which"
    return f"{said} only one of its callers (lines {where}) passes."


def _first_run(step, line) -> int:
    """Return when what a line makes ran first."""
    works = [work for work in step.works if line in [op.source_line for op in step.updates(work)]]
    return min((work.began for work in works), default=0)


def _slower(script, step) -> str:
    """Return what else changes when a step counts once instead of twice."""
    for rate in script.rates:
        length = rate.number("decay_steps")
        if rate.is_schedule and length and step.variable in computed_from(rate.call.step):
            said = (
                f"With this change, {step.name} counts each pass once, so the rate falls half as "
            )
            said += f"fast. To keep its schedule, halve decay_steps in line {rate.call.line.lineno}"
            return f"{said} (now {length:g})."
    return ""


def _place(call: ast.Call) -> tuple[str, str, int]:
    keyword, position = STEP_PLACES[callee(call)]
    return keyword, "None", position


@finding(
    "step-never-moves",
    "03_the_experiment",
    "The step never moves",
    causes=["rate-never-moves", "step-in-name-only", "step-not-restored"],
)
def step_never_moves(script):
    """A step stays where it is, whatever is trained."""
    for step in script.steps:
        stood_still = not step.moved and step.trained > 1 and step.last is not None
        if stood_still and step.is_used and (script.whole or not step.may_move_later):
            said = f"{step.name} stayed at {step.last} through {step.trained} training runs."
            yield Fault(said, [step.line], _count_it(script, step), about=[step])


def _count_it(script, step):
    """Return a cure for a step that nothing counts."""
    trains = [train for train in script.trains if train.graph is step.graph and train.works]
    if trains and trains[0].step is None:
        return pass_step(trains[0], step)
    return Cure(
        (), f"Run tf.assign_add({step.name}, 1) whenever it should count, or pass it to minimize."
    )


@finding(
    "step-stuck",
    _WHO,
    "The step is too large for its dtype",
    causes=["step-never-moves", "rate-never-moves"],
)
def step_stuck(script):
    """A float step no longer counts, because the next whole number isn't a float of this size."""
    for step in script.steps:
        dtype = step.variable.outputs[0].dtype.base_dtype
        if not dtype.is_floating or step.last is None or not step.counts:
            continue
        last = dtype.as_numpy_dtype(step.last)
        if np.isfinite(last) and last > 1 and last + dtype.as_numpy_dtype(1) == last:
            said = f"{step.name} is stuck at {step.last:.0f}, "
            said += f"where adding 1 to a {dtype.name} changes nothing."
            words = "Count in int64. Checkpoints you've already written still hold a float."
            yield Fault(said, [step.line], Cure((), words), about=[step])


@finding(
    "step-starts-over",
    "10_stop_and_resume",
    "The step goes back while the script runs",
    causes=["step-in-name-only", "rate-never-moves", "decay-in-epochs"],
)
def step_starts_over(script):
    """A step gets smaller from one run to the next, though nothing was restored."""
    for step in script.steps:
        back = script.record.set_back.get(step.variable)
        if back and (not back.begun_anew or _evaluates(back.line)):
            said = f"{step.name} was {back.before}, but {back.after} when training continued"
            said += f"; this happened {back.times} times." if back.times > 1 else "."
            setters = [op.source_line for op in _setters(script, step)]
            words = f"Use a separate counter for what starts over, and keep {step.name} counting."
            yield Fault(said, [step.line, *setters], Cure((), words), about=[step])
    for rate in script.rates:
        falls = [(a, b) for a, b in pairwise(rate.points) if b.step < a.step]
        if falls and not _variable_of(script, rate) and rate.is_schedule:
            before, after = falls[0]
            said = f"This schedule's step was {before.step:.0f}, but {after.step:.0f}"
            said += f" when training continued; this happened {len(falls)} times."
            words = "Feed a number that keeps counting, or use the Variable that minimize counts."
            yield Fault(said, [rate.call.line], Cure((), words), about=[rate])


def _evaluates(line) -> bool:
    """Return whether a line is in a function that shouldn't begin the training anew."""
    node = statement(line) if line else None
    names = [getattr(outer, "name", "") for outer in around(node)] if node else []
    return any(re.search("eval|valid|test|metric|summar", name) for name in filter(None, names))


def _variable_of(script, rate):
    return any(step.variable in computed_from(rate.call.step) for step in script.steps)


def _setters(script, step):
    """Return the ops that set a step to a number."""
    found = [op for op in script.ops if op.type == "Assign" and op.inputs[0].op is step.variable]
    return [op for op in found if op.source_line != step.line and not op.name.startswith("save")]


@finding(
    "step-trained",
    _WHO,
    "The step is treated like a weight",
    causes=[
        "step-counted-twice",
        "step-never-moves",
        "rate-grows",
        "rate-never-moves",
        "updates-race",
        "decay-in-epochs",
    ],
)
def step_trained(script):
    """A step is among the trainable variables, and something that changes them changes it."""
    for step in script.steps:
        if not step.is_used:
            continue
        trainable = step.graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)
        if all(v.op is not step.variable for v in trainable):
            continue
        others = [
            op for work in step.works for op in step.updates(work) if op not in _counts(work, step)
        ]
        averaged = [
            op for op in script.ops if op.name.startswith(f"{step.key}/ExponentialMovingAverage")
        ]
        if others or averaged:
            said = f"{step.name} is trainable, so {(others or averaged)[0].name} changes it too"
            said = said if others else f"{step.name} is trainable, so it is averaged like a weight"
            said += f": it went from {step.first} to {step.last} in {step.counts} runs."
            lines = [step.line, *(op.source_line for op in others)]
            yield Fault(said, lines, _not_trainable(step), about=[step])


def _not_trainable(step) -> Cure:
    found = calls(statement(step.line), r"\w*Variable|get_variable")
    changes = [with_argument(found[0], "trainable", "False")] if len(found) == 1 else []
    words = f"Create {step.name} with trainable=False."
    return cured(step.line.filename, changes, otherwise=words)
