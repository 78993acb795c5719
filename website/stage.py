"""Copy the course to where Sphinx reads it. Lessons change where a reader has no Python to run a cell."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import nbformat
from nbformat import NotebookNode, v4

from website import ROOT
from website.cards import cards
from website.names import index

NOT_COPIED = shutil.ignore_patterns("__pycache__", ".*", "yours")
WEBSITE = ROOT / "website"
GITHUB = os.environ.get("GITHUB_REPOSITORY")  # if GitHub builds the site
REPOSITORY = f"[the course's repository](https://github.com/{GITHUB})" if GITHUB else "the course's repository"
NO_PYTHON = """
```{note}
On this site, the cells have run already, so there's nothing to install. Click your answers and move the sliders right
here. To change the code and solve the exercises, [get the lessons on your computer](../install.md).
```
"""
CHECK = "*When you run this lesson [on your computer](../install.md), the next cell checks your answer.*"
SHOWN = r"(import .*|from .*|lab\.(Toy|OrderShuffler)\(.*\)|\s)+"  # code that only imports, or shows a widget
FRAMES = "import lab\nimport website.frames"
SOURCE = """---
orphan: true
nosearch: true
---

# {name}

```{{literalinclude}} {name}
```
"""


def stage(folder: Path) -> None:
    """Fill `folder` with the course as Sphinx reads it."""
    for name in ("lessons", "minitf"):
        shutil.copytree(ROOT / name, folder / name, ignore=NOT_COPIED)
    for path in [ROOT / "CONTRIBUTING.md", ROOT / "LICENSE", ROOT / "README.md", *(WEBSITE / "pages").iterdir()]:
        shutil.copy(path, folder)
    change_text(folder / "README.md", "Clone this repository", f"Clone {REPOSITORY}")
    change_text(folder / "minitf" / "README.md", "(../README.md)", "(../index.md)")
    change_text(folder / "index.md", "CARDS", cards(folder))
    (folder / "minitf" / "names.md").write_text(index(), encoding="utf-8")
    lines = (WEBSITE / "asked.txt").read_text(encoding="utf-8").splitlines()[1:]
    asked = dict(line.split(": ") for line in lines)
    phrases = json.dumps({page: questions.split("; ") for page, questions in asked.items()})
    scorer = (WEBSITE / "scorer.js").read_text(encoding="utf-8")
    (folder / "scorer.js").write_text(f"const asked = {phrases};\n{scorer}", encoding="utf-8")
    for path in (folder / "lessons").glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        change(notebook, path.stem, asked["everywhere"] + " " + asked[f"lessons/{path.stem}"])
        nbformat.write(notebook, path)
    for path in [*folder.rglob("*.md"), *folder.rglob("*.ipynb")]:
        add_source(path)


def change_text(path: Path, part: str, instead: str) -> None:
    """Replace a part of a file."""
    path.write_text(path.read_text(encoding="utf-8").replace(part, instead), encoding="utf-8")


def change(notebook: NotebookNode, name: str, asked: str) -> None:
    """Number a lesson, add the words that people search for it with, and prepare its cells."""
    first, *others = notebook.cells
    if name[0].isdigit():
        first.source = first.source.replace("# ", f"# {name[:2]} ", 1)
    notebook.metadata["myst"] = {"html_meta": {"keywords": ", ".join(sorted(set(re.findall(r"\w+", asked))))}}
    if name.startswith("00"):
        first.source += NO_PYTHON
    for number, cell in enumerate(others, 1):
        tags = cell.metadata.setdefault("tags", [])
        if "check" in tags:
            notebook.cells[number] = v4.new_markdown_cell(CHECK)
        elif cell.cell_type == "code" and re.fullmatch(SHOWN, cell.source):
            tags.append("hide-input")
        if cell.metadata.get("jupyter", {}).get("outputs_hidden"):
            tags.append("hide-output")
    if any(cell.cell_type == "code" for cell in others):
        notebook.cells.insert(
            1, v4.new_code_cell("import lab\nimport website.frames", metadata={"tags": ["remove-cell"]})
        )


def add_source(path: Path) -> None:
    """Let the links of a page to Python files open pages that show them."""
    text = path.read_text(encoding="utf-8")
    link = re.compile(r"\]\((?!https?:)(\S+?\.py)\)")
    for target in set(link.findall(text)):
        file = path.parent / target
        file.with_suffix(".py.md").write_text(SOURCE.format(name=file.name), encoding="utf-8")
    path.write_text(link.sub(r"](\1.md)", text), encoding="utf-8")
