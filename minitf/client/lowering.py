"""Lowering: a graph becomes a list of nodes, each of which will be one statement or part of one.

On the way constants are folded, repeated work is shared, and work that the shapes prove idle is
dropped. Stateful ops are never folded or shared; whatever is fed is taken as it comes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np

from minitf.client.feeds_and_fetches import missing_feed
from minitf.client.nodes import (
    LARGEST_FOLDED,
    Call,
    Compute,
    Cond,
    Copy,
    Node,
    Parameter,
    Read,
    Update,
    Value,
)
from minitf.client.order import Group, Step, all_ops
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import KERNELS, OPS, Code, OpDef, expression
from minitf.framework.tensor_shape import TensorShape
from minitf.ops.state_ops import variable_of, variables_of


def evaluate(op: Operation, values: list[Any]):
    """Return what `op` gives for these values, by the same code that a program runs."""
    given = {f"a{i}": value for i, value in enumerate(values)}
    codes = [Code(name, constant=v, shape=TensorShape(np.shape(v))) for name, v in given.items()]
    with np.errstate(all="ignore"):
        return eval(str(expression(op, codes)), KERNELS | given)


def fed_value(tensor: Tensor) -> Value:
    """Return the value of what is fed.

    Its own shape is checked, but it may contradict a static shape that was derived from its unknown
    lengths, or from the value of a constant or a shape.
    """
    known = tensor.shape.is_fully_defined() and tensor.op.type not in _GIVE_SHAPES
    node = Parameter(tensor.op, [])
    return Value(tensor, node=node, trusted=known or tensor.op.type == "Placeholder")


_GIVE_SHAPES = ("Const", "Shape", "Pack", "ConcatV2", "StridedSlice")  # see known_elements


class Body:
    """What ops, taken in execution order, become: the body of a function, as nodes.

    The function takes the values `given`, and its parameters `captured` take more from the body
    `outer`, which is around that of a cond or a loop. It gives the tensors `wanted`, None for None.
    """

    def __init__(
        self,
        order: list[Step],
        given: dict[Tensor, Value],
        wanted: Iterable[Tensor | None],
        outer: Body | None = None,
    ):
        self.given, self.outer = given, outer
        self.nodes: list[Node] = []
        self.ops = all_ops(order)
        self.became: dict[Operation, Node] = {}  # the node that gives an op's value, or its effect
        self._epoch = 0
        self._values: dict[Tensor, Value] = {}
        self._reads: dict[Operation, Value] = {}
        self._shared: dict[Any, Node] = {}
        self._captured: dict[Any, Node] = {}
        consumed = {t.op for op in self.ops for t in op.inputs}
        if outer is None:
            self._fed = given.keys()
            self.updated = {v for op in self.ops for v in _updated_by(op)}
            # Which ops use what is inside a cond or a loop.
            self._users: dict[Tensor, list[Operation]] = defaultdict(list)
            for op in self.ops:
                for tensor in op.inputs:
                    if tensor.op.block is not None:
                        self._users[tensor].append(op)
        else:
            self._fed, self.updated, self._users = outer._fed, outer.updated, outer._users
            consumed |= {t.op for t in wanted if t is not None}
        for step in order:
            if isinstance(step, Group):
                self._enter(step)
                continue
            self._add(step)
            if step not in consumed:
                self._keep(step)
        # Variables that are wanted are read last.
        self.results = [None if t is None else self.value(t) for t in wanted]
        self._drop_unused()
        self.captured = [node for node in self._captured.values() if node.uses]

    def value(self, tensor: Tensor) -> Value:
        """Return what an op reads here and now; a variable is read at this place in the program."""
        if tensor in self.given:
            return self.given[tensor]
        if tensor in self._values:
            return self._values[tensor]
        if tensor not in self._fed:
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
        key = value.key()
        if key not in self._captured:
            self._captured[key] = Parameter(tensor.op, [value], self._epoch)
        node = self._captured[key]
        self._values[tensor] = Value(tensor, None, node, 0, value.trusted, value.variable)
        return self._values[tensor]

    def _read(self, variable: Operation) -> Value:
        ref = variable.outputs[0]
        if ref in self._fed:
            return self.value(ref)
        if variable not in self._reads:
            node = self._append(Read, variable, [])
            self.became.setdefault(variable, node)
            trusted = ref not in ref.graph.distrusted_shapes
            self._reads[variable] = Value(ref, node=node, trusted=trusted, variable=variable)
        return self._reads[variable]

    def _append(self, kind: type[Node], op: Operation, arguments: list[Value], *outputs) -> Node:
        """A new node, after all others."""
        self.nodes.append(kind(op, arguments, self._epoch, *outputs))
        return self.nodes[-1]

    def _changed(self, variables: list[Operation]) -> None:
        """From here on, a read of one of these variables gives something else."""
        self._epoch += bool(variables)
        for variable in variables:
            self._reads.pop(variable, None)

    # Conds and loops.

    def _enter(self, group: Group) -> None:
        """A cond or a loop: what its blocks will be as functions, and a node that calls them."""
        construct, inside = group.construct, group.ops - set(group.closing)
        escaping = {  # tensors of the inside, each with the ops that use it, some of them outside
            tensor: users
            for tensor, users in self._users.items()
            if tensor.op in inside and not group.ops.issuperset(users)
        }
        if construct.pred is None:
            construct.lower(self, group, escaping)
            return
        sources = dict.fromkeys(map(_source, escaping))
        escaping = [t for t in sources if t.op in inside and not t.dtype._is_ref_dtype]
        arguments, wanted = [self.value(construct.pred)], []
        for i, steps in enumerate(group.parts):
            ops = set(all_ops(steps))
            escaped = [t if t.op in ops else None for t in escaping]
            wanted.append([op.inputs[i] for op in group.closing] + escaped)
        outputs = [*(op.outputs[0] for op in group.closing), *escaping]
        op = next(iter(construct.entries.values()), construct.pred.op)
        self.call(Cond, group, op, arguments, {}, wanted, outputs)

    def call(
        self,
        kind: type[Call],
        group: Group,
        op: Operation,
        arguments: list[Value],
        given: dict[Tensor, Value],
        wanted: list[list[Tensor | None]],
        outputs: list[Tensor],
    ) -> None:
        """Add a node that calls the parts of a group, of which each gives what is wanted of it."""
        parts = [Body(*part, self) for part in zip(group.parts, [given] * 2, wanted, strict=True)]
        arguments += [node.arguments[0] for part in parts for node in part.captured]
        changed = [v for op in group.ops for v in _updated_by(op)]
        node = self._append(kind, op, arguments, outputs)
        node.parts, node.scope, node.changes_early = parts, group.construct.scope, bool(changed)
        self.became |= dict.fromkeys(group.ops, node)
        for i, tensor in enumerate(outputs):
            self._values[tensor] = Value(tensor, None, node, i, node.is_trusted(i))
        self._changed(changed)

    # All other ops.

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

    def _keep(self, op: Operation) -> None:
        """Only control edges or the caller ask for `op`: it may fail, as it should."""
        for tensor in op.outputs:
            if tensor not in self._fed and not tensor.dtype._is_ref_dtype:
                node = self.value(tensor).node
                if node is not None:
                    node.kept = True

    def _update(self, op: Operation) -> None:
        changed = variables_of(op)
        values = [self.value(t) for t in op.inputs[len(changed) :]]
        if len(changed) > 1:  # by several statements: the first must not change what the next reads
            values = [self.copied(v) if v.variable in changed else v for v in values]
        self.became[op] = self._append(Update, op, values)
        self._changed(changed)

    def copied(self, value: Value) -> Value:
        """Return the value in memory that no update changes."""
        node = self._append(Copy, value.tensor.op, [value])
        return Value(value.tensor, node=node, trusted=value.trusted)

    def _compute(self, op: Operation, definition: OpDef) -> None:
        of_variable = bool(definition.inputs) and definition.inputs[0][1] == "ref"
        arguments = [self.value(t) for t in op.inputs[of_variable:]]
        trusted = all(v.trusted for v in arguments) and not of_variable
        trusted = trusted and op.graph.distrusted_shapes.keys().isdisjoint(op.outputs)
        if definition.stateful:
            self._give(op, self._append(Compute, op, arguments), trusted)
            self.became[op].kept = True
            return
        result = Value(op.outputs[0], trusted=trusted)
        if definition.weak and len(arguments) == 2:
            _drop_spreading(arguments, result)
        if op.type == "Size":
            arguments = _length_of_fed(self.given.values(), arguments[0])
        found = _known(op, definition, arguments, result)
        if found is None:
            self._share_or_append(op, definition, arguments, trusted)
        elif found.variable in self.updated:  # it will change, this value will not
            self._give(op, self._append(Copy, op, [found]), found.trusted and trusted)
        else:
            if not trusted:
                found = Value(
                    found.tensor, found.constant, found.node, found.index, False, found.variable
                )
            self._values[op.outputs[0]] = found
            if found.node is not None:
                self.became[op] = found.node
                found.node.tensors.append(op.outputs[0])

    def _share_or_append(
        self, op: Operation, definition: OpDef, arguments: list[Value], trusted: bool
    ) -> None:
        key = (op.type, _attrs_key(op), *[v.key() for v in arguments])
        node = self._shared.get(key)
        if node is None:
            node = self._shared[key] = self._append(Compute, op, arguments)
        else:
            node.tensors.extend(op.outputs)
        variable = arguments[0].variable if definition.view and arguments else None
        if variable in self.updated:
            node, variable = self._append(Copy, op, [Value(op.outputs[0], node=node)]), None
        self._give(op, node, trusted, variable)

    def _give(
        self, op: Operation, node: Node, trusted: bool, variable: Operation | None = None
    ) -> None:
        """The outputs of `op` are the results of `node`."""
        self.became[op] = node
        for i, tensor in enumerate(op.outputs):
            self._values[tensor] = Value(tensor, None, node, i, trusted, variable)

    def _drop_unused(self) -> None:
        """Keep the nodes that are needed; each then knows how often it is used, and by whom."""
        for value in self.results:
            if value is not None and value.node:
                value.node.uses += 1
                value.node.fetched = True
        kept = []
        for node in reversed(self.nodes):
            if isinstance(node, Copy):  # needless if no variable changes before the last use
                node.needed = node.fetched or node.kept or node.last_use > node.epoch
            if node.uses or node.kept:
                kept.append(node)
                later = len(self.nodes) if node.view else node.epoch + node.changes_early
                for value in node.arguments:
                    if value.node:
                        value.node.uses += 1
                        value.node.consumer = node
                        value.node.last_use = max(value.node.last_use, later)
        self.nodes = kept[::-1]


def _updated_by(op: Operation) -> list[Operation]:
    """The variables that an op changes."""
    return variables_of(op) if OPS[op.type].updates else []


def _length_of_fed(given: Iterable[Value], asked: Value) -> list[Value]:
    """What to ask for the size of a vector or a column: something fed that has this length, if any,
    and along which axis, unless it has the same shape. So nothing is computed to be counted."""
    shape = asked.certain_shape
    lengths = [d for d in shape.lengths or () if d != 1]
    if len(lengths) == 1 and asked.known_shape is None:
        for value in given:
            found = value.certain_shape.lengths or ()
            if lengths[0] in found:
                axis = Value(asked.tensor, constant=found.index(lengths[0]))
                return [value] if found == shape.lengths else [value, axis]
    return [asked]


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
    return found if isinstance(found, Value | None) else Value(op.outputs[0], found)


def _drop_spreading(arguments: list[Value], result: Value) -> None:
    """Replace an argument that repeats a scalar over the result's shape by that scalar."""
    for i, argument in enumerate(arguments):
        scalar = _spread_scalar(argument)
        if scalar is not None and all(value.same_shape(result) for value in arguments):
            if scalar.node is not None:
                scalar.node.tensors.extend(argument.node.tensors)
            arguments[i] = scalar


def _spread_scalar(value: Value) -> Value | None:
    """The scalar that a value repeats, if it does."""
    while isinstance(value.node, Compute):
        position = OPS[value.node.op.type].spreads
        if position is None:
            return None
        value = value.node.arguments[position]
        if value.is_scalar:
            return value
    return None


def _attrs_key(op: Operation):
    key = tuple(sorted(op.attrs.items()))
    try:
        hash(key)
    except TypeError:
        return id(op)
    return key
