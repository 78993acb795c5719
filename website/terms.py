"""Sphinx links a term to the glossary where a page first uses it; `static/site.js` shows its meaning there."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx

from tools.terms import Term, terms

# Where a word isn't part of a sentence.
ELSEWHERE = (
    nodes.literal,
    nodes.emphasis,
    nodes.literal_block,
    nodes.reference,
    nodes.title,
    nodes.table,
    nodes.raw,
    nodes.comment,
)

# Terms that are everyday words as well, so they are linked only where they're introduced.
EVERYDAY = {"collection", "constant", "example", "shape", "step", "sum"}


def name_of(word: str) -> str:
    """Return a term's name in links."""
    return "term-" + "-".join(word.split())


def glossary() -> dict[str, list[str]]:
    """Return each term's word, Chinese name and meaning, by its name in links."""
    return {name_of(term.word): [term.word, term.chinese, term.meaning] for term in terms()}


def mark(app: Sphinx, doctree: nodes.document) -> None:
    """Link each term that the reader has met by this lesson, once on the page."""
    page = app.env.docname
    folder, _, name = page.rpartition("/")
    if folder != "lessons":
        return
    mark_tables(doctree)
    if name == "glossary":
        name_rows(doctree)
        return
    known = [term for term in app.config.course_terms if is_met(term, name)]
    address = app.builder.get_relative_uri(page, "lessons/glossary")
    for text in list(doctree.findall(nodes.Text)):
        if is_sentence(text):
            parts, known = linked(str(text), known, address)
            text.parent.replace(text, parts)


def is_met(term: Term, page: str) -> bool:
    """Return whether the reader of a page has met the term, and the page means it."""
    if not page[0].isdigit():
        return term.word not in EVERYDAY
    return term.lesson.stem == page or term.lesson.stem < page and term.word not in EVERYDAY


def is_sentence(text: nodes.Text) -> bool:
    """Return whether to look for terms in a text."""
    before = text.parent.children[: text.parent.index(text)]
    tags = [part.astext() for part in before if isinstance(part, nodes.raw)]
    if tags and tags[-1].startswith("<a "):
        return False  # a link that moves a picture (website/notebooks.py)
    parent = text.parent
    while parent is not None:
        if isinstance(parent, ELSEWHERE):
            return False
        parent = parent.parent
    return True


def linked(text: str, known: list[Term], address: str) -> tuple[list[nodes.Node], list[Term]]:
    """Return the parts of a text, its terms linked, and the terms that it doesn't use."""
    found = [(*place, term) for term in known if (place := first_use(term, text))]
    parts: list[nodes.Node] = []
    used, at = [], 0
    for start, end, term in sorted(found, key=lambda one: (one[0], -one[1])):
        if start < at:
            continue  # part of a longer term
        used.append(term)
        uri = f"{address}#{name_of(term.word)}"
        words = text[start:end]
        parts += [nodes.Text(text[at:start]), nodes.reference("", words, internal=True, refuri=uri, classes=["term"])]
        at = end
    return [*parts, nodes.Text(text[at:])], [term for term in known if term not in used]


def first_use(term: Term, text: str) -> tuple[int, int] | None:
    """Return where a text first uses a term, from start to end; parts of a file's name don't count."""
    for match in term.pattern.finditer(text):
        if not re.search(r"[\w./]/$", text[: match.start()]) and not re.match(r"[/.]\w", text[match.end() :]):
            return match.span()
    return None


def mark_tables(doctree: nodes.document) -> None:
    """Mark the tables of terms, whose Chinese names need one line."""
    for table in doctree.findall(nodes.table):
        if [entry.astext() for entry in next(table.findall(nodes.row)).children][1:2] == ["中文"]:
            table["classes"].append("words")


def name_rows(doctree: nodes.document) -> None:
    """Give each row of the glossary the name by which it's linked."""
    for row in doctree.findall(nodes.row):
        word = row.children[0].astext()
        row["ids"].append(name_of(word))


def setup(app: Sphinx) -> dict:
    """Register this with Sphinx."""
    app.add_config_value("course_terms", terms(), "")
    app.connect("doctree-read", mark)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
