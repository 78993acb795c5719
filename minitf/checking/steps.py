"""Rules about the step: who counts it, and which one."""

import ast
import re

from minitf.checking import tensorflow
from minitf.checking.program import home
from minitf.checking.rule import rule
from minitf.checking.script import Script, always_runs, is_none, name_of, number, statement, text
from minitf.syntax import argument, block_of, callee, function_of, loops


@rule("step-not-passed")
def step_not_passed(script: Script):
    """Something reads a step that no train op of the program counts."""
    for reader, step, verb, consequence in _readers(script):
        steps = script.steps(step)
        if not steps or any(map(script.may_be_counted, steps)):
            continue
        trains = [t for t in script.trains if t.step is None]
        of_rate = [t for t in trains if reader in t.rates]
        if of_rate or trains and len(trains) == len(script.trains):
            train = (of_rate or trains)[0]
            name = _shown(step, steps)
            yield (
                train.call,
                f"{verb} {name}, but no optimizer counts {name}, so it never moves, and "
                f"{consequence}",
            )


def _readers(script: Script):
    """Yield each call that reads a step, the step, what it does with it, and what goes wrong."""
    for call, name, step in script.schedules:
        yield call, step, f"`{name}` depends on", "the rate never changes"
    for call in script.by_name["ExponentialMovingAverage"]:
        step = argument(call, 1, "num_updates")
        if script.full_name(call) == "train.ExponentialMovingAverage" and not is_none(step):
            yield call, step, "A moving average reads `num_updates` from", "its decay stays at 0.1"
    for call in script.by_name["save"]:
        step = argument(call, 2, "global_step")
        if not is_none(step) and script.made_by(getattr(call.func, "value", None), r"train\.Saver"):
            yield call, step, "Checkpoints are numbered by", "each one overwrites the last"
    for call in script.by_name["StopAtStepHook"]:
        found = [c for name in _FINDERS for c in script.by_name[name] if script.is_step(c)]
        if script.full_name(call) == "train.StopAtStepHook" and found:
            yield call, found[0], "`StopAtStepHook` waits for", "training never ends"


_FINDERS = ("get_or_create_global_step", "create_global_step", "get_global_step")


def _shown(node: ast.AST, steps: list[ast.AST]) -> str:
    """Return what a script calls a step, in backquotes."""
    while isinstance(node, ast.BinOp):
        node = node.right if isinstance(node.left, ast.Constant) else node.left
    if isinstance(node, ast.Call):
        node = node.args[0] if node.args and not isinstance(node.args[0], ast.Constant) else node
    is_name = isinstance(node, ast.Name | ast.Attribute)
    return f"`{text(node) if is_name else name_of(steps[0], 'global_step')}`"


def other_steps(script: Script):
    """Yield each train op whose rate reads a step that nothing counts, the schedule, its step."""
    for schedule in script.schedules:
        steps = script.steps(schedule.step)
        if not steps or any(map(script.may_be_counted, steps)):
            continue
        for train in script.trains:
            counted = script.steps(train.step) if train.step is not None else []
            if counted and schedule.call in train.rates:
                yield train, schedule, counted


@rule("step-created-twice")
def step_created_twice(script: Script):
    """A schedule reads one step and its optimizer counts another, or `create` is called again."""
    for train, schedule, counted in other_steps(script):
        if "step" in text(schedule.step):
            name = _shown(schedule.step, script.steps(schedule.step))
            yield (
                train.call,
                f"The optimizer counts {_shown(train.step, counted)}, but its rate "
                f"`{schedule.name}` depends on another variable, {name}, which nothing counts",
            )
    yield from _created_again(script)


def _created_again(script: Script):
    """Find `create_global_step` below another call that has made the step, in the same block."""
    makers = [*script.by_name["create_global_step"], *script.by_name["get_or_create_global_step"]]
    for again in script.by_name["create_global_step"]:
        if not tensorflow.finds_step(script.full_name(again)):
            continue
        before = [
            one
            for one in makers
            if one is not again
            and tensorflow.finds_step(script.full_name(one))
            and _is_above(one, again)
        ]
        if before:
            line = home(before[0]).text.source.place(before[0].lineno)[1]
            yield (
                again,
                f"Line {line} has already created the graph's step, so `create_global_step` raises "
                "ValueError",
            )


def _is_above(one: ast.AST, other: ast.AST) -> bool:
    """Return whether two statements are in one block in this order, with no new graph between."""
    block = block_of(statement(other))
    if function_of(one) is not function_of(other) or statement(one) not in block:
        return False
    first, last = block.index(statement(one)), block.index(statement(other))
    between = " ".join(map(ast.unparse, block[first:last])) if first < last else "Graph("
    return "Graph(" not in between and "reset_default_graph" not in between


