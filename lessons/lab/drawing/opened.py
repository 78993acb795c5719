"""A box that opens: the ops of one statement side by side, and which of them each edge leads to."""

from itertools import accumulate

import numpy as np

from lab.drawing.layout import Layout
from lab.drawing.parts import MARGIN
from lab.drawing.run_graph import DETAIL, LABEL, PADDING, Node, RunGraph, text_width
from minitf import Operation

ROOM, NEXT = 6, 26  # pixels around the ops in an open box, and between two of them
MOST = 4  # ops; more don't fit beside each other


def opened(graph: RunGraph, layout: Layout, i: int) -> dict | None:
    """Describe what is inside node `i`, or return None unless its ops form a chain.

    `doors` says which op an edge of the graph leads to: pairs of their indices.
    """
    node = graph.nodes[i]
    ops = node.ops
    if not 1 < len(ops) <= MOST or any(_inner(op, ops) != [k - 1] for k, op in enumerate(ops) if k):
        return None
    labels = [_label(op, node) for op in ops]
    widths = [_width(name, op.type) for name, op in zip(labels, ops, strict=True)]
    width = sum(widths) + NEXT * (len(ops) - 1) + 2 * ROOM
    middle, right = layout.centers[i][0], layout.centers[i][0] + layout.sizes[i][0] / 2
    ends_here = not any(start == i for start, _ in graph.edges)
    left = right - width if ends_here else middle - width / 2  # the last box has room on its left
    left = max(0.0, min(left, layout.width - width)) + MARGIN
    places = accumulate((each + NEXT for each in widths[:-1]), initial=left + ROOM)
    boxes = [
        {"label": name, "detail": op.type, "x": round(x), "width": round(wide)}
        for name, op, x, wide in zip(labels, ops, places, widths, strict=True)
    ]
    orders = [ops[k - 1] in ops[k].control_inputs for k in range(1, len(ops))]
    doors = [
        [number, _door(graph.nodes[start], ops)]
        for number, (start, end) in enumerate(graph.edges)
        if end == i
    ]
    frame = {"x": round(left), "width": round(width)}
    return {**frame, "nodes": boxes, "orders": orders, "doors": doors}


def _needs(op: Operation) -> list[Operation]:
    return [*(tensor.op for tensor in op.inputs), *op.control_inputs]


def _inner(op: Operation, ops: tuple[Operation, ...]) -> list[int]:
    return [ops.index(source) for source in _needs(op) if source in ops]


def _door(start: Node, ops: tuple[Operation, ...]) -> int:
    needy = (k for k, op in enumerate(ops) if set(_needs(op)) & set(start.ops))
    return next(needy, 0)


def _label(op: Operation, node: Node) -> str:
    if op.type == "Const":
        return str(op.attrs["value"]) if np.ndim(op.attrs["value"]) == 0 else "numbers"
    is_update = op is node.ops[-1] and node.name.endswith("=")
    return node.label if is_update else op.name.rpartition("/")[2]


def _width(name: str, detail: str) -> float:
    return max(text_width(name, LABEL, mono=True), text_width(detail, DETAIL), 28) + PADDING
