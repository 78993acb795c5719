"""Rules about checkpoints: what they keep, and what becomes of it."""

import ast

from minitf.checking import tensorflow
from minitf.checking.program import argument, called, function_of
from minitf.checking.rule import rule
from minitf.checking.script import Script, always_runs, block_of, is_long, loops, statement, text


def saver_calls(script: Script, method: str) -> list[ast.Call]:
    """Return the calls of a method of Savers that are known to be TensorFlow's."""
    calls = [c for c in script.by_name[method] if isinstance(c.func, ast.Attribute)]
    return [c for c in calls if script.made_by(c.func.value, r"train\.Saver")]


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
            is_all = all(
                isinstance(v, ast.Call) and tensorflow.initializes(script.full_name(v))
                for v in values
            )
            if is_all and _comes_after(script, restore, run):
                yield (
                    run,
                    f"This runs the initializer after the restore, so the restored weights"
                    f"{counted} are overwritten, and training starts over",
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
    used = [p for p in parts if isinstance(p, ast.Call) and called(p) in _USES and p is not restore]
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
            f"This Saver takes the trainable variables only, so checkpoints lack `{name}`: after "
            "a restore, it starts over at 0",
        )


def _is_read(script: Script) -> bool:
    return any(script.steps(schedule.step) for schedule in script.schedules)


@rule("saves-every-step", lesson="11_hooks", title="A checkpoint is written at every training step")
def saves_every_step(script: Script):
    """`save` is called beside the training run, in the same loop and without a condition."""
    for save in saver_calls(script, "save"):
        around = loops(save)
        if not around or not always_runs(save, around[0]):
            continue
        loop = around[0]
        is_last = any(
            isinstance(s, ast.Break | ast.Return)
            for s in block_of(statement(save))[block_of(statement(save)).index(statement(save)) :]
        )
        if (
            not is_last
            and is_long(loop)
            and any(always_runs(run, loop) for run in script.trains_in(loop))
        ):
            yield (
                save,
                "This writes a checkpoint after every training run of the loop, which takes most "
                "of the time, and of which only the last few are kept",
            )
