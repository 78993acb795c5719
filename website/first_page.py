"""README.md as the first page of the site: it sends readers to the pages, and its pictures are alive."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat

from website.notebooks import COURSE

# README's pictures, and the lesson and the cell that show each of them alive.
PICTURES = {
    r"(?s)<picture>.*?/toy_.*?</picture>": ("00", "toy"),
    r"!\[[^\]]*\]\(lessons/pictures/experiment\.\w+\)": ("03", "explorer"),
}

BEGIN = (
    "You can read all of it right here, with nothing to install: [begin with lesson 00](lessons/00_start_here.ipynb)."
)


def first_page(readme: str, lessons: Path) -> str:
    """Return README.md for a reader of the site, and the order of all pages.

    Lesson 00's map replaces README's own table, and a download replaces cloning the repository. Each picture of an
    explorer becomes the explorer itself.
    """
    tables = the_map(lessons)
    changes = {
        r"(?<=\n## The lessons\n)\n(?:\|.*\n)+": f"\n{tables}",
        r"\bgit and (?=Python)": "",
        r"\bClone this\s+repository\b": f'<a href="{COURSE}.zip" download>Download the course</a>, unpack it',
        r"(?s)\n## On the web\n.*?(?=\n## )": "",
        r"(?=\n## The lessons\n)": f"\n{BEGIN}\n",
    }
    for picture, (number, cell) in PICTURES.items():
        changes[picture] = view_of(lesson(number, lessons), cell)
    for part, instead in changes.items():
        readme, count = re.subn(part, lambda _, text=instead: text, readme)
        if count != 1:
            raise ValueError(f"README.md has {part!r} {count} times, not once")
    return readme + "\n" + order(tables)


def the_map(lessons: Path) -> str:
    """Return lesson 00's tables of the lessons, with the links that a page beside README.md needs."""
    cells = nbformat.read(lesson("00", lessons), as_version=4).cells
    [text] = [cell.source for cell in cells if "\n## The lessons\n" in cell.source]
    tables = re.search(r"\n## The lessons\n(.*\|\n)", text, flags=re.DOTALL)[1]
    # Lesson 00 doesn't link to itself.
    tables = re.sub(r"^(\| (\d\d) \|) ([^|\[]+?) \|", r"\1 [\3](\2) |", tables, flags=re.MULTILINE)
    return re.sub(r"\]\((\d\d)[^)]*\)", lambda found: f"](lessons/{lesson(found[1], lessons).name})", tables)


def lesson(number: str, lessons: Path) -> Path:
    """Return the file of the lesson with this number."""
    [path] = lessons.glob(f"{number}_*.ipynb")
    return path


def view_of(path: Path, cell_id: str) -> str:
    """Return what a cell of a lesson shows, for a page beside README.md."""
    [cell] = [cell for cell in nbformat.read(path, as_version=4).cells if cell.id == cell_id]
    return cell.outputs[0].data["text/html"].replace('src="../', 'src="')


def order(tables: str) -> str:
    """Return the tables of contents for each page's sidebar: the lessons as in the map, and the other pages."""
    groups = re.findall(r"^\*\*(.*)\*\*\n\n((?:\|.*\n)+)", tables, flags=re.MULTILINE)
    pages = {title: re.findall(r"\((lessons/\d\d.*?)\.ipynb\)", rows) for title, rows in groups}
    pages["Reference"] = ["lessons/field_guide", "lessons/glossary"]
    pages["minitf"] = ["minitf/README", "minitf/names"]
    pages["The project"] = ["CONTRIBUTING"]
    trees = (["```{toctree}", ":hidden:", f":caption: {title}", "", *names, "```"] for title, names in pages.items())
    return "\n\n".join("\n".join(tree) for tree in trees) + "\n"
