"""What `run` is asked for may be nested; the answer has the same form.

Stands for _FetchHandler of tensorflow/python/client/session.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from minitf.framework.graph import Graph
from minitf.framework.indexed_slices import IndexedSlices, IndexedSlicesValue
from minitf.framework.operation import Operation, Tensor, place_of


def flatten(fetches: Any, graph: Graph) -> tuple[list[Tensor | Operation], Callable[[Sequence], Any]]:
    """All fetched elements, and a function that puts their values back into the form of `fetches`.

    Raises TypeError for what can't be fetched, ValueError for what is not of this graph.
    """
    elements: list[Tensor | Operation] = []
    rebuild = _collect(fetches, graph, elements)
    return elements, rebuild


def _collect(fetches: Any, graph: Graph, elements: list) -> Callable[[Sequence], Any]:
    if fetches is None:
        raise TypeError(f'Argument `fetch` = {fetches} has invalid type "NoneType". Cannot be None')
    if isinstance(fetches, IndexedSlices):
        shape = [] if fetches.dense_shape is None else [fetches.dense_shape]
        part = _collect([fetches.values, fetches.indices, *shape], graph, elements)
        return lambda values: IndexedSlicesValue(*part(values), *[None][len(shape) :])
    if isinstance(fetches, list | tuple):
        parts = [_collect(f, graph, elements) for f in fetches]
        kind = type(fetches)
        make = kind._make if hasattr(kind, "_make") else kind
        return lambda values: make([part(values) for part in parts])
    if isinstance(fetches, Mapping):
        items = [(key, _collect(f, graph, elements)) for key, f in fetches.items()]
        kind = type(fetches)
        if isinstance(fetches, defaultdict):
            kind = partial(kind, fetches.default_factory)
        return lambda values: kind((key, part(values)) for key, part in items)
    index = len(elements)
    elements.append(_element(fetches, graph))
    return lambda values: values[index]


def _element(fetch: Any, graph: Graph) -> Tensor | Operation:
    try:
        return graph.as_graph_element(fetch)
    except TypeError as error:
        raise TypeError(
            f'Argument `fetch` = {fetch} has invalid type "{type(fetch).__name__}" must be a string '
            f"or Tensor. ({error})"
        ) from None
    except (ValueError, KeyError) as error:
        raise ValueError(
            f"Argument `fetch` = {fetch} cannot be interpreted as a Tensor. ({error}){place_of(fetch)}"
        ) from None


def structure_key(fetches: Any) -> Any:
    """Equal, and hashable, for fetches of the same elements in the same form."""
    if isinstance(fetches, list | tuple):
        return type(fetches), *map(structure_key, fetches)
    if isinstance(fetches, Mapping):
        return type(fetches), *((key, structure_key(f)) for key, f in fetches.items())
    return fetches
