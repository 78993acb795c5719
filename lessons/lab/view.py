"""A view is what an explorer shows below its controls: one piece of HTML, drawn in the page at once."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets


class View(anywidget.AnyWidget):
    """HTML that follows `value`; the controls beside it keep their keys, which JupyterLab would take."""

    _esm = Path(__file__).parent / "view.js"
    value = traitlets.Unicode().tag(sync=True)
