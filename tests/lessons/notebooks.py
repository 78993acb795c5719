"""Find and read the lessons: what the tests over notebooks share."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import nbformat
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parents[2]
LESSONS = ROOT / "lessons"
# Where lessons copy files for their readers to edit: tests and tools leave those in lessons/yours alone.
_YOURS = None if "LESSONS_YOURS" in os.environ else tempfile.TemporaryDirectory(prefix="lessons-")
if _YOURS is not None:
    os.environ["LESSONS_YOURS"] = _YOURS.name


def lessons(start: str = "") -> list[Path]:
    """Return the lessons' files in the order of their numbers; only those whose numbers start so."""
    return sorted(path for path in LESSONS.glob("[0-9][0-9]_*.ipynb") if path.name.startswith(start))


def read(path: Path) -> NotebookNode:
    """Return the notebook in the file `path`."""
    return nbformat.read(path, as_version=4)


def cells(notebook: NotebookNode, cell_type: str, tag: str | None = None) -> list[NotebookNode]:
    """Return the cells of a type ("code" or "markdown"), only those with `tag` if one is given."""
    return [
        cell
        for cell in notebook.cells
        if cell.cell_type == cell_type and (tag is None or tag in cell.metadata.get("tags", []))
    ]


def cell(number: str, cell_id: str) -> NotebookNode:
    """Return a cell of a lesson."""
    [path] = lessons(number)
    [found] = [cell for cell in read(path).cells if cell.id == cell_id]
    return found


def text_of(number: str) -> str:
    """Return the text of a lesson, without code and outputs."""
    [path] = lessons(number)
    return "\n".join(cell.source for cell in cells(read(path), "markdown"))


def blocks_of(text: str) -> list[str]:
    """Return the blocks of Python code in a text."""
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def printed(number: str, cell_id: str) -> list[str]:
    """Return the lines that a cell of a lesson is stored to print; nbval sees that it still does."""
    outputs = cell(number, cell_id).outputs
    return "".join(output.text for output in outputs if output.output_type == "stream").splitlines()