@rule("step-trained")
def step_trained(script: Script):
    """A float step that is trainable is in an L2 term over all trainable variables."""
    penalties = [call for call in script.by_name["l2_loss"] if _covers_trainable(script, call)]
    if not penalties:
        return
    for step in {s for train in script.trains for s in script.steps(train.step)}:
        is_variable = tensorflow.makes_variable(script.full_name(step))
        value = argument(step, 0, "initial_value") if callee(step) == "Variable" else None
        trainable = argument(step, 1, "trainable")
        if is_variable and trainable is None and isinstance(number(value), float):
            name = name_of(step, "the step")
            yield (
                step,
                f"`{name}` is a float and trainable, so the L2 term over all trainable variables "
                f"includes it and the optimizer changes it; pass `trainable=False`",
            )


def _covers_trainable(script: Script, call: ast.Call) -> bool:
    """Return whether `l2_loss` is taken of each trainable variable, without a condition."""
    outer = call.parent
    if not isinstance(outer, ast.ListComp | ast.GeneratorExp) or len(outer.generators) != 1:
        return False
    each = outer.generators[0]
    found = {script.full_name(v) for v in script.values(each.iter) if isinstance(v, ast.Call)}
    return not each.ifs and found == {"trainable_variables"}


@rule("step-starts-over")
def step_starts_over(script: Script):
    """Each turn of a loop that trains runs the initializer, or sets the step to 0."""
    read = {step for schedule in script.schedules for step in script.steps(schedule.step)}
    for run in script.runs:
        loop = next(iter(loops(run)), None)
        values = script.values(argument(run, 0, "fetches"))
        if loop is None or not always_runs(run, loop) or _makes_anew(loop):
            continue
        here = [t for t in script.trains_in(loop) if always_runs(t, loop)]
        same = [t for t in here if ast.dump(t.func.value) == ast.dump(run.func.value)]
        if same and all(map(script.initializes, values)):
            yield (
                run,
                "This runs the initializer in each pass of the training loop, so all weights and "
                "the step start over every time",
            )
        steps = [_set_to_0(script, v) for v in values]
        if all(steps) and _trains_inside(script, loop) and read & {*steps[0]}:
            yield (
                run,
                f"Each pass of this loop sets `{name_of(steps[0][0], 'step')}` to 0, so the "
                "schedule that depends on it starts over",
            )


def _makes_anew(loop: ast.AST) -> bool:
    """Return whether each turn of a loop makes its own session or graph."""
    return any(isinstance(n, ast.Call) and callee(n) in _NEW for n in ast.walk(loop))


def _trains_inside(script: Script, loop: ast.AST) -> bool:
    return any(script.trains_in(part) for part in ast.walk(loop))


def _set_to_0(script: Script, node: ast.AST) -> list[ast.AST]:
    """Return the steps that an op sets to 0."""
    if not isinstance(node, ast.Call) or callee(node) != "assign":
        return []
    is_method = not script.full_name(node)
    value = argument(node, 0 if is_method else 1, "value")
    target = getattr(node.func, "value", None) if is_method else argument(node, 0, "ref")
    return script.steps(target) if number(value) == 0 else []


_NEW = ("Session", "Graph", "InteractiveSession")
_WITH_SLOTS = re.compile(r"train\.(Adam|Momentum|Adagrad|RMSProp|Adadelta|Ftrl)Optimizer")


@rule("not-initialized")
def not_initialized(script: Script):
    """The only initializer was made before the optimizer made its slots."""
    made = [
        call
        for name in ("global_variables_initializer", "initialize_all_variables")
        for call in script.by_name[name]
    ]
    if len(made) != 1 or not tensorflow.initializes(script.full_name(made[0])):
        return
    init = made[0]
    name = name_of(init)
    for train in script.trains:
        optimizers = script.values(train.call.func.value)
        names = {script.full_name(v) for v in optimizers if isinstance(v, ast.Call)}
        has_slots = len(names) == len(optimizers) and all(map(_WITH_SLOTS.fullmatch, names))
        is_late = name and _is_above(init, train.call) and not _may_initialize(script)
        if names and has_slots and is_late:
            yield (
                train.call,
                f"This creates variables after `{name}`, which won't initialize them, so the first "
                "training run raises FailedPreconditionError",
            )


def _may_initialize(script: Script) -> bool:
    """Return whether anything else in the program may initialize variables."""
    others = ("restore", "variables_initializer", "report_uninitialized_variables", "Supervisor")
    monitored = ("MonitoredTrainingSession", "MonitoredSession", "local_variables_initializer")
    return any(script.by_name[name] for name in (*others, *monitored))
