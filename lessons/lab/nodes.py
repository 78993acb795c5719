"""The graph that the Nodes of lesson 16 make, as a figure."""

from typing import Any

import numpy as np

from build.micro import walk_back
from lab.graphs import Graph, show

SIGNS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "power": "**"}


def draw_nodes(fetch: Any) -> None:
    """Draw the Nodes that a run of `fetch` needs; a constant is a number in the boxes that use it."""
    nodes = [node for node in walk_back([fetch]) if node is fetch or _constant(node) is None]
    number = {node: i for i, node in enumerate(nodes)}
    arrows = {
        (number[before], number[node]): before not in node.inputs
        for node in nodes
        for before in [*node.inputs, *node.control_inputs]
        if before in number
    }
    graph = Graph([node.name for node in nodes], [_formula(node) for node in nodes], arrows)
    show(graph, f"{len(nodes)} Nodes: {graph.words()}")


def _constant(node: Any) -> Any:
    """Return the value that a Node has in every run; None if there is no such value."""
    values = [_constant(before) for before in node.inputs]
    known = node.function is not None and all(value is not None for value in values)
    return node.function(*values) if known else None


def _formula(node: Any) -> str:
    """Return what a Node computes, with the names of its inputs."""
    if node.function is None:
        return "in the state" if hasattr(node, "initializer") else "fed"
    if not node.inputs:
        return _written(_constant(node))
    values = {before: _constant(before) for before in node.inputs}
    names = [node.name if value is None else _written(value) for node, value in values.items()]
    kind = node.function.__name__
    return f" {SIGNS[kind]} ".join(names) if kind in SIGNS else f"{kind}({', '.join(names)})"


def _written(value: Any) -> str:
    return "waits" if value is None else f"{value:g}" if np.ndim(value) == 0 else "an array"
