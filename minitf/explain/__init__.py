"""`python -m minitf --explain script.py` runs a script, and reports what became of its global step.

Given a stored graph, such as model.ckpt-1000.meta, it prints its train ops as NumPy programs.
`import minitf` loads none of this.

A report is made of plain values, which `--json` writes: lists of what the script has and does, with
words, lines of the script and more for each. The terminal's text and the page are made from these.
"""

import html
import itertools
import json
import os
import re
import sys
import traceback
from collections import Counter
from pathlib import Path

import numpy as np

from minitf import training
from minitf.client.dependencies import computed_from, held_by
from minitf.client.session import program
from minitf.explain import findings  # they enter themselves into FINDINGS
from minitf.explain.finding import FINDINGS, all_findings, item
from minitf.explain.record import SCHEDULES, Stopped, is_counter, recording
from minitf.explain.script_run import ScriptRun
from minitf.explain.source import called, named, shown
from minitf.framework.graph import Graph, GraphKeys

_ENDS = {"Stopped": "was stopped", "KeyboardInterrupt": "was interrupted"}
_HEADINGS = {
    "findings": "Found in this run",
    "clocks": "Clocks",
    "train_ops": "Train ops",
    "rates": "Learning rates",
    "files": "Checkpoints and summaries",
    "questions": "Questions: these may be intended",
    "in_text": "From the script's text alone: not seen in a run",
}
# Each part of a report: what precedes its lines in the text, and what surrounds it in the page.
_FORMS = {
    "title": ("", "<h1>{}</h1>"),
    "checked": ("", "<p>{}</p>"),
    "heading": ("\n", "<h2>{}</h2>"),
    "says": ("\n  ", "<h3>{}</h3>"),
    "evidence": ("    ", "<p>{}</p>"),
    "lines": ("    ", "<samp>{}</samp>"),
    "cure": ("    cure: ", "<code>{}</code>"),
    "lesson": ("    ", "<small>{}</small>"),
    "points": (
        "    ",
        '<svg viewBox="0 0 59 1" preserveAspectRatio="none"><polyline points="{}"/></svg>',
    ),
    "program": ("    ", "<details><summary>Its program</summary><pre>{}</pre></details>"),
}
_BARS = "▁▂▃▄▅▆▇█"


def explain(options, run):
    """Run a script by calling `run`, report on it, and return its exit code."""
    path = os.path.abspath(options.script)
    if path.endswith(".meta"):
        return _show_graph(path)
    sys.last_value = end = code = None
    try:
        with recording(options.steps) as record:
            code = run()
    except BaseException as error:
        end = error
    try:
        if code != 2:  # the script could be opened
            _write(options, report(record, path, sys.last_value or end))
    except Exception as error:  # the script's own end matters more
        if isinstance(error, OSError):
            print(f"python -m minitf: can't write the report: {error}", file=sys.stderr)
        else:
            traceback.print_exc()
        code = code or 2
        if isinstance(end, SystemExit) and not end.code:
            end = None
    if end and not isinstance(end, Stopped):
        raise end
    return code or 0


def _show_graph(path):
    """Print the programs of a stored graph's train ops, and return an exit code."""
    with Graph().as_default() as graph:
        try:
            training.import_meta_graph(path)
        except Exception as error:  # a file can be damaged in many ways
            print(f"{path}: {error}", file=sys.stderr)
            return 1
        trains = graph.get_collection(GraphKeys.TRAIN_OP)
        for op in trains:
            print(f"# {op.name}")
            program(op)
    print(f"# {len(trains)} train ops in {path}", file=sys.stderr)
    return 0


def _write(options, facts):
    """Write the report to stderr and to the files that were asked for."""
    print(_written(facts), file=sys.stderr)
    if options.html:
        page, body = Path(__file__).with_name("page.html").read_text("utf-8"), _written(facts, True)
        Path(options.html).write_text(
            page.replace("$title", html.escape(facts["says"])).replace("$body", body), "utf-8"
        )
    if options.json:
        Path(options.json).write_text(json.dumps(facts, indent=1), "utf-8")


