"""Copy the course to where Sphinx reads it, with what a page without Python needs.

The copy has the same files in the same folders, so links stay what they are. Only this differs: README.md becomes the
first page, with lesson 00's map; a notebook's views become HTML that `static/site.js` draws; what a lesson keeps folded
stays folded; and below an exercise are the commands that get it running.
"""

from __future__ import annotations

import base64
import json
import math
import re
import shutil
import sys
from html import escape
from pathlib import Path

import nbformat
from nbformat import NotebookNode, v4

ROOT = Path(__file__).resolve().parents[1]
LESSONS = ROOT / "lessons"
sys.path.insert(0, str(LESSONS))

from lab.controls.controls import values  # noqa: E402
from lab.page.view import OURS, kit, style  # noqa: E402
from website.names import index  # noqa: E402
from website.terms import glossary  # noqa: E402

LEFT_OUT = shutil.ignore_patterns("*.ipynb", "__pycache__", "lab", ".*")
HERE = (
    "You can read the whole course on this site: [start here](lessons/00_start_here.ipynb). To run its code, change it "
    "and solve the exercises, get it on your computer:"
)
CLONE = "git clone {} course && cd course"


def stage(folder: Path, repository: str | None = None) -> None:
    """Fill `folder` with the course as Sphinx reads it; `repository` is the address to clone."""
    for name in ("lessons", "minitf"):
        shutil.copytree(ROOT / name, folder / name, ignore=LEFT_OUT)
    for name in ("CONTRIBUTING.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    inside = folder / "minitf" / "README.md"
    inside.write_text(inside.read_text(encoding="utf-8").replace("(../README.md)", "(../index.md)"), encoding="utf-8")
    pictures = folder / "extra" / "photographs"  # views as they were stored, for paper and for browsers without scripts
    pictures.mkdir(parents=True)
    for path in sorted(LESSONS.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        commands = [CLONE.format(repository or "<the course's address>"), start_command(readme, path.name)]
        Page(path.stem, commands, pictures).change(notebook)
        nbformat.write(notebook, folder / "lessons" / path.name)
    (folder / "index.md").write_text(first_page(readme), encoding="utf-8")
    (folder / "minitf" / "names.md").write_text(index(), encoding="utf-8")
    static = folder / "static"
    static.mkdir()
    # A classic script, because a browser loads no module from disk. (`void`: what is exported to notebooks is unused.)
    script = kit().replace("export default", "void", 1)
    (static / "kit.js").write_text(f'"use strict";\n(() => {{\n{script}\nwindow.drawView = mount;\n}})();\n', "utf-8")
    (static / "kit.css").write_text(style(), encoding="utf-8")
    (static / "terms.js").write_text(f"window.courseTerms = {json.dumps(glossary())};\n", encoding="utf-8")


def start_command(readme: str, name: str) -> str:
    """Return README's command that opens the lessons, for the lesson in the file `name`."""
    [command] = re.findall(r"^python3 .*/jupyter lab .*$", readme, flags=re.MULTILINE)
    return re.sub(r"[^/]+\.ipynb$", name, command)


# The first page.


def the_map() -> str:
    """Return lesson 00's tables of the lessons, with the links that a page beside README.md needs."""
    notebook = nbformat.read(LESSONS / "00_start_here.ipynb", as_version=4)
    [text] = [cell.source for cell in notebook.cells if "\n## The lessons\n" in cell.source]
    tables = re.search(r"\n## The lessons\n(.*\|\n)", text, flags=re.DOTALL)[1]
    # Lesson 00 doesn't link to itself.
    tables = re.sub(r"^(\| (\d\d) \|) ([^|\[]+?) \|", r"\1 [\3](\2) |", tables, flags=re.MULTILINE)
    return re.sub(r"\]\((\d\d)[^)]*\)", lambda found: f"](lessons/{lesson(found[1]).name})", tables)


def lesson(number: str) -> Path:
    """Return the file of the lesson with this number."""
    [path] = LESSONS.glob(f"{number}_*.ipynb")
    return path


def first_page(readme: str) -> str:
    """Return README.md with lesson 00's map instead of its own table, and the order of all pages."""
    table = r"(?<=\n## The lessons\n)\n(?:\|.*\n)+"
    assert re.search(table, readme), "README.md has no table of the lessons"
    tables = the_map()
    groups = []
    for title, rows in re.findall(r"^\*\*(.*)\*\*\n\n((?:\|.*\n)+)", tables, flags=re.MULTILINE):
        groups.append((title, re.findall(r"\[(.*?)\]\((lessons/(\d\d).*?)\.ipynb\)", rows)))
    order = [contents(title, [f"{number} {name} <{file}>" for name, file, number in rows]) for title, rows in groups]
    more = ["lessons/field_guide", "lessons/glossary"]
    order += [contents("To look things up", more), contents("minitf", ["minitf/README", "minitf/names"])]
    order.append(contents("The project", ["CONTRIBUTING"]))
    readme = readme.replace("\n## Start\n", f"\n## Start\n\n{HERE}\n")
    return re.sub(table, lambda _: f"\n{tables}", readme) + "\n" + "\n".join(order)


def contents(title: str, pages: list[str]) -> str:
    """Return a table of contents for the side of each page."""
    return "\n".join(["```{toctree}", ":hidden:", f":caption: {title}", "", *pages, "```", ""])


# The notebooks.


class Page:
    """Changes one notebook into what a page can show."""

    def __init__(self, name: str, commands: list[str], pictures: Path):
        """Change the notebook `name`: `commands` get it running, and its photographs go to `pictures`."""
        self.name, self.commands, self.pictures = name, commands, pictures

    def change(self, notebook: NotebookNode) -> None:
        """Change each cell that runs, draws or hides something."""
        for cell in notebook.cells:
            if cell.cell_type != "code":
                continue
            tags = cell.metadata.get("tags", [])
            if "check" in tags:
                cell.outputs = [html(how_to_run(self.commands))]
                continue
            shows_text = any("text/markdown" in output.get("data", {}) for output in cell.outputs)
            if shows_text or re.fullmatch(r"lab\.(predict|quiz)\(.*\)", cell.source):
                tags = cell.metadata.tags = [*tags, "remove-input"]  # the text or the question speaks for itself
            cell.outputs = [self.changed(output, f"{self.name}-{cell.id}") for output in cell.outputs]
            if cell.metadata.get("jupyter", {}).get("outputs_hidden") and cell.outputs:
                cell.metadata.tags = [*tags, "hide-output"]

    def changed(self, output: NotebookNode, name: str) -> NotebookNode:
        """Return an output as HTML if it is a view, else as it is."""
        data = output.get("data", {})
        if OURS not in data:
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


def html(text: str) -> NotebookNode:
    """Return an output that shows this HTML."""
    return v4.new_output("display_data", {"text/html": text})


def host(view: dict, instead: str) -> str:
    """Return where a view is drawn: its data, and what is there `instead` where nothing draws it."""
    data = json.dumps(view, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<div class="lab-host"><script type="application/json">{data}</script>{instead}</div>'


def without_python(view: dict) -> dict:
    """Return a view that says what can be done on a page, where no cell runs."""
    for question in view.get("questions", []):
        if "after" in question:
            question["after"] = "Your prediction: {} Now open the result below, and come back."
    if isinstance(view.get("live"), str):
        view["live"] = f"This needs the course on your computer. There: {view['live']}"
    elif view.get("live"):
        view["live"] = what_is_held(view["controls"], [json.loads(key) for key in view["held"]], view["state"])
    return view


def what_is_held(controls: list[dict], held: list[list], state: dict) -> str:
    """Return which settings of the controls a page holds; nothing if these are all."""
    offered = math.prod(len(values(control)) for control in controls)
    start = [state[control["name"]] for control in controls]
    moved = max(sum(now != first for now, first in zip(setting, start, strict=True)) for setting in held)
    if len(held) == offered:
        return ""
    if len(controls) == 1:
        held_here = f"{len(held)} of {offered} settings"
    elif moved == 1:
        held_here = f"{len(held)} settings, in which one control has moved and the others are where they started"
    else:
        held_here = f"{len(held)} settings, and the controls go to the nearest one"
    return f"This page holds {held_here}. In JupyterLab, you reach all of them."


def how_to_run(commands: list[str]) -> str:
    """Return what is shown instead of what a check said about the unsolved exercise."""
    get, start = (f"<pre>{escape(command)}</pre>" for command in commands)
    return (
        '<details class="how-to-run"><summary>This page can\'t run your solution. Two commands can</summary>'
        f"<p>Get the course (you need git and Python 3.11 or newer):</p>{get}"
        f"<p>Open this lesson in JupyterLab:</p>{start}"
        "<p>Then run its cells from the top, change the exercise's cell, and run the check below it.</p></details>"
    )
