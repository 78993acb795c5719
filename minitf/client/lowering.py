"""Lowering turns a graph into a list of nodes, each of which becomes a statement or part of one.

On the way it folds constants, shares repeated work, and drops work that static shapes prove
unnecessary. It never folds or shares stateful ops, and never assumes the value of a feed.

A static shape was computed while the graph was built, but a run may have another shape at that
place: `set_shape` may have claimed too much, a variable made with `validate_shape=False` may change
its shape, a loop its variables', and a feed may replace the very number that the static shape was
computed from. So each Value says whether its shape can be `trusted`, which means that its static
shape holds in every run. What is computed from trusted values is trusted, what is computed from any
other isn't, and work is dropped only where the shapes are trusted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

import numpy as np

from minitf.client.arithmetic import calculate
from minitf.client.dependencies import changes
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
from minitf.framework.common_shapes import gives_shapes
from minitf.framework.dtypes import proto_name
from minitf.framework.errors import InvalidArgumentError
from minitf.framework.operation import Operation, Tensor, passed_on
from minitf.framework.registry import KERNELS, OPS, Code, OpDef, expression
from minitf.framework.tensor_shape import TensorShape
from minitf.ops.state_ops import variable_of, variables_of


def evaluate(op: Operation, values: list[Any]):
    """Return the value of `op` for these inputs, computed by the same code as in a program."""
    given = {f"a{i}": value for i, value in enumerate(values)}
    codes = [Code(name, constant=v, shape=TensorShape(np.shape(v))) for name, v in given.items()]
    return calculate(eval, str(expression(op, codes)), KERNELS | given)


def fed_value(tensor: Tensor) -> Value:
    """Return the Value of a feed, whose shape a run compares with the tensor's static shape.

    A placeholder can therefore be trusted. Another tensor was computed from something in the graph,
    and its feed may contradict static shapes that were computed from the same:

    - If it has an axis of unknown length, other tensors have this length as well, such as what it
      was computed from. The feed may have another.
    - If it holds lengths, as the second input of a Reshape does, its old value may have decided the
      static shapes of others. The feed has other lengths.

    Otherwise, it can be trusted as well.
    """
    is_independent = tensor.shape.is_fully_defined() and not gives_shapes(tensor)
    trusted = tensor.op.type == "Placeholder" or is_independent
    return Value(tensor, node=Parameter(tensor.op, []), trusted=trusted)


def lower(order: list[Step], fed: dict[Tensor, Value], wanted: Iterable[Tensor | None]) -> Body:
    """Return the body of the program, which is given the values `fed` (see `Body.lower`)."""
    body = Body(Run.of(all_ops(order), fed), fed)
    body.lower(order, wanted)
    return body


class Run(NamedTuple):
    """What the bodies of a program know of the whole run.

    fed: the tensors that are fed.
    updated: the variables that an op changes.
    users: the ops that use a tensor, for each tensor inside a cond or loop.
    """

    fed: Collection[Tensor]
    updated: set[Operation]
    users: dict[Tensor, list[Operation]]

    @classmethod
    def of(cls, ops: list[Operation], fed: Collection[Tensor]) -> Run:
        """Return what is known of the run of these ops."""
        users: dict[Tensor, list[Operation]] = defaultdict(list)
        for op in ops:
            for tensor in op.inputs:
                if tensor.op.control.block is not None:
                    users[tensor].append(op)
        return cls(fed, {v for op in ops for v in changes(op)}, users)


class Body:
    """The body of a function: the nodes that ops become, and the values of its results.

    The function's parameters are the values `given`, followed by those `captured` from the body
    around it, `outer` (if it is part of a cond or loop).
    """

    def __init__(self, run: Run, given: dict[Tensor, Value], outer: Body | None = None):
        self.run, self.given, self.outer = run, given, outer
        self.ops: list[Operation] = []
        self.nodes: list[Node] = []
        self.results: list[Value | None] = []
        self.captured: list[Node] = []
        self.became: dict[Operation, Node] = {}  # the node with an op's value or effect
        self._epoch = 0  # the number of updates so far
        self._values: dict[Tensor, Value] = {}  # of the tensors seen so far
        self._reads: dict[Operation, Value] = {}  # each variable's latest read
        self._shared: dict[Any, Node] = {}  # by type, attributes and arguments
        self._captured: dict[Any, Node] = {}  # parameters by the key of the outer value

    def lower(self, order: list[Step], wanted: Iterable[Tensor | None]) -> None:
        """Make nodes of ops, in execution order, and results of the tensors `wanted`.

        The result is None for an entry of None.
        """
        wanted = list(wanted)
        self.ops = all_ops(order)
        consumed = {t.op for op in self.ops for t in op.inputs}
        consumed |= {t.op for t in wanted if t is not None}
        for step in order:
            if isinstance(step, Group):
                self._enter(step)
                continue
            self._add(step)
            if step not in consumed:
                self._keep(step)
        # Fetched variables are read last.
        self.results = [None if t is None else self.value(t) for t in wanted]
        self._count_uses()
        self.nodes = [node for node in self.nodes if node.use.is_needed]
        self.captured = [node for node in self._captured.values() if node.use.is_needed]

    def value(self, tensor: Tensor) -> Value:
        """Return the current value of a tensor; if it is a variable, it is read at this point."""
        if tensor in self.given:
            return self.given[tensor]
        if tensor in self._values:
            return self._values[tensor]
        if tensor not in self.run.fed:
            if tensor.dtype._is_ref_dtype:
                return self._read(variable_of(tensor))
            if tensor.op.passes_on:
                value = self.value(tensor.op.inputs[0])
                if value.node:
                    self.became.setdefault(tensor.op, value.node)
                return value
        return self._from_outside(tensor)

    def _from_outside(self, tensor: Tensor) -> Value:
        """Return a value of the body around this one, as a parameter unless it is constant."""
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
        if ref in self.run.fed:
            return self.value(ref)
        if variable not in self._reads:
            node = self._append(Read, variable, [])
            self.became.setdefault(variable, node)
            trusted = ref not in ref.graph.distrusted_shapes
            self._reads[variable] = Value(ref, node=node, trusted=trusted, variable=variable)
        return self._reads[variable]

    def _append(self, kind: type[Node], op: Operation, arguments: list[Value], *more) -> Node:
        """Add a node at the end, and return it."""
        self.nodes.append(kind(op, arguments, self._epoch, *more))
        return self.nodes[-1]

    def _changed(self, variables: list[Operation]) -> None:
        """Make later reads of these variables new reads, because an update has changed them."""
        self._epoch += bool(variables)
        for variable in variables:
            self._reads.pop(variable, None)

    # Conds and loops.

    def _enter(self, group: Group) -> None:
        """Add a node that calls a cond or loop, whose blocks become functions."""
        construct, inside = group.construct, group.ops - set(group.closing)
        escaping = {  # tensors from inside that are used outside, with all their users
            tensor: users
            for tensor, users in self.run.users.items()
            if tensor.op in inside and not group.ops.issuperset(users)
        }
        if construct.pred is None:
            construct.lower(self, group, escaping)
            return
        sources = dict.fromkeys(map(passed_on, escaping))
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
        """Add a node that calls the parts of a group; each returns its tensors in `wanted`."""
        parts = []
        for steps, results in zip(group.parts, wanted, strict=True):
            parts.append(Body(self.run, given, self))
            parts[-1].lower(steps, results)
        arguments += [node.arguments[0] for part in parts for node in part.captured]
        changed = [v for op in group.ops for v in changes(op)]
        scope = group.construct.scope
        node = self._append(kind, op, arguments, outputs, scope, parts, bool(changed))
        self.became |= dict.fromkeys(group.ops, node)
        for i, tensor in enumerate(outputs):
            self._values[tensor] = Value(tensor, None, node, i, node.is_trusted(i))
        self._changed(changed)

    # All other ops.

    def _add(self, op: Operation) -> None:
        definition = OPS[op.type]
        if definition.missing and op.inputs[0].dtype.base_dtype.name in definition.missing:
            raise _no_kernel(op)
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
        """Keep an op whose value nobody reads, because if it fails, the run must fail."""
        for tensor in op.outputs:
            if tensor not in self.run.fed and not tensor.dtype._is_ref_dtype:
                node = self.value(tensor).node
                if node is not None:
                    node.use.kept = True

    def _update(self, op: Operation) -> None:
        changed = variables_of(op)
        values = [self.value(t) for t in op.inputs[len(changed) :]]
        if len(changed) > 1:  # several statements: none may change what the next one reads
            values = [self.copied(v) if v.variable in changed else v for v in values]
        self.became[op] = self._append(Update, op, values)
        self._changed(changed)

    def unchanging(self, value: Value) -> Value:
        """Return the value, in other memory if the run updates the variable that it is in."""
        return self.copied(value) if value.variable in self.run.updated else value

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
            self.became[op].use.kept = True
            return
        result = Value(op.outputs[0], trusted=trusted)
        if definition.weak and len(arguments) == 2:
            _drop_spreading(arguments, result)
        if definition.instead:
            found = definition.instead(self.given.values(), *arguments)
            arguments = [v if isinstance(v, Value) else Value(op.outputs[0], v) for v in found]
        found = _known(op, definition, arguments, result)
        if found is None:
            self._share_or_append(op, definition, arguments, trusted)
        elif found.variable in self.run.updated:  # the variable will change, the value must not
            self._give(op, self._append(Copy, op, [found]), found.trusted and trusted)
        else:
            trusted = trusted and found.trusted
            self._values[op.outputs[0]] = Value(
                found.tensor, found.constant, found.node, found.index, trusted, found.variable
            )
            if found.node is not None:
                self.became[op] = found.node
                found.node.tensors.append(op.outputs[0])

    def _share_or_append(
        self, op: Operation, definition: OpDef, arguments: list[Value], trusted: bool
    ) -> None:
        if definition.holds:
            arguments = [*arguments[:1], *map(self.unchanging, arguments[1:])]
        key = (op.type, _attrs_key(op), *[v.key() for v in arguments])
        node = self._shared.get(key)
        if node is None:
            node = self._shared[key] = self._append(Compute, op, arguments)
        else:
            node.tensors.extend(op.outputs)
        variable = arguments[0].variable if definition.view and arguments else None
        if variable in self.run.updated:
            node, variable = self._append(Copy, op, [Value(op.outputs[0], node=node)]), None
        self._give(op, node, trusted, variable)

    def _give(
        self, op: Operation, node: Node, trusted: bool, variable: Operation | None = None
    ) -> None:
        """Make the results of `node` the values of the outputs of `op`."""
        self.became[op] = node
        for i, tensor in enumerate(op.outputs):
            self._values[tensor] = Value(tensor, None, node, i, trusted, variable)

    def _count_uses(self) -> None:
        """Count how each node is used by the results, and by those nodes that are needed."""
        for value in self.results:
            if value is not None and value.node:
                value.node.use.count += 1
                value.node.use.fetched = True
        for node in reversed(self.nodes):
            if not node.use.is_needed:
                continue
            # A view's memory may be read until the end. A node of several statements reads
            # arguments after its first update.
            later = len(self.nodes) if node.view else node.epoch + node.changes_early
            for value in node.arguments:
                if value.node:
                    use = value.node.use
                    use.count += 1
                    use.consumer = node
                    use.last = max(use.last, later)


def _no_kernel(op: Operation) -> InvalidArgumentError:
    """Return the error of a run that needs an op for a dtype that TensorFlow can't compute."""
    shown = proto_name(op.inputs[0].dtype).upper()
    words = f"No OpKernel was registered to support Op '{op.type}' used by {{{{node {op.name}}}}}"
    return InvalidArgumentError(op, op, f"{words} with these attrs: [T=DT_{shown}]")