def report(record, path, end):
    """Return everything there is to say about a script, as plain values."""
    kind = type(end).__name__
    ended = _ENDS.get(kind, f"failed with {kind}" if isinstance(end, Exception) else "ended")
    script = ScriptRun(record, end, ended == "ended")
    found, questions = all_findings(script)
    runs = f"{record.trained} training run{'s' * (record.trained != 1)}"
    where = "" if script.whole else " in what ran"
    checked = f"No faults were found{where}. Checked for {', '.join(FINDINGS)}."
    if questions:
        checked = "No faults were found, but there are questions at the end."
    if not record.trained:
        checked = "Nothing was trained, so no run could be checked."
    return {
        "says": f"{os.path.basename(path)} {ended} after {runs}.",
        "checked": "" if found else checked,
        "findings": found,
        "clocks": [*map(_step, script.steps)],
        "train_ops": [*map(_train, script.trains)],
        "rates": [_rate(*rate) for rate in script.rates.values()],
        "files": [*map(_file, script.by_line("save", "restore", "add_summary"))],
        "questions": questions,
        "in_text": [] if record.trained else [item(*words) for words in shown(path)],
    }


def _step(step):
    says = f"{step.name} stayed at {step.last}"
    if step.first != step.last:
        says = f"{step.name} went from {step.first} to {step.last}"
    elif step.last is None:
        says = f"{step.name} was in no training run"
    adders, found = Counter(), f"Found by {', '.join(step.found_by)}."
    for work in step.works:
        for op in work.updates:
            if held_by(op.outputs[0]) is step.variable:
                adders[str(op.source_line).partition(": ")[0]] += work.times
    for line, times in adders.items():
        found += f" {line} changed it {times} times."
    lines = filter(None, step.found_by.values())
    facts = {"variable": step.key, "first": step.first, "last": step.last, "added_by": adders}
    return item(says, step.line, *lines, evidence=found, **facts)


def _train(train):
    step = [named(op) for op in computed_from(train.step) if is_counter(op)]
    name, counts = called(train.line) or train.result.name, ", ".join(step) or "nothing"
    facts = {"step": step, "runs": train.times}
    for work in train.works[:1]:
        facts |= {"changes": [v.name for v in work.changed], "program": str(work.program)}
    return item(f"{name} ran {train.times} times and counts {counts}", train.line, **facts)


def _rate(call, points):
    (first, before), (last, after) = points[0], points[-1]
    way = "stays the same" if before == after else "falls" if after < before else "grows"
    name, length = called(call.line) or call.name, call.given.get("decay_steps")
    name = name if call.name in SCHEDULES else f"the rate of {name}"
    says = f"{name} {way}: {before:.4g} at step {first}, {after:.4g} at step {last}"
    if before == after:
        says = f"{name} stays at {before:.4g}"
    says += f"; decay_steps is {length}" if isinstance(length, int | float) else ""
    return item(says, call.line, way=way, points=points)


def _file(calls):
    name, ends = calls[0].name, dict.fromkeys([*map(_stored, calls)])
    says = f"{calls[-1].count} × {name}: {' to '.join([*ends][:: len(ends) - 1 or 1])}"
    names = sorted(variable.name for variable in calls[-1].saved)
    held = f"Variables: {', '.join(names)}." if names else ""
    return item(says, calls[0].line, stored=[*ends], evidence=held)


def _stored(call):
    if call.name == "add_summary":
        return f"step {call.step}"
    steps = [f", {op.name} {call.numbers[op.name]}" for op in call.saved if is_counter(op)]
    return f"{call.file} ({len(call.saved)} variables{''.join(sorted(steps))})"


def _parts(facts):
    """Yield the parts of a report in order: names in _FORMS, and words or a curve's points."""
    yield "title", facts["says"]
    yield "checked", facts["checked"]
    for key, heading in _HEADINGS.items():
        if facts[key]:
            yield "heading", heading
        for said, name in itertools.product(facts[key], _FORMS):
            value = said.get(name, [])
            yield from ((name, part) for part in (value if name == "lines" else [value]) if part)


def _written(facts, page=False):
    """Return the report as text for a terminal or, with everything escaped, as part of a page."""
    written = []
    for name, part in _parts(facts):
        if name == "program" and not page:
            continue  # a page folds it
        if name == "points":
            steps, rates = np.transpose(part)
            curve = np.interp(np.linspace(steps[0], steps[-1], 60), steps, rates)
            curve = (curve - curve.min()) / (np.ptp(curve) or 1)
            bars = "".join(_BARS[round(7 * height)] for height in curve)
            part = " ".join(f"{x},{1 - y:.3f}" for x, y in enumerate(curve)) if page else bars
        before, around = _FORMS[name]
        lines = [around.format(html.escape(part))] if page else part.splitlines()
        written += lines if page else [before + line for line in lines]
    return "\n".join(written)
