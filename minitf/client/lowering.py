"""Lowering: a graph becomes a list of nodes, each of which will be one statement or part of one.

On the way constants are folded, repeated work is shared, and work that the shapes prove idle is dropped.
Never folded or shared are stateful ops; whatever is fed is taken as it comes.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from minitf.client.feeds import missing_feed
from minitf.client.nodes import LARGEST_FOLDED, Node, Part, Value, without_unused
from minitf.client.order import Group, Step, all_ops
from minitf.framework.graph import Graph
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import ATOM, KERNELS, OPS, Code, OpDef, expression
from minitf.framework.tensor_shape import TensorShape
from minitf.ops.state_ops import variable_of, variables_of


@lru_cache(maxsize=1000)
def _function(text: str, count: int):
    """The function of the arguments a0, a1 ... that an op's own code is."""
    arguments = ", ".join(f"a{i}" for i in range(count))
    return eval(compile(f"lambda {arguments}: {text}", "<constant>", "eval"), dict(KERNELS))


def evaluate(op: Operation, values: list[Any]):
    """What `op` gives for these values, by the same code that a program runs."""
    shapes = [TensorShape(np.shape(v)) for v in values]
    arguments = [Code(f"a{i}", ATOM, v, shapes[i]) for i, v in enumerate(values)]
    text = expression(op, arguments)
    with np.errstate(all="ignore"):
        return _function(str(text), len(values))(*values)


def fed_value(tensor: Tensor) -> Value:
    """What is fed. Its own shape is checked, but it may contradict a static shape that was derived from its unknown
    lengths, or from the value of a constant or a shape."""
    known = tensor.shape.is_fully_defined() and tensor.op.type not in _GIVE_SHAPES
    node = Node("parameter", tensor.op, [], 0)
    return Value(tensor, node=node, trusted=known or tensor.op.type == "Placeholder")


_GIVE_SHAPES = ("Const", "Shape", "Pack", "ConcatV2", "StridedSlice")  # see known_elements


