"""What a lesson must be like: each rule looks at a notebook and says, in words, what breaks it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from nbconvert import HTMLExporter
from nbformat import NotebookNode

from tests.lessons.notebooks import LESSONS, cells, read

# How many cells, words and headings of the second level a lesson has (least, most).
SIZE = {"cells": (20, 30), "words": (700, 1100), "H2": (4, 7)}
SIZES = {
    "00_start_here": {"cells": (15, 25), "words": (500, 1000), "H2": (4, 7)},
    # Ten small cases, each of five cells: symptom, program, diagnosis, check, solution.
    "15_bug_clinic": {"cells": (45, 70), "words": (1000, 1500), "H2": (4, 7)},
}

# What every lesson has, in this order.
PARTS = (
    "**Goals.**",
    "**You need**",
    "**Time**",
    "lab.Prediction(",
    ".compare(",
    "**TensorFlow prints the same.**",
    "lab.recorded(",
    "## Exercise",
    "lab.check_",
    "<summary>Hint</summary>",
    "<summary>Solution</summary>",
    "## Check yourself",
    "lab.quiz(",
    "**In short.**",
    "**New words**",
    "**Source.**",
    "**Next.**",
)

Rule = Callable[[str, NotebookNode], Iterator[str]]


def size(name: str, notebook: NotebookNode) -> Iterator[str]:
    """A lesson has one H1 on top, and neither too many nor too few cells, words and parts."""
    text = "\n".join(cell.source for cell in cells(notebook, "markdown"))
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    prose = re.sub(r"<[^>]*>|\]\([^)]*\)", " ", text)
    found = {
        "cells": len(notebook.cells),
        "words": len(re.findall(r"\w+(?:['’.-]\w+)*", prose)),
        "H2": len(re.findall(r"^## ", text, flags=re.MULTILINE)),
    }
    for what, (least, most) in SIZES.get(name, SIZE).items():
        if not least <= found[what] <= most:
            yield f"{found[what]} {what}, not {least} to {most}"
    titles = len(re.findall(r"^# ", text, flags=re.MULTILINE))
    if titles != 1 or not notebook.cells[0].source.startswith("# "):
        yield f"{titles} H1, not one on top"


def short_plain_cells(name: str, notebook: NotebookNode) -> Iterator[str]:
    """A code cell has at most ten lines of plain Python; nothing hides from nbval."""
    for cell in cells(notebook, "code"):
        lines = [line for line in cell.source.splitlines() if line.strip()]
        if len(lines) > 10:
            yield f"cell {cell.id}: {len(lines)} lines of code, more than 10"
        if any(line.rstrip().endswith(";") for line in lines):
            yield f"cell {cell.id}: a line ends with a semicolon, which nbval does not honour"
        for word in re.findall(r"\binteract\(|\bOutput\(|\bclear_output\b|NBVAL_\w+", cell.source):
            yield f"cell {cell.id}: {word} does not work under strict nbval"
        tags = [tag for tag in cell.metadata.get("tags", []) if tag.startswith("nbval-")]
        if tags:
            yield f"cell {cell.id}: {tags} hide the output from nbval"
        try:
            ast.parse(cell.source)
        except SyntaxError as error:
            yield f"cell {cell.id}: not plain Python: {error}"


def executed_in_order(name: str, notebook: NotebookNode) -> Iterator[str]:
    """Every code cell was run, once, from top to bottom."""
    counts = [cell.execution_count for cell in cells(notebook, "code")]
    if counts != list(range(1, len(counts) + 1)):
        yield f"execution counts are {counts}"
    if not any(cell.outputs for cell in cells(notebook, "code")):
        yield "no outputs are stored"


def outputs_belong(name: str, notebook: NotebookNode) -> Iterator[str]:
    """What is stored is the same everywhere, shows without a kernel, and has no stray error."""
    if "widgets" in notebook.metadata:
        yield "widget states are stored in the metadata"
    for cell in cells(notebook, "code"):
        for output in cell.outputs:
            may_raise = "raises-exception" in cell.metadata.get("tags", [])
            if output.output_type == "error" and not may_raise:
                yield f"cell {cell.id}: raises {output.ename} without the tag raises-exception"
            data = output.get("data", {})
            if "application/vnd.jupyter.widget-view+json" in data:
                yield f"cell {cell.id}: the id of a widget is stored"
            text = output.get("text", data.get("text/plain", ""))
            if re.match(r"\w+\((children|value|description|layout)=", text):
                yield f"cell {cell.id}: a widget without a picture and words of its own: {text}"
            text += "\n".join(output.get("traceback", []))
            for thing in re.findall(r"0x[0-9a-f]{6,}|(?:/home|/root|/tmp|/Users|C:\\)\S*", text):
                yield f"cell {cell.id}: {thing} differs from machine to machine"


def links_resolve(name: str, notebook: NotebookNode) -> Iterator[str]:
    """A link to a file, or to a heading here or in another lesson, leads there; so does "lesson 03"."""
    text = "\n".join(cell.source for cell in cells(notebook, "markdown"))
    links = re.findall(r"\[([^\]]*)\]\(([^)\s]+)", text)
    links += [("", link) for link in re.findall(r"(?:src|href)=\"([^\"]+)", text)]
    for words, link in links:
        file, _, anchor = link.partition("#")
        if re.match(r"\w+:", link):
            continue  # elsewhere in the world
        if file and not (LESSONS / file).exists():
            yield f"the link {link} leads to no file"
        elif anchor and anchor not in _anchors(read(LESSONS / file) if file else notebook):
            yield f"the link {link} leads to no heading"
        number = re.fullmatch(r"lesson (\d\d)", words)
        if number and not file.startswith(number[1]):
            yield f"the link of {words} leads to {file}"
    for number in re.findall(r"\b[Ll]essons? (\d\d)\b", text):
        if not list(LESSONS.glob(f"{number}_*.ipynb")):
            yield f"there is no lesson {number}"


def _anchors(notebook: NotebookNode) -> set[str]:
    text = "\n".join(cell.source for cell in cells(notebook, "markdown"))
    headings = re.findall(r"^#+ +(.*?) *$", text, flags=re.MULTILINE)
    return {heading.replace(" ", "-") for heading in headings}


def has_every_part(name: str, notebook: NotebookNode) -> Iterator[str]:
    """A lesson has the parts of every lesson, in their order."""
    text = "\n".join(cell.source for cell in notebook.cells)
    at = -1
    for part in PARTS:
        found = text.find(part, at + 1)
        if found < 0:
            yield f"{part!r} is missing, or not in its place"
        at = max(at, found)


def pictures_show_in_html(name: str, notebook: NotebookNode) -> Iterator[str]:
    """A page exported from the lesson shows every stored picture."""
    stored = [
        output for cell in cells(notebook, "code") for output in cell.outputs if "image/png" in output.get("data", {})
    ]
    html, _ = HTMLExporter().from_notebook_node(notebook)
    shown = len(re.findall(r"<img[^>]*src=\"data:image/png;base64,", html))
    if shown < len(stored):
        yield f"{shown} of {len(stored)} pictures show in HTML"


RULES: list[Rule] = [
    size,
    short_plain_cells,
    executed_in_order,
    outputs_belong,
    links_resolve,
    has_every_part,
    pictures_show_in_html,
]
