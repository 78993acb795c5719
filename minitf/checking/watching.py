"""Rules about what a training loop writes down, and what it adds to the graph."""

import ast
import re

from minitf.checking import tensorflow
from minitf.checking.checkpoints import comes_before, saver_calls
from minitf.checking.program import UNKNOWN, takes_more
from minitf.checking.rule import rule
from minitf.checking.script import Script, always_runs, is_long, is_none, number, text
from minitf.syntax import argument, callee, function_of, loops


def _summaries(script: Script) -> list[ast.Call]:
    """Return the calls of a summary writer's `add_summary`."""
    calls = [c for c in script.by_name["add_summary"] if isinstance(c.func, ast.Attribute)]
    return [c for c in calls if not script.functions(c) and not takes_more(c)]


@rule("summary-without-step")
def summary_without_step(script: Script):
    """A loop adds summaries without their step."""
    for call in _summaries(script):
        loop = next(iter(loops(call)), None)
        if loop and is_none(argument(call, 1, "global_step")) and is_long(loop):
            value = argument(call, 0, "summary")
            if any(
                isinstance(v, ast.Call) and callee(v) == "Summary" for v in script.values(value)
            ):
                continue
            yield (
                call,
                f"`{text(call.func) or 'add_summary'}` gets no step, so all of this loop's "
                "summaries land on step 0, one on top of another",
            )


@rule("python-counter")
def python_counter(script: Script):
    """A loop that starts over after a restore numbers summaries or checkpoints."""
    restores = saver_calls(script, "restore")
    savers = {v for c in saver_calls(script, "save") for v in script.values(c.func.value)}
    restores = [c for c in restores if savers & script.values(c.func.value)]
    summaries = [c for c in _summaries(script) if not _has_own_folder(script, c)]
    calls = [(c, argument(c, 1, "global_step"), "summaries") for c in summaries]
    calls += [
        (c, argument(c, 2, "global_step"), "checkpoints")
        for c in saver_calls(script, "save")
        if not _is_own(script, [node for node in [argument(c, 1, "save_path")] if node])
    ]
    seen = set()
    for call, step, what in calls:
        around_it, counter = loops(call), (function_of(call), text(step) if step else "")
        if (
            is_none(step)
            or not around_it
            or counter in seen
            or not _counts_anew(script, step, around_it)
        ):
            continue
        if any(_goes_on(script, each, around_it[-1]) for each in restores):
            seen.add(counter)
            yield (
                call,
                f"`{counter[1]}` numbers the {what}, but it starts over each time the script "
                "does, so after the restore they mix with those from last time",
            )


def _has_own_folder(script: Script, call: ast.Call) -> bool:
    """Return whether a writer's folder is this run's own."""
    return _is_own(script, [v for v in script.values(call.func.value) if isinstance(v, ast.Call)])


def _is_own(script: Script, writers: list[ast.AST]) -> bool:
    """Return whether what names a folder has the time of the run in it, or something like it."""
    names = [n for w in writers for n in ast.walk(w) if isinstance(n, ast.Name | ast.Attribute)]
    folders = [*writers, *(v for name in names for v in script.values(name) if v is not UNKNOWN)]
    parts = [name for each in folders for name in ast.walk(each) if isinstance(name, ast.Name)]
    made = [*folders, *(v for name in parts for v in script.values(name) if v is not UNKNOWN)]
    return any(re.search(r"time|now\(|uuid|pid", ast.unparse(each)) for each in made)


def _goes_on(script: Script, restore: ast.Call, loop: ast.AST) -> bool:
    """Return whether a loop trains what a restore brought back."""
    trains = any(script.trains_in(part) for part in ast.walk(loop))
    return trains and comes_before(script, restore, loop)


def _counts_anew(script: Script, step: ast.AST, around_it: list) -> bool:
    """Return whether a number is only counted by loops that begin at a constant."""
    names = [n for n in ast.walk(step) if isinstance(n, ast.Name)]
    is_sum = all(
        isinstance(n, ast.Name | ast.BinOp | ast.Constant | ast.operator | ast.expr_context)
        for n in ast.walk(step)
    )
    values = [v for n in names for v in script.values(n)]
    fixed = [v for v in values if number(v) is not None]
    moving = [v for v in values if v not in fixed]
    return (
        bool(is_sum and moving)
        and all(map(_begins_at_a_constant, moving))
        and all(v in around_it for v in moving if isinstance(v, ast.For))
    )


def _begins_at_a_constant(node: ast.AST) -> bool:
    if isinstance(node, ast.AugAssign):
        return isinstance(node.op, ast.Add) and number(node.value) is not None
    over = node.iter if isinstance(node, ast.For) else None
    if not isinstance(over, ast.Call) or callee(over) not in ("range", "xrange", "enumerate"):
        return False
    if callee(over) == "enumerate":
        return len(over.args) == 1 and not over.keywords and not isinstance(node.target, ast.Name)
    return len(over.args) == 1 or number(over.args[0]) is not None


@rule("graph-grows")
def graph_grows(script: Script):
    """A loop that runs the graph makes ops in each turn."""
    seen = set()
    for call in script.calls:
        around_it = loops(call)
        if not around_it or not (made := _made(script, call)):
            continue
        loop = around_it[0]
        known = seen & {*around_it}
        if known or not always_runs(call, loop) or not is_long(loop):
            continue
        if script.trains_in(loop) and not _has_own_graph(around_it):
            seen.update(around_it)
            yield (
                call,
                f"{made} creates ops in each pass of a loop that also runs the graph, so the graph "
                "grows and gets slower; move it above the loop",
            )


def _made(script: Script, call: ast.Call) -> str:
    """Return what makes ops, as code, if a call does."""
    name = script.full_name(call)
    if name and tensorflow.makes_op(name):
        return f"`tf.{name}`"
    owner = getattr(call.func, "value", None)
    assigns = callee(call) in ("assign", "assign_add", "assign_sub") and not name
    is_variables = assigns and all(map(script.is_step, script.values(owner)))
    is_train = callee(call) == "minimize" and any(t.call is call for t in script.trains)
    return f"`{text(call.func) or callee(call)}`" if is_train or is_variables else ""


_NEW_GRAPH = {"Graph", "reset_default_graph", "Session", "InteractiveSession", "as_default"}


def _has_own_graph(around_it: list[ast.AST]) -> bool:
    """Return whether the loops make a new graph or session in a turn."""
    return any(
        isinstance(part, ast.Call) and callee(part) in _NEW_GRAPH for part in ast.walk(around_it[0])
    )
