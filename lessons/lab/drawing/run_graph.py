"""Ops as a graph, for the cards of lesson 07."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from minitf import Operation


class Node(NamedTuple):
    """One op."""

    ops: tuple[Operation, ...]


class RunGraph(NamedTuple):
    """Nodes in the order they run, and edges between their indices (True if by control only)."""

    nodes: list[Node]
    edges: dict[tuple[int, int], bool]


def graph_of_ops(ops: Iterable[Operation]) -> RunGraph:
    """Return the graph of these ops, one node each; they are in an order in which they could run."""
    ops = list(ops)
    number = {op: i for i, op in enumerate(ops)}
    return RunGraph([Node((op,)) for op in ops], _edges(ops, number))


def _edges(ops: Iterable[Operation], number: Mapping[Operation, int]) -> dict:
    """Return the forward edges between different nodes, and whether each is by control only."""
    edges: dict[tuple[int, int], bool] = {}
    for op in ops:
        sources = [(tensor.op, False) for tensor in op.inputs]
        sources += [(before, True) for before in op.control_inputs]
        for source, control in sources:
            edge = number.get(source, -1), number[op]
            if 0 <= edge[0] < edge[1]:
                edges[edge] = edges.get(edge, True) and control
    return edges


def numbers_of(graph: RunGraph, ops: Collection[Operation]) -> list[int]:
    """Return the indices of the nodes that represent any of `ops`."""
    wanted = set(ops)
    return [i for i, node in enumerate(graph.nodes) if wanted.intersection(node.ops)]
