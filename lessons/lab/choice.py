"""A choice is a question with a few options, by mouse or by keyboard, and a reply to what was chosen.

It is a widget of its own because the radio buttons of ipywidgets lose their arrow keys to JupyterLab.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

import anywidget
import traitlets

HERE = Path(__file__).parent


class Choice(anywidget.AnyWidget):
    """Radio buttons of which none is chosen yet, perhaps a button to answer, and room for a reply."""

    _esm = HERE / "choice.js"
    _css = HERE / "choice.css"
    question = traitlets.Unicode().tag(sync=True)
    options = traitlets.List(traitlets.Unicode()).tag(sync=True)
    button = traitlets.Unicode().tag(sync=True)
    reply = traitlets.Unicode().tag(sync=True)
    chosen = traitlets.Int(-1, help="the option's number, -1 for none").tag(sync=True)
    answers = traitlets.Int(0, help="how often the button was pressed").tag(sync=True)

    def __init__(self, question: str, options: Sequence[str], button: str = "", reply: str = ""):
        """Ask `question`; texts may have code in backticks."""
        super().__init__(
            question=with_code(question),
            options=[with_code(option) for option in options],
            button=button,
            reply=with_code(reply),
        )


def with_code(text: str) -> str:
    """Return `text` as HTML, with what stands in backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
