"""Link each term to the glossary where a lesson first uses it, with its meaning as the link's title."""

from __future__ import annotations

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

from tools.terms import Term, terms

# Where a word isn't part of a sentence.
ELSEWHERE = (
    nodes.literal,
    nodes.emphasis,
    nodes.literal_block,
    nodes.reference,
    pending_xref,
    nodes.title,
    nodes.table,
    nodes.raw,
)

# Terms that are everyday words as well, so they are linked only where they're introduced.
EVERYDAY = {"collection", "constant", "example", "shape", "step", "sum"}


def name_of(word: str) -> str:
    """Return a term's name in links."""
    return "term-" + "-".join(word.split())


def mark(app: Sphinx, doctree: nodes.document) -> None:
    """Link each term that the reader has met by this lesson, once on the page, and name the glossary's rows."""
    folder, _, page = app.env.docname.rpartition("/")
    if page == "glossary":
        for row in doctree.findall(nodes.row):
            row["ids"].append(name_of(row.children[0].astext()))
    elif folder == "lessons" and not page.endswith(".py"):
        known = [term for term in app.config.course_terms if is_met(term, page)]
        for text in list(doctree.findall(nodes.Text)):
            if not in_any(text, ELSEWHERE):
                parts, known = linked(str(text), known)
                text.parent.replace(text, parts)


def in_any(node: nodes.Node, kinds: tuple) -> bool:
    """Return whether a node is inside one of these kinds."""
    return node.parent is not None and (isinstance(node.parent, kinds) or in_any(node.parent, kinds))


def is_met(term: Term, page: str) -> bool:
    """Return whether the reader of a page has met the term, and the page means it."""
    if not page[0].isdigit():
        return term.word not in EVERYDAY
    return term.lesson.stem == page or term.lesson.stem < page and term.word not in EVERYDAY


def linked(text: str, known: list[Term]) -> tuple[list[nodes.Node], list[Term]]:
    """Return the parts of a text, its terms linked, and the terms that it doesn't use."""
    found = [(match.start(), -match.end(), term) for term in known if (match := term.pattern.search(text))]
    parts: list[nodes.Node] = []
    used, at = [], 0
    for start, end, term in sorted(found, key=lambda one: one[:2]):
        if start < at:
            continue  # part of a longer term
        used.append(term)
        link = nodes.reference(
            "", text[start:-end], internal=True, classes=["term"], refuri=f"glossary.html#{name_of(term.word)}"
        )
        link["reftitle"] = f"{term.word} ({term.chinese}): {term.meaning}".replace("`", "")
        parts += [nodes.Text(text[at:start]), link]
        at = -end
    return [*parts, nodes.Text(text[at:])], [term for term in known if term not in used]


def setup(app: Sphinx) -> dict:
    """Register this with Sphinx."""
    app.add_config_value("course_terms", terms(), "")
    app.connect("doctree-read", mark)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
