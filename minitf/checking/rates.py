"""Rules about schedules: what they depend on, which way they go, and who uses them."""

import ast
import re

from minitf.checking.program import UNKNOWN, class_of, home
from minitf.checking.rule import rule
from minitf.checking.script import Schedule, Script, number, text
from minitf.checking.steps import other_steps
from minitf.syntax import argument, callee, function_of, loops


@rule("rate-never-moves")
def rate_never_moves(script: Script):
    """A schedule gets a Python number as its step, so it's a constant."""
    for schedule in script.schedules:
        values = script.values(schedule.step)
        is_number = all(number(v) is not None or isinstance(v, ast.AugAssign) for v in values)
        if is_number and not _is_made_again(script, schedule.call):
            yield (
                schedule.call,
                f"`{schedule.name}` takes `{text(schedule.step)}` as its step, but that's a Python "
                "number, which the graph reads only once, so the rate never changes",
            )
    for train, schedule, _ in other_steps(script):
        if "step" not in text(schedule.step):
            yield (
                schedule.call,
                f"`{schedule.name}` depends on `{text(schedule.step)}`, which nothing counts, so "
                f"the rate never changes; the optimizer counts `{text(train.step)}`",
            )


def _is_made_again(script: Script, call: ast.AST, depth: int = 0) -> bool:
    """Return whether a loop may run a call again, in its function or around a call of that."""
    function = function_of(call)
    if loops(call) or depth > 5:
        return True
    if isinstance(function, ast.Module):
        return False
    callers = script.callers(function)
    if isinstance(function, ast.Lambda) or not callers and function.name != "__init__":
        return True
    return any(_is_made_again(script, each, depth + 1) for each in callers)


@rule("rate-not-used")
def rate_not_used(script: Script):
    """A schedule's result isn't used anywhere, or only shown beside an optimizer with a number."""
    for schedule in script.schedules:
        outer = schedule.call.parent
        if isinstance(outer, ast.Expr):
            # The last line of a notebook's cell only shows it.
            is_notebook = bool(home(outer).text.source.cells)
            if not is_notebook:
                yield schedule.call, f"The rate of `{callee(schedule.call)}` isn't used anywhere"
        elif isinstance(outer, ast.Assign) and len(outer.targets) == 1:
            uses = _uses(script, outer.targets[0])
            if uses == []:
                yield (
                    schedule.call,
                    f"`{schedule.name}` isn't used anywhere, so the optimizer trains without it",
                )
            elif uses and all(map(_only_shows, uses)) and (other := _numbers(script)):
                yield (
                    schedule.call,
                    f"`{schedule.name}` is only logged, and the optimizer trains at {other}",
                )


def _uses(script: Script, target: ast.AST) -> list[ast.AST] | None:
    """Return where a name or an attribute is read, or None if that can't be known."""
    if isinstance(target, ast.Name):
        function = function_of(target)
        is_global = isinstance(function, ast.Module)
        if class_of(target) and function.parent is None:
            return None
        nodes = home(target).bindings.nodes if is_global else [*ast.walk(function)]
        declared = any(isinstance(n, ast.Global) and target.id in n.names for n in nodes)
        hidden = any(
            isinstance(n, ast.Name) and n.id in ("locals", "globals", "vars") for n in nodes
        )
        if declared or hidden or is_global and _may_leave(script, target.id):
            return None
        return [
            n
            for n in nodes
            if isinstance(n, ast.Name) and n.id == target.id and isinstance(n.ctx, ast.Load)
        ]
    if not isinstance(target, ast.Attribute):
        return None
    nodes = [node for module in script.modules for node in module.bindings.nodes]
    texts = {n.value for n in nodes if isinstance(n, ast.Constant)}
    if target.attr in texts:
        return None  # as in getattr(model, "rate")
    return [
        n
        for n in nodes
        if isinstance(n, ast.Attribute) and n.attr == target.attr and isinstance(n.ctx, ast.Load)
    ]


def _may_leave(script: Script, name: str) -> bool:
    """Return whether another module may use a name of a module."""
    return len(script.modules) > 1 and any(
        isinstance(node, ast.Attribute)
        and node.attr == name
        or isinstance(node, ast.alias)
        and node.name in (name, "*")
        for module in script.modules
        for node in module.bindings.nodes
    )


def _only_shows(use: ast.AST) -> bool:
    """Return whether a rate goes to a summary there, and nowhere else."""
    outer = use.parent
    return isinstance(outer, ast.Call) and callee(outer) in ("scalar", "scalar_summary", "print")


def _numbers(script: Script) -> str:
    """Return the rate of all optimizers if they are numbers, as code, or ""."""
    rates = {rate for train in script.trains for rate in train.rates}
    if not rates or any(number(rate) is None for rate in rates):
        return ""
    return " and ".join(sorted({f"`{text(rate)}`" for rate in rates}))


# A rate that is made to grow on purpose, or isn't a learning rate.
_ON_PURPOSE = re.compile(r"warm|find|range_test|grow|increas|beta|eps|kl|anneal|temp|momentum|ramp")


