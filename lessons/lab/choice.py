"""A choice between a few sentences, one below the other, by mouse or by keyboard."""

from __future__ import annotations

from collections.abc import Sequence

import ipywidgets as widgets


def choice(options: Sequence[str]) -> widgets.RadioButtons:
    """Return radio buttons of which none is chosen."""
    return widgets.RadioButtons(
        options=list(options), value=None, layout=widgets.Layout(width="98%")
    )
