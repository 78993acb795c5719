"""The compiler: what a run needs of the graph becomes a short NumPy program, to be run and to be read.

Order (order.py), then nodes (lowering.py), then text: each node is a statement named after its op, or
part of the one statement that uses it, where both come from the same library call.

Stands for TensorFlow's graph optimizer and executor (tensorflow/core/grappler, core/common_runtime).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from minitf.client.credit import credit
from minitf.client.feeds import missing_feed
from minitf.client.identifiers import Identifiers, library_call, words_for, words_of
from minitf.client.liveness import without_unused
from minitf.client.lowering import Lowering
from minitf.client.nodes import Node, Value
from minitf.client.order import execution_order
from minitf.client.program import Program, Statement
from minitf.framework import dtypes
from minitf.framework.graph import Graph
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import ATOM, OPS, Code, expression, prefix, quoted
from minitf.framework.tensor_shape import SCALAR
from minitf.ops.state_ops import variable_of, variables_of

LONGEST_INLINED = 60  # characters


def compile_program(graph: Graph, fetches: Iterable[Tensor | Operation], feeds: Iterable[Tensor] = ()) -> Program:
    """The program that gives the fetched tensors when fed `feeds`.

    Raises InvalidArgumentError for a placeholder that it needs and that is not among the feeds.
    """
    fetches, feeds = list(fetches), list(feeds)
    tensors = [f for f in fetches if isinstance(f, Tensor)]
    targets = [f.op if isinstance(f, Tensor) else f for f in fetches if f not in feeds]
    order = execution_order(targets, set(feeds))
    for op in order:
        if op.type == "Placeholder":
            raise missing_feed(op)
    lowering = Lowering(graph, order, feeds)
    values = dict(zip(tensors, lowering.results(tensors), strict=True))
    nodes = without_unused(lowering.nodes, list(values.values()))
    writer = _Writer(graph, feeds)
    texts = writer.write(nodes, [values.get(fetch) for fetch in fetches], fetches)
    credit(order, lowering.became)
    return Program(
        graph=graph,
        ops=order,
        parameters=list(writer.parameters.items()),
        statements=writer.statements,
        constants=writer.constants,
        results=texts,
    )


class _Writer:
    """Writes nodes down as statements."""

    def __init__(self, graph: Graph, feeds: list[Tensor]):
        self.graph = graph
        self.names = Identifiers()
        self.constants: dict[str, np.ndarray] = {}
        self._constant_names: dict[int, str] = {}
        self.parameters = {t: self.names.make(words_of(t.op)) for t in feeds}
        self.statements: list[Statement] = []

    def write(self, nodes: list[Node], results: list[Value | None], fetches: list[Tensor | Operation]) -> list[str]:
        """Write all nodes; the code of each fetch, as the caller may have it."""
        for node in nodes:
            self._write_node(node)
        given: set[tuple[int, int]] = set()
        return [
            "None" if value is None else self._result(fetch, value, given)
            for fetch, value in zip(fetches, results, strict=True)
        ]

    def _write_node(self, node: Node) -> None:
        if node.kind == "read":
            code = self._place(node.op)
            node.names = (self.names.make(words_of(node.op)),)
        elif node.kind == "update":
            for line in self._update_code(node).split("\n"):
                self._add(node, line, names=())
            return
        elif node.kind == "alias":
            node.code = self._argument(node.arguments[0], literal=False)
            return
        elif node.kind == "copy":
            source = node.arguments[0]
            code = self._argument(source, literal=False)
            code = code if source.is_scalar else f"copy({code})"
        elif OPS[node.op.type].inputs and OPS[node.op.type].inputs[0][1] == "ref":
            name = variable_of(node.op.inputs[0]).name
            code = OPS[node.op.type].code(node.op, quoted(name), *self._arguments(node))
        else:
            code = expression(node.op, self._arguments(node))
        node.code = code
        if self._is_part_of_consumer(node):
            return
        if not node.names:
            node.names = tuple(self.names.make(words_for(node, self.graph, i)) for i in _outputs(node))
        self._add(node, f"{', '.join(node.names)} = {code}", node.names)

    def _update_code(self, node: Node) -> str:
        values = self._arguments(node)
        if node.op.type == "Assign":
            values = [
                v
                if a.is_scalar or (_is_new(a) and a.node.uses == 1)
                else Code(f"copy({v})", ATOM, shape=a.certain_shape)
                for v, a in zip(values, node.arguments, strict=True)
            ]
        places = [self._place(variable) for variable in variables_of(node.op)]
        return OPS[node.op.type].code(node.op, *places, *values)

    def _place(self, variable: Operation) -> Code:
        """Where the state holds a variable."""
        ref = variable.outputs[0]
        value = Value(ref, trusted=ref not in self.graph.distrusted_shapes)
        return Code(f"state[{quoted(variable.name)}]", ATOM, shape=value.certain_shape)

    def _is_part_of_consumer(self, node: Node) -> bool:
        consumer = node.consumer
        return (
            node.kind == "op"
            and node.uses == 1
            and not node.fetched
            and not node.kept
            and consumer is not None
            and consumer.epoch == node.epoch
            and len(node.op.outputs) == 1
            and (consumer.kind != "update" or len(variables_of(consumer.op)) == 1)
            and len(node.code) <= LONGEST_INLINED
            and library_call(node.op) == library_call(consumer.op)
            and self.graph.gradient_of.keys().isdisjoint(node.tensors)
        )

    def _add(self, node: Node, text: str, names: tuple[str, ...]) -> None:
        comment = node.op.name if node.kind == "update" else ""
        arrays = tuple(n for n, t in zip(names, node.op.outputs, strict=False) if t.shape.rank != 0)
        ops = node.statement.ops if node.statement else []
        node.statement = Statement(text, names, ops, comment, arrays, node)
        self.statements.append(node.statement)

    def _arguments(self, node: Node) -> list[str]:
        """The code of each argument; a scalar constant is a plain number where its dtype is clear."""
        values = node.arguments
        update = node.kind == "update" and node.op.type != "Assign" and len(values) == 1
        clear = update or any(v.constant is None for v in values)
        literal = clear and (OPS[node.op.type].weak or node.kind == "update")
        return [self._argument(v, literal) for v in values]

    def _result(self, tensor: Tensor, value: Value, given: set[tuple[int, int]]) -> str:
        """What is fetched: memory of its own; what was fed is an array, even if it is a number."""
        if tensor in self.parameters:
            return f"array({self.parameters[tensor]})"
        code = self._argument(value, literal=False)
        place = (id(value.node), value.index)
        own = value.is_scalar or (_is_new(value) and place not in given)
        given.add(place)
        return code if own else f"copy({code})"

    def _argument(self, value: Value, literal: bool) -> str:
        if value.constant is not None:
            return self._constant(value, literal)
        if value.node is None:
            return Code(self.parameters[value.tensor], ATOM, shape=value.certain_shape)
        if value.node.names:
            return Code(value.node.names[value.index], ATOM, shape=value.certain_shape)
        return Code(value.node.code, getattr(value.node.code, "binds", ATOM), shape=value.certain_shape)

    def _constant(self, value: Value, literal: bool) -> Code:
        constant, dtype = value.constant, value.tensor.dtype.base_dtype
        if np.shape(constant) == () and dtype is not dtypes.string:
            number = _number(constant)
            if not literal:
                kind = "bool_" if dtype is dtypes.bool else dtype.name
                return Code(f"{kind}({number})", ATOM, constant, SCALAR)
            return Code(number, getattr(number, "binds", ATOM), constant, SCALAR)
        if id(constant) not in self._constant_names:
            name = self.names.make(words_of(value.tensor.op))
            self._constant_names[id(constant)] = name
            self.constants[name] = constant
        return Code(self._constant_names[id(constant)], ATOM, constant, value.shape)


def _outputs(node: Node) -> range:
    return range(len(node.op.outputs))


def _number(scalar: Any) -> str:
    """A NumPy scalar as the plain number that rounds to it."""
    if isinstance(scalar, np.complexfloating):
        return Code(f"complex({_number(scalar.real)}, {_number(scalar.imag)})", ATOM)
    text = str(scalar)
    if isinstance(scalar, np.floating) and text.lstrip("-").isdigit():
        text += ".0"
    return prefix("-", text[1:]) if text.startswith("-") else text


def _is_new(value: Value) -> bool:
    """Whether the statement that gives this value made its memory."""
    node = value.node
    if value.constant is not None or node is None or node.kind in ("read", "alias"):
        return False
    return node.kind == "copy" or not OPS[node.op.type].view
