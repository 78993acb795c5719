"""Pictures of graphs that do not move: what a run would need of a graph, and how two runs differ."""

from __future__ import annotations

from typing import Any

import minitf as tf
from lab.run_graph import RunGraph, few_ops, graph_of_ops, graph_of_program
from lab.scene import Scene, Text, text_width
from lab.shown import Still
from minitf.client.session import program_of

TOP, MARGIN, BETWEEN = 34, 12, 48


def draw_graph(graph: tf.Graph | None = None, fetch: Any = None) -> Still:
    """Draw every op of the default graph; with `fetch`, of its graph, and mark those that its run needs."""
    if graph is None:
        graph = tf.get_default_graph() if fetch is None else program_of(fetch).graph
    ops = graph.get_operations()
    needed = None if fetch is None else ops_of_a_run(fetch)
    if needed and needed[0] not in ops:
        raise ValueError("The fetch is not in this graph.")
    drawn = graph_of_ops(ops)
    kinds = {}
    names = ", ".join(op.name for op in ops) or "none"
    words = f"The graph has {len(ops)} operations: {names}."
    if needed is not None:
        kinds = {i: "done" if op in needed else "quiet" for i, op in enumerate(ops)}
        ran = [op.name for op in ops if op in needed] or ["none"]
        rest = [op.name for op in ops if op not in needed] or ["none"]
        words = f"A run needs {len(needed)} of {len(ops)} operations: {', '.join(ran)}.\n"
        words += f"Not needed: {', '.join(rest)}."
    layout = drawn.laid_out()
    shapes = drawn.shapes(layout, (MARGIN, MARGIN), kinds)
    return Still(Scene(layout.width + 2 * MARGIN, layout.height + 2 * MARGIN, shapes, words))


def ops_of_a_run(fetch: Any) -> list[tf.Operation]:
    """Return the operations that `run(fetch)` needs, in the order in which they run."""
    program = program_of(fetch)
    fed = [tensor.op for tensor, _ in program.parameters]
    return [*(op for op in fed if op not in program.ops), *program.ops]


def compare_graphs(**train_ops: tf.Operation) -> Still:
    """Draw the graphs of two runs next to each other, and mark the nodes that only one of them has.

    compare_graphs(with_step=train_op, without=another_train_op)
    """
    first, second = train_ops.values()
    programs = [program_of(first), program_of(second)]
    by_op = all(map(few_ops, programs))  # both drawn alike, or nothing could be compared
    graphs = [graph_of_program(program, by_op) for program in programs]
    names = [name.replace("_", " ") for name in train_ops]
    shapes, left, height, lines = [], float(MARGIN), 0.0, []
    for name, graph, other in zip(names, graphs, reversed(graphs), strict=True):
        alone = only_in(graph, other)
        layout = graph.laid_out(values=True)  # in the place of a value stands the mark
        shapes.append(Text(left, 16, name, bold=True))
        kinds = dict.fromkeys(alone, "now")
        shapes += graph.shapes(layout, (left, TOP), kinds, dict.fromkeys(alone, "only here"))
        left += max(layout.width, text_width(name)) + BETWEEN
        height = max(height, layout.height)
        these = ", ".join(graph.nodes[i].name for i in alone) or "nothing"
        lines.append(f"{name}: {len(graph.nodes)} boxes. Only here: {these}.")
    width = left - BETWEEN + MARGIN
    return Still(Scene(width, TOP + height + MARGIN, shapes, "\n".join(lines)))


def only_in(graph: RunGraph, other: RunGraph) -> list[int]:
    """Return the nodes of `graph` that `other` has not."""
    known = {node.key for node in other.nodes}
    return [i for i, node in enumerate(graph.nodes) if node.key not in known]
