"""The data of a stored view: what a cell shows has to agree with what its notebook holds.

Words and names agree exactly, numbers to three digits: another processor may differ in the last ones. In a cell that is
tagged `unsteady`, where training nearly breaks and such differences grow, numbers agree to a tenth, also those in words
and in the pixels of an image.
"""

from __future__ import annotations

import base64
import json
import math
import re

import numpy as np
from nbformat import NotebookNode

from tests.lessons.notebooks import VIEW


class ViewData:
    """A view's data, equal to another's if nothing but the last digits of its numbers differs."""

    def __init__(self, text: str, unsteady: bool = False):
        """Read what a cell's output holds."""
        self.data, self.unsteady = json.loads(text), unsteady
        if self.data.get("rule") == "stored":  # which pictures the others are made from doesn't matter
            stored = self.data["data"]
            stored["held"] = {key: patched(stored["base"], change) for key, change in stored["held"].items()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ViewData) and difference(self.data, other.data, self.unsteady) is None

    __hash__ = None


def patched(base: object, change: object) -> object:
    """Put together what `delta` of lab.page.plain took apart, as stored.js does."""
    if isinstance(change, list):
        return change[0]
    copy = base.copy()
    for key, part in change.items():
        place = key if isinstance(base, dict) else int(key)
        copy[place] = patched(base[place], part)
    return copy


def difference(stored: object, computed: object, unsteady: bool = False, place: str = "") -> str | None:
    """Say where `computed` first differs from `stored`; None if it doesn't."""
    if _are_numbers(stored, computed):
        agrees = math.isclose(stored, computed, rel_tol=0.1 if unsteady else 1e-3, abs_tol=1e-6)
    elif unsteady and isinstance(stored, str) and isinstance(computed, str):
        agrees = _are_images(place) and _are_alike(stored, computed) or _words(stored) == _words(computed)
    elif isinstance(stored, dict) and isinstance(computed, dict) and stored.keys() == computed.keys():
        return _first_difference(stored, computed, stored, unsteady, place)
    elif isinstance(stored, list) and isinstance(computed, list) and len(stored) == len(computed):
        return _first_difference(stored, computed, range(len(stored)), unsteady, place)
    else:
        agrees = type(stored) is type(computed) and stored == computed  # in Python, 1 is True
    return None if agrees else f"{place}: {stored!r} is stored, and the cell shows {computed!r}"


def _first_difference(stored, computed, keys, unsteady, place) -> str | None:
    found = (difference(stored[key], computed[key], unsteady, f"{place}[{key!r}]") for key in keys)
    return next((words for words in found if words is not None), None)


def _are_images(place: str) -> bool:
    return place.endswith("['data']")


def _are_alike(stored: str, computed: str) -> bool:
    """Return whether no pixel of two images differs by more than a tenth of all levels."""
    before, after = (np.frombuffer(base64.b64decode(data), np.int8).astype(int) for data in (stored, computed))
    return before.shape == after.shape and bool(np.all(abs(before - after) <= 25))


def _words(text: str) -> str:
    """Return a text without the digits of its numbers."""
    return re.sub(r"\d+", "#", text)


def _are_numbers(*values: object) -> bool:
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def with_view_data(outputs: list[NotebookNode], unsteady: bool = False) -> list[NotebookNode]:
    """Return a cell's outputs, with the data of each view in the place of its text."""
    return [_with_view_data(output, unsteady) for output in outputs]


def _with_view_data(output: NotebookNode, unsteady: bool) -> NotebookNode:
    data = output.get("data", {})
    if VIEW not in data:
        return output
    return NotebookNode(output, data={**data, VIEW: ViewData(data[VIEW], unsteady)})
