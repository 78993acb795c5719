"""Rules about the order of updates in one run."""

import ast
from itertools import product

from minitf.checking import tensorflow
from minitf.checking.program import UNKNOWN
from minitf.checking.rule import rule
from minitf.checking.script import Script, text
from minitf.syntax import argument, function_of


@rule("updates-race")
def updates_race(script: Script):
    """Moving averages and a train op are in one run, and neither waits for the other."""
    averages = [c for c in script.by_name["apply"] if _averages_weights(script, c)]
    if not averages:
        return
    trains, seen = {train.call for train in script.trains}, set()
    for place, together in _run_together(script):
        values = [(node, v) for node in together for v in script.values(node)]
        updates = [(node, v) for node, v in values if v in averages]
        for (average, apply), (train, step) in product(updates, values):
            if (
                average is not train
                and step in trains
                and apply not in seen
                and not _waits(script, apply, step)
            ):
                seen.add(apply)
                yield (
                    place,
                    f"`{text(average) or 'apply'}` averages the weights while "
                    f"`{text(train) or 'minimize'}` changes them, in no defined order, so it may "
                    "take the values from before the update or after it",
                )


def _averages_weights(script: Script, call: ast.Call) -> bool:
    """Return whether a call updates the moving averages of trained variables."""
    owner = getattr(call.func, "value", None)
    if owner is None or not script.made_by(owner, r"train\.ExponentialMovingAverage"):
        return False
    if not call.args and not call.keywords:
        return True
    given = script.items(argument(call, 0, "var_list"))
    values = [v for node in given for v in script.values(node)]
    names = {script.full_name(v) for v in values if isinstance(v, ast.Call)}
    takes_all = names & {"trainable_variables", "global_variables", "all_variables"}
    return bool(takes_all) or all(_is_weight(script, v) for v in values)


def _is_weight(script: Script, node: ast.AST) -> bool:
    """Return whether a value is a variable that is trained unless it says otherwise."""
    is_variable = script.is_step(node) and tensorflow.makes_variable(script.full_name(node))
    return is_variable and not any(word.arg == "trainable" for word in node.keywords)


def _run_together(script: Script):
    """Yield the expressions of ops that run together, with the place that says so."""
    for name in ("group", "control_dependencies"):
        for call in script.by_name[name]:
            yield call, [item for each in call.args for item in script.items(each)]
    for run in script.runs:
        yield run, script.items(argument(run, 0, "fetches"))


def _waits(script: Script, one: ast.Call, other: ast.Call) -> bool:
    """Return whether one of two ops may wait for the other."""
    for first, second in ((one, other), (other, one)):
        waits_for = _waits_for(script, first, 0)
        if any(v is second or v is UNKNOWN for node in waits_for for v in script.values(node)):
            return True
        if any(second in script.trained_by(node) for node in waits_for):
            return True
    return False


def _waits_for(script: Script, node: ast.AST, depth: int) -> list[ast.AST]:
    """Return what a call waits for, where it is or where its function is called."""
    found = script.waits_for(node)
    if depth < 3:
        for caller in script.callers(function_of(node)):
            found += _waits_for(script, caller, depth + 1)
    return found


@rule("order-undefined")
def order_undefined(script: Script):
    """A number computed from the step is fetched with the op that counts it, and then compared."""
    for run in script.runs:
        outer = run.parent
        fetches = argument(run, 0, "fetches")
        if not isinstance(fetches, ast.List | ast.Tuple) or not isinstance(outer, ast.Assign):
            continue
        targets = outer.targets[0]
        if not isinstance(targets, ast.Tuple) or len(targets.elts) != len(fetches.elts):
            continue
        trains = [call for fetch in fetches.elts for call in script.trained_by(fetch)]
        counted = {s for t in script.trains if t.call in trains for s in script.steps(t.step)}
        for fetch, target in zip(fetches.elts, targets.elts, strict=True):
            if counted & _computed_from(script, fetch) and _is_compared(target):
                yield (
                    run,
                    f"`{text(fetch)}` is computed from the step in the run that counts it, in no "
                    f"defined order, so the condition on `{text(target)}` may be one step off",
                )


def _computed_from(script: Script, fetch: ast.AST) -> set[ast.AST]:
    """Return the steps that an op, which isn't a step itself and waits for nothing, is made of."""
    values = script.values(fetch)
    if any(script.is_step(v) or v is UNKNOWN or script.waits_for(v) for v in values):
        return set()
    return {v for v in script.sources(fetch) if script.is_step(v)}


def _is_compared(target: ast.AST) -> bool:
    """Return whether an `if` or a `while` of the function depends on a name."""
    if not isinstance(target, ast.Name):
        return False
    tests = [n.test for n in ast.walk(function_of(target)) if isinstance(n, ast.If | ast.While)]
    names = [n for test in tests for n in ast.walk(test) if isinstance(n, ast.Name)]
    return any(name.id == target.id for name in names)
