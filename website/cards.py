"""The lessons' cards on the first page, made from the map in lesson 00."""

from __future__ import annotations

import re

import nbformat

from website import LESSONS

# The cell whose picture is on a lesson's card. It doesn't give the lesson's answer away.
PICTURES: dict[str, str] = {}


def cards() -> str:
    """Return a heading for each part of the course, and a card for each lesson."""
    cells = nbformat.read(LESSONS / "00_start_here.ipynb", as_version=4).cells
    [text] = [cell.source for cell in cells if "\n## The lessons\n" in cell.source]
    parts = re.findall(r"^\*\*(.*)\*\*\n\n((?:\|.*\n)+)", text.partition("\n## The lessons\n")[2], flags=re.MULTILINE)
    return "\n".join(f"### {title}\n\n::::{{grid}} 1 2 2 2\n{grid(rows)}\n::::\n" for title, rows in parts)


def grid(rows: str) -> str:
    """Return the cards of a part."""
    return "\n".join(card(*(cell.strip() for cell in row.strip("|").split("|"))) for row in rows.splitlines()[2:])


def card(number: str, title: str, question: str, minutes: str) -> str:
    """Return the card of a lesson."""
    title = re.sub(r"\[(.*)\]\(.*\)", r"\1", title)  # lesson 00 doesn't link to itself
    [path] = LESSONS.glob(f"{number}_*.ipynb")
    return f""":::{{grid-item-card}} {number} {title}
:link: lessons/{path.stem}
:link-type: doc
:footer: {minutes} minutes

{question}
:::"""
