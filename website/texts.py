"""Write each page's text into a script, so that the search can quote the passage it has found."""

from __future__ import annotations

import json
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx


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
        path.write_text(f"window.courseTexts = {json.dumps(texts, ensure_ascii=False)};\n", encoding="utf-8")


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
