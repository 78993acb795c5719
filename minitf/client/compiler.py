"""The compiler: what a run needs of the graph becomes a short NumPy program, to run and to read.

Order (order.py), then nodes (lowering.py), then text: each node is a statement named after its op,
or part of the one statement that uses it, where both come from the same library call (nodes.py).

Mirrors TensorFlow's graph optimizer and executor (tensorflow/core/grappler, core/common_runtime).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from minitf.client.lowering import Body, fed_value
from minitf.client.nodes import Node, Parameter, Value, words_of
from minitf.client.order import execution_order
from minitf.client.program import Function, Identifiers, Program, Statement
from minitf.framework import dtypes
from minitf.framework.graph import Graph
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import Code, prefix, quoted
from minitf.framework.tensor_shape import SCALAR, UNKNOWN


def compile_program(
    graph: Graph, fetches: Iterable[Tensor | Operation], feeds: Iterable[Tensor] = ()
) -> Program:
    """Return the program that gives the fetched tensors when fed `feeds`.

    Raises InvalidArgumentError for a placeholder that it needs and that is not among the feeds.
    """
    fetches, feeds = list(fetches), list(feeds)
    targets = [f.op if isinstance(f, Tensor) else f for f in fetches if f not in feeds]
    order = execution_order(targets, set(feeds))
    fed = {tensor: fed_value(tensor) for tensor in feeds}
    body = Body(order, fed, [f if isinstance(f, Tensor) else None for f in fetches])
    writer = Writer()
    writer.name_given(body)
    main = writer.function(body)
    for i, fetch in enumerate(fetches):
        if fetch in fed:  # what was fed is an array, even if it is a number
            main.results[i] = f"array({fed[fetch].node.names[0]})"
    return Program(graph, body.ops, feeds, writer.functions, writer.constants)


class Writer:
    """Writes nodes down as the statements of functions."""

    def __init__(self):
        self.names = Identifiers()
        self.functions: list[Function] = []
        self.constants: dict[str, np.ndarray] = {}
        self._constant_names: dict[int, str] = {}
        self._statements: list[Statement] = []  # of the function that is being written

    def name_given(self, body: Body) -> list[str]:
        """Name what the function of this body is given, and return these names."""
        for value in body.given.values():
            value.node.names = (self.names.make(words_of(value.tensor.op)),)
        return [value.node.names[0] for value in body.given.values()]

    def function(self, body: Body, words: list[str] | None = None) -> Function:
        """Write a body as a function, `program` unless it is named after `words`."""
        for node in body.captured:  # a value from outside has one name
            node.names = (str(self.argument(node.arguments[0])),)
        parameters = [value.node.names[0] for value in body.given.values()]
        parameters += dict.fromkeys(node.names[0] for node in body.captured)
        outer, self._statements = self._statements, []
        for node in body.nodes:
            node.write(self)
        returned: set[Any] = set()
        results = [self._own(value, returned) for value in body.results]
        credit(body.ops, body.became)
        name = self.names.make(words) if words else "program"
        self.functions.append(Function(name, parameters, self._statements, results))
        self._statements = outer
        return self.functions[-1]

    def add(self, node: Node, text: str, comment: str = "") -> None:
        """Add a statement; those of one node are credited with the same ops."""
        pairs = zip(node.names, node.outputs, strict=False)
        arrays = tuple(name for name, tensor in pairs if tensor.shape.rank != 0)
        ops = node.statement.ops if node.statement else []
        node.statement = Statement(text, node.names, ops, comment, arrays, node)
        self._statements.append(node.statement)

    def place(self, variable: Operation) -> Code:
        """Return where the state holds a variable."""
        ref = variable.outputs[0]
        shape = UNKNOWN if ref in ref.graph.distrusted_shapes else ref.shape
        return Code(f"state[{quoted(variable.name)}]", shape=shape)

    def argument(self, value: Value, literal: bool = False) -> Code:
        """Return the code of a value; with `literal`, a number is written without its dtype."""
        if value.constant is not None:
            return self._constant(value, literal)
        names = value.node.names
        code = Code(names[value.index]) if names else value.node.code
        return Code(code.text, code.binds, shape=value.certain_shape)

    def _constant(self, value: Value, literal: bool) -> Code:
        constant, dtype = value.constant, value.tensor.dtype.base_dtype
        if np.shape(constant) == () and dtype is not dtypes.string:
            code = _number(constant)
            if not literal:
                code = Code(f"{'bool_' if dtype is dtypes.bool else dtype.name}({code})")
            return Code(code.text, code.binds, constant, SCALAR)
        if id(constant) not in self._constant_names:
            name = self.names.make(words_of(value.tensor.op))
            self._constant_names[id(constant)] = name
            self.constants[name] = constant
        return Code(self._constant_names[id(constant)], constant=constant, shape=value.shape)

    def _own(self, value: Value | None, returned: set[Any]) -> str:
        """What a function returns: memory that nothing else uses, or None for an operation."""
        if value is None:
            return "None"
        code = self.argument(value)
        is_own = value.is_scalar or (value.is_new and value.key() not in returned)
        returned.add(value.key())
        return str(code) if is_own else f"copy({code})"


def _number(scalar) -> Code:
    """A NumPy scalar as the plain number that rounds to it."""
    if isinstance(scalar, np.complexfloating):
        return Code(f"complex({_number(scalar.real)}, {_number(scalar.imag)})")
    text = str(scalar)
    if isinstance(scalar, np.floating) and text.lstrip("-").isdigit():
        text += ".0"
    return prefix("-", text[1:]) if text.startswith("-") else Code(text)


def credit(order: list[Operation], became: dict[Operation, Node]) -> None:
    """Note with each statement the operations of the run that it performs, in their order.

    An operation that became no statement counts for the one that first follows it, or else for the
    last that it follows.
    """
    follows: dict[Operation, Statement] = {}
    for op in reversed(order):  # what follows an op is known before the op
        statement = _statement_of(became.get(op)) or follows.get(op)
        if statement is not None:
            follows[op] = statement
            for source in _sources(op):
                follows[source] = statement
    for op in order:
        if op not in follows:
            before = [follows[source] for source in _sources(op) if source in follows]
            if before:
                follows[op] = before[-1]
        if op in follows:
            follows[op].ops.append(op)


def _sources(op: Operation) -> list[Operation]:
    return [*(t.op for t in op.inputs), *op.control_inputs]


def _statement_of(node: Node | None) -> Statement | None:
    """The statement that a node is written in."""
    while node is not None and not isinstance(node, Parameter):
        if node.statement is not None:
            return node.statement
        node = node.consumer
    return None
