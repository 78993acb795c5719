"""How Sphinx shows code and the Python files that pages link to, and names headings as JupyterLab does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from sphinx.addnodes import download_reference
from sphinx.application import Sphinx
from sphinx.highlighting import PygmentsBridge


def slug(heading: str) -> str:
    """Return a heading's name in links, as in JupyterLab."""
    return heading.strip().replace(" ", "-")


class Code(HtmlFormatter):
    """On a phone, lines wrap, but not between an indent and a name: the rest of the line would be empty (site.css)."""

    def wrap(self, source: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        """Mark what belongs together, then frame the code."""
        together = re.compile(r'^ +<span class="\w+">\w+</span>')
        return super().wrap((kind, together.sub(r'<span class="together">\g<0></span>', line)) for kind, line in source)


def link_to_source(app: Sphinx, doctree: nodes.document) -> None:
    """Let a link to a Python file open a page that shows it, instead of downloading it."""
    name = app.env.docname
    for link in list(doctree.findall(download_reference)):
        target = (Path(app.srcdir) / name).parent / link["reftarget"]
        path = target.resolve().relative_to(app.srcdir)
        if path.suffix != ".py":
            continue
        page = f"source/{path.with_suffix('')}"
        address = app.builder.get_relative_uri(name, page)
        link.replace_self(nodes.reference("", "", *link.children, internal=True, refuri=address))


def source_pages(app: Sphinx) -> Iterator[tuple[str, dict, str]]:
    """Yield a page for each Python file of minitf and the lessons."""
    look = HtmlFormatter(linespans="line", cssclass="highlight")
    for path in sorted(Path(app.srcdir).rglob("*.py")):
        name = path.relative_to(app.srcdir)
        code = highlight(path.read_text(encoding="utf-8"), PythonLexer(), look)
        body = f"<section><h1>{name}</h1><div class='highlight-python notranslate'>{code}</div></section>"
        yield f"source/{name.with_suffix('')}", {"title": str(name), "body": body}, "page.html"


def setup(app: Sphinx) -> dict:
    """Register them with Sphinx."""
    PygmentsBridge.html_formatter = Code
    app.connect("doctree-read", link_to_source, priority=100)  # before what is linked to is copied
    app.connect("html-collect-pages", source_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
