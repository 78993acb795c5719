"""The lessons' cards on the first page, made from the map in lesson 00."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

import nbformat
from PIL import Image

from website import LESSONS

# The cell whose stored picture is on a lesson's card. It doesn't give the lesson's answer away.
PICTURES = {
    "00": "toy",
    "01": "branches",
    "02": "explorer",
    "03": "explorer",
    "04": "explorer",
    "05": "arguments",
    "06": "explorer",
    "07": "explorer",
    "08": "draw",
    "09": "digits",
    "10": "explorer",
    "11": "explorer",
    "12": "curves-drawn",
    "13": "explorer",
    "15": "inherited-drawn",
    "16": "first-graph",
}


def cards(folder: Path) -> str:
    """Return a heading for each part of the course, and a card for each lesson, whose pictures go into `folder`."""
    cells = nbformat.read(LESSONS / "00_start_here.ipynb", as_version=4).cells
    [text] = [cell.source for cell in cells if "\n## The lessons\n" in cell.source]
    parts = re.findall(r"^\*\*(.*)\*\*\n\n((?:\|.*\n)+)", text.partition("\n## The lessons\n")[2], flags=re.MULTILINE)
    found = []
    for title, rows in parts:
        found += [f"### {title}\n\n::::{{grid}} 1 2 2 2\n:gutter: 3\n"]
        found += [card(folder, *(cell.strip() for cell in row.strip("|").split("|"))) for row in rows.splitlines()[2:]]
        found += ["::::\n"]
    return "\n".join(found)


def card(folder: Path, number: str, title: str, question: str, minutes: str) -> str:
    """Return the card of a lesson."""
    title = re.sub(r"\[(.*)\]\(.*\)", r"\1", title)  # lesson 00 doesn't link to itself
    [path] = LESSONS.glob(f"{number}_*.ipynb")
    picture = ""
    if cell := PICTURES.get(number):
        picture = f":img-top: {number}.png\n:img-alt:\n"
        with Image.open(io.BytesIO(stored(path, cell))) as image:
            image.thumbnail((720, 400))
            image.save(folder / f"{number}.png")
    return f""":::{{grid-item-card}} {number} {title}
:link: lessons/{path.stem}
:link-type: doc
:footer: {minutes} minutes
{picture}
{question}
:::"""


def stored(path: Path, cell: str) -> bytes:
    """Return the picture that a cell of a notebook stores."""
    [outputs] = [found.outputs for found in nbformat.read(path, as_version=4).cells if found.id == cell]
    [png] = [output.data["image/png"] for output in outputs if "image/png" in output.get("data", {})]
    return base64.b64decode(png)