@rule("rate-grows")
def rate_grows(script: Script):
    """The numbers of a schedule that should decay make the rate larger."""
    for schedule in script.schedules:
        if _ON_PURPOSE.search(f"{schedule.name} {getattr(function_of(schedule.call), 'name', '')}"):
            continue
        if grows := _growth(script, schedule):
            yield schedule.call, f"`{schedule.name}` grows: {grows}"


def _growth(script: Script, schedule: Schedule) -> str:
    """Return why a schedule's rate grows, or ""."""
    call, kind = schedule.call, callee(schedule.call)
    factor = _value(script, argument(call, 3, "decay_rate"))
    if kind == "exponential_decay" and factor is not None and factor > 1:
        return f"every `decay_steps` steps multiply it by `decay_rate`, which is {factor:g}"
    if kind in ("natural_exp_decay", "inverse_time_decay") and factor is not None and factor < 0:
        return f"`decay_rate` is {factor:g}, below 0"
    if kind == "polynomial_decay":
        first = _value(script, argument(call, 0, "learning_rate"))
        last = argument(call, 3, "end_learning_rate")
        if last is None and first is not None and 0 < first < 0.0001:
            return f"it goes from {first:g} to `end_learning_rate`, which defaults to 0.0001"
    return ""


def _value(script: Script, node: ast.AST | None) -> float | None:
    """Return the only number that an expression can be, or None."""
    numbers = {number(value) for value in script.values(node)}
    return numbers.pop() if len(numbers) == 1 else None


@rule(
    "schedule-malformed",
    lesson="05_the_rate_reads_the_clock",
    title="A schedule's boundaries and values don't fit",
)
def schedule_malformed(script: Script):
    """`piecewise_constant` has too many or too few values, or boundaries in the wrong order."""
    for schedule in script.schedules:
        if not callee(schedule.call).startswith("piecewise_constant"):
            continue
        boundaries = _list(script, argument(schedule.call, 1, "boundaries"))
        values = _list(script, argument(schedule.call, 2, "values"))
        if boundaries is None:
            continue
        numbers = [number(each) for each in boundaries]
        if values is not None and len(values) != len(boundaries) + 1:
            yield (
                schedule.call,
                f"`{schedule.name}` has {len(boundaries)} boundaries and {len(values)} values; "
                f"it needs {len(boundaries) + 1} values, so it raises ValueError",
            )
        elif None not in numbers and numbers != sorted(numbers):
            shown = ", ".join(f"{each:g}" for each in numbers)
            yield (
                schedule.call,
                f"The boundaries of `{schedule.name}`, {shown}, aren't in increasing order, so "
                "some steps have no value, or two",
            )


def _list(script: Script, node: ast.AST | None) -> list[ast.AST] | None:
    """Return the items of the only list that an expression can be, or None."""
    values = script.values(node)
    found = [v.elts for v in values if isinstance(v, ast.List | ast.Tuple)]
    if len(values) != 1 or not found or any(isinstance(v, ast.Starred) for v in found[0]):
        return None
    # A list that grows by `append` isn't the one in the text.
    name = text(node)
    grown = [c for n in ("append", "extend", "insert") for c in script.by_name[n]]
    return None if any(text(c.func.value) == name for c in grown if _is_method(c)) else found[0]


def _is_method(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute)


@rule("decay-in-epochs")
def decay_in_epochs(script: Script):
    """`decay_steps` is a number of epochs, and the step counts batches."""
    for schedule in script.schedules:
        place = None if callee(schedule.call).startswith("piecewise") else 2
        length = argument(schedule.call, place, "decay_steps", "first_decay_steps")
        name = getattr(length, "attr", getattr(length, "id", ""))
        is_epochs = re.search("epoch", name.lower()) and not re.search(
            "step|batch|iter|per_epoch|size|total", name.lower()
        )
        if not is_epochs or any(isinstance(v, ast.BinOp) for v in script.values(length)):
            continue
        steps = script.steps(schedule.step)
        trains = [t for t in script.trains if t.step is not None and schedule.call in t.rates]
        same = [t for t in trains if steps and {*steps} & {*script.steps(t.step)}]
        if same and not _is_set(script, steps) and not _bounds_batches(script, length):
            yield (
                schedule.call,
                f"`decay_steps` of `{schedule.name}` is `{text(length)}`, a number of epochs, but "
                f"`{text(schedule.step)}` counts batches, so the rate decays far too fast",
            )


def _is_set(script: Script, steps: list[ast.AST]) -> bool:
    """Return whether the program also assigns to a step, perhaps once in an epoch."""
    assigned = [
        c for name in script.by_name if name.startswith("assign") for c in script.by_name[name]
    ]
    found = {s for c in assigned for node in script.changed_by(c) for s in script.sources(node)}
    return UNKNOWN in found or any(script.may_be_same(a, b) for a in found for b in steps)


def _bounds_batches(script: Script, length: ast.AST) -> bool:
    """Return whether a loop of so many turns trains one batch in each."""
    found = script.values(length) - {UNKNOWN}
    if any((number(v) or 0) >= 10_000 for v in found):
        return True
    for run in script.training_runs:
        around_it = loops(run)
        if len(around_it) == 1:
            over = getattr(around_it[0], "test", None) or around_it[0].iter
            names = [n for n in ast.walk(over) if isinstance(n, ast.Name | ast.Attribute)]
            if any(script.values(n) & found for n in names):
                return True
    return False
