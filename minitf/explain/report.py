"""The report: what was found and seen, as plain values, as text for a terminal, and as a page."""

import html
import os
from collections.abc import Iterator
from pathlib import Path
from string import Template
from typing import Any

from minitf.explain.findings import TITLES, Seen, findings, name_of, place, saved_by, scalars
from minitf.explain.record import rate_of
from minitf.explain.source import called

_BARS = "▁▂▃▄▅▆▇█"
_EMPTY = "Nothing was found. Each of these was looked for: "
_HEADINGS = {
    "findings": "What was found",
    "clocks": "Clocks",
    "train_ops": "Train ops",
    "rates": "Learning rates",
    "files": "Checkpoints",
    "summaries": "Summaries",
    "questions": "Questions: this may be fine, but have a look",
    "in_text": "In the script's text (not seen in a run)",
}


def report(seen: Seen, script: str, ended: str, in_text: list[dict]) -> dict[str, Any]:
    """Return everything that there is to say, in plain values."""
    found, questions = findings(seen)
    facts = {"script": os.path.basename(script), "ended": ended, "findings": found}
    facts |= {"training_runs": seen.record.trained, "clocks": [*map(_clock, seen.clocks)]}
    facts |= {"train_ops": [_train(seen, train) for train in seen.trains], "rates": [*_rates(seen)]}
    facts["files"] = [_file(seen, call) for call in seen.calls("save", "restore")]
    facts["summaries"] = [*_summaries(seen)]
    return facts | {"questions": questions, "in_text": in_text}


def _clock(clock) -> dict[str, Any]:
    says = f"{clock.name} went from {clock.first} to {clock.last} ({'; '.join(clock.found)})"
    first, last = (value if value is None else value.item() for value in (clock.first, clock.last))
    return {"says": says, "line": place(clock.line), "name": clock.key, "first": first, "last": last}


def _train(seen: Seen, train) -> dict[str, Any]:
    runs, step = seen.runs(train), scalars(train.given["global_step"])
    clocks = [clock.name for clock in seen.clocks if clock.variable in step]
    times = sum(work.times for work in runs)
    updates = [variable.name for work in runs[:1] for variable in work.changed]
    says = f"{called(train.line) or train.result.name} ({type(train.given['self']).__name__}) "
    says += f"counts {clocks[0] if clocks else 'nothing'}, ran {times} times and changes "
    facts = {"says": says + (", ".join(updates) or "nothing"), "line": place(train.line)}
    facts |= {"step": step[0].name if step else None, "runs": times, "updates": updates}
    return facts | {"program": "".join(w.program.source for w in runs[:1] if w.program)}


def _rates(seen: Seen) -> Iterator[dict[str, Any]]:
    for call, points in seen.curves:
        length = call.given.get("decay_steps")
        more = f", decay_steps {length}" if isinstance(length, int | float) else ""
        yield _rate(call.name, call.line, points, more)
    scheduled = {call.result for call, _ in seen.curves}
    for train in seen.trains:
        rate = rate_of(train)
        if rate is not None and rate not in scheduled:
            yield _rate(f"the rate of {called(train.line)}", train.line, seen.curve(rate))
    for (line, name), points in seen.record.rates.items():
        yield _rate(name, line, [(run, float(value)) for run, value in points])


def _rate(name: str, line, points: list, more: str = "") -> dict[str, Any]:
    (first, before), (last, after) = (points or [(0, 0.0)])[0], (points or [(0, 0.0)])[-1]
    way = "stays" if before == after else "falls" if after < before else "grows"
    says = f"{name} {way}: {before:.4g} at {first}, {after:.4g} at {last}{more}"
    says = says if points else f"{name}: its values aren't known{more}"
    return {"says": says, "line": place(line), "name": name, "points": points}


def _file(seen: Seen, call) -> dict[str, Any]:
    path = name_of(call.result or call.given["save_path"])
    inside = call.inside if call.name == "restore" else call.numbers
    names = sorted(variable.name for variable in saved_by(call))
    steps = {c.key: inside[c.key].item() for c in seen.clocks if c.key in inside and c.key in names}
    says = f"{path}, {call.name}d: step inside: {steps or 'none'}; {len(names)} variables"
    return {"says": says, "line": place(call.line), "steps": steps, "variables": names}


def _summaries(seen: Seen) -> Iterator[dict[str, Any]]:
    for line in dict.fromkeys(call.line for call in seen.calls("add_summary")):
        calls = [call for call in seen.calls("add_summary") if call.line == line]
        first, last = (call.given["global_step"] for call in (calls[0], calls[-1]))
        times = seen.record.counts["add_summary", line]
        says = f"{times} summaries, from step {first} to {last}"
        yield {"says": says, "line": place(line), "times": times}


def as_text(facts: dict[str, Any]) -> str:
    """Return the report for a terminal."""
    lines = [f"{facts['script']} {facts['ended']}, after {facts['training_runs']} training runs."]
    lines += [] if facts["findings"] else [_EMPTY + ", ".join(TITLES.split()[::1])]
    for key, heading in _HEADINGS.items():
        lines += ["", f"{heading}:"] if facts[key] else []
        for item in facts[key]:
            lines.append(f"  {item['says']} ({item['line']})")
            lines += [f"    {line}" for line in _details(item)]
            lines += [f"    {_bars(item['points'])}"] if item.get("points") else []
            lines += [f"    | {line}" for line in item.get("program", "").splitlines()]
    return "\n".join(lines)


def _details(item: dict[str, Any]) -> list[str]:
    """Return the lines that a finding has."""
    found = list(item.get("evidence", []))
    found += [f"{line['line']}: {line['text']}" for line in item.get("lines", [])]
    return found + [f"{key}: {item[key]}" for key in ("cure", "lesson") if item.get(key)]


def _bars(points: list) -> str:
    """Return a curve as a line of characters."""
    values = [value for _, value in points[:: len(points) // 40 + 1]]
    low, high = min(values), max(values)
    scaled = (int(7 * (value - low) / (high - low or 1)) for value in values)
    return "".join(_BARS[bar] for bar in scaled)
