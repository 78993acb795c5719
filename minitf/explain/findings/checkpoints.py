"""Findings about checkpoints: what they hold, what comes back, and how often they are written."""

import ast
import re
from itertools import product

from minitf.client.dependencies import computed_from
from minitf.explain.cure import Cure, cured, step_in_scope, with_step
from minitf.explain.finding import Fault, finding
from minitf.explain.source import argument, calls, calls_in, loops, statement, text

_RESUME = "10_stop_and_resume"


@finding("step-not-saved", _RESUME, "The checkpoints lack the step", causes=["step-not-restored"])
def step_not_saved(script):
    """Everything that is trained with a step is saved, but not the step."""
    saves = script.calls("save")
    saved = {variable for call in saves for variable in call.saved}
    for step in script.steps:
        weights_are_saved = step.weights and step.weights <= saved
        if step.is_known_in_two_ways and weights_are_saved and step.variable not in saved:
            names = ", ".join(sorted(variable.name for variable in saved)[:4])
            said = f"{saves[0].file} has {names}, but not {step.name}."
            savers = [call.line for call in script.calls("__init__")]
            yield Fault(
                said, [*savers, saves[0].line], _save_it(script, step, savers), about=[step]
            )


def _save_it(script, step, savers) -> Cure:
    """Return the cure that adds a step to what a saver takes."""
    words = f"Let the Saver take {step.name}: make it after the step, with no list of variables."
    node = statement(savers[0]) if len(set(savers)) == 1 else None
    found = calls(node, "Saver")
    taken = argument(found[0], "var_list", 0) if len(found) == 1 else None
    code = step_in_scope(step, node, savers[0].filename) if savers else ""
    if taken is None or not code or isinstance(taken, ast.Dict):
        return Cure((), words)
    listed = isinstance(taken, ast.List) or calls(taken, r"\w*_variables") == [taken]
    text = ast.unparse(taken) if listed else f"list({ast.unparse(taken)})"
    after = "Checkpoints that were written before still lack it."
    return cured(savers[0].filename, [(taken, f"{text} + [{code}]")], after, words)


@finding(
    "step-not-restored",
    _RESUME,
    "A restore didn't bring everything back",
    causes=["python-counter"],
)
def step_not_restored(script):
    """Everything trained was restored, but training goes on from another step."""
    resumed = script.resumed()
    steps = [step for step in script.steps if step.is_known_in_two_ways]
    for step, (call, turn) in product(steps, resumed):
        if step.graph is not call.graph:
            continue
        trained, at = turn.work.weights, turn.numbers.get(step.key)
        trains_restored = at is not None and trained & call.saved
        goes_on = any(_brought_back(restore, step, at) for restore, _ in resumed)
        if trains_restored and not goes_on and trained <= call.saved:
            said = f"Training began with {step.name} at {at} after {call.file} was restored."
            words = f"Run the initializer first, then {text(call.line) or 'restore'}."
            if step.variable not in call.saved:
                words = f"Let the Saver take {step.name} as well, and save again."
            yield Fault(said, [call.line, step.line], Cure((), words), about=[step])


def _brought_back(restore, step, number):
    """Return whether a restored checkpoint has this step inside or, if it has none, in its name."""
    if step.variable in restore.saved:
        return restore.numbers[step.key] == number
    return _ends(restore, number)


def _ends(call, number) -> bool:
    """Return whether a checkpoint's name ends with a number."""
    return bool(re.search(rf"-0*{number}$", call.file))


@finding(
    "step-in-name-only",
    _RESUME,
    "The number in a checkpoint's name isn't the step",
    causes=["python-counter"],
)
def step_in_name_only(script):
    """A save is given a number that no step holds."""
    for call in script.calls("save"):
        steps = [step for step in script.steps_of(call.graph) if step.works]
        given = call.given.get("global_step")
        is_step = any(step.variable in computed_from(given) for step in steps)
        if given is None or not steps or is_step or call.in_background:
            continue
        values = [call.numbers.get(step.key) for step in steps]
        if not any(_ends(call, value) for value in values):
            said = f"{call.file} was saved when {steps[0].name} was {values[0]}."
            cure = _name_by_step(call, steps[0])
            yield Fault(said, [call.line], cure, about=steps)


