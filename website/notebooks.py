"""Turn a notebook into a page: views draw themselves, folds stay folded, and exercises say how to run them."""

from __future__ import annotations

import ast
import base64
import json
import re
from html import escape
from pathlib import Path

from nbformat import NotebookNode, v4

import lab
from lab.page.view import OURS

COURSE = "global-step-course"
ROOMS = ("checks.", "controls.", "drawing.", "explorers.")  # of lab, where things are drawn, asked and checked
PLUMBING = {name for module, names in lab._MODULES.items() if module.startswith(ROOMS) for name in names.split()}
NOTEBOOKS = "## How these notebooks work\n"
PAGES = """
**On this page, no cell runs**, so there's nothing to install. Make your predictions, and *Compare* opens the result
below. Move the pictures, and answer the quizzes. To run the cells and solve the exercises,
[get the course on your computer](../install.md). What follows is about the notebooks there.
"""
UNPACK = f"python3 -m zipfile -e {COURSE}.zip . && cd {COURSE}"


class Page:
    """Changes one notebook into what a page can show."""

    def __init__(self, name: str, readme: str, pictures: Path):
        """Change the notebook `name`: README.md has the command that opens it, and its photographs go to `pictures`."""
        self.name, self.pictures = name, pictures
        [command] = re.findall(r"^python3 .*/jupyter lab .*$", readme, flags=re.MULTILINE)
        self.start = re.sub(r"\w+\.ipynb$", f"{name}.ipynb", command)

    def change(self, notebook: NotebookNode) -> None:
        """Add a lesson's number to its title, and change each cell that runs, draws or hides something."""
        if self.name[0].isdigit():
            notebook.cells[0].source = re.sub("^# ", f"# {self.name[:2]} ", notebook.cells[0].source)
        for cell in notebook.cells:
            if cell.cell_type != "code":
                cell.source = steering_links(cell.source.replace(NOTEBOOKS, NOTEBOOKS + PAGES))
                continue
            tags = cell.metadata.get("tags", [])
            folds = cell.metadata.get("jupyter", {})
            is_folded = folds.get("outputs_hidden") and "check" not in tags
            if (is_plumbing(cell.source) or folds.get("source_hidden")) and not is_folded:
                tags = cell.metadata.tags = [*tags, "hide-input"]
                cell.metadata.mystnb = {"code_prompt_show": "code", "code_prompt_hide": "code"}
            if "check" in tags:
                cell.outputs = [html(how_to_run(self.start))]
                continue
            shows_text = any("text/markdown" in output.get("data", {}) for output in cell.outputs)
            if shows_text or re.fullmatch(
                r"(import lab\s+)?lab\.(case|predict|predictions|quiz|Toy)\(.*\)", cell.source
            ):
                tags = cell.metadata.tags = [*tags, "remove-input"]  # the text or the question speaks for itself
            cell.outputs = [self.changed(output, f"{self.name}-{cell.id}") for output in cell.outputs]
            if is_folded and cell.outputs:
                cell.metadata.tags = [*tags, "hide-output"]

    def changed(self, output: NotebookNode, name: str) -> NotebookNode:
        """Return an output as HTML if it is a view, else as it is."""
        data = output.get("data", {})
        if OURS not in data:
            data.pop("text/html", None)  # the link to a file of the reader's, who has none here
            return output
        view, words = without_python(json.loads(data[OURS])), data["text/plain"]
        if "image/png" not in data:
            return html(host(view, f'<p class="lab-spoken">{escape(words)}</p>'))
        (self.pictures / f"{name}.png").write_bytes(base64.b64decode(data["image/png"]))
        size = output.metadata["image/png"]
        picture = (
            f'<img class="lab-photograph" src="../photographs/{name}.png" alt="{escape(size["alt"])}" '
            f'width="{size["width"]}" height="{size["height"]}" loading="lazy">'
        )
        return html(host(view, picture))


def steering_links(text: str) -> str:
    """Write the links that move a picture (steer.js) as HTML, since they lead to no heading."""

    def as_html(link: re.Match) -> str:
        return f'<a href="{escape(link[2])}">{link[1]}</a>'

    return re.sub(r"\[([^\[\]]+)\]\((#show:[^()\s]+)\)", as_html, text)


def is_plumbing(source: str) -> bool:
    """Return whether a cell only imports, and shows what `lab` draws or asks."""
    return all(
        isinstance(line, ast.Import | ast.ImportFrom)
        or isinstance(getattr(line, "value", None), ast.Name)
        or shows(line)
        for line in ast.parse(source).body
    )


def shows(line: ast.stmt) -> bool:
    """Return whether a statement calls one of the functions of `lab` that draw, ask or check."""
    call = getattr(line, "value", None)
    function = call.func if isinstance(call, ast.Call) else None
    return isinstance(function, ast.Attribute) and ast.unparse(function.value) == "lab" and function.attr in PLUMBING


def html(text: str) -> NotebookNode:
    """Return an output that shows this HTML."""
    return v4.new_output("display_data", {"text/html": text})


def host(view: dict, instead: str) -> str:
    """Return the element that a view is drawn in, with its data and what to show `instead` if nothing draws it."""
    data = json.dumps(view, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<div class="lab-host"><script type="application/json">{data}</script>{instead}</div>'


def without_python(view: dict) -> dict:
    """Return a view whose hints fit a page, where no cell runs."""
    for question in view.get("questions", []):
        if "after" in question:
            question["after"] = "Now press Compare, and the result opens below."
    if hint := view.get("hint"):
        view["hint"] = f"This button needs the course on your computer. There, {hint[0].lower()}{hint[1:]}"
    return view


def how_to_run(start: str) -> str:
    """Return what is shown instead of what a check said about the unsolved exercise."""
    return (
        '<details class="how-to-run"><summary>Run this exercise on your computer</summary>'
        f'<p>You need Python 3.11 or newer. <a href="../{COURSE}.zip" download>Download the course</a>, and unpack it '
        f"in the folder where you saved it:</p><pre>{escape(UNPACK)}</pre>"
        "<p>Then open this lesson in JupyterLab. (The first time, this also installs everything, which takes about a "
        f"minute and 700 MB.)</p><pre>{escape(start)}</pre>"
        "<p>Run the cells from the top, edit the exercise's cell, and run the check below it. (On Windows, the "
        'commands differ <a href="../install.html">a little</a>.)</p></details>'
    )
