"""The report: what was found and seen, as plain values, as text for a terminal, and as a page."""

import html
import math
import os
from pathlib import Path
from string import Template

from minitf.explain.findings import TITLES, findings, item, place, saved_by, scalars
from minitf.explain.graphs import held
from minitf.explain.record import rate_of
from minitf.explain.source import called

_BARS = "▁▂▃▄▅▆▇█"
_TAGS = {"cure": "code", "lesson": "small", "points": "svg", "program": "pre"}
_INDENT = {
    "h2": "\n",
    "h3": "\n  ",
    "p": "    ",
    "samp": "    ",
    "small": "    ",
    "code": "    cure: ",
    "svg": "    ",
}
_FOLDED = "<details><summary>Its program</summary><pre>{}</pre></details>"
_HEADINGS = {
    "findings": "Found in this run",
    "clocks": "Clocks",
    "train_ops": "Train ops",
    "rates": "Learning rates",
    "files": "Checkpoints",
    "summaries": "Summaries",
    "questions": "Questions: this may be as it should be",
    "in_text": "Only in the text of the script: not seen in a run",
}


def report(seen, script, ended, in_text):
    """Return everything that there is to say, in plain values: what `--json` writes."""
    found, questions = findings(seen)
    facts = {"script": os.path.basename(script), "ended": ended, "findings": found}
    facts |= {"training_runs": seen.record.trained, "clocks": [*map(_clock, seen.clocks)]}
    facts |= {"train_ops": [*map(_train, seen.trains)], "rates": [*_rates(seen)]}
    calls = [*seen.by_line("save"), *seen.by_line("restore")]
    facts["files"] = [_files(seen, line, at_line) for line, at_line in calls]
    facts["summaries"] = [_summaries(*calls) for calls in seen.by_line("add_summary")]
    return facts | {"questions": questions, "in_text": in_text}


def _clock(clock):
    first, last = (None if value is None else value.item() for value in (clock.first, clock.last))
    says = f"{clock.name} went from {first} to {last}: {', '.join(clock.found)}"
    updates = [(w, op) for w in clock.works for op in w.updates]
    adders = {
        place(op.source_line): w.times for w, op in updates if held(op.outputs[0]) is clock.variable
    }
    return item(says, clock.line, variable=clock.key, first=first, last=last, added_by=adders)


def _train(train):
    step, times = scalars(train.given["global_step"]), sum(work.times for work in train.works)
    name, changed = called(train.line) or train.result.name, []
    for work in train.works[:1]:
        changed = [variable.name for variable in work.changed]
    facts = {"optimizer": type(train.given["self"]).__name__, "runs": times, "changes": changed}
    facts["program"] = "".join(w.program.source for w in train.works[:1] if w.program)
    facts["step"] = step[0].name if step else None
    says = f"{name} ran {times} times and counts {facts['step'] or 'nothing'}"
    return item(says, train.line, **facts)


def _rates(seen):
    """Yield each rate that is known over the steps, or over the training runs."""
    curves = [(c.name, c.line, points, c.given.get("decay_steps")) for c, points in seen.curves]
    known = {call.result for call, _ in seen.curves}
    for train in seen.trains:
        if rate_of(train) not in known:
            name = f"the rate of {called(train.line)}"
            curves.append((name, train.line, seen.curve(rate_of(train)), None))
    for (line, name), points in seen.record.rates.items():
        curves.append((f"{name}, by runs,", line, [(n, float(v)) for n, v in points], None))
    for name, line, points, length in curves:
        points = [point for point in points if math.isfinite(point[1])]
        for (first, before), (last, after) in zip(points[:1], points[-1:], strict=True):
            way = "stays" if before == after else "falls" if after < before else "grows"
            says = f"{name} {way}: {before:.4g} at {first}, {after:.4g} at {last}"
            if isinstance(length, int | float):
                says += f"; decay_steps is {length}, and {last - first} steps were seen"
            yield item(says, line, way=way, points=points)


def _files(seen, line, calls):
    name, keys = calls[0].name, [clock.key for clock in seen.clocks]
    found = []
    for call in calls:
        variables = {variable.name for variable in saved_by(call)}
        inside = {k: v.item() for k, v in call.numbers.items() if k in keys and k in variables}
        path = os.path.basename(call.result or call.given["save_path"])
        found.append({"name": path, "steps": inside, "variables": sorted(variables)})
    shown = [f"{f['name']} with {f['steps'] or 'no step'}" for f in found[:1] + found[1:][-1:]]
    says = f"{calls[-1].count} × {name}: {', '.join(shown)}"
    return item(says, line, kind=name, checkpoints=found)


def _summaries(line, calls):
    first, last = (call.given["global_step"] for call in (calls[0], calls[-1]))
    count = calls[-1].count
    return item(f"{count} summaries, from step {first} to {last}", line, count=count)


def _parts(facts):
    """Yield the report's parts in order: an HTML tag, and the words, or a curve's points."""
    words = f"{facts['script']} {facts['ended']}, after {facts['training_runs']} training runs."
    yield "h1", words
    if not facts["findings"]:
        names = (row.split(" ")[0] for row in TITLES.strip().splitlines())
        yield "p", f"Nothing was found. It looked for {', '.join(names)}."
    for key, heading in _HEADINGS.items():
        if facts[key]:
            yield "h2", heading
        for said in facts[key]:
            yield "h3", said["says"]
            evidence = said.get("evidence", [])
            more = f"and {len(evidence) - 3} more like this"
            yield from (("p", words) for words in evidence[:3] + [more] * (len(evidence) > 3))
            yield from (("samp", f"{spot['line']}  {spot['text']}") for spot in said["lines"])
            for name, tag in _TAGS.items():
                if said.get(name):
                    yield tag, said[name]


def as_text(facts):
    """Return the report for a terminal."""
    written = []
    for tag, part in _parts(facts):
        if tag == "svg":
            values = [value for _, value in part]
            low, high = min(values), max(values)
            part = "".join(_BARS[int(7 * (v - low) / (high - low or 1))] for v in values[::4])
        written += [_INDENT.get(tag, "") + line for line in part.splitlines()]
    return "\n".join(written)


def as_page(facts):
    """Return the report as one HTML page. Everything that comes from the script is escaped."""
    written = []
    for tag, part in _parts(facts):
        body = _curve(part) if tag == "svg" else html.escape(part)
        written.append(_FOLDED.format(body) if tag == "pre" else f"<{tag}>{body}</{tag}>")
    template = Template(Path(__file__).with_name("page.html").read_text("utf-8"))
    return template.substitute(title=html.escape(facts["script"]), body="\n".join(written))


def _curve(points):
    """Return a curve as SVG, with the first and the last step."""
    steps, values = zip(*points, strict=True)
    wide, low = steps[-1] - steps[0] or 1, min(values)
    high = max(values) - low or 1
    places = (
        f"{300 * (x - steps[0]) / wide:.1f},{90 - 80 * (y - low) / high:.1f}" for x, y in points
    )
    ends = f'<text y="112">{steps[0]}</text><text x="300" y="112" class="end">{steps[-1]}</text>'
    box = 'viewBox="-8 0 316 116" role="img" aria-label="the rate over the steps"'
    return f'<svg {box}><polyline points="{" ".join(places)}"/>{ends}</svg>'
