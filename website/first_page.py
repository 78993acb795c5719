"""The first page of the site: the toy, a button, and a card for each lesson, with its picture."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

import nbformat
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from lab.page.view import OURS
from website import LESSONS, ROOT
from website.pages import LIFTED

IN_TWO_HOURS = ["00", "04", "07", "10", "15"]  # and the field guide, for somebody who inherited a script


@dataclass(frozen=True)
class Face:
    """Which view of a lesson is on its card, which part of it, and what it shows, in words.

    The part is measured in the photograph's pixels. It should be one thing, with nothing cut through, and at most 400
    wide, or its text gets too small. Neither the part nor the words may give a lesson's answer away.
    """

    cell: str
    left: int
    top: int
    width: int
    height: int
    words: str


FACES = {
    "00": Face("toy", 0, 0, 310, 349, "Ten printed lines of a learning rate and a step, and a counter at 10."),
    "01": Face("draw-part", 0, 0, 274, 181, "Boxes and arrows; some of the boxes are blue."),
    "02": Face("explorer", 4, 90, 312, 182, "A program that makes a Variable, and runs two ops in two sessions."),
    "03": Face("explorer", 0, 154, 425, 211, "The learning rate, a curve that rises faster and faster."),
    "04": Face("explorer", 684, 70, 408, 129, "The first boxes of a training step's graph; one is the step."),
    "05": Face("arguments", 0, 0, 335, 181, "Two learning rates over the step: one rises, one falls."),
    "06": Face("explorer", 0, 55, 304, 248, "A parabola, and a path on it that jumps from side to side."),
    "07": Face("explorer", 378, 112, 286, 190, "Two piles, for runs that read the old value or the new one."),
    "08": Face("pile", 0, 22, 320, 222, "A chart whose points are all above one another, at 0."),
    "09": Face("digits", 0, 0, 256, 85, "Four handwritten digits: 5, 1, 7 and 3."),
    "10": Face("explorer", 395, 160, 389, 202, "A timeline of two runs and their checkpoints."),
    "11": Face("explorer", 355, 432, 347, 126, "A table of what hooks do run by run: they save, or say stop."),
    "12": Face("curves", 0, 0, 390, 152, "The losses of two training runs, one over the other."),
    "13": Face("explorer", 0, 123, 390, 160, "The lanes of four workers, with one batch after the other."),
    "14": Face("explorer", 556, 203, 378, 102, "A training loop in another library."),
    "16": Face("draw", 0, 0, 408, 206, "A graph made of Nodes."),
}
CODE = {"15": "exercise"}  # pictures would show what the reader looks for, so there is the code of the first exercise


@dataclass(frozen=True)
class Lesson:
    """A row of lesson 00's map."""

    number: str
    title: str
    name: str
    question: str
    minutes: int

    @property
    def page(self) -> str:
        """The address of its page, from the first page."""
        return f"lessons/{self.name}.html"


def first_page(lessons: Path) -> str:
    """Return the page as Markdown: a title, HTML, and the order of all pages for the sidebar."""
    groups = the_map()
    every = [lesson for group in groups.values() for lesson in group]
    template = Environment(
        loader=FileSystemLoader(ROOT / "website" / "templates"), undefined=StrictUndefined, autoescape=True
    ).get_template("first_page.html")
    html = template.render(
        groups=groups,
        cards={lesson.number: picture(lesson) for lesson in every},
        toy=toy(lessons),
        start=every[0],
        hours=round(sum(lesson.minutes for lesson in every) / 60),
        short=[lesson for lesson in every if lesson.number in IN_TWO_HOURS],
        wide={every[0].number, every[-1].number},
        marked=marked,
    )
    return f"---\nhide-toc: true\n---\n\n# Who adds one to the step?\n\n```{{raw}} html\n{html}\n```\n\n{order(groups)}"


@cache
def the_map() -> dict[str, list[Lesson]]:
    """Return the lessons by the parts of lesson 00's map."""
    cells = nbformat.read(path_of("00"), as_version=4).cells
    [text] = [cell.source for cell in cells if "\n## The lessons\n" in cell.source]
    parts = re.findall(r"^\*\*(.*)\*\*\n\n((?:\|.*\n)+)", text.partition("\n## The lessons\n")[2], flags=re.MULTILINE)
    return {title: [lesson(row) for row in rows.splitlines()[2:]] for title, rows in parts}


def lesson(row: str) -> Lesson:
    """Return what a row of the map says about a lesson."""
    number, title, question, minutes = (cell.strip() for cell in row.strip("|").split("|"))
    title = re.sub(r"\[(.*)\]\(.*\)", r"\1", title)  # lesson 00 doesn't link to itself
    return Lesson(number, title, path_of(number).stem, question, int(minutes))


def path_of(number: str) -> Path:
    """Return the file of the lesson with this number."""
    [path] = LESSONS.glob(f"{number}_*.ipynb")
    return path


def picture(lesson: Lesson) -> str:
    """Return the picture on a lesson's card, as HTML."""
    cells = nbformat.read(path_of(lesson.number), as_version=4).cells
    if tag := CODE.get(lesson.number):
        [code, *_] = [cell.source for cell in cells if tag in cell.metadata.get("tags", [])]
        lines = "".join(f"<span>{escape(line)}</span>" for line in code.partition("\n\n")[0].splitlines())
        return f'<code class="card-code" aria-hidden="true">{lines}</code>'
    face = FACES[lesson.number]
    sizes = {cell.id: size for cell in cells if (size := photograph(cell))}
    name = face.cell
    part = f"--left: {face.left}; --top: {face.top}; --width: {face.width}; --height: {face.height}"
    return (
        f'<span class="card-part" style="{part}; --whole: {sizes[name]["width"]}">'
        f'<img src="photographs/{lesson.name}-{name}.png" width="{sizes[name]["width"]}" '
        f'height="{sizes[name]["height"]}" loading="lazy" alt="{escape(face.words)}"></span>'
    )


def photograph(cell: nbformat.NotebookNode) -> dict | None:
    """Return the size of the photograph that a cell stores of its view."""
    for output in cell.get("outputs", []):
        if OURS in output.get("data", {}) and "image/png" in output.data:
            return output.metadata["image/png"]
    return None


def toy(lessons: Path) -> str:
    """Return the view on top, from lesson 00's page, for a page that is one folder up."""
    [cell] = [cell for cell in nbformat.read(lessons / path_of("00").name, as_version=4).cells if cell.id == "toy"]
    return cell.outputs[0].data["text/html"].replace('src="../', 'src="')


def marked(text: str) -> str:
    """Return a text whose `code` is marked up."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text, quote=False))


def order(groups: dict[str, list[Lesson]]) -> str:
    """Return the tables of contents for each page's sidebar: the lessons as in the map, and the other pages."""
    pages = {title: [f"lessons/{lesson.name}" for lesson in group] for title, group in groups.items()}
    pages["Reference"] = ["lessons/field_guide", "lessons/glossary"]
    pages["Use it"] = [*LIFTED]
    pages["minitf"] = ["minitf/README", "minitf/names"]
    pages["The project"] = ["CONTRIBUTING"]
    trees = (["```{toctree}", ":hidden:", f":caption: {title}", "", *names, "```"] for title, names in pages.items())
    return "\n\n".join("\n".join(tree) for tree in trees) + "\n"