def _known(op: Operation, definition: OpDef, arguments: list[Value], result: Value) -> Value | None:
    """Return the result if it needs no work: a constant or one of the arguments; else None."""
    # An unknown size counts as small: the inputs are constants.
    small = len(op.outputs) == 1 and (op.outputs[0].shape.num_elements() or 0) <= LARGEST_FOLDED
    if small and all(v.constant is not None for v in arguments):
        try:
            constant = evaluate(op, [v.constant for v in arguments])
        except Exception:  # if the op fails, it must fail when it runs
            return None
        is_list = isinstance(constant, tuple) and constant  # a list of tensors is no array
        return None if is_list else Value(op.outputs[0], constant)
    found = definition.simplify(result, *arguments) if definition.simplify else None
    return found if isinstance(found, Value | None) else Value(op.outputs[0], found)


def _drop_spreading(arguments: list[Value], result: Value) -> None:
    """Replace each argument that only broadcasts a scalar to the result's shape by that scalar."""
    for i, argument in enumerate(arguments):
        scalar = _spread_scalar(argument)
        if scalar is not None and all(value.same_shape(result) for value in arguments):
            if scalar.node is not None:
                scalar.node.tensors.extend(argument.node.tensors)
            arguments[i] = scalar


def _spread_scalar(value: Value) -> Value | None:
    """Return the scalar that this value is a broadcast of, or None."""
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
