"""Findings about checkpoints: what they hold, what comes back, and how often they are written."""

import ast
import re
from itertools import product

from minitf.client.dependencies import computed_from
from minitf.explain.cure import Cure, cured, step_in_scope, with_step
from minitf.explain.finding import Fault, finding
from minitf.explain.source import calls, calls_in, statement, tensorflow, text
from minitf.extras.file_io import list_variables
from minitf.framework.graph import GraphKeys
from minitf.syntax import argument, callee, loops

_RESUME = "10_stop_and_resume"


@finding(
    "saver-too-early",
    _RESUME,
    "The Saver was created too early",
    causes=["step-not-saved", "step-not-restored"],
)
def saver_too_early(script):
    """A Saver that should take every variable is made before some that training changes."""
    changed = {variable for work in script.works if work.trains for variable in work.changed}
    for saver in script.calls("__init__"):
        saves = [call for call in script.calls("save") if call.given["self"] is saver.given["self"]]
        if saver.given.get("var_list") is not None or not saves:
            continue
        lacks = [op for op in changed - saver.saved if op.graph is saver.graph and _is_kept(op)]
        if lacks and saver.saved & changed:
            lacks.sort(key=lambda op: op.number)
            names = ", ".join(op.name for op in lacks[:3])
            more = f" and {len(lacks) - 3} more" if len(lacks) > 3 else ""
            said = f"The Saver was created before {names}{more}, which training also changes."
            last = max((op.source_line for op in lacks), key=lambda line: line.lineno)
            words = f"Create the Saver after all variables, below line {last.lineno}. {_OLD}"
            steps = [step for step in script.steps if step.variable in lacks]
            yield Fault(said, [saver.line, last], Cure((), words), about=steps)


_OLD = "Older checkpoints are incomplete, so start in a new folder."


def _is_kept(op) -> bool:
    """Return whether a variable is one that checkpoints hold, and not a local one."""
    kept = op.graph.get_collection(GraphKeys.GLOBAL_VARIABLES)
    return any(variable.op is op for variable in kept)


@finding("step-not-saved", _RESUME, "The step isn't saved", causes=["step-not-restored"])
def step_not_saved(script):
    """Everything that is trained with a step is saved, but not the step."""
    saves = script.calls("save")
    saved = {variable for call in saves for variable in call.saved}
    for step in script.steps:
        weights_are_saved = step.weights and step.weights <= saved
        if step.is_known_in_two_ways and weights_are_saved and step.variable not in saved:
            others = _also_missing(step, saved)
            said = f"{saves[0].file} has {_first_names(saved)}, but not {step.name}."
            if others:
                said += f" It also lacks {_first_names(others)}, which training changes."
            savers = _savers(script, saves)
            lines = [*(saver.line for saver in savers), saves[0].line]
            yield Fault(said, lines, _take_it(step, savers, others, _OLD), about=[step])


def _first_names(variables) -> str:
    names = sorted(variable.name for variable in variables)
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return ", ".join(names[:4]) + more


def _also_missing(step, saved) -> set:
    """Return what else training with a step changes and a Saver leaves out, such as slots."""
    changed = {variable for work in step.works for variable in work.changed}
    return {op for op in changed - saved - {step.variable} if _is_kept(op)}


def _savers(script, calls) -> list:
    """Return the calls that made the Savers of some calls."""
    owners = [call.given["self"] for call in calls]
    return [c for c in script.calls("__init__") if any(c.given["self"] is o for o in owners)]


def _take_it(step, savers, others, note: str) -> Cure:
    """Return the cure that adds a step, and others that are missing, to what a Saver takes."""
    line = savers[0].line if len({saver.line for saver in savers}) == 1 else None
    where = f" of line {line.lineno}" if line else ""
    every = f"Let the Saver{where} save all variables, by leaving out its list. {note}"
    words = every if others else f"Let the Saver{where} save {step.name} too. {note}"
    found = calls(statement(line), "Saver") if line else []
    taken = argument(found[0], 0, "var_list") if len(found) == 1 else None
    if taken is None or isinstance(taken, ast.Dict):
        return Cure((), words)
    change = _all_of(taken, savers[0], others) if others else _with_step(taken, step, line)
    return cured(line.filename, change, note, words)