class Lowering:
    """Turns ops, taken in execution order, into nodes; the inside of a cond or a loop has its own Lowering.

    `given` are values of tensors that are known already, `outer` is the Lowering of what is around.
    """

    def __init__(
        self,
        graph: Graph,
        order: list[Step],
        given: dict[Tensor, Value],
        wanted: Iterable = (),
        outer=None,
    ):
        self.graph, self.outer = graph, outer
        self.nodes: list[Node] = []
        self.epoch = 0
        self.ops = all_ops(order)
        self.became: dict[Operation, Node] = {}  # the node that gives an op's value, or its effect
        self.captured: dict[Any, Node] = {}  # parameters for what comes from outside
        self._given = given
        self._values: dict[Tensor, Value] = {}
        self._reads: dict[Operation, Value] = {}
        self._shared: dict[Any, Node] = {}
        if outer is None:
            self.fed = given.keys()
            self.updated = {v for op in self.ops if OPS[op.type].updates for v in variables_of(op)}
            self.users: dict[Tensor, list[Operation]] = defaultdict(
                list
            )  # of what is inside a cond or loop
            for op in self.ops:
                for tensor in op.inputs:
                    if tensor.op.block is not None:
                        self.users[tensor].append(op)
        else:
            self.fed, self.updated, self.users = outer.fed, outer.updated, outer.users
        consumed = {t.op for op in self.ops for t in op.inputs} | {
            t.op for t in wanted if t is not None
        }
        for step in order:
            if isinstance(step, Group):
                self._call(step)
                continue
            self._add(step)
            if step not in consumed and not OPS[step.type].updates and step.type != "VariableV2":
                for tensor in (
                    step.outputs
                ):  # only control edges or the caller ask for it: it may fail, as it should
                    if tensor not in self.fed and self.value(tensor).node is not None:
                        self.value(tensor).node.kept = True

    def value(self, tensor: Tensor) -> Value:
        """What an op reads here and now; a variable is read at this place in the program."""
        if tensor in self._given:
            return self._given[tensor]
        if tensor in self._values:
            return self._values[tensor]
        if tensor not in self.fed:
            if tensor.dtype._is_ref_dtype:
                return self._read(variable_of(tensor))
            if tensor.op.passes_on:
                value = self.value(tensor.op.inputs[0])
                if value.node:
                    self.became.setdefault(tensor.op, value.node)
                return value
        return self._from_outside(tensor)

    def _from_outside(self, tensor: Tensor) -> Value:
        """A parameter for a value of the surrounding program; a constant is known here as well."""
        value = self.outer.value(tensor)
        if value.constant is not None:
            return value
        if value.key() not in self.captured:
            self.captured[value.key()] = Node("parameter", tensor.op, [value], self.epoch)
        self._values[tensor] = replace(
            value, tensor=tensor, node=self.captured[value.key()], index=0
        )
        return self._values[tensor]

    def _read(self, variable: Operation) -> Value:
        ref = variable.outputs[0]
        if ref in self.fed:
            return self.value(ref)
        if variable not in self._reads:
            node = self._node("read", variable, [])
            self.became.setdefault(variable, node)
            trusted = ref not in self.graph.distrusted_shapes
            self._reads[variable] = Value(ref, node=node, trusted=trusted, variable=variable)
        return self._reads[variable]

    def _node(self, kind: str, op: Operation, arguments: list[Value], **more) -> Node:
        """A new node, after all others."""
        self.nodes.append(Node(kind, op, arguments, self.epoch, **more))
        return self.nodes[-1]

    def _call(self, group: Group) -> None:
        """A cond or a loop: what its blocks will be as functions, and a node that calls them."""
        construct = group.construct
        inside = group.ops - set(group.closing)
        escaping = [
            t
            for t, users in self.users.items()
            if t.op in inside and not group.ops.issuperset(users)
        ]
        if construct.pred is None and escaping:
            name, user = escaping[0].op.name, self.users[escaping[0]][-1].name
            raise ValueError(
                f"Cannot use '{name}' as input to '{user}' because '{name}' is in a while loop."
            )
        sources = dict.fromkeys(map(_source, escaping))
        escaping = [t for t in sources if t.op in inside and not t.dtype._is_ref_dtype]
        given = {}
        if construct.pred is None:
            op, outputs = construct.condition.op, construct.exits
            arguments = [self.value(t) for t in construct.initial]
            arguments = [self._copied(v) if v.variable in self.updated else v for v in arguments]
            for tensor in construct.variables:
                given[tensor] = Value(
                    tensor, node=Node("parameter", tensor.op, [], 0), trusted=False
                )
            wanted = [[construct.condition], construct.following]
        else:
            op = next(iter(construct.entries.values()), construct.pred.op)
            arguments, outputs = (
                [self.value(construct.pred)],
                [*(op.outputs[0] for op in group.closing), *escaping],
            )
            wanted = [[op.inputs[i] for op in group.closing] for i in (0, 1)]
            for i, steps in enumerate(group.parts):
                ops = set(all_ops(steps))
                wanted[i] += [t if t.op in ops else None for t in escaping]
        parts = []
        for steps, tensors in zip(group.parts, wanted, strict=True):
            inner = Lowering(self.graph, steps, given, tensors, self)
            results = [None if t is None else inner.value(t) for t in tensors]
            nodes = without_unused(inner.nodes, results)
            captured = [node for node in inner.captured.values() if node.uses]
            arguments += [node.arguments[0] for node in captured]
            parts.append(
                Part(nodes, list(given.values()), captured, results, inner.ops, inner.became)
            )
        kind = "while" if construct.pred is None else "cond"
        changed = [v for op in group.ops if OPS[op.type].updates for v in variables_of(op)]
        more = {
            "outputs": outputs,
            "parts": parts,
            "scope": construct.scope,
            "changes_early": bool(changed),
        }
        node = self._node(kind, op, arguments, **more)
        self.became |= dict.fromkeys(group.ops, node)
        for i, tensor in enumerate(outputs):
            trusted = kind == "cond" and all(
                part.results[i] is None or part.results[i].trusted for part in parts
            )
            self._values[tensor] = Value(tensor, node=node, index=i, trusted=trusted)
        self._changed(changed)

    def _changed(self, variables: list[Operation]) -> None:
        """From here on, a read of one of these variables gives something else."""
        self.epoch += bool(variables)
        for variable in variables:
            self._reads.pop(variable, None)

    def _add(self, op: Operation) -> None:
        definition = OPS[op.type]
        if op.type == "Const":
            self._values[op.outputs[0]] = Value(op.outputs[0], constant=op.attrs["value"])
        elif op.type == "Placeholder":
            raise missing_feed(op)
        elif op.type in ("VariableV2", "NoOp", "Merge") or op.passes_on:
            return
        elif definition.updates:
            self._update(op)
        else:
            self._compute(op, definition)

    def _update(self, op: Operation) -> None:
        changed = variables_of(op)
        values = [self.value(t) for t in op.inputs[len(changed) :]]
        if len(changed) > 1:  # by several statements: the first must not change what the next reads
            values = [self._copied(v) if v.variable in changed else v for v in values]
        self.became[op] = self._node("update", op, values, changes_early=len(changed) > 1)
        self._changed(changed)

    def _copied(self, value: Value) -> Value:
        return Value(
            value.tensor, node=self._node("copy", value.tensor.op, [value]), trusted=value.trusted
        )

    def _compute(self, op: Operation, definition: OpDef) -> None:
        if definition.inputs and definition.inputs[0][1] == "ref":
            values = [self.value(t) for t in op.inputs[1:]]  # it asks about the variable by name
            return self._give(op, self._node("op", op, values), trusted=False)
        arguments = [self.value(t) for t in op.inputs]
        trusted = all(v.trusted for v in arguments) and not any(
            t in self.graph.distrusted_shapes for t in op.outputs
        )
        if definition.stateful:
            return self._give(op, self._node("op", op, arguments), trusted)
        result = Value(op.outputs[0], trusted=trusted)
        if definition.weak and len(arguments) == 2:
            _drop_spreading(arguments, result)
        if op.type == "Size":
            arguments = [_of_as_many_rows(self._given.values(), arguments[0])]
        found = _known(op, definition, arguments, result)
        if found is not None:
            return self._alias(op, found, trusted)
        self._share_or_append(op, definition, arguments, trusted)

    def _alias(self, op: Operation, found: Value, trusted: bool) -> None:
        """`op` gives a value that exists already."""
        if found.variable in self.updated:  # it will change, this value will not
            return self._give(op, self._node("copy", op, [found]), found.trusted and trusted)
        self._values[op.outputs[0]] = found if trusted else replace(found, trusted=False)
        if found.node is not None:
            self.became[op] = found.node
            found.node.tensors.append(op.outputs[0])

    def _share_or_append(
        self, op: Operation, definition: OpDef, arguments: list[Value], trusted: bool
    ) -> None:
        # What is fed may be asked for its size, or for its rows alone (see `_of_as_many_rows`).
        asked = op.inputs[0].shape.lengths if op.type == "Size" else None
        key = (op.type, asked, _attrs_key(op), *[v.key() for v in arguments])
        node = self._shared.get(key)
        if node is None:
            node = self._shared[key] = self._node("op", op, arguments)
        else:
            node.tensors.extend(op.outputs)
        variable = arguments[0].variable if definition.view and arguments else None
        if variable in self.updated:
            node, variable = self._node("copy", op, [Value(op.outputs[0], node=node)]), None
        self._give(op, node, trusted, variable)

    def _give(
        self, op: Operation, node: Node, trusted: bool, variable: Operation | None = None
    ) -> None:
        self.became[op] = node
        for i, tensor in enumerate(op.outputs):
            self._values[tensor] = Value(
                tensor, node=node, index=i, trusted=trusted, variable=variable
            )


