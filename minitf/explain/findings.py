"""All findings, in the order of the report; each with its test, its words and its cure."""

import math
import re
from collections import Counter
from itertools import combinations_with_replacement, pairwise, permutations, product

from minitf.client.dependencies import computed_from, held_by, initializes
from minitf.explain.finding import Fault, finding
from minitf.explain.record import GETTERS, SCHEDULES, is_counter
from minitf.explain.source import TRAINS, called, counted, is_used, named, text, with_step

_FALLING = ["exponential_decay", "natural_exp_decay", "inverse_time_decay", "cosine_decay"]
_GET = "tf.train.get_or_create_global_step()"
_ONE_STEP = f"step = {_GET}  # and no other step"
_TAKE_ALL = "saver = tf.train.Saver()  # so that it takes every variable"


# Finding the step.


@finding("step-not-found", lesson="08_finding_the_clock", title="The step can't be found")
def step_not_found(script):
    """A hook asks for a step, or `get_global_step` is called, and there is none."""
    if "Global step should be created" in script.error:
        yield Fault(script.error, _ONE_STEP, _getter_lines(script))
    for call, step in product(script.calls("get_global_step"), script.steps):
        existed = step.graph is call.graph and step.variable.number < call.size
        if call.result is None and step.works and existed:
            said = f"get_global_step() returned None, although training counts {step.name}."
            yield Fault(said, _ONE_STEP, [call.line, step.line])


@finding(
    "step-created-twice",
    lesson="08_finding_the_clock",
    title="There are two steps, and training counts only one",
)
def step_created_twice(script):
    """A step is created beside another one, and training counts the one with the unusual name."""
    if '"global_step" already exists' in script.error:
        yield Fault(script.error, _ONE_STEP, _getter_lines(script))
    for idle, step in permutations(script.steps, 2):
        if step.works and step.passed and idle.has_usual_name and not idle.moved:
            said = f"Training counts {step.key}, while {idle.key} stayed at {idle.last}."
            yield Fault(said, _ONE_STEP, [step.line, idle.line])


def _getter_lines(script):
    return [call.line for call in script.calls(*GETTERS)]


@finding("not-initialized", lesson="08_finding_the_clock", title="A variable had no value yet")
def not_initialized(script):
    """A run reads a variable before its initializer has run."""
    cure = "init = tf.global_variables_initializer()  # after the last variable"
    for name in re.findall(r"(?:uninitialized value|not initialized:) ([^\s,]+)", script.error):
        made = [op for op in script.ops if op.name == name]
        made += [op for op in script.ops if any(map(initializes, op.control_inputs))]
        said = f"{name} had no value when a run read it."
        yield Fault(said, cure, [op.source_line for op in made])


# Counting.


@finding("step-not-passed", lesson="04_who_adds_one", title="An optimizer trains without counting")
def step_not_passed(script):
    """A train op got no step, and runs apart from those that count."""
    for train in script.trains:
        step = _likely_step(script, train.graph)
        if step is None or not _never_counts(train, step):
            continue
        sure = _trains_beside(train, step) or not step.passed and not step.moved
        if sure or not _alternates(train, step):
            said = f"It trained {train.times} times without counting {step.name}, "
            said += f"and other runs counted {step.counts or 'no'} times."
            cure = with_step(train.line, TRAINS, step.name) if sure else ""
            yield Fault(said, cure, [train.line, step.line], sure)


def _likely_step(script, graph):
    """Return the step of a graph that looks most like one, or None."""
    steps = sorted(script.steps_of(graph), key=lambda step: (step.moved, len(step.found_by)))
    return steps[-1] if steps else None


def _never_counts(train, step):
    """Return whether a train op that got no step ran, and no run of it changed this one."""
    counted_beside = any(work in step.works for work in train.works)
    return train.step is None and train.times > 1 and not counted_beside


def _trains_beside(train, step):
    """Return whether it ran several times in a row, on weights that the counting runs train."""
    return any(work.longest > 2 and work.weights & step.weights for work in train.works)


def _alternates(train, step):
    """Return whether its runs may alternate with those that count, so each turn counts once."""
    return abs(train.times - step.counts) <= 1


@finding("step-counted-twice", lesson="04_who_adds_one", title="Each turn of the loop counts twice")
def step_counted_twice(script):
    """One run has two updates of the step, or each turn has two runs that count."""
    for step in script.steps:
        for one, other in combinations_with_replacement(step.works, 2):
            lines = _counting_lines(one, step)
            if one is not other:
                lines += _counting_lines(other, step)
            twice_in_a_run = one is other and len(lines) > 1
            if twice_in_a_run or one is not other and _share_turns(one, other):
                turns = min(one.times, other.times)
                said = f"{step.name} went from {step.first} to {step.last} in {turns} turns."
                cure = f"{with_step(lines[0], TRAINS, 'None')}  # only one of them should count"
                yield Fault(said, cure, lines)


