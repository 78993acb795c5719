"""Findings about what a script writes while it trains, and about graphs that grow."""

import ast
from collections import Counter
from itertools import pairwise

from minitf.explain.cure import Cure, cured, step_in_scope, with_step
from minitf.explain.finding import Fault, finding
from minitf.explain.source import calls_in, statement
from minitf.explain.uses import counted

_WATCHING = "12_watching"


@finding("python-counter", _WATCHING, "A Python counter stands in for the step")
def python_counter(script):
    """A loop counts the steps of summaries or checkpoints, and starts over in the next run."""
    has_step = any(step.works for step in script.steps)
    goes_on = bool(script.resumed())
    asked = set()
    for calls_of_line in script.by_line("add_summary", "save"):
        first, last = calls_of_line[0], calls_of_line[-1]
        counter = counted(first.line, first.name)
        if not counter or counter in asked or not (goes_on or _can_go_on(script, first)):
            continue
        asked.add(counter)
        said = f"The loop's {counter} went from {_given(first)} to {_given(last)} here, and will "
        said += "start over when you run the script again."
        cure, sure = _use_the_step(script, first), has_step or goes_on
        yield Fault(said, [first.line], cure, sure, about=[first.line])


def _steps(script) -> list:
    return [step for step in script.steps if step.works]


def _can_go_on(script, call) -> bool:
    """Return whether the script saves, and could go on from a checkpoint."""
    restores = calls_in(call.line.filename, "restore|MonitoredTrainingSession|Supervisor")
    return bool(script.calls("save") and restores)


def _given(call):
    return call.given.get("global_step")


@finding("summary-without-step", _WATCHING, "All summaries land on the same step")
def summary_without_step(script):
    """All summaries of a line are at step 0."""
    for calls_of_line in script.by_line("add_summary"):
        first, last = calls_of_line[0], calls_of_line[-1]
        given = {_given(call) for call in calls_of_line if not hasattr(_given(call), "dtype")}
        given |= {_given(c).item() for c in calls_of_line if hasattr(_given(c), "item")}
        stands_still = len(given) == 1 and any(step.moved for step in script.steps)
        if last.count > 2 and (_given(last) is None or stands_still):
            said = f"All {last.count} summaries are at step {_given(last) or 0}."
            yield Fault(said, [first.line], _use_the_step(script, first), about=_steps(script))


def _use_the_step(script, call) -> Cure:
    """Return a cure for a summary or a checkpoint that isn't given the step."""
    steps, node = _steps(script), statement(call.line)
    words = "Create a step, pass it to minimize, and use its value here."
    if not steps:
        return Cure((), words)
    code = step_in_scope(steps[0], node, call.line.filename)
    session = _session(call.line.filename)
    words = f"Use the value of {steps[0].name} here."
    if call.name == "add_summary":
        code = f"{session}.run({code})" if session and code else ""
    return cured(call.line.filename, with_step(node, call.name, code), otherwise=words)


def _session(filename: str) -> str:
    """Return what a script calls its session, if all its runs are of the same one; or ""."""
    names = {
        ast.unparse(c.func.value) for c in calls_in(filename, "run") if hasattr(c.func, "value")
    }
    return names.pop() if len(names) == 1 else ""


@finding("graph-grows", _WATCHING, "The graph grows during training")
def graph_grows(script):
    """A line makes ops between one training run and the next, again and again."""
    words = (
        "Build everything once, before the loop. Then call tf.get_default_graph().finalize(), "
        "and any line that still adds ops raises an error."
    )
    growth = Counter()
    for graph in script.graphs:
        turns = [t for t in script.turns if t.graph is graph and t.work.trains]
        turns, seen = [t for t in turns if t.work.calls] or turns, set()
        for one, other in pairwise(turns):
            seen.add(one.work)
            if other.work in seen or other.work.times == 1:  # and not a model that comes later
                made = graph.get_operations()[one.size : other.size]
                growth.update({op.source_line for op in made})
    if "Graph is finalized" in script.error and script.error_line:
        yield Fault(script.error, [script.error_line], Cure((), words))
    often = [(line, times) for line, times in growth.most_common() if times > 2]
    if often:
        said = f"{len(often)} lines" if len(often) > 1 else "This line"
        said += f" created ops {often[0][1]} times between training runs."
        yield Fault(said, [line for line, _ in often[:4]], Cure((), words))
