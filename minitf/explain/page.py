"""The report as a web page: the script itself, with what each line did beside it.

Each finding is below its line, with the suggested change as a diff. The page is a single file that
loads nothing, and it escapes everything that comes from the script.
"""

import html
import os
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

from minitf.explain.cure import Edit, lines_of
from minitf.explain.terminal import did, ended, plural

_PAGE = Path(__file__).with_name("page.html")
_ROOT = Path(__file__).resolve().parents[2]
_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 640, 150, 64, 34  # of a curve, in pixels; its room for numbers


def written(facts: dict) -> str:
    """Return the page."""
    parts = [_summary(facts), *map(_curve, _curves(facts)), _did(facts)]
    parts += [_file(facts, path) for path in _files(facts)]
    title = html.escape(f"{os.path.basename(facts['script'])}: {_count(facts)}")
    return _PAGE.read_text("utf-8").replace("$title", title).replace("$body", "\n".join(parts))


def _tag(name: str, inside: str, **attributes) -> str:
    given = "".join(
        f' {key.strip("_").replace("_", "-")}="{html.escape(str(value))}"'
        for key, value in attributes.items()
    )
    return f"<{name}{given}>{inside}</{name}>"


def _count(facts: dict) -> str:
    found = len(facts["findings"])
    return plural(found, "finding") if found else f"none of {len(facts['checked'])} kinds of faults"


# The summary.


def _summary(facts: dict) -> str:
    name = html.escape(os.path.basename(facts["script"]))
    parts = [_tag("h1", name), _tag("p", f"It {ended(facts)}: {_count(facts)}.")]
    items = [_entry(fault, "found") for fault in facts["findings"]]
    items += [_entry(fault, "asked") for fault in facts["questions"]]
    parts.append(_tag("ul", "".join(items), _class="found") if items else "")
    unseen = "".join(_tag("li", html.escape(words)) for words in facts["not_seen"])
    if unseen:
        parts.append(_tag("p", "Not covered:") + _tag("ul", unseen))
    read = "".join(_tag("li", html.escape(line)) for line in facts["in_text"])
    if read:
        parts.append(
            _tag("p", "From reading the script alone, without running it:") + _tag("ul", read)
        )
    return _tag("header", "\n".join(parts))


def _entry(fault: dict, kind: str) -> str:
    title = html.escape(fault["title"]) + ("?" if kind == "asked" else "")
    where = fault["places"][0] if fault["places"] else None
    line = f" (line {where['line']})" if where else ""
    link = _tag("a", title, href=f"#{_id(fault)}") if where else title
    words = fault["says"] if where else f"{fault['says']} {fault['cure']['words']}"
    return _tag("li", f"{link}{line}: {html.escape(words)}", _class=kind)


def _id(fault: dict) -> str:
    """Return the name of a finding's place on the page."""
    return f"{fault['id']}-{fault['places'][0]['line']}"


# Curves.


def _curves(facts: dict) -> list[dict]:
    """Return the rates that move, each with the places along it where a finding happened."""
    moving = [rate for rate in facts["rates"] if rate["way"] != "stays" and len(rate["points"]) > 1]
    faults = [*facts["findings"], *facts["questions"]]
    return [rate | {"marks": _marks(rate, faults)} for rate in moving]


def _marks(rate: dict, faults: list[dict]) -> list[tuple[float, float, str]]:
    """Return where a rate jumps up, or else its end, if a finding is about its line."""
    about = [f["id"] for f in faults if rate["place"]["line"] in [p["line"] for p in f["places"]]]
    if not about:
        return []
    points = rate["points"]
    jumps = [after for before, after in pairwise(points) if after[1] > before[1]]
    return [(*point, about[0]) for point in jumps[:20] or points[-1:]]


def _curve(rate: dict) -> str:
    points = rate["points"]
    steps, values = zip(*points, strict=True)
    low, high = min(0.0, *values), max(values) or 1.0
    first, last = min(steps), max(steps)

    def at(step: float, value: float) -> tuple[float, float]:
        x = _LEFT + (step - first) / ((last - first) or 1) * (_WIDTH - _LEFT - 12)
        return x, 10 + (high - value) / ((high - low) or 1) * (_HEIGHT - _BOTTOM - 10)

    path = " ".join("{:.1f},{:.1f}".format(*at(*point)) for point in points)
    drawn = [_tag("polyline", "", points=path, _class="curve")]
    for value in (low, high):
        _, y = at(first, value)
        drawn.append(_tag("line", "", x1=_LEFT, x2=_WIDTH - 12, y1=y, y2=y, _class="axis"))
        drawn.append(_tag("text", f"{value:.4g}", x=_LEFT - 6, y=y + 4, _class="left"))
    base = _HEIGHT - _BOTTOM + 18
    drawn.append(_tag("text", f"{first:g}", x=_LEFT, y=base))
    drawn.append(_tag("text", f"{last:g}", x=_WIDTH - 12, y=base, _class="left"))
    axis = html.escape(rate["axis"])
    drawn.append(_tag("text", axis, x=(_LEFT + _WIDTH) / 2, y=base, _class="middle"))
    for step, value, id in rate["marks"]:
        x, y = at(step, value)
        drawn.append(_tag("circle", _tag("title", id), cx=x, cy=y, r=5, _class="mark"))
    words = f"{rate['name']} {rate['way']}, from {points[0][1]:.4g} to {points[-1][1]:.4g}"
    said = _tag("figcaption", f"{html.escape(words)} (line {rate['place']['line']})")
    box = f"0 0 {_WIDTH} {_HEIGHT}"
    picture = _tag("svg", "".join(drawn), viewBox=box, role="img", aria_label=words)
    return _tag("figure", said + picture)