def _counting_lines(work, step):
    """Return the line of each update of a step."""
    updates = [op for op in work.updates if held_by(op.outputs[0]) is step.variable]
    return [op.source_line for op in updates]


def _share_turns(one, other):
    """Return whether two kinds of runs alternate, and train different weights."""
    both_often = min(one.times, other.times) >= 3
    alternate = min(one.longest, other.longest) < 3
    return both_often and alternate and not one.weights & other.weights


@finding("step-never-moves", lesson="03_the_experiment", title="The step never moves")
def step_never_moves(script):
    """A step stays where it is, whatever is trained."""
    for step in script.steps:
        if not step.moved and step.trained > 1 and step.last is not None:
            is_used_as_step = any(step.found_by.values())
            sure = is_used_as_step and (script.whole or not step.passed)
            said = f"{step.name} stayed at {step.last} through {step.trained} training runs."
            yield Fault(said, _count_it(script, step), [step.line], sure)


def _count_it(script, step):
    """Return a cure for a step that nothing counts."""
    trains = [train for train in script.trains if train.graph is step.graph and train.works]
    if trains:
        return with_step(trains[0].line, TRAINS, step.name)
    return f"tf.assign_add({step.name}, 1)  # and run it in each turn"


# Rates.


@finding("rate-never-moves", lesson="03_the_experiment", title="A schedule never changes the rate")
def rate_never_moves(script):
    """A schedule's first and last rates are the same."""
    for call, points in script.rates.values():
        (first, before), (last, after) = points[0], points[-1]
        trained = script.record.trained > 1
        if call.name in SCHEDULES and trained and math.isclose(before, after):
            cure = _move_it(script, call, first == last)
            said, sure = _what_it_gave(script, call, points), script.whole or last == first
            yield Fault(said, cure, [call.line], sure)


def _move_it(script, schedule, stood_still):
    """Return a cure for a schedule whose rate stays the same, perhaps because its step does."""
    names = [step.name for step in script.steps_of(schedule.graph)]
    if not any(map(is_counter, computed_from(schedule.rate))):
        step = names[0] if names else _GET
        return f"{with_step(schedule.line, schedule.name, step)}  # a step that moves"
    if not stood_still:
        return "decay_steps=...  # fewer than the steps in a run"
    return with_step(script.trains[0].line, TRAINS, names[0]) if script.trains else ""


@finding("rate-grows", lesson="05_the_rate_reads_the_clock", title="The rate grows")
def rate_grows(script):
    """A schedule that should decay grows instead."""
    cure = "decay_rate=0.5  # below 1; for natural_exp_decay, above 0"
    for call, points in script.rates.values():
        (_, before), (_, after) = points[0], points[-1]
        if call.name in _FALLING and after > before * 1.000001:
            yield Fault(_what_it_gave(script, call, points), cure, [call.line])


@finding(
    "decay-in-epochs",
    lesson="05_the_rate_reads_the_clock",
    title="decay_steps and the step count different things",
)
def decay_in_epochs(script):
    """A schedule assumes far fewer steps than there are, or far more."""
    for call, points in script.rates.values():
        length = call.given.get("decay_steps", 0)
        if call.name not in _FALLING or not isinstance(length, int | float):
            continue
        (first, before), (last, after) = points[0], points[-1]
        steps, runs = last - first + 1, script.record.trained
        vanished_or_exploded = not 1e-4 < after / (before or 1) < 1e4
        too_short = steps > 20 * length and vanished_or_exploded
        too_long = 1 < steps < min(length, runs) / 10
        if too_short or too_long:
            cure = f"decay_steps={length} * steps_per_epoch" if too_short else ""
            yield Fault(_what_it_gave(script, call, points), cure, [call.line], too_short)


def _what_it_gave(script, call, points):
    (first, before), (last, after) = points[0], points[-1]
    length, runs = call.given.get("decay_steps", 0), script.record.trained
    said = f"It gave {before:.4g} at step {first} and {after:.4g} at step {last}, "
    return said + f"over {runs} training runs; decay_steps is {length or 'not set'}."


# Reading.


@finding("order-undefined", lesson="07_before_or_after", title="A fetch races an update")
def order_undefined(script):
    """A run fetches what it also changes, in no order.

    In TensorFlow, a fetched variable has its new value, or its old one if it is a resource
    variable. The value of an op that reads it is undefined.
    """
    steps = [step.variable for step in script.steps]
    for (variable, tensor, place), line, work in script.record.races:
        known, itself = named(variable), held_by(tensor) is variable
        name = known if itself else called(tensor.op.source_line) or repr(tensor.name)
        said = f"{work.times} runs fetched {name} and changed {known}, in no defined order."
        if itself:
            said += " TensorFlow returns the new value, or the old one of a resource variable."
        sure = variable in steps and not itself and is_used(line, place)
        cure = f"sess.run({name})  # in a later run"
        yield Fault(said, cure, [line, tensor.op.source_line], sure)


