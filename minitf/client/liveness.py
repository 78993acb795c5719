"""Which nodes are needed, how often and by whom; what nothing needs is left out."""

from __future__ import annotations

from minitf.client.nodes import Node, Value
from minitf.framework.registry import OPS
from minitf.ops.state_ops import variables_of


def without_unused(nodes: list[Node], results: list[Value]) -> list[Node]:
    """The nodes that something needs; each knows how often it is used, and by whom."""
    for value in results:
        if value.node:
            value.node.uses += 1
            value.node.fetched = True
    kept = []
    for node in reversed(nodes):
        if node.uses or node.kept:
            kept.append(node)
            for value in node.arguments:
                if value.node:
                    value.node.uses += 1
                    value.node.consumer = node
                    later = len(nodes) if _hands_on(node) else node.epoch + _has_several_lines(node)
                    value.node.last_use = max(value.node.last_use, later)
        outlives = node.fetched or node.kept or node.last_use > node.epoch
        if node.kind == "copy" and not outlives:
            node.kind = "alias"  # the variable does not change before this is last used
    kept.reverse()
    return kept


def _has_several_lines(node: Node) -> bool:
    """Whether the node still reads its arguments after it has changed a variable."""
    return node.kind == "update" and len(variables_of(node.op)) > 1


def _hands_on(node: Node) -> bool:
    """Whether the node's result may be its argument's memory."""
    return node.kind in ("copy", "alias") or (node.kind == "op" and OPS[node.op.type].view)