def _of_as_many_rows(given: Iterable[Value], asked: Value) -> Value:
    """What is fed can tell how many elements a vector, or a column, has: nothing is computed for that alone."""
    lengths = [d for d in asked.certain_shape.lengths or () if d != 1]
    if len(lengths) == 1 and asked.known_shape is None:
        return next((v for v in given if lengths[0] in (v.certain_shape.lengths or ())), asked)
    return asked


def _source(tensor: Tensor) -> Tensor:
    """What is passed on to be this tensor."""
    while tensor.op.passes_on:
        tensor = tensor.op.inputs[0]
    return tensor


def _known(op: Operation, definition: OpDef, arguments: list[Value], result: Value) -> Value | None:
    """The result where it needs no work: a constant, or one of the arguments."""
    small = len(op.outputs) == 1 and (op.outputs[0].shape.num_elements() or 0) <= LARGEST_FOLDED
    if small and all(v.constant is not None for v in arguments):
        try:
            return Value(op.outputs[0], evaluate(op, [v.constant for v in arguments]))
        except Exception:  # an op that fails, fails when it runs
            return None
    found = definition.simplify(result, *arguments) if definition.simplify else None
    return (
        found if found is None or isinstance(found, Value) else Value(op.outputs[0], constant=found)
    )


def _drop_spreading(arguments: list[Value], result: Value) -> None:
    """Replace an argument that repeats a scalar over the result's shape by that scalar."""
    for i in (0, 1):
        scalar = _spread_scalar(arguments[i])
        if (
            scalar is not None
            and arguments[0].same_shape(result)
            and arguments[1].same_shape(result)
        ):
            if scalar.node is not None:
                scalar.node.tensors.extend(arguments[i].node.tensors)
            arguments[i] = scalar


def _spread_scalar(value: Value) -> Value | None:
    """The scalar that a value repeats, if it does."""
    if value.node is None or value.node.kind != "op":
        return None
    position = OPS[value.node.op.type].spreads
    if position is None:
        return None
    source = value.node.arguments[position]
    return source if source.is_scalar else _spread_scalar(source)


def _attrs_key(op: Operation):
    key = tuple(sorted(op.attrs.items(), key=lambda item: item[0]))
    try:
        hash(key)
    except TypeError:
        return id(op)
    return key
