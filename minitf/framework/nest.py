"""Flattening values nested in lists, tuples, named tuples and dicts, and nesting them again.

Mirrors tensorflow/python/util/nest.py.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from minitf.framework.op_def_library import IndexedSlices, IndexedSlicesValue
from minitf.framework.operation import Tensor


def flatten(
    structure, leaf: Callable[[Any], Any] = lambda x: x
) -> tuple[list, Callable[[Sequence], Any]]:
    """Return a list of `leaf(element)`, and a function that nests such a list like `structure`.

    Dicts are flattened in the order of their sorted keys, IndexedSlices into their tensors.
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
        parts = dict.fromkeys(structure)  # keeps the dict's order, even if the dict changes later
        for key in sorted(parts, key=str):
            parts[key] = _collect(structure[key], elements, leaf)
        if isinstance(structure, defaultdict):
            kind = partial(kind, structure.default_factory)
        return lambda values: kind((key, part(values)) for key, part in parts.items())
    index = len(elements)
    elements.append(leaf(structure))
    return lambda values: values[index]


def _slices(values, *others) -> IndexedSlices | IndexedSlicesValue:
    kind = IndexedSlices if isinstance(values, Tensor) else IndexedSlicesValue
    return kind(values, *others)


def same_structure(one, other) -> None:
    """Raise ValueError if the structures differ, TypeError if only the kinds of sequence do."""
    forms = []
    for structure in (one, other):
        elements, rebuild = flatten(structure)
        forms.append(rebuild(["."] * len(elements)))
    if forms[0] != forms[1]:
        kind = TypeError if _lists(forms[0]) == _lists(forms[1]) else ValueError
        raise kind(
            "The two structures don't have the same nested structure.\n\nFirst structure: "
            f"{one}\n\nSecond: {other}"
        )


def _lists(form):
    """Return the form with tuples replaced by lists."""
    return [_lists(item) for item in form] if isinstance(form, list | tuple) else form
