"""A flipbook shows one picture of many at a time: by slider, by button, by keyboard, or played.

All pictures are in the page, so the next one shows at once, without asking the kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import anywidget
import traitlets

from lab.scene import Scene

HERE = Path(__file__).parent


class Flipbook(anywidget.AnyWidget):
    """Pictures as SVG, the words below each, and which of them shows now, counted from 0."""

    _esm = HERE / "flipbook.js"
    _css = HERE / "flipbook.css"
    label = traitlets.Unicode().tag(sync=True)
    frames = traitlets.List(traitlets.Unicode()).tag(sync=True)
    captions = traitlets.List(traitlets.Unicode()).tag(sync=True)
    at = traitlets.Int(0, min=0).tag(sync=True)

    def __init__(self, scenes: Sequence[Scene], label: str):
        """Show the first of `scenes`; `label` stands before the slider."""
        frames, captions = [scene.svg() for scene in scenes], [scene.words for scene in scenes]
        super().__init__(label=label, frames=frames, captions=captions)

    @traitlets.validate("at")
    def _inside(self, proposal: dict) -> int:
        return min(proposal["value"], len(self.frames) - 1)
