"""A run as a graph to draw: a node for each op, or, where there are many, for each statement."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from lab.drawing.layout import ROW, Layout, layered
from lab.drawing.parts import PLAIN
from minitf import Operation
from minitf.client.program import Program, Statement

MOST_OPS = 16  # with more, a node represents all the ops of a statement
LABEL, DETAIL = 12.5, 12  # sizes of the letters, in pixels
MARGIN = 3  # around it all
PADDING = 12  # of a node, left and right together
HEIGHT, VALUE = 40, 17  # of a node, and of the line of its value below


@dataclass(frozen=True)
class Node:
    """What is drawn as one box: a name, what it is, and the ops that it represents."""

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
        """Identifies the node in the graph of another run."""
        return self.name if self.of_statement else f"{self.name} {self.detail}"


@dataclass(frozen=True)
class RunGraph:
    """Nodes in the order in which they run, and edges between their numbers; True: by control only."""

    nodes: list[Node]
    edges: dict[tuple[int, int], bool]

    def laid_out(self, values: Sequence[Mapping[int, str]] = (), gap: float = ROW) -> Layout:
        """Place the nodes, with room for each of these `values`, layers `gap` pixels apart."""
        sizes = {}
        for i, node in enumerate(self.nodes):
            texts = [(node.label, LABEL, True), (node.detail, DETAIL, False)]
            texts += [(held[i], DETAIL, True) for held in values if i in held]
            width = max(text_width(*text) for text in texts) + PADDING
            sizes[i] = max(width, 40), HEIGHT + (VALUE if values else 0)
        return layered(sizes, list(self.edges), gap)

    def part(
        self,
        layout: Layout,
        kinds: Mapping[int, str] | None = None,
        values: Mapping[int, str] | None = None,
        keys: Mapping[int, str] | None = None,
        edges: Mapping[tuple[int, int], dict] | None = None,
        **more: object,
    ) -> dict:
        """Describe it for the page, the nodes as `kinds` says, else plain; `keys` link them with other parts.

        `edges` says how some edges look: {"kind", "name"}.
        """
        kinds, values, keys, looks = kinds or {}, values or {}, keys or {}, edges or {}
        nodes = []
        for i, node in enumerate(self.nodes):
            (x, y), (width, height) = layout.centers[i], layout.sizes[i]
            nodes.append(
                {
                    "label": node.label,
                    "detail": node.detail,
                    "kind": kinds.get(i, PLAIN),
                    "value": values.get(i, ""),
                    "key": keys.get(i, f"n{i}"),
                    "x": round(x - width / 2) + MARGIN,
                    "y": round(y - height / 2) + MARGIN,
                    "width": round(width),
                    "height": height,
                }
            )
        drawn = [
            {
                "ends": edge,
                "order": order,
                "points": [(round(x) + MARGIN, round(y) + MARGIN) for x, y in layout.routes[edge]],
                "kind": "",
                **looks.get(edge, {}),
            }
            for edge, order in self.edges.items()
        ]
        width, height = round(layout.width) + 2 * MARGIN, round(layout.height) + 2 * MARGIN
        return {
            "type": "graph",
            "nodes": nodes,
            "edges": drawn,
            "width": width,
            "height": height,
            "basis": width,
            "linked": True,
            **more,
        }


def text_width(text: str, size: float = 13, mono: bool = False) -> float:
    """Estimate how many pixels wide a text is, with enough room for the fonts of the usual systems."""
    return len(text) * size * (0.62 if mono else 0.58)


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
    if len(ops_of(program)) <= MOST_OPS if by_op is None else by_op:
        return graph_of_ops(program.ops, fed)
    nodes = [Node(op.name, op.type, (op,)) for op in fed]
    for statement in program.statements:
        ops = [op for op in statement.ops if op not in fed]
        detail = ops[0].type if len(ops) == 1 else f"{len(ops)} operations"
        nodes.append(Node(_target(statement), detail, tuple(ops), of_statement=True))
    number = {op: i for i, node in enumerate(nodes) for op in node.ops}
    ops = [op for node in nodes[len(fed) :] for op in node.ops]
    return RunGraph(nodes, _edges(ops, number))


def ops_of(program: Program) -> set[Operation]:
    """Return all ops of a program's run, including those that are fed."""
    return {*program.ops, *(tensor.op for tensor, _ in program.parameters)}


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


def _target(statement: Statement) -> str:
    """Return what a statement is about: the name it gives, or the variable it updates."""
    if statement.names:
        return statement.names[0]
    variable, _, rest = statement.text.removeprefix("state[").partition("]")
    return f"{variable.strip(chr(34))} {rest.split()[0]}"


def keys_of(graph: RunGraph, statements: Iterable[Statement]) -> dict[int, str]:
    """Return for each node what links it with the lines of its statements: "s0", or "s0 s3"."""
    keys: dict[int, str] = {}
    for number, statement in enumerate(statements):
        for i in numbers_of(graph, statement.ops):
            keys[i] = f"{keys.get(i, '')} s{number}".strip()
    return keys


def numbers_of(graph: RunGraph, ops: Collection[Operation]) -> list[int]:
    """Return the numbers of the nodes that represent any of `ops`."""
    wanted = set(ops)
    return [i for i, node in enumerate(graph.nodes) if wanted.intersection(node.ops)]
