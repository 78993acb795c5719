"""A run as a graph to draw, with a node for each op or, if there are many, for each statement."""

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from lab.drawing.layout import ROW, Layout, layered
from lab.drawing.parts import PLAIN, box, graph, link
from minitf import Operation
from minitf.client.program import Program, Statement

MOST_OPS = 16  # beyond this, a node represents all the ops of a statement
LABEL, DETAIL = 12.5, 12  # font sizes, in pixels
PADDING = 12  # of a node, left and right together
HEIGHT, VALUE = 40, 12  # of a node, and what an extra line for its value adds (graph.js)
TIGHT = 18  # pixels between layers of boxes with values, so that a whole run fits a laptop's screen


@dataclass(frozen=True)
class Node:
    """One box of the drawing: its name, what it is, and the ops it represents."""

    name: str
    detail: str
    ops: tuple[Operation, ...]

    @property
    def label(self) -> str:
        """The name, or the end of a long one."""
        return self.name if len(self.name) <= 24 else f".../{self.name.rpartition('/')[2]}"

    @property
    def key(self) -> str:
        """Identifies the node in the graph of another run."""
        return f"{self.name}_{self.detail}"


@dataclass(frozen=True)
class RunGraph:
    """Nodes in the order they run, and edges between their indices (True if by control only)."""

    nodes: list[Node]
    edges: dict[tuple[int, int], bool]

    def laid_out(self, values: Sequence[Mapping[int, str]] = (), gap: float = ROW) -> Layout:
        """Place the nodes in layers `gap` pixels apart, with room for all of these `values`."""
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
        inside: Mapping[int, dict] | None = None,
        **more: object,
    ) -> dict:
        """Describe it for the page. `kinds` default to plain; `keys` link nodes to other parts.

        `edges` says how some edges look: {"kind", "name"}; `inside` is what some boxes open to
        (opened.py).
        """
        kinds, values, keys, looks = kinds or {}, values or {}, keys or {}, edges or {}
        nodes, drawn = [], []
        for i, node in enumerate(self.nodes):
            look = {"kind": kinds.get(i, PLAIN), "value": values.get(i, "")}
            look["key"] = keys.get(i, f"n{i}")
            look |= {"inside": inside[i]} if inside and i in inside else {}
            nodes.append(box(node.label, node.detail, layout.centers[i], layout.sizes[i], **look))
        for edge, order in self.edges.items():
            drawn.append(link(edge, layout.routes[edge], order=order, **looks.get(edge, {})))
        size = round(layout.width), round(layout.height)
        return graph(nodes, drawn, size, linked=True, **more)


def text_width(text: str, size: float = 13, mono: bool = False) -> float:
    """Estimate a text's width in pixels, generously enough for the fonts of common systems."""
    return len(text) * size * (0.62 if mono else 0.58)


def graph_of_ops(ops: Iterable[Operation], fed: Iterable[Operation] = ()) -> RunGraph:
    """Return the graph of these ops, one node each; they are in an order in which they could run.

    An op that is `fed` gets its value from outside, so no edge leads to it.
    """
    fed = list(fed)
    ops = [*fed, *(op for op in ops if op not in fed)]
    number = {op: i for i, op in enumerate(ops)}
    nodes = [Node(op.name, op.type, (op,)) for op in ops]
    return RunGraph(nodes, _edges(ops[len(fed) :], number))


def graph_of_program(program: Program) -> RunGraph:
    """Return the graph of a program's run, by op or, if there are many, by statement.

    Between statements, an arrow is a value that the program's text reads. An op that needs only the
    shape of a value doesn't read it.
    """
    fed = [tensor.op for tensor, _ in program.parameters]
    if len(ops_of(program)) <= MOST_OPS:
        return graph_of_ops(program.ops, fed)
    nodes = [Node(op.name, op.type, (op,)) for op in fed]
    for statement in program.statements:
        ops = [op for op in statement.ops if op not in fed]
        nodes.append(Node(_target(statement), _detail(ops), tuple(ops)))
    number = {op: i for i, node in enumerate(nodes) for op in node.ops}
    ops = [op for node in nodes[len(fed) :] for op in node.ops]
    given = [(name,) for _, name in program.parameters] + [s.names for s in program.statements]
    reads = [_names_read(statement) for statement in program.statements]
    edges = {
        (start, end): order
        for (start, end), order in _edges(ops, number).items()
        if order or not given[start] or reads[end - len(fed)] & {*given[start], "state"}
    }
    return RunGraph(nodes, edges)


def _detail(ops: Sequence[Operation]) -> str:
    """Say what a statement's box represents."""
    types = [op.type for op in ops]
    if types == ["VariableV2", "Identity"]:
        return "variable, read"
    return types[0] if len(types) == 1 else f"{len(types)} ops in one"


def _names_read(statement: Statement) -> set[str]:
    """Return the names in a statement, "state" among them if it reads or changes a variable."""
    return {node.id for node in ast.walk(ast.parse(statement.text)) if isinstance(node, ast.Name)}


def ops_of(program: Program) -> set[Operation]:
    """Return all ops of a program's run, including the fed ones."""
    return {*program.ops, *(tensor.op for tensor, _ in program.parameters)}


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


def _target(statement: Statement) -> str:
    """Return what a statement is about: the name it assigns, or the variable it updates."""
    if statement.names:
        return statement.names[0]
    variable, _, rest = statement.text.removeprefix("state[").partition("]")
    return f"{variable.strip(chr(34))} {rest.split()[0]}"


def keys_of(graph: RunGraph, statements: Iterable[Statement]) -> dict[int, str]:
    """Return the key that links each node to its statements' lines: "s0", or "s0 s3"."""
    keys: dict[int, str] = {}
    for number, statement in enumerate(statements):
        for i in numbers_of(graph, statement.ops):
            keys[i] = f"{keys.get(i, '')} s{number}".strip()
    return keys


def numbers_of(graph: RunGraph, ops: Collection[Operation]) -> list[int]:
    """Return the indices of the nodes that represent any of `ops`."""
    wanted = set(ops)
    return [i for i, node in enumerate(graph.nodes) if wanted.intersection(node.ops)]