def _all_of(taken: ast.expr, saver, variables) -> list[tuple]:
    """Return the change that saves all variables, or none if some are made after their Saver."""
    tf = tensorflow(saver.line.filename)
    is_late = all(variable.number < saver.size for variable in variables)
    return [(taken, f"{tf}.global_variables()")] if tf and is_late else []


def _with_step(taken: ast.expr, step, line) -> list[tuple]:
    """Return the change that adds a step to a list of variables."""
    code = step_in_scope(step, statement(line), line.filename)
    if not code:
        return []
    if isinstance(taken, ast.List) and taken.elts:
        last = taken.elts[-1]
        return [((last.end_lineno, last.end_col_offset), f", {code}")]
    if calls(taken, r"\w*_variables") == [taken]:
        return [((taken.end_lineno, taken.end_col_offset), f" + [{code}]")]
    return [(taken, f"list({ast.unparse(taken)}) + [{code}]")]


@finding(
    "step-not-restored",
    _RESUME,
    "The step starts over after a restore",
    causes=["rate-never-moves"],
)
def step_not_restored(script):
    """Everything trained was restored, but training goes on from another step."""
    resumed = script.resumed()
    steps = [step for step in script.steps if step.is_known_in_two_ways]
    for step, (call, turn) in product(steps, resumed):
        if step.graph is not call.graph:
            continue
        trained, at = turn.work.weights, turn.numbers.get(step.key)
        goes_on = any(_brought_back(restore, step, at) for restore, _ in resumed)
        if at is not None and trained and trained <= call.saved and not goes_on:
            said = f"Training began with {step.name} at {at} after {call.file} was restored."
            savers, others = _savers(script, [call]), _also_missing(step, call.saved)
            lines = [call.line, *(saver.line for saver in savers), step.line]
            if step.variable in call.saved:
                reset = script.record.initialized.get((id(call.state), step.variable))
                was = f"{call.file} restored {step.name} to {call.numbers[step.key]}, but"
                said = f"{was} it was {at} when training began."
                words = f"Find what sets {step.name} after the restore, and run that first."
                if reset and call.at < reset.at < turn.at:
                    said = f"{was} the initializer in line {reset.line.lineno} then set it to {at}."
                    words = f"Run the initializer first, then {text(call.line) or 'restore'}."
                    lines = [reset.line, call.line, step.line]
                cure = Cure((), words)
            elif _has(call, step):
                said += f" {step.name} is in the file, but not in the Saver that restored it."
                cure = _take_it(
                    step, savers, others, "If you want it to start over, leave this as it is."
                )
            else:
                cure = _take_it(
                    step, savers, others, "Then save again, because this file doesn't have it."
                )
            yield Fault(said, lines, cure, about=[step])


@finding("slots-not-restored", _RESUME, "Adam started over")
def slots_not_restored(script):
    """The weights and the step were restored, but not Adam's powers, its own clock, and moments."""
    restores = script.calls("restore")
    for step, (call, turn) in product(script.steps, script.resumed()):
        savers = [one for one in _savers(script, [call]) if one.given.get("var_list") is not None]
        trained, slots = turn.work.weights, _also_missing(step, call.saved) & set(turn.work.changed)
        is_whole = trained and trained <= call.saved and step.variable in call.saved
        has_clock = any("beta1_power" in slot.name for slot in slots)
        again = any(_restores(call, other, slots) for other in restores)
        if savers and has_clock and is_whole and not again:
            said = f"Training went on from {step.name} {turn.numbers.get(step.key)}, but "
            said += f"{_first_names(slots)} started over."
            lines = [call.line, *(saver.line for saver in savers)]
            yield Fault(said, lines, _take_it(step, savers, slots, _OLD), False, about=[step])


def _restores(call, other, variables) -> bool:
    """Return whether another restore in the same session brings back some variables."""
    return other.state is call.state and variables <= other.saved


def _has(restore, step) -> bool:
    """Return whether a restored file has a step, even if it wasn't asked for it."""
    try:
        names = [name for name, _ in list_variables(restore.given["save_path"])]
    except Exception:  # it may be gone by now
        return False
    return step.key in names


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
            yield Fault(said, [call.line], cure, about=[*steps, call.line])


