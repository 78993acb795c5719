"""The data of a stored view: what a cell shows has to agree with what its notebook holds.

Words and names agree exactly, numbers to three digits: another processor may differ in the last ones.
"""

from __future__ import annotations

import json
import math

from nbformat import NotebookNode

from tests.lessons.notebooks import VIEW


class ViewData:
    """A view's data, equal to another's if nothing but the last digits of its numbers differs."""

    def __init__(self, text: str):
        """Read what a cell's output holds."""
        self.data = json.loads(text)
        if self.data["kind"] == "explorer":  # which pictures the others are made from doesn't matter
            first = self.data["picture"]
            self.data["held"] = {key: patched(first, change) for key, change in self.data["held"].items()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ViewData) and difference(self.data, other.data) is None

    __hash__ = None


def patched(base: object, change: object) -> object:
    """Put together what `delta` of lab.page.plain took apart, as view.js does."""
    if isinstance(change, list):
        return change[0]
    copy = base.copy()
    for key, part in change.items():
        place = key if isinstance(base, dict) else int(key)
        copy[place] = patched(base[place], part)
    return copy


def difference(stored: object, computed: object, place: str = "") -> str | None:
    """Say where `computed` first differs from `stored`; None if it doesn't."""
    if _are_numbers(stored, computed):
        agrees = math.isclose(stored, computed, rel_tol=1e-3, abs_tol=1e-6)
    elif isinstance(stored, dict) and isinstance(computed, dict) and stored.keys() == computed.keys():
        return _first_difference(stored, computed, stored, place)
    elif isinstance(stored, list) and isinstance(computed, list) and len(stored) == len(computed):
        return _first_difference(stored, computed, range(len(stored)), place)
    else:
        agrees = type(stored) is type(computed) and stored == computed  # in Python, 1 is True
    return None if agrees else f"{place}: {stored!r} is stored, and the cell shows {computed!r}"


def _first_difference(stored, computed, keys, place) -> str | None:
    found = (difference(stored[key], computed[key], f"{place}[{key!r}]") for key in keys)
    return next((words for words in found if words is not None), None)


def _are_numbers(*values: object) -> bool:
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def with_view_data(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Return a cell's outputs, with the data of each view in the place of its text."""
    return [_with_view_data(output) for output in outputs]


def _with_view_data(output: NotebookNode) -> NotebookNode:
    data = output.get("data", {})
    if VIEW not in data:
        return output
    return NotebookNode(output, data={**data, VIEW: ViewData(data[VIEW])})
