"""What `run` is asked for may be nested; the answer has the same form.

Mirrors _FetchHandler of tensorflow/python/client/session.py.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from minitf.framework import errors, nest
from minitf.framework.graph import Graph
from minitf.framework.operation import Operation, Tensor, placed


def flatten(fetches, graph: Graph) -> tuple[list[Tensor | Operation], Callable[[Sequence], Any]]:
    """All fetched elements, and a function that puts their values back into the form of `fetches`.

    Raises TypeError for what can't be fetched, ValueError for what is not of this graph, or part of a cond or loop.
    """
    return nest.flatten(fetches, lambda fetch: _element(fetch, graph))


def _element(fetch, graph: Graph) -> Tensor | Operation:
    if fetch is None:
        raise TypeError('Argument `fetch` = None has invalid type "NoneType". Cannot be None')
    try:
        element = graph.as_graph_element(fetch)
    except TypeError as error:
        problem = f'has invalid type "{type(fetch).__name__}" must be a string or Tensor. ({error})'
        raise TypeError(f"Argument `fetch` = {fetch} {problem}") from None
    except (ValueError, KeyError) as error:
        problem = f"cannot be interpreted as a Tensor. ({error})"
        raise placed(ValueError(f"Argument `fetch` = {fetch} {problem}"), fetch) from None
    op = element.op if isinstance(element, Tensor) else element
    if op.block is not None or op.blocks is not None:
        why = "Typically this happens when it is defined in another function or code block: here in a cond or a loop."
        words = f"Operation {op.name} has been marked as not fetchable. {why}"
        raise placed(errors.InaccessibleTensorError(words), op)
    return element


def structure_key(fetches):
    """Equal, and hashable, for fetches of the same elements in the same form."""
    if isinstance(fetches, list | tuple):
        return type(fetches), *map(structure_key, fetches)
    if isinstance(fetches, Mapping):
        return type(fetches), *((key, structure_key(f)) for key, f in fetches.items())
    return fetches