def _name_by_step(call, step) -> Cure:
    node = statement(call.line)
    words = f"Pass global_step={step.name} to save."
    reader = _reads_a_name(call.line.filename)
    if reader is not None:
        words += f" Line {reader.lineno} reads the number back from a name, so change that too: "
        words += "after the restore, take it from the step, which counts training runs."
        return Cure((), words)
    code = step_in_scope(step, node, call.line.filename)
    return cured(call.line.filename, with_step(node, "save", code), otherwise=words)


def _reads_a_name(filename: str) -> ast.Call | None:
    """Return the first call that takes a name apart at its "-", or looks for digits in it."""
    for call in calls_in(filename, r"r?split|r?partition|search|r?match|fullmatch|findall|sub"):
        words = [arg.value for arg in call.args[:1] if isinstance(arg, ast.Constant)]
        if any(isinstance(w, str) and (w == "-" or r"\d" in w or "[0-9]" in w) for w in words):
            return call
    return None


@finding(
    "trains-more",
    _RESUME,
    "After a restore, it trains the full number of steps again",
    causes=["rate-never-moves"],
)
def trains_more(script):
    """A loop over a fixed number of steps goes on from a checkpoint without looking at the step."""
    for call, turn in script.resumed():
        began = [s for s in script.steps_of(call.graph) if s.works and turn.numbers.get(s.key)]
        if not began or not script.whole:
            continue
        step, line, at = began[0], turn.line, turn.numbers[began[0].key]
        loop, sure = _fixed_loop(statement(line)), _ends_at_total(script, step, at)
        hooks = [
            c for c in calls_in(line.filename, "StopAtStepHook") if argument(c, 0, "num_steps")
        ]
        said = f"It continued from {step.name} {at} to {step.last}, because "
        if hooks and sure:
            said += "StopAtStepHook counts num_steps from where each session begins."
            cure = Cure((), "Use last_step, which counts from 0.")
            yield Fault(said, [line, call.line], cure, sure=False, about=[step])
        elif loop is not None:
            said += f"the loop ran all of {ast.unparse(loop.iter)} again."
            yield Fault(said, [line, call.line], _from_step(loop, step, line), sure, [step])


def _ends_at_total(script, step, at) -> bool:
    """Return whether a schedule that reads a step was made for as many steps as this run added."""
    added = step.last - at
    for rate in script.rates:
        ends = [rate.number("decay_steps")]
        if step.variable in computed_from(rate.call.step) and added in ends:
            return True
    return False


def _fixed_loop(node) -> ast.For | None:
    """Return the only loop around a statement if, whatever the step, it always runs as often."""
    around = loops(node) if node else []
    match around:
        case [ast.For(iter=ast.Call(args=[ast.Name() | ast.Attribute() | ast.Constant()])) as loop]:
            ends = any(isinstance(each, ast.Break | ast.Return) for each in ast.walk(loop))
            is_range = callee(loop.iter) in ("range", "xrange")
            means_it = re.search("(?i)more|extra", ast.unparse(loop.iter))
            return loop if is_range and not ends and not means_it else None
    return None


def _from_step(loop: ast.For, step, line) -> Cure:
    """Return the cure that begins a loop at the step."""
    runs = calls(statement(line), "run")
    code = step_in_scope(step, loop, line.filename)
    words = f"Start the loop at the value of {step.name}, or loop while it's below the total."
    if len(runs) != 1 or not code:
        return Cure((), words)
    [total], session = loop.iter.args, ast.unparse(runs[0].func.value)
    first = f"int({session}.run({code})), {ast.unparse(total)}"
    return cured(line.filename, [(total, first)], otherwise=words)


@finding("saves-every-step", _RESUME, "A checkpoint is written at every step")
def saves_every_step(script):
    """A line saves about as often as the script trains."""
    for saves in script.by_line("save"):
        count = saves[-1].count
        if count >= 20 and count >= 0.9 * script.record.trained:
            said = f"It saved {count} checkpoints in {script.record.trained} training runs."
            words = "Save now and then, for example every 1,000 steps, and once at the end."
            yield Fault(said, [saves[0].line], Cure((), words), about=[saves[0]])
