"""Findings about a step that isn't there, is there twice, or has no value yet."""

import ast
import re
from itertools import permutations, product

from minitf.client.dependencies import initializes
from minitf.explain.cure import Cure, cured, step_in_scope, with_argument, with_step
from minitf.explain.finding import Fault, finding
from minitf.explain.record import GETTERS
from minitf.explain.source import TRAINS, calls, statement, tensorflow
from minitf.framework.graph import GraphKeys
from minitf.syntax import block_of

_FINDING = "08_finding_the_clock"


@finding(
    "step-not-found",
    _FINDING,
    "The step can't be found",
    causes=[
        "step-not-passed",
        "step-never-moves",
        "rate-never-moves",
        "step-in-name-only",
        "summary-without-step",
    ],
)
def step_not_found(script):
    """A hook asks for a step, or `get_global_step` is called, and there is none."""
    if "Global step should be created" in script.error:
        trains = [train for train in script.trains if train.step is None]
        lines = [train.line for train in trains]
        yield Fault(script.error, lines, _create_and_pass(lines), about=trains)
    for train in script.trains:
        found = calls(statement(train.line), "get_global_step")
        later = [step for step in script.steps_of(train.graph) if not step.moved]
        if found and train.step is None and later and train.times:
            said = "get_global_step() returned None when the train op was built, because "
            said += f"{later[0].name} is created later. So nothing counts it."
            name = getattr(found[0].func, "value", None)
            code = f"{ast.unparse(name)}.get_or_create_global_step()" if name else ""
            words = "Create the step before the train op."
            cure = cured(train.line.filename, [(found[0], code)] if code else [], otherwise=words)
            yield Fault(said, [train.line, later[0].line], cure, about=[later[0]])
    for call, step in product(script.calls("get_global_step"), script.steps):
        existed = step.graph is call.graph and step.variable.number < call.size
        if not call.by_user and not calls(statement(call.line), "Supervisor"):
            continue  # a hook that may do without one
        if call.result is None and step.works and existed and step.passed:
            said = f"get_global_step() returned None, although training counts {step.name}."
            if not call.by_user:
                said = f"The Supervisor found no step, although training counts {step.name}."
            cure = _with_usual_name(step)
            yield Fault(said, [call.line, step.line], cure, about=[step])


def _create_and_pass(lines) -> Cure:
    """Return the cure for a train op without a step in a graph that has none."""
    words = "Create the step with get_or_create_global_step(), and pass it to minimize."
    if not lines:
        return Cure((), words)
    step = f"{tensorflow(lines[0].filename) or 'tf'}.train.get_or_create_global_step()"
    changes = with_step(statement(lines[0]), TRAINS, step)
    return cured(lines[0].filename, changes, otherwise=words)


def _with_usual_name(step) -> Cure:
    words = f'Name {step.name} "global_step", or add it to the collection GLOBAL_STEP.'
    found = calls(statement(step.line), "Variable")
    changes = [with_argument(found[0], "name", '"global_step"', 4)] if len(found) == 1 else []
    return cured(step.line.filename, changes, otherwise=words)


@finding(
    "step-created-twice",
    _FINDING,
    "There are two steps, and training counts only one",
    causes=["step-not-found", "step-never-moves", "rate-never-moves", "step-in-name-only"],
)
def step_created_twice(script):
    """A step is created beside another one, and training counts the one with the unusual name."""
    if '"global_step" already exists' in script.error:
        lines = [call.line for call in script.calls(*GETTERS)]
        yield Fault(script.error, lines, Cure((), "Use get_or_create_global_step() everywhere."))
    for idle, step in permutations(script.steps, 2):
        if step.graph is not idle.graph or not step.works or idle.moved:
            continue
        if (
            step.passed
            and (idle.has_usual_name or idle.is_used and "step" in idle.key.lower())
            and not idle.passed
        ):
            said = f"Training counts {step.key}, while {idle.key} stayed at {idle.last}."
            cure = _one_of(step, idle)
            yield Fault(said, [step.line, idle.line], cure, about=[step, idle])


def _one_of(step, idle) -> Cure:
    """Return the cure that makes of two steps one: the one that others can find."""
    words = f"Keep only one: pass {idle.name} to minimize, and remove {step.name}."
    found, other = statement(step.line), statement(idle.line)
    if not isinstance(found, ast.Assign) or other is None:
        return Cure((), words)
    is_later = step.variable.number > idle.variable.number
    later, line, kept = (found, step.line, idle) if is_later else (other, idle.line, step)
    code = step_in_scope(kept, later, line.filename)
    if not isinstance(later, ast.Assign) or not code:
        return Cure((), words)
    return cured(line.filename, [(later.value, code)], otherwise=words)


@finding("not-initialized", _FINDING, "A variable had no value yet")
def not_initialized(script):
    """A run reads a variable before its initializer has run."""
    words = "Build the initializer after the last variable (optimizers make some too), then run it."
    pattern = r"(?:uninitialized value|not initialized:|read from a nonexistent) ([^\s,]+)"
    errors = dict.fromkeys([script.error, *(str(error) for error, _ in script.record.errors)])
    for name in dict.fromkeys(re.findall(pattern, "\n".join(errors))):
        made = [op for op in script.ops if op.name == name]
        groups = [op for op in script.ops if any(map(initializes, op.control_inputs))]
        early = [op for op in groups if made and op.number < made[0].number]
        said = f"{name} had no value when a run read it."
        if early:
            said = f"{name} had no value, because the initializer was built before it."
        local = made and any(
            v.op is made[0] for v in made[0].graph.get_collection(GraphKeys.LOCAL_VARIABLES)
        )
        words = "Also run tf.local_variables_initializer()." if local else words
        lines = [op.source_line for op in [*made, *(early or groups)]]
        cure = _later(early[-1].source_line, lines[0]) if early else None
        yield Fault(said, lines, cure or Cure((), words))


def _later(initializer, variable) -> Cure | None:
    """Return the cure that moves the line of an initializer below that of a variable."""
    moved, after = statement(initializer), statement(variable)
    if moved is None or after is None or initializer.filename != variable.filename:
        return None
    if block_of(moved) is not block_of(after) or moved.lineno != moved.end_lineno:
        return None
    line = f"\n{' ' * moved.col_offset}{ast.unparse(moved)}"
    changes = [(moved, ""), ((after.end_lineno, after.end_col_offset), line)]
    return cured(initializer.filename, changes)
