"""A report as plain values, which `--json` writes: findings, steps, train ops, rates and files.

The terminal's text (terminal.py) and the page (page.py) are made from these.
"""

import ast
import linecache
import math
import os
import re
from collections import Counter
from itertools import pairwise

import numpy as np

from minitf.client.dependencies import computed_from
from minitf.explain.cure import Cure
from minitf.explain.finding import Fault
from minitf.explain.record import clocks_of, is_counter
from minitf.explain.script_run import ScriptRun
from minitf.explain.source import assigned, is_scripts, named, statement
from minitf.framework.operation import SourceLine
from minitf.syntax import callee

# The calls that a caret points at, if a statement has one of them.
_MARKED = (
    r"minimize|apply_gradients|\w+_decay\w*|piecewise_constant|\w*Variable|get_variable|\w*global_step"
    r"|Saver|save|restore|add_summary|apply|assign\w*|run"
)


def report(script: ScriptRun, path: str, ended: str, faults, questions) -> dict:
    """Return everything there is to say about a script."""
    runs = script.record.trained
    return {
        "script": path,
        "ended": ended,
        "error": script.error,
        "training_runs": runs,
        "findings": [_fault(fault) for fault in faults],
        "questions": [_fault(fault) for fault in questions],
        "checked": sorted(script.chosen),
        "not_seen": list(dict.fromkeys(_not_seen(script))),
        "steps": [_step(step) for step in script.steps],
        "train_ops": [_train(train) for train in script.trains],
        "rates": [_rate(rate) for rate in script.rates],
        "files": [_files(calls) for calls in script.by_line("save", "restore", "add_summary")],
        "runs": _runs(script),
        "in_text": [],
    }


def _not_seen(script: ScriptRun):
    """Yield the things that this run couldn't show."""
    record = script.record
    for error in record.problems:
        yield f"part of this run, because of an error in minitf: {error!r}"
    if not record.trained:
        yield "training, because there wasn't any"
        return
    if not script.steps:
        yield "the step, because this script has none"
    if not script.whole:
        yield "the rest of the script, because it didn't run to the end"
    if script.calls("save") and not script.resumed():
        yield "resuming from a checkpoint: to see that, run it again in the same folder"
    unused = [train for train in script.trains if not train.times]
    for train in unused:
        yield f"{assigned(train.line) or train.op.name}, which never ran"


# Faults.


def _fault(fault: Fault) -> dict:
    return {
        "id": fault.kind.id,
        "title": fault.kind.title,
        "says": fault.evidence,
        "lesson": f"lessons/{fault.kind.lesson}.ipynb",
        "places": [place(line) for line in fault.lines],
        "cure": _cure(fault.cure),
        "follows": [_fault(other) | {"cure": _cure(Cure())} for other in fault.follows],
    }


def _cure(cure: Cure) -> dict:
    return {"words": cure.words, "edits": [edit._asdict() for edit in cure.edits]}


def place(line: SourceLine) -> dict:
    """Return where a line is: its file, its number, its text, and the columns to mark in it."""
    whole = linecache.getline(line.filename, line.lineno).rstrip()
    begin, end = _marked(line)
    return {
        "file": line.filename,
        "line": line.lineno,
        "column": begin,
        "end": end,
        "text": whole.strip(),
        "indent": len(whole) - len(whole.lstrip()),
    }


def _marked(line: SourceLine) -> tuple[int, int]:
    """Return the first and the last column, from 1 on, of the call that a line is about.

    The last one is 0 if the call ends on another line.
    """
    found = statement(line)
    if found is None:
        return 1, 1
    begin, end = _span(found)
    for node in ast.walk(found):
        if isinstance(node, ast.Call) and re.fullmatch(_MARKED, callee(node)):
            owner = getattr(node.func, "value", None)  # of a method
            first = (owner.end_lineno, owner.end_col_offset + 1) if owner else _span(node)[0]
            if first[0] == line.lineno:
                begin, end = first, _span(node)[1]
                break
    last = _column(line, end[1]) - 1 if end[0] == line.lineno else 0
    return _column(line, begin[1]), last


