"""Write each page's text into a script, so that the search can quote the passage it has found, and what people ask.

The words that somebody types are often not those of a lesson. asked.txt has such words for each page; the rows of the
field guide, and the terms of the glossary, lead to the lessons that they name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
from docutils import nodes
from sphinx.application import Sphinx

from tools.terms import terms
from website import LESSONS, ROOT

ASKED = ROOT / "website" / "asked.txt"
FIELD_GUIDE = LESSONS / "field_guide.ipynb"


def add_texts(app: Sphinx, page: str, *_: object) -> None:
    """Let the search page load the texts."""
    if page == "search":
        app.add_js_file("texts.js", loading_method="defer")


def write_texts(app: Sphinx, failed: Exception | None) -> None:
    """Write the texts, keyed by the pages' addresses."""
    if not failed:
        texts = {
            app.builder.get_target_uri(name): text(app.env.get_doctree(name)) for name in sorted(app.env.found_docs)
        }
        path = Path(app.outdir) / "_static" / "texts.js"
        same, asked = means()
        words = {"courseTexts": texts, "courseMeans": same, "courseAsked": asked + [*guided(), *defined()]}
        lines = (f"window.{name} = {json.dumps(value, ensure_ascii=False)};\n" for name, value in words.items())
        path.write_text("".join(lines), encoding="utf-8")


def means() -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Return, of asked.txt, the words that mean others, and what is asked: each page with a phrase."""
    same, asked = {}, []
    for line in ASKED.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line:
            continue
        if " = " in line:
            word, _, other = line.partition(" = ")
            same[word] = other
        else:
            page, _, phrases = line.partition(": ")
            asked += [(page, phrase) for phrase in phrases.split("; ")]
    return same, asked


def guided() -> Iterator[tuple[str, str]]:
    """Yield the first column of the field guide's rows, for each lesson that a row names."""
    for cell in nbformat.read(FIELD_GUIDE, as_version=4).cells:
        for row in re.findall(r"^\|?(.*?) \|(.*)$", cell.source, flags=re.MULTILINE):
            for name in re.findall(r"\]\((\d\d_\w+)\.ipynb", row[1]):
                yield f"lessons/{name}", row[0].replace("`", "").strip()


def defined() -> Iterator[tuple[str, str]]:
    """Yield the terms, for the lesson that introduces each."""
    for term in terms():
        yield f"lessons/{term.lesson.stem}", term.word


def text(doctree: nodes.document) -> str:
    """Return what a page says, without the data of its views."""
    for raw in list(doctree.findall(nodes.raw)):
        raw.parent.remove(raw)
    return doctree.astext()


def setup(app: Sphinx) -> dict:
    """Register this with Sphinx."""
    app.connect("html-page-context", add_texts)
    app.connect("build-finished", write_texts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