def _name_by_step(call, step) -> Cure:
    node = statement(call.line)
    code = step_in_scope(step, node, call.line.filename)
    words = f"Pass global_step={step.name} to save."
    return cured(call.line.filename, with_step(call.line, node, "save", code), otherwise=words)


@finding(
    "trains-more",
    _RESUME,
    "After a restore, it trains as many steps again",
    causes=["rate-never-moves"],
)
def trains_more(script):
    """A loop over a fixed number of steps goes on from a checkpoint without looking at the step."""
    for call, turn in script.resumed():
        began = [
            s for s in script.steps_of(call.graph) if turn.numbers.get(s.key, 0) > 0 and s.works
        ]
        if not began or not script.whole:
            continue
        step, node = began[0], statement(turn.line)
        at, around = turn.numbers[step.key], loops(node) if node else []
        said = f"It went on from {step.name} {at} to {step.last}: "
        hooks = [
            c for c in calls_in(turn.line.filename, "StopAtStepHook") if argument(c, "num_steps", 0)
        ]
        if hooks and _ends_at_total(script, step, at):
            said += "StopAtStepHook's num_steps counts from where a session begins."
            words = "Use last_step, which counts from 0."
            yield Fault(said, [turn.line, call.line], Cure((), words), False, [step])
        elif len(around) == 1 and _is_fixed(around[0]) and _ends_at_total(script, step, at):
            said += f"the loop runs {ast.unparse(around[0].iter)} again."
            yield Fault(
                said, [turn.line, call.line], _from_step(around[0], step, turn.line), about=[step]
            )


def _ends_at_total(script, step, at) -> bool:
    """Return whether a schedule that reads a step was made for as many steps as this run added."""
    added = step.last - at
    for rate in script.rates:
        ends = [rate.number("decay_steps")]
        if step.variable in computed_from(rate.call.step) and added in ends:
            return True
    return False


def _is_fixed(loop: ast.AST) -> bool:
    """Return whether a loop runs as often each time the script is started, whatever the step."""
    ends = any(isinstance(node, ast.Break | ast.Return) for node in ast.walk(loop))
    is_range = isinstance(loop, ast.For) and calls(loop.iter, "x?range") == [loop.iter]
    if not is_range or ends or len(loop.iter.args) != 1:
        return False
    return isinstance(loop.iter.args[0], ast.Name | ast.Attribute | ast.Constant)


def _from_step(loop: ast.For, step, line) -> Cure:
    """Return the cure that begins a loop at the step."""
    runs = calls(statement(line), "run")
    code = step_in_scope(step, loop, line.filename)
    words = f"Begin the loop at the value of {step.name}, or loop while it is below the total."
    if len(loop.iter.args) != 1 or len(runs) != 1 or not code:
        return Cure((), words)
    if len(loops(statement(line))) > 1:
        return Cure((), words)
    session = ast.unparse(runs[0].func.value)
    total = loop.iter.args[0]
    return cured(
        line.filename,
        [(total, f"int({session}.run({code})), {ast.unparse(total)}")],
        otherwise=words,
    )


@finding("saves-every-step", _RESUME, "A checkpoint is written at every step")
def saves_every_step(script):
    """A line saves about as often as the script trains."""
    for saves in script.by_line("save"):
        count = saves[-1].count
        if count >= 20 and count >= 0.9 * script.record.trained:
            said = f"It saved {count} checkpoints in {script.record.trained} training runs."
            words = "Save now and then, for example every 1,000 steps, and once at the end."
            yield Fault(said, [saves[0].line], Cure((), words), about=[saves[0]])