def _span(node) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _column(line: SourceLine, offset: int) -> int:
    """Return the column, from 1 on, of a place in a line before which there are so many bytes."""
    before = linecache.getline(line.filename, line.lineno).encode()[:offset]
    return len(before.decode("utf-8", "ignore")) + 1


# What the script did.


def _plain(number):
    """Return a number as JSON can have it: NaN and the infinities as text."""
    number = number.item() if isinstance(number, np.generic) else number
    return str(number) if isinstance(number, float) and not math.isfinite(number) else number


def _step(step) -> dict:
    adders: Counter = Counter()
    for work in step.works:
        for op in step.updates(work):
            adders[op.source_line] += work.times
    return {
        "name": step.name,
        "variable": step.key,
        "first": _plain(step.first),
        "last": _plain(step.last),
        "found_by": [*step.found_by],
        "place": place(step.line),
        "changed_by": [
            {**place(line), "times": times} for line, times in adders.items() if is_scripts(line)
        ],
    }


def _train(train) -> dict:
    return {
        "name": assigned(train.line) or train.op.name,
        "counts": [named(op) for op in clocks_of(train.call)],
        "runs": train.times,
        "changes": [variable.name for work in train.works[:1] for variable in work.changed],
        "place": place(train.line),
        "program": str(train.works[0].program) if train.works else "",
    }


def _rate(rate) -> dict:
    name = assigned(rate.call.line)
    points = [p for p in rate.points if math.isfinite(p.step + p.rate)]
    goes_back = any(after.step < before.step for before, after in pairwise(points))
    return {
        "name": (name or rate.call.name)
        if rate.is_schedule
        else f"the rate of {name or 'a train op'}",
        "schedule": rate.call.name if rate.is_schedule else "",
        "axis": "training runs" if goes_back else _axis(rate),
        "way": _way(rate),
        "decay_steps": rate.number("decay_steps"),
        "points": [[p.run if goes_back else p.step, p.rate] for p in points],
        "place": place(rate.call.line),
    }


def _axis(rate) -> str:
    """Return what the points of a rate are counted by."""
    steps = [op for op in computed_from(rate.call.step) if is_counter(op)]
    if steps:
        return named(steps[0])
    return "fed step" if rate.is_schedule else "training runs"


def _way(rate) -> str:
    """Return in a word what a rate does from beginning to end."""
    if rate.is_flat:
        return "stays"
    rates = np.array([point.rate for point in rate.points])
    rises, falls = (np.diff(rates) > 0).any(), (np.diff(rates) < 0).any()
    if rises and falls:
        return "rises and falls"
    return "grows" if rises else "falls"


def _files(calls) -> dict:
    first, last = calls[0], calls[-1]
    return {
        "what": first.name,
        "times": last.count,
        "first": _stored(first),
        "last": _stored(last),
        "variables": sorted(variable.name for variable in last.saved),
        "place": place(first.line),
    }


def _stored(call) -> str:
    """Return what one call stored or restored: a file and the steps in it, or a summary's step."""
    if call.name == "add_summary":
        step = _plain(call.given.get("global_step"))
        return "without a step" if step is None else f"step {step}"
    steps = [f"{op.name} {call.numbers.get(op.name)}" for op in call.saved if is_counter(op)]
    return f"{call.file} ({', '.join(sorted(steps)) or 'no step'})"


def _runs(script: ScriptRun) -> list[dict]:
    """Return how often each line of the script ran something that changes variables."""
    times: Counter = Counter()
    for work in script.works:
        for one in work.places:
            times[one.line] += one.times
    return [{**place(line), "times": count} for line, count in times.items() if is_scripts(line)]


def shown_path(path: str) -> str:
    """Return a path as a reader of the current folder would write it."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return path
    return path if relative.startswith("..") else relative
