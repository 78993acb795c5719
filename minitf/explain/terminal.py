"""The report as text for a terminal: findings first, then what the script did, a line for each."""

import os

import numpy as np

from minitf.explain.cure import Edit
from minitf.explain.report import shown_path

_BARS = "▁▂▃▄▅▆▇█"
_WIDTH = 24  # of a curve


def written(facts: dict) -> str:
    """Return the report's text."""
    parts = [_headline(facts)]
    parts += [_fault(fault) for fault in facts["findings"]]
    if facts["questions"]:
        parts.append("Questions (these may be intentional):")
        parts += [_fault(fault) for fault in facts["questions"]]
    parts.append(_looked(facts))
    if facts["in_text"]:
        parts.append(
            "\n".join(["From reading the script alone, without running it:", *facts["in_text"]])
        )
    parts.append(_did(facts))
    return "\n\n".join(part for part in parts if part)


def plural(count: int, word: str) -> str:
    """Return "1 finding" or "2 findings"."""
    return f"{count:,} {word}{'s' * (count != 1)}"


def times(count: int) -> str:
    """Return how often something happened."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def _headline(facts: dict) -> str:
    name, found = os.path.basename(facts["script"]), len(facts["findings"])
    count = f": {plural(found, 'finding')}" if found else ""
    return f"{name} {ended(facts)}{count}."


def ended(facts: dict) -> str:
    """Return how a script ended, and how much it trained."""
    return f"{facts['ended']} after {plural(facts['training_runs'], 'run')} of its train ops"


def _looked(facts: dict) -> str:
    """Return what was looked for, if nothing was found, and what couldn't be looked at."""
    if not facts["training_runs"]:
        return "Nothing was trained, so there's no run to report on."
    lines = []
    if not facts["findings"]:
        kinds = plural(len(facts["checked"]), "kind")
        found = "is sure of none" if facts["questions"] else "found none"
        lines = [f"Looked for {kinds} of faults and {found}."]
    if facts["not_seen"]:
        lines += ["Not covered:", *(f"  - {words}" for words in facts["not_seen"])]
    return "\n".join(lines)


# Findings.


def _fault(fault: dict) -> str:
    lines = [f"{fault['id']}: {fault['title']}"]
    files = {place["file"] for place in fault["places"]}
    for at, place in enumerate(fault["places"]):
        lines += _source(place, at == 0 or len(files) > 1, at == 0)
    lines.append(f"  {fault['says']}")
    lines += _cure(fault["cure"])
    for other in fault["follows"]:
        where = f" (line {other['places'][0]['line']})" if other["places"] else ""
        lines.append(f"  because of this, {other['id']}{where}: {other['says']}")
    lines.append(f"  see {fault['lesson']}")
    return "\n".join(lines)


def _source(place: dict, names_file: bool, marks: bool) -> list[str]:
    """Return a line of the script, below it carets, and above it where it is."""
    number, text = str(place["line"]), place["text"]
    lines = [f"  {number} | {text}"]
    if names_file:
        lines.insert(0, f"  {shown_path(place['file'])}:{number}:{place['column']}")
    indent = place["indent"]
    begin, end = place["column"] - indent, place["end"] - indent
    if marks and 0 < begin <= len(text):
        width = (end if begin <= end <= len(text) else len(text)) - begin + 1
        lines.append(f"  {' ' * len(number)} | {' ' * (begin - 1)}{'^' * width}")
    return lines


def _cure(cure: dict) -> list[str]:
    lines = []
    for edit in cure["edits"]:
        lines += [f"    {line}" for line in Edit(**edit).diff()]
    if cure["words"]:
        lines.append(f"  {'note' if lines else 'what to do'}: {cure['words']}")
    return lines


# What the script did.


def did(facts: dict) -> list[tuple[str, str]]:
    """Return what a script did: its steps, train ops, rates and files, each with a name."""
    rows = [_step(step) for step in facts["steps"]]
    rows += [_train(train) for train in facts["train_ops"]]
    rows += [_rate(rate) for rate in facts["rates"]]
    rows += [_files(files) for files in facts["files"]]
    return rows


def _did(facts: dict) -> str:
    rows = did(facts)
    if not rows:
        return ""
    width = min(20, max(len(name) for name, _ in rows))
    return "\n".join(["What it did", *(f"  {name:{width}}  {said}" for name, said in rows)])


def _lines(places: list[dict]) -> str:
    return ", ".join(f"line {place['line']} ({times(place['times'])})" for place in places)


def _step(step: dict) -> tuple[str, str]:
    first, last = step["first"], step["last"]
    if first is None:
        return step["name"], "wasn't used in training"
    said = f"went from {first} to {last}"
    if first == last:
        said = f"ended at {last}, where it began" if step["changed_by"] else f"stayed at {last}"
    return step["name"], f"{said}; changed by {_lines(step['changed_by']) or 'nothing'}"


def _train(train: dict) -> tuple[str, str]:
    counts = ", ".join(train["counts"]) or "nothing"
    said = f"ran {times(train['runs'])} and counts {counts}" if train["runs"] else "never ran"
    return train["name"], said


def _rate(rate: dict) -> tuple[str, str]:
    points = rate["points"]
    if not points:
        return rate["name"], "was never a finite number"
    (first, before), (last, after) = points[0], points[-1]
    if rate["way"] == "stays":
        return rate["name"], f"{after:.4g} throughout"
    said = (
        f"{rate['way']} from {before:.4g} to {after:.4g} over {rate['axis']} {first:g} to {last:g}"
    )
    if rate["decay_steps"]:
        said += f"; decay_steps is {rate['decay_steps']:g}"
    return rate["name"], f"{said}  {bars(points)}"


def bars(points) -> str:
    """Return a curve as a row of bars, one for each part of its length."""
    rates = np.array([rate for _, rate in points])
    if len(rates) < 2:
        return ""
    at = np.linspace(0, len(rates) - 1, min(_WIDTH, len(rates))).round().astype(int)
    heights = (rates[at] - rates.min()) / (np.ptp(rates) or 1)
    return "".join(_BARS[round(7 * height)] for height in heights)


def _files(files: dict) -> tuple[str, str]:
    names = {"save": "saved", "restore": "restored", "add_summary": "summaries"}
    said = files["first"]
    if files["times"] > 1:
        said = f"{times(files['times'])}, {files['first']} to {files['last']}"
    return names[files["what"]], said
