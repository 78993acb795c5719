"""Rules about checkpoints: what they keep, and what becomes of it."""

import ast
import re

from minitf.checking.rule import rule
from minitf.checking.script import Script, always_runs, is_long, statement, text
from minitf.syntax import argument, around, block_of, callee, function_of, loops


def saver_calls(script: Script, method: str) -> list[ast.Call]:
    """Return the calls of a method of Savers that are known to be TensorFlow's."""
    calls = [c for c in script.by_name[method] if isinstance(c.func, ast.Attribute)]
    return [c for c in calls if script.made_by(c.func.value, r"train\.Saver")]


def comes_before(script: Script, restore: ast.Call, loop: ast.AST) -> bool:
    """Return whether a loop follows a restore, in the same function and session."""
    is_before = function_of(restore) is function_of(loop) and restore.lineno < loop.lineno
    outer = [*around(loop)]
    unrelated = any(
        isinstance(each, ast.If) and each not in outer and _leaves(each) for each in around(restore)
    )
    same_session = all(each in outer for each in around(restore) if isinstance(each, ast.With))
    return is_before and same_session and not unrelated


def _leaves(branch: ast.If) -> bool:
    return any(
        isinstance(part, ast.Return | ast.Raise)
        or isinstance(part, ast.Call)
        and callee(part) in ("exit", "quit", "_exit")
        for part in ast.walk(branch)
    )


@rule("step-not-restored")
def step_not_restored(script: Script):
    """The initializer runs after the restore, in the same session."""
    counted = " and the step" * any(train.step is not None for train in script.trains)
    for restore in saver_calls(script, "restore") if script.trains else ():
        session = argument(restore, 0, "sess")
        for run in script.runs:
            if session is None or ast.dump(run.func.value) != ast.dump(session):
                continue
            values = script.values(argument(run, 0, "fetches"))
            is_all = all(map(script.initializes, values))
            if is_all and _comes_after(script, restore, run):
                yield (
                    run,
                    f"This runs the initializer after the restore, so it overwrites the restored "
                    f"weights{counted}, and training starts over",
                )


def _comes_after(script: Script, restore: ast.Call, run: ast.Call) -> bool:
    """Return whether nothing but the restore happens before an initializer that always runs."""
    if function_of(restore) is not function_of(run):
        return False
    block = block_of(statement(run))
    outer = [each for each in block if any(part is restore for part in ast.walk(each))]
    if not outer or not isinstance(statement(run), ast.Expr | ast.Assign):
        return False
    first, last = block.index(outer[0]), block.index(statement(run))
    between = block[first:last]
    parts = [part for each in between for part in ast.walk(each)]
    used = [p for p in parts if isinstance(p, ast.Call) and callee(p) in _USES and p is not restore]
    leaves = [p for p in parts if isinstance(p, ast.Return | ast.Raise | ast.Continue | ast.Break)]
    return first < last and not used and not leaves


_USES = ("run", "eval", "Session", "assign", "save", "exit", "predict", "test", "evaluate")


@rule("step-not-saved")
def step_not_saved(script: Script):
    """The only Saver takes the trainable variables, so it leaves out the step."""
    savers = [c for c in script.by_name["Saver"] if script.full_name(c) == "train.Saver"]
    counted = [t for t in script.trains if t.step is not None]
    if len(savers) != 1 or not counted or not _is_read(script):
        return
    if not saver_calls(script, "save") or not saver_calls(script, "restore"):
        return
    if any(script.by_name[n] for n in ("Supervisor", "MonitoredTrainingSession", "Scaffold")):
        return
    values = script.values(argument(savers[0], 0, "var_list"))
    names = {script.full_name(v) if isinstance(v, ast.Call) else "" for v in values}
    if names == {"trainable_variables"}:
        name = text(counted[0].step)
        yield (
            savers[0],
            f"This Saver saves only the trainable variables, so `{name}` isn't in the checkpoints "
            "and starts over at 0 after a restore",
        )


def _is_read(script: Script) -> bool:
    return any(script.steps(schedule.step) for schedule in script.schedules)


@rule("saves-every-step")
def saves_every_step(script: Script):
    """`save` is called beside the training run, in the same loop and without a condition."""
    for save in saver_calls(script, "save"):
        loop = next(iter(loops(save)), None)
        if not loop or not always_runs(save, loop):
            continue
        block = block_of(statement(save))
        below = block[block.index(statement(save)) :]
        is_last = any(isinstance(each, ast.Break | ast.Return) for each in below)
        trains = any(always_runs(run, loop) for run in script.trains_in(loop))
        if trains and not is_last and is_long(loop):
            yield (
                save,
                "This writes a checkpoint after every training run in the loop, which takes time, "
                "and only the last few are kept",
            )


_IN_ALL = re.compile(
    r"(max|num|n|total|train|training)_?(train_?|training_?)?(steps?|iters?\w*)", re.I
)


@rule("trains-more")
def trains_more(script: Script):
    """After a restore, a loop takes as many turns as the run should have steps in all."""
    counted = {train.call for train in script.trains if train.step is not None}
    savers = {v for c in saver_calls(script, "save") for v in script.values(c.func.value)}
    restores = [c for c in saver_calls(script, "restore") if savers & script.values(c.func.value)]
    seen = set()
    for run in script.training_runs if counted and restores else ():
        loop = next(iter(loops(run)), None)
        over = getattr(loop, "iter", None)
        is_range = isinstance(over, ast.Call) and callee(over) in ("range", "xrange")
        if loop in seen or len(loops(run)) != 1 or not is_range or len(over.args) != 1:
            continue
        name = getattr(over.args[0], "attr", getattr(over.args[0], "id", ""))
        goes_on = any(comes_before(script, each, loop) for each in restores)
        if (
            _IN_ALL.fullmatch(name)
            and goes_on
            and not _stops(loop)
            and _counts(script, run, counted)
        ):
            seen.add(loop)
            yield (
                loop,
                f"After the restore, this trains `{text(over.args[0])}` more steps, whatever the "
                "step is by then. Is that intended, or should it be that many in all?",
            )


def _counts(script: Script, run: ast.Call, counted: set[ast.Call]) -> bool:
    """Return whether a run fetches a train op that counts the step."""
    items = script.items(argument(run, 0, "fetches"))
    return any(call in counted for item in items for call in script.trained_by(item))


def _stops(loop: ast.AST) -> bool:
    """Return whether a loop may end early."""
    return any(isinstance(part, ast.Break | ast.Return) for part in ast.walk(loop))