def _did(facts: dict) -> str:
    """Return what the terminal's report says that the script did, as a table."""
    rows = [
        f"<tr><th>{html.escape(name)}</th><td>{html.escape(said)}</td></tr>"
        for name, said in did(facts)
    ]
    table = _tag("table", "".join(rows), _class="summary")
    return _tag("section", _tag("h2", "What it did") + table) if rows else ""


# The script.


def _files(facts: dict) -> list[str]:
    """Return the files that have something beside their lines, the script first."""
    places = [p for kind in ("runs", "steps", "rates", "train_ops", "files") for p in facts[kind]]
    names = [place.get("place", place)["file"] for place in places]
    names += [place["file"] for fault in _all(facts) for place in fault["places"]]
    return list(dict.fromkeys([facts["script"], *names]))


def _all(facts: dict) -> list[dict]:
    return [*facts["findings"], *facts["questions"]]


def _file(facts: dict, path: str) -> str:
    """Return a file as a table: the numbers of its lines, what they did, and their text."""
    notes, faults = _notes(facts, path), defaultdict(list)
    for fault in _all(facts):
        if fault["places"] and fault["places"][0]["file"] == path:
            faults[fault["places"][0]["line"]].append(fault)
    marked = {p["line"] for f in _all(facts) for p in f["places"] if p["file"] == path}
    rows = []
    for number, text in enumerate(lines_of(path), 1):
        cells = _tag("th", str(number), id=_anchor(facts, path, number))
        cells += _tag("td", "<br>".join(map(html.escape, notes[number])), _class="did")
        cells += _tag("td", _tag("code", html.escape(text) or " "))
        rows.append(_tag("tr", cells, **({"_class": "marked"} if number in marked else {})))
        rows += [_fault(fault) for fault in faults[number]]
    table = _tag("div", _tag("table", "".join(rows)), _class="script", tabindex="0")
    legend = "In blue: how often each line ran, or how its step or rate changed."
    return _tag(
        "section", _tag("h2", html.escape(os.path.basename(path))) + _tag("p", legend) + table
    )


def _anchor(facts: dict, path: str, number: int) -> str:
    return f"L{number}" if path == facts["script"] else f"{os.path.basename(path)}-L{number}"


def _notes(facts: dict, path: str) -> dict[int, list[str]]:
    """Return what is said beside each line of a file."""
    notes: dict[int, list[str]] = defaultdict(list)

    def note(place: dict, words: str) -> None:
        if place["file"] == path and words not in notes[place["line"]]:
            notes[place["line"]].append(words)

    for step in facts["steps"]:
        if step["first"] is not None:
            note(step["place"], f"{step['first']} → {step['last']}")
    made: Counter = Counter()  # by the lines, which may each make several train ops
    for train in facts["train_ops"]:
        made[train["place"]["line"]] += train["runs"] if train["place"]["file"] == path else 0
    for train in facts["train_ops"]:
        note(train["place"], f"{made[train['place']['line']]:,} ×")
    for rate in filter(lambda rate: rate["points"], facts["rates"]):
        first, last = rate["points"][0][1], rate["points"][-1][1]
        flat = rate["way"] == "stays"
        note(rate["place"], f"{last:.4g}" if flat else f"{first:.4g} → {last:.4g}")
    for one in [*facts["runs"], *facts["files"]]:
        note(one.get("place", one), f"{one['times']:,} ×")
    return notes


def _fault(fault: dict) -> str:
    """Return the rows below a line that mark it, and say what is wrong there."""
    place = fault["places"][0]
    begin, end = place["column"] - 1, place["end"] or place["indent"] + len(place["text"])
    carets = _tag("code", " " * begin + "^" * max(1, end - begin), aria_hidden="true")
    cells = [_tag("th", ""), _tag("td", "", _class="did"), _tag("td", carets)]
    parts = [_tag("h3", html.escape(f"{fault['title']} [{fault['id']}]"))]
    parts.append(_tag("p", html.escape(fault["says"])))
    parts += [_diff(edit) for edit in fault["cure"]["edits"]]
    if fault["cure"]["words"]:
        kind = "note" if fault["cure"]["edits"] else "cure"
        parts.append(_tag("p", html.escape(fault["cure"]["words"]), _class=kind))
    for other in fault["follows"]:
        where = f" (line {other['places'][0]['line']})" if other["places"] else ""
        words = f"Because of this, {other['id']}{where}: {other['says']}"
        parts.append(_tag("p", html.escape(words)))
    name = Path(fault["lesson"]).stem
    topic = name[3:].replace("_", " ")
    parts.append(_tag("p", _tag("a", f"Lesson {name[:2]}: {topic}", href=_lesson(name))))
    cell = _tag("td", "".join(parts), colspan=3)
    return _tag("tr", "".join(cells), _class="carets") + _tag(
        "tr", cell, _class="fault", id=_id(fault)
    )


def _diff(edit: dict) -> str:
    kinds = ["gone"] * len(edit["old"]) + ["come"] * len(edit["new"])
    lines = [
        _tag("span", html.escape(line), _class=kind)
        for line, kind in zip(Edit(**edit).diff(), kinds, strict=True)
    ]
    return _tag("pre", "\n".join(lines), _class="diff")


def _lesson(name: str) -> str:
    """Return the address of a lesson: on the site that was built here, or else its notebook."""
    page = _ROOT / "website" / "_build" / "html" / "lessons" / f"{name}.html"
    return (page if page.exists() else _ROOT / "lessons" / f"{name}.ipynb").as_uri()