# Checkpoints.


@finding("step-not-saved", lesson="10_stop_and_resume", title="The checkpoints lack the step")
def step_not_saved(script):
    """Everything that is trained with a step is saved, but not the step."""
    saves = script.calls("save")
    saved = {variable for call in saves for variable in call.saved}
    cure = "saver = tf.train.Saver()  # after the step and all other variables"
    for step in script.steps:
        weights_are_saved = step.weights and step.weights <= saved
        if step.is_known_in_two_ways and weights_are_saved and step.variable not in saved:
            names = ", ".join(sorted(variable.name for variable in saved))
            said = f"{saves[0].file} has {names}, but not {step.name}."
            savers = [call.line for call in script.calls("__init__")]
            yield Fault(said, cure, [saves[0].line, *savers])


@finding(
    "step-not-restored", lesson="10_stop_and_resume", title="A restore didn't bring everything back"
)
def step_not_restored(script):
    """Restored weights are trained on, but from another step, or beside weights that are new."""
    resumed = script.resumed()
    steps = [step for step in script.steps if step.is_known_in_two_ways]
    for step, (call, run) in product(steps, resumed):
        trained, at = run.work.weights, run.numbers.get(step.key)
        trains_restored = at is not None and trained & call.saved
        goes_on = any(_brought_back(restore, step, at) for restore, _ in resumed)
        if trains_restored and not goes_on:
            new = ", ".join(sorted(weight.name for weight in trained - call.saved))
            said = f"Training began with {step.name} at {at} after {call.file} was restored."
            if new:
                said += f" That file has no {new}."
            again = f"{text(call.line)}  # after the initializer has run"
            cure = again if step.variable in call.saved else _TAKE_ALL
            yield Fault(said, cure, [call.line, step.line], not new)


def _brought_back(restore, step, number):
    """Return whether a restored checkpoint has this step inside or, if it has none, in its name."""
    if step.variable in restore.saved:
        return restore.numbers[step.key] == number
    return restore.ends(number)


@finding(
    "step-in-name-only",
    lesson="10_stop_and_resume",
    title="The number in a checkpoint's name isn't the step",
)
def step_in_name_only(script):
    """A save is given a number that no step holds."""
    for call in script.calls("save"):
        steps = [step for step in script.steps_of(call.graph) if step.works]
        values = [call.numbers.get(step.key) for step in steps]
        if steps and call.step is not None and not any(map(call.ends, values)):
            said = f"{call.file} was saved when {steps[0].name} was {values[0]}."
            yield Fault(said, with_step(call.line, "save", steps[0].name), [call.line])


# Watching.


@finding("python-counter", lesson="12_watching", title="Python counts instead of the step")
def python_counter(script):
    """A loop counts the steps of summaries or checkpoints, and starts over in the next run."""
    has_step = any(step.works for step in script.steps)
    for calls in script.by_line("add_summary", "save"):
        first, last = calls[0], calls[-1]
        counter = counted(first.line, first.name)
        if counter:
            said = f"A loop counts {counter}: it was {first.step} first and {last.step} last, "
            said += "and starts over next time."
            cure, sure = _use_the_step(script, first), has_step or bool(script.resumed())
            yield Fault(said, cure, [first.line], sure)


@finding("summary-without-step", lesson="12_watching", title="Summaries are written without a step")
def summary_without_step(script):
    """All summaries of a line are at step 0."""
    for calls in script.by_line("add_summary"):
        first, last = calls[0], calls[-1]
        is_counted = counted(first.line, first.name)
        if not is_counted and len(calls) > 1 and last.step is None:
            said = f"{last.count} summaries are all at step 0."
            yield Fault(said, _use_the_step(script, first), [first.line])


def _use_the_step(script, call):
    """Return a cure for a summary or a checkpoint that isn't given the step."""
    names = [step.name for step in script.steps if step.works]
    if not names:
        return f"step = {_GET}  # and pass it to minimize"
    step = names[0] if call.name == "save" else f"sess.run({names[0]})"
    return with_step(call.line, call.name, step)


@finding("graph-grows", lesson="12_watching", title="The graph grows between steps")
def graph_grows(script):
    """A line makes ops between one training run and the next, again and again."""
    cure = "tf.get_default_graph().finalize()  # before the loop, with this line above it"
    growth = Counter()
    for one, other in pairwise([run for run in script.runs if run.work.trains]):
        same_training = one.work is other.work or one.work.times == 1
        if one.graph is other.graph and same_training:
            made = one.graph.get_operations()[one.size : other.size]
            growth.update({op.source_line for op in made})
    for line, times in sorted(growth.items()):
        if times > 2:
            said = f"It created ops {times} times between training runs."
            yield Fault(said, cure, [line])
