"""A run as a graph to draw: a node for each op, or, where there are many, for each statement."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from lab.layout import Layout, layered
from lab.scene import Arrow, Box, Text, text_width
from minitf import Operation
from minitf.client.program import Program

MOST_OPS = 16  # with more, a node stands for all the ops of a statement
WITH_VALUE = 140  # the width of a node that has room for a value, in pixels
LABEL, DETAIL = 12.5, 11  # sizes of the letters, in pixels
HEIGHT, VALUE = 38, 16  # of a node, and of the line of its value below


@dataclass(frozen=True)
class Node:
    """What is drawn as one box: a name, what it is, and the ops that it stands for."""

    name: str
    detail: str
    ops: tuple[Operation, ...]
    of_statement: bool = False

    @property
    def label(self) -> str:
        """The name, or the end of a long one."""
        return self.name if len(self.name) <= 24 else f".../{self.name.rpartition('/')[2]}"

    @property
    def key(self) -> str:
        """By which a node is found again in the graph of another run."""
        return self.name if self.of_statement else f"{self.name} {self.detail}"


@dataclass(frozen=True)
class RunGraph:
    """Nodes in the order in which they run, and edges between their numbers; True: by control only."""

    nodes: list[Node]
    edges: dict[tuple[int, int], bool]

    def laid_out(self, values: bool = False) -> Layout:
        """Place the nodes, with room for a value in each if `values`."""
        least = WITH_VALUE if values else 40
        sizes = {
            i: (
                max(
                    text_width(node.label, LABEL, mono=True) + 14,
                    text_width(node.detail, DETAIL) + 14,
                    least,
                ),
                HEIGHT + (VALUE if values else 0),
            )
            for i, node in enumerate(self.nodes)
        }
        return layered(sizes, list(self.edges))

    def shapes(
        self,
        layout: Layout,
        corner: tuple[float, float],
        kinds: Mapping[int, str],
        values: Mapping[int, str] | None = None,
    ) -> list[Arrow | Box | Text]:
        """Draw it with its upper left corner at `corner`, the nodes as `kinds` says, else plain."""
        left, top = corner
        drawn: list[Arrow | Box | Text] = []
        for edge, control in self.edges.items():
            points = [(left + x, top + y) for x, y in layout.routes[edge]]
            ends = {kinds.get(node, "plain") for node in edge}
            drawn.append(
                Arrow(points, dashed=control, kind="quiet" if "quiet" in ends else "plain")
            )
        for i, node in enumerate(self.nodes):
            x, y = layout.centers[i]
            width, height = layout.sizes[i]
            x, y, kind = left + x, top + y - height / 2, kinds.get(i, "plain")
            quiet = "quiet" if kind == "quiet" else "plain"
            drawn.append(Box(x - width / 2, y, width, height, kind))
            drawn.append(Text(x, y + 16, node.label, LABEL, "middle", mono=True, kind=quiet))
            drawn.append(Text(x, y + 31, node.detail, DETAIL, "middle", kind="quiet"))
            if values is not None and i in values:
                drawn.append(Text(x, y + 47, values[i], DETAIL, "middle", mono=True, bold=True))
        return drawn


def graph_of_ops(ops: Iterable[Operation], fed: Iterable[Operation] = ()) -> RunGraph:
    """Return the graph of these ops, each a node; they come in an order in which they could run.

    What is `fed` gets its value from outside: no edge leads there.
    """
    fed = list(fed)
    ops = [*fed, *(op for op in ops if op not in fed)]
    number = {op: i for i, op in enumerate(ops)}
    nodes = [Node(op.name, op.type, (op,)) for op in ops]
    return RunGraph(nodes, _edges(ops[len(fed) :], number))


def graph_of_program(program: Program, by_op: bool | None = None) -> RunGraph:
    """Return the graph of a program's run: of its ops, or of its statements if the ops are many."""
    fed = [tensor.op for tensor, _ in program.parameters]
    if few_ops(program) if by_op is None else by_op:
        return graph_of_ops(program.ops, fed)
    nodes = [Node(op.name, op.type, (op,)) for op in fed]
    for statement in program.statements:
        ops = [op for op in statement.ops if op not in fed]
        detail = ops[0].type if len(ops) == 1 else f"{len(ops)} operations"
        nodes.append(Node(_target(statement), detail, tuple(ops), of_statement=True))
    number = {op: i for i, node in enumerate(nodes) for op in node.ops}
    ops = [op for node in nodes[len(fed) :] for op in node.ops]
    return RunGraph(nodes, _edges(ops, number))


def few_ops(program: Program) -> bool:
    """Whether a node can stand for each op of a program's run."""
    return len({*program.ops, *(tensor.op for tensor, _ in program.parameters)}) <= MOST_OPS


def _edges(ops: Iterable[Operation], number: Mapping[Operation, int]) -> dict:
    """Return the edges that lead forwards between different nodes, and whether only control does."""
    edges: dict[tuple[int, int], bool] = {}
    for op in ops:
        sources = [(tensor.op, False) for tensor in op.inputs]
        sources += [(before, True) for before in op.control_inputs]
        for source, control in sources:
            edge = number.get(source, -1), number[op]
            if 0 <= edge[0] < edge[1]:
                edges[edge] = edges.get(edge, True) and control
    return edges


def _target(statement: object) -> str:
    """Return what a statement is about: the name it gives, or the variable it updates."""
    if statement.names:
        return statement.names[0]
    variable, _, rest = statement.text.removeprefix("state[").partition("]")
    return f"{variable.strip(chr(34))} {rest.split()[0]}"


def numbers_of(graph: RunGraph, ops: Collection[Operation]) -> list[int]:
    """Return the nodes that stand for any of `ops`."""
    wanted = set(ops)
    return [i for i, node in enumerate(graph.nodes) if wanted.intersection(node.ops)]
