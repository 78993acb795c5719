"""The compiler: what a run needs of the graph becomes a short NumPy program, to be run and to be read.

Order (order.py), then nodes (lowering.py), then text: each node is a statement named after its op, or
part of the one statement that uses it, where both come from the same library call.

Mirrors TensorFlow's graph optimizer and executor (tensorflow/core/grappler, core/common_runtime).
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from minitf.client.identifiers import Identifiers, library_call, words_for, words_of
from minitf.client.lowering import Lowering, fed_value
from minitf.client.nodes import Node, Part, Value, without_unused
from minitf.client.order import execution_order
from minitf.client.program import Function, Program, Statement
from minitf.framework import dtypes
from minitf.framework.graph import Graph
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import ATOM, OPS, Code, expression, prefix, quoted
from minitf.framework.tensor_shape import SCALAR
from minitf.ops.state_ops import variable_of, variables_of

LONGEST_INLINED = 60  # characters


def compile_program(
    graph: Graph, fetches: Iterable[Tensor | Operation], feeds: Iterable[Tensor] = ()
) -> Program:
    """The program that gives the fetched tensors when fed `feeds`.

    Raises InvalidArgumentError for a placeholder that it needs and that is not among the feeds.
    """
    fetches, feeds = list(fetches), list(feeds)
    targets = [f.op if isinstance(f, Tensor) else f for f in fetches if f not in feeds]
    order = execution_order(targets, set(feeds))
    fed = {tensor: fed_value(tensor) for tensor in feeds}
    lowering = Lowering(graph, order, fed)
    values = [
        lowering.value(f) if isinstance(f, Tensor) else None for f in fetches
    ]  # variables are read last
    nodes = without_unused(lowering.nodes, values)
    writer = _Writer(graph)
    for tensor, value in fed.items():
        value.node.names = (writer.names.make(words_of(tensor.op)),)
    given: set[Any] = set()
    main = Function("program", [value.node.names[0] for value in fed.values()], writer.statements)
    for node in nodes:
        writer.write(node)
    for fetch, value in zip(
        fetches, values, strict=True
    ):  # what was fed is an array, even if it is a number
        code = f"array({fed[fetch].node.names[0]})" if fetch in fed else writer.own(value, given)
        main.results.append(code)
    credit(lowering.ops, lowering.became)
    return Program(graph, lowering.ops, feeds, [*writer.functions, main], writer.constants)


class _Writer:
    """Writes nodes down as statements."""

    def __init__(self, graph: Graph):
        self.graph, self.names = graph, Identifiers()
        self.constants: dict[str, np.ndarray] = {}
        self._constant_names: dict[int, str] = {}
        self.statements: list[Statement] = []
        self.functions: list[Function] = []

    def write(self, node: Node) -> None:
        """Write a node as a statement, or keep its code for the statement that it is a part of."""
        if node.kind == "update":
            for line in self._update_code(node).split("\n"):
                self._add(node, line, names=())
            return
        if node.kind == "alias":
            node.code = self._argument(node.arguments[0], literal=False)
            return
        if node.kind == "read":
            code = self._place(node.op)
            node.names = (self.names.make(words_of(node.op)),)
        elif node.kind == "copy":
            code = self._argument(node.arguments[0], literal=False)
            code = code if node.arguments[0].is_scalar else f"copy({code})"
        elif node.kind in ("cond", "while"):
            code = self._call_code(node)
        elif OPS[node.op.type].inputs and OPS[node.op.type].inputs[0][1] == "ref":
            name = variable_of(node.op.inputs[0]).name
            code = OPS[node.op.type].code(node.op, quoted(name), *self._arguments(node))
        else:
            code = expression(node.op, self._arguments(node))
        node.code = code
        if self._is_part_of_consumer(node):
            return
        if not node.names:
            node.names = tuple(
                self.names.make(words_for(node, self.graph, i)) for i in range(len(node.outputs))
            )
        self._add(node, f"{', '.join(node.names)} = {code}" if node.names else code, node.names)

    def _call_code(self, node: Node) -> str:
        """The blocks of a cond or a loop as functions, and what calls them."""
        *words, last = node.scope.split("/")
        if node.kind == "cond":
            false = self._function([*words, f"{last}_false"], node.parts[0])
            true = self._function([*words, f"{last}_true"], node.parts[1])
            return f"{true} if {self._argument(node.arguments[0], literal=False)} else {false}"
        condition, body = node.parts
        for value in condition.variables:
            value.node.names = (self.names.make(words_of(value.tensor.op)),)
        again = self._function([*words, f"{last}_cond"], condition)
        following = self._function([*words, f"{last}_body"], body)
        names = [value.node.names[0] for value in condition.variables]
        captured = dict.fromkeys(n.names[0] for part in node.parts for n in part.captured)
        loop = Function(
            self.names.make([*words, f"{last}_loop"]), [*names, *captured], results=names
        )
        loop.statements.append(Statement(f"while {again}:", (), [], node=node))
        loop.statements.append(
            Statement(f"    {', '.join(names)} = {following}", (), [], node=node)
        )
        self.functions.append(loop)
        initial = [self._argument(value, literal=False) for value in node.arguments[: len(names)]]
        return f"{loop.name}({', '.join(['state', *initial, *captured])})"

    def _function(self, words: list[str], part: Part) -> str:
        """Write a block as a function; the code that calls it."""
        for node in part.captured:  # a value from outside has one name
            node.names = (str(self._argument(node.arguments[0], literal=False)),)
        parameters = [value.node.names[0] for value in part.variables]
        parameters += dict.fromkeys(node.names[0] for node in part.captured)
        outer, self.statements = self.statements, []
        for node in part.nodes:
            self.write(node)
        given: set[Any] = set()
        results = [self.own(value, given) for value in part.results]
        credit(part.ops, part.became)
        function = Function(self.names.make(words), parameters, self.statements, results)
        self.functions.append(function)
        self.statements = outer
        return f"{function.name}({', '.join(['state', *parameters])})"

    def _update_code(self, node: Node) -> str:
        values = self._arguments(node)
        if node.op.type == "Assign":
            (value,) = node.arguments
            if not value.is_scalar and not (_is_new(value) and value.node.uses == 1):
                values = [Code(f"copy({values[0]})", ATOM, shape=value.certain_shape)]
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
            (node.kind, node.uses, node.kept, len(node.outputs)) == ("op", 1, False, 1)
            and consumer is not None
            and consumer.kind in ("op", "update")
            and consumer.epoch == node.epoch
            and (consumer.kind != "update" or len(variables_of(consumer.op)) == 1)
            and len(node.code) <= LONGEST_INLINED
            and library_call(node.op) == library_call(consumer.op)
            and self.graph.gradient_of.keys().isdisjoint(node.tensors)
        )

    def _add(self, node: Node, text: str, names: tuple[str, ...]) -> None:
        comment = node.op.name if node.kind == "update" else ""
        arrays = tuple(n for n, t in zip(names, node.outputs, strict=False) if t.shape.rank != 0)
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

    def own(self, value: Value | None, given: set[Any]) -> str:
        """What a function returns: memory that nothing else uses, or None for an operation."""
        if value is None:
            return "None"
        code = self._argument(value, literal=False)
        is_own = value.is_scalar or (_is_new(value) and value.key() not in given)
        given.add(value.key())
        return code if is_own else f"copy({code})"

    def _argument(self, value: Value, literal: bool) -> str:
        if value.constant is not None:
            return self._constant(value, literal)
        if value.node.names:
            return Code(value.node.names[value.index], ATOM, shape=value.certain_shape)
        return Code(
            value.node.code, getattr(value.node.code, "binds", ATOM), shape=value.certain_shape
        )

    def _constant(self, value: Value, literal: bool) -> Code:
        constant, dtype = value.constant, value.tensor.dtype.base_dtype
        if np.shape(constant) == () and dtype is not dtypes.string:
            number = _number(constant)
            kind = "bool_" if dtype is dtypes.bool else dtype.name
            code = (
                Code(number, getattr(number, "binds", ATOM))
                if literal
                else Code(f"{kind}({number})", ATOM)
            )
            return Code(code, code.binds, constant, SCALAR)
        if id(constant) not in self._constant_names:
            name = self.names.make(words_of(value.tensor.op))
            self._constant_names[id(constant)] = name
            self.constants[name] = constant
        return Code(self._constant_names[id(constant)], ATOM, constant, value.shape)


def _number(scalar) -> str:
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
    if value.constant is not None or node.kind in ("read", "alias", "parameter", "while"):
        return False
    return node.kind in ("copy", "cond") or not OPS[node.op.type].view


def credit(order: list[Operation], became: dict[Operation, Node]) -> None:
    """Note with each statement the operations of the run that it stands for, in their order.

    An operation that became no statement counts for the one that first follows it, or else for the last
    that it follows.
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
    while node is not None and node.kind != "parameter":
        if node.statement is not None:
            return node.statement
        node = node.consumer
    return None
