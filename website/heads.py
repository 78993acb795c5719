"""What a page says about itself where it's listed or shared: a title, a description and a picture."""

from __future__ import annotations

import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from website.first_page import the_map

FIRST = "Who adds one to the step? TensorFlow 1's global_step, explained"
PULL = (
    "Since 2018, blog posts have copied ten perfect lines of output from a TensorFlow 1 script. Not one post shows the "
    "number that was being trained. Seventeen lessons about global_step, with pictures you can drag."
)
LONGEST = 220  # characters of a description; search engines show fewer


def describe(app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None) -> None:
    """Give the template what the head of a page needs."""
    title = re.sub(r"<.*?>", "", context.get("title", ""))
    context["head_title"] = FIRST if page == "index" else f"{title} · {app.config.html_title}"
    context["description"] = PULL if page == "index" else description(page, title, doctree)
    picture = Path(app.confdir, "_build", "course", "static", "preview.png")
    # Sites that show a shared link need whole addresses, once there is one.
    root = f"{app.config.html_baseurl.rstrip('/')}/" if app.config.html_baseurl else ""
    above = "../" * page.count("/")
    context["shared_address"] = root and root + app.builder.get_target_uri(page)
    context["shared_picture"] = f"{root or above}_static/preview.png" if picture.exists() else ""


def description(page: str, title: str, doctree: nodes.document | None) -> str:
    """Return a sentence or two about a page: of a lesson, its question and how it begins."""
    if doctree is None:
        return f"The source of {title}." if page.startswith("source/") else "Search all pages of the course."
    texts = next(doctree.findall(nodes.paragraph)).findall(nodes.Text)
    first = " ".join("".join(text for text in texts if not isinstance(text.parent, nodes.raw)).split())
    questions = {f"lessons/{lesson.name}": lesson.question for group in the_map().values() for lesson in group}
    question = questions.get(page, "").replace("`", "")
    return shortened(f"{question} {sentence(first)}".strip() if question else first)


def sentence(text: str) -> str:
    """Return the first sentence of a text."""
    return re.split(r"(?<=[.?!:]) (?=[A-Z\"`])", text, maxsplit=1)[0]


def shortened(text: str) -> str:
    """Return a text that is no longer than a description may be, in whole sentences if there are any."""
    if len(text) <= LONGEST:
        return text
    end = max(text.rfind(mark, 0, LONGEST) for mark in (". ", "? ", "! "))
    return text[: end + 1] if end > 0 else text[: text.rfind(" ", 0, LONGEST)].rstrip(",;:") + " …"


def setup(app: Sphinx) -> dict:
    """Register this with Sphinx."""
    app.connect("html-page-context", describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
