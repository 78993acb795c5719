"""What a lesson must be like: each rule looks at a notebook and says, in words, what breaks it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from nbconvert import HTMLExporter
from nbformat import NotebookNode

from tests.lessons.notebooks import LESSONS, cells, read

# What a lesson ends with, in this order; how it gets there, it decides itself.
PARTS = (
    "## Exercise",
    "lab.check_",
    "<summary>Hint</summary>",
    "<summary>Solution</summary>",
    "## Check yourself",
    "**In short.**",
    "**Next.**",
)
SCREEN = 20  # lines of code that a reader sees at once

Rule = Callable[[str, NotebookNode], Iterator[str]]


def one_title(name: str, notebook: NotebookNode) -> Iterator[str]:
    """A lesson has one H1, on top."""
    text = "\n".join(cell.source for cell in cells(notebook, "markdown"))
    titles = len(re.findall(r"^# ", re.sub(r"```.*?```", "", text, flags=re.DOTALL), flags=re.MULTILINE))
    if titles != 1 or not notebook.cells[0].source.startswith("# "):
        yield f"{titles} H1, not one on top"


def no_spoiler(name: str, notebook: NotebookNode) -> Iterator[str]:
    """What a check says is stored folded. (For predictions, test_questions.py sees to it.)"""
    for cell in cells(notebook, "code", "check"):
        if not cell.metadata.get("jupyter", {}).get("outputs_hidden"):
            yield f"cell {cell.id}: what the check says is not folded"


def short_plain_cells(name: str, notebook: NotebookNode) -> Iterator[str]:
    """A code cell is plain Python and fits a screen; nothing hides from nbval."""
    for cell in cells(notebook, "code"):
        lines = [line for line in cell.source.splitlines() if line.strip()]
        if len(lines) > SCREEN:
            yield f"cell {cell.id}: {len(lines)} lines of code, more than {SCREEN}"
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
    """A lesson ends with an exercise, a quiz, and what it all came to."""
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
    one_title,
    no_spoiler,
    short_plain_cells,
    executed_in_order,
    outputs_belong,
    links_resolve,
    has_every_part,
    pictures_show_in_html,
]
