"""The compiler turns the part of a graph that a run needs into a short NumPy program.

It puts the ops in order (order.py), makes nodes of them (lowering.py), and writes each node as a
statement named after its op, or as part of the one statement that uses it, if both come from the
same library call (nodes.py).

Mirrors TensorFlow's graph optimizer and executor (tensorflow/core/grappler, core/common_runtime).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from minitf.client.dependencies import sources
from minitf.client.lowering import Body, fed_value, lower
from minitf.client.nodes import Node, Parameter, Value, words_of
from minitf.client.order import execution_order
from minitf.client.program import Function, Identifiers, Program, Statement
from minitf.framework import dtypes
from minitf.framework.graph import Graph
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import Code, prefix, quoted
from minitf.framework.tensor_shape import SCALAR, UNKNOWN

SMALLEST_NORMAL = np.finfo(np.float32).smallest_normal


def compile_program(
    graph: Graph, fetches: Iterable[Tensor | Operation], feeds: Iterable[Tensor] = ()
) -> Program:
    """Return the program that computes `fetches` when `feeds` are fed.

    Raises InvalidArgumentError if it needs a placeholder that isn't among the feeds.
    """
    fetches, feeds = list(fetches), list(feeds)
    targets = [f.op if isinstance(f, Tensor) else f for f in fetches if f not in feeds]
    order = execution_order(targets, set(feeds))
    fed = {tensor: fed_value(tensor) for tensor in feeds}
    body = lower(order, fed, [f if isinstance(f, Tensor) else None for f in fetches])
    writer = Writer()
    writer.name_given(body)
    main = writer.function(body)
    for i, fetch in enumerate(fetches):
        if fetch in fed:  # a feed comes back as an array, even a scalar
            main.results[i] = f"array({writer.names[fed[fetch].node][0]})"
    return Program(graph, body.ops, feeds, writer.functions, writer.constants, writer.names)


class Writer:
    """Writes nodes as the statements of functions.

    functions: those written so far.
    constants: the arrays that their text refers to, by name.
    names: the names of the results of each node that has a statement, or is a parameter.
    """

    def __init__(self):
        self.functions: list[Function] = []
        self.constants: dict[str, np.ndarray] = {}
        self.names: dict[Node, tuple[str, ...]] = {}
        self._identifiers = Identifiers()
        self._constant_names: dict[int, str] = {}
        self._parts: dict[Node, tuple[Code, set[str]]] = {}  # their code, and what it reads
        self._last: dict[Node, Statement] = {}  # the statement of a node; if several, the last
        self._statements: list[Statement] = []  # of the function being written
        self._reads: set[str] = set()  # the names that the node being written reads

    def name(self, words: list[str]) -> str:
        """Return a new name made of these words."""
        return self._identifiers.make(words)

    def name_given(self, body: Body) -> list[str]:
        """Name the values that the body's function is given, and return the names."""
        for value in body.given.values():
            self.names[value.node] = (self.name(words_of(value.tensor.op)),)
        return [self.names[value.node][0] for value in body.given.values()]

    def function(self, body: Body, words: list[str] | None = None) -> Function:
        """Write a body as a function named after `words`, or else `program`, and return it."""
        for node in body.captured:  # it has the same name inside and outside
            self.names[node] = (str(self.argument(node.arguments[0])),)
        given = [value.node for value in body.given.values()]
        parameters = list(dict.fromkeys(self.names[node][0] for node in [*given, *body.captured]))
        outer, self._statements, self._reads = (self._statements, self._reads), [], set()
        for node in body.nodes:
            self._reads = set()
            node.write(self)
        self._reads = set()
        owned: set[Any] = set()
        results = [self._own(value, owned) for value in body.results]
        self._credit(body)
        name = self.name(words) if words else "program"
        made = Function(name, parameters, self._statements, results, self._reads)
        self.functions.append(made)
        self._statements, self._reads = outer
        return made

    def assign(self, node: Node, code: Code) -> None:
        """Add a statement that names the results of `node`."""
        count = range(len(node.outputs))
        self.names[node] = tuple(self.name(node.words(i)) for i in count)
        names = ", ".join(self.names[node])
        self.add(node, f"{names} = {code}" if names else str(code))

    def add(self, node: Node, text: str, changes: str = "", comment: str = "") -> None:
        """Add a statement of `node`; all statements of a node share one list of ops.

        `changes` is the code of the variable that it changes.
        """
        names = self.names.get(node, ())
        pairs = zip(names, node.outputs, strict=False)
        arrays = tuple(name for name, tensor in pairs if tensor.shape.rank != 0)
        ops = self._last[node].ops if node in self._last else []
        self._last[node] = Statement(
            text, names, ops, comment, arrays, frozenset(self._reads), changes, node
        )
        self._statements.append(self._last[node])

    def add_part(self, node: Node, code: Code) -> None:
        """Keep the code of `node` for the statement that it is a part of."""
        self._parts[node] = code, self._reads

    def place(self, variable: Operation) -> Code:
        """Return the code of a variable's place in the state, such as `state["w"]`."""
        ref = variable.outputs[0]
        shape = UNKNOWN if ref in ref.graph.distrusted_shapes else ref.shape
        return Code(f"state[{quoted(variable.name)}]", shape=shape)

    def argument(self, value: Value, literal: bool = False) -> Code:
        """Return the code of a value; if `literal`, a constant scalar is a plain number."""
        if value.constant is not None:
            return self._constant(value, literal)
        if value.node in self.names:
            code = Code(self.names[value.node][value.index])
            self._reads.add(str(code))
        else:
            code, reads = self._parts[value.node]
            self._reads |= reads
        return Code(code.text, code.binds, shape=value.certain_shape)

    def _constant(self, value: Value, literal: bool) -> Code:
        constant, dtype = value.constant, value.tensor.dtype.base_dtype
        is_number = np.shape(constant) == () and dtype is not dtypes.string
        if is_number and (literal or not _has_denormal_part(constant)):
            code = _number(constant)
            if not literal:
                code = Code(f"{'bool_' if dtype is dtypes.bool else dtype.name}({code})")
            return Code(code.text, code.binds, constant, SCALAR, plain=literal)
        if id(constant) not in self._constant_names:
            name = self.name(words_of(value.tensor.op))
            self._constant_names[id(constant)] = name
            self.constants[name] = constant
        return Code(self._constant_names[id(constant)], constant=constant, shape=value.shape)

    def _own(self, value: Value | None, owned: set[Any]) -> str:
        """Return the code of a result in memory that nothing else uses, "None" for an operation.

        `owned` are the keys of the results before it.
        """
        if value is None:
            return "None"
        code = self.argument(value)
        is_own = value.is_scalar or (value.is_new and value.key() not in owned)
        owned.add(value.key())
        return str(code) if is_own else f"copy({code})"

    def _credit(self, body: Body) -> None:
        """Add the operations of a body, in order, to the statements that perform them.

        An operation that became no statement is credited to the first statement that depends on it,
        or else to the last one that it depends on.
        """
        follows: dict[Operation, Statement] = {}
        for op in reversed(body.ops):  # an op's users come before the op itself
            statement = self._statement_of(body.became.get(op)) or follows.get(op)
            if statement is not None:
                follows[op] = statement
                for source in sources(op):
                    follows[source] = statement
        for op in body.ops:
            if op not in follows:
                before = [follows[source] for source in sources(op) if source in follows]
                if before:
                    follows[op] = before[-1]
            if op in follows:
                follows[op].ops.append(op)

    def _statement_of(self, node: Node | None) -> Statement | None:
        """Return the statement that the node is written in, or None."""
        while node is not None and not isinstance(node, Parameter):
            if node in self._last:
                return self._last[node]
            node = node.use.consumer
        return None


def _number(scalar) -> Code:
    """Return the code of a NumPy scalar as a plain Python number."""
    if isinstance(scalar, np.complexfloating):
        return Code(f"complex({_number(scalar.real)}, {_number(scalar.imag)})")
    text = str(scalar)
    if isinstance(scalar, np.floating) and text.lstrip("-").isdigit():
        text += ".0"
    return prefix("-", text[1:]) if text.startswith("-") else Code(text)


def _has_denormal_part(scalar) -> bool:
    """Return whether a run would make zero of `float32(1e-40)`, or of such a complex number."""
    parts = (scalar.real, scalar.imag)
    is_single = isinstance(scalar, np.float32 | np.complex64)
    return is_single and any(0 < abs(part) < SMALLEST_NORMAL for part in parts)
