"""Still pictures of graphs: which ops a run would need, and how two runs differ."""

from typing import Any

import minitf as tf
from lab.drawing.parts import DONE, NOW, OFF, still
from lab.drawing.run_graph import RunGraph, graph_of_ops, ops_of
from lab.page.view import View
from minitf.client.session import program_of

MARK = "only here"


def draw_graph(graph: tf.Graph | None = None, fetch: Any = None) -> View:
    """Draw every op of the default graph; with `fetch`, draw its graph and mark what it needs."""
    program = None if fetch is None else program_of(fetch)
    if graph is None:
        graph = program.graph if program else tf.get_default_graph()
    ops = graph.get_operations()
    kinds: dict[int, str] = {}
    words = f"The graph has {len(ops)} operations: {_names(ops)}."
    if program:
        needed = ops_of(program)
        if not needed <= set(ops):
            raise ValueError("The fetch is not in this graph.")
        kinds = {i: DONE if op in needed else OFF for i, op in enumerate(ops)}
        idle = _names(op for op in ops if op not in needed)
        words = f"A run needs {len(needed)} of {len(ops)} operations: "
        words += f"{_names(op for op in ops if op in needed)}.\nNot needed: {idle}."
    drawn = graph_of_ops(ops)
    return still(drawn.part(drawn.laid_out(), kinds), words=words)


def compare_graphs(**train_ops: tf.Operation) -> View:
    """Draw every op of two runs side by side, and mark the ops that only one of them has.

    compare_graphs(with_step=train_op, without=another_train_op)
    """
    programs = [program_of(train_op) for train_op in train_ops.values()]
    graphs = [graph_of_ops(p.ops, [tensor.op for tensor in p.feeds]) for p in programs]
    parts, lines = [], []
    for name, graph, other in zip(train_ops, graphs, reversed(graphs), strict=True):
        title, alone = name.replace("_", " "), only_in(graph, other)
        names = {node.name: node.ops[0].type for node in other.nodes}
        marks = {
            i: MARK if graph.nodes[i].name not in names else "of a different type" for i in alone
        }
        kinds = dict.fromkeys(alone, NOW)
        keys = {i: node.key for i, node in enumerate(graph.nodes)}
        parts.append(graph.part(graph.laid_out([marks]), kinds, marks, keys, title=title))
        these = ", ".join(graph.nodes[i].name for i in alone) or "nothing"
        lines.append(f"{title}: {len(graph.nodes)} boxes. Only here: {these}.")
    return still(*parts, words="\n".join(lines), wide=True)


def only_in(graph: RunGraph, other: RunGraph) -> list[int]:
    """Return the nodes of `graph` that `other` lacks."""
    known = {node.key for node in other.nodes}
    return [i for i, node in enumerate(graph.nodes) if node.key not in known]


def _names(ops: Any) -> str:
    return ", ".join(op.name for op in ops) or "none"
