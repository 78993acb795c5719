"""Values may be nested in lists, tuples, named tuples and dicts: all of them, and how to put them back.

Mirrors tensorflow/python/util/nest.py.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from minitf.framework.indexed_slices import IndexedSlices, IndexedSlicesValue
from minitf.framework.operation import Tensor


def flatten(
    structure, leaf: Callable[[Any], Any] = lambda x: x
) -> tuple[list, Callable[[Sequence], Any]]:
    """What `leaf` makes of each element, and a function that puts as many values into the form of `structure`.

    A dict's are in the order of its keys.
    """
    elements: list = []
    return elements, _collect(structure, elements, leaf)


def _collect(structure, elements: list, leaf: Callable) -> Callable[[Sequence], Any]:
    kind = type(structure)
    if isinstance(structure, IndexedSlices):
        shape = [] if structure.dense_shape is None else [structure.dense_shape]
        part = _collect([structure.values, structure.indices, *shape], elements, leaf)
        return lambda values: _slices(*part(values))
    if isinstance(structure, list | tuple):
        parts = [_collect(item, elements, leaf) for item in structure]
        make = kind._make if hasattr(kind, "_make") else kind
        return lambda values: make([part(values) for part in parts])
    if isinstance(structure, Mapping):
        parts = dict.fromkeys(
            structure
        )  # in the dict's own order, of which a later change to it changes nothing
        for key in sorted(parts, key=str):
            parts[key] = _collect(structure[key], elements, leaf)
        if isinstance(structure, defaultdict):
            kind = partial(kind, structure.default_factory)
        return lambda values: kind((key, part(values)) for key, part in parts.items())
    index = len(elements)
    elements.append(leaf(structure))
    return lambda values: values[index]


def _slices(values, *others) -> IndexedSlices | IndexedSlicesValue:
    return (
        IndexedSlices(values, *others)
        if isinstance(values, Tensor)
        else IndexedSlicesValue(values, *others)
    )


def same_structure(one, other) -> None:
    """Raise ValueError, or TypeError for a list where a tuple should be, unless both have the same form."""
    forms = []
    for structure in (one, other):
        elements, rebuild = flatten(structure)
        forms.append(rebuild(["."] * len(elements)))
    words = f"The two structures don't have the same nested structure.\n\nFirst structure: {one}\n\nSecond: {other}"
    if forms[0] != forms[1]:
        raise (TypeError if _lists(forms[0]) == _lists(forms[1]) else ValueError)(words)


def _lists(form):
    """The form with lists in place of tuples."""
    return [_lists(item) for item in form] if isinstance(form, list | tuple) else form
