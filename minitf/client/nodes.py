"""What a program consists of before it is text: nodes, and the values that pass between them.

Each kind of node is a class that defines how the node is written as code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import OPS, Code, expression
from minitf.framework.tensor_shape import UNKNOWN, TensorShape, same_for_certain
from minitf.ops.state_ops import variables_of

if TYPE_CHECKING:
    from minitf.client.compiler import Writer
    from minitf.client.lowering import Body

LARGEST_FOLDED = 10_000  # elements; larger constants are left to the run
LONGEST_INLINED = 60  # characters


class Value:
    """What a tensor is in the program: a constant, or result number `index` of a node.

    trusted: whether its shape agrees with the static shape in every run (see client/lowering.py).
    variable: the variable whose memory it may share, or None.
    """

    __slots__ = ("tensor", "constant", "node", "index", "trusted", "variable")

    def __init__(
        self,
        tensor: Tensor,
        constant=None,
        node: Node | None = None,
        index: int = 0,
        trusted: bool = True,
        variable: Operation | None = None,
    ):
        self.tensor, self.constant, self.node, self.index = tensor, constant, node, index
        self.trusted, self.variable = trusted, variable

    @property
    def shape(self) -> TensorShape:
        """The static shape."""
        return self.tensor.shape if self.constant is None else TensorShape(np.shape(self.constant))

    @property
    def is_scalar(self) -> bool:
        """Whether its rank is 0 in every run."""
        return self.certain_shape.lengths == ()

    @property
    def is_new(self) -> bool:
        """Whether the statement that computes it also allocates its memory."""
        return self.constant is None and not self.node.view

    @property
    def certain_shape(self) -> TensorShape:
        """The static shape if it is trusted, or else an unknown shape."""
        return self.shape if self.trusted else UNKNOWN

    @property
    def known_shape(self) -> tuple[int, ...] | None:
        """The shape in every run, or None if it is unknown."""
        shape = self.certain_shape
        return tuple(shape.lengths) if shape.is_fully_defined() else None

    def same_shape(self, other: Value) -> bool:
        """Return whether both have the same shape in every run."""
        return same_for_certain(self.certain_shape, other.certain_shape)

    def is_all(self, number: float) -> bool:
        """Return whether it is a constant, and not a large one, whose elements are all `number`."""
        small = self.constant is not None and np.size(self.constant) < LARGEST_FOLDED
        return small and bool(np.all(self.constant == number))

    def key(self):
        """Return a hashable key that two values share only if they are certain to be equal."""
        if self.constant is None:
            return id(self.node), self.index
        if np.size(self.constant) > LARGEST_FOLDED or self.tensor.dtype.name == "string":
            return id(self.constant)
        array = np.asarray(self.constant)
        return array.dtype.str, array.shape, array.tobytes()


@dataclass(slots=True)
class Use:
    """How a node is used.

    kept: whether it must run even if nothing uses it.
    last: the number of updates before the last node that uses it.
    count: how many nodes and results use it.
    consumer: the node that uses it, if just one does.
    fetched: whether it is a result of its function.
    """

    kept: bool
    last: int
    count: int = 0
    consumer: Node | None = None
    fetched: bool = False

    @property
    def is_needed(self) -> bool:
        """Whether the program must have the node."""
        return self.kept or self.count > 0


class Node:
    """One step of a program: an op applied to values.

    Lowering makes it, finds more `tensors` whose values are its results, and counts how it is used.
    From then on it doesn't change. What is written of it is in the tables of the Writer.
    """

    view = False  # whether a result may be in existing memory
    changes_early = False  # whether it reads arguments after it has changed a variable
    reads_at_once = False  # whether it reads each argument once, before anything else
    has_effect = False  # whether it must run even if nothing uses it

    def __init__(
        self,
        op: Operation,
        arguments: list[Value],
        epoch: int = 0,
        outputs: list[Tensor] | None = None,
    ):
        self.op, self.arguments = op, arguments
        self.epoch = epoch  # the number of updates before it
        self.outputs = op.outputs if outputs is None else outputs
        self.tensors = list(self.outputs)  # all tensors whose values are its results
        self.use = Use(self.has_effect, epoch)

    def write(self, writer: Writer) -> None:
        """Write it as a statement, or as a part of the statement that uses it."""
        code = self.expression(writer)
        if self._is_part_of_consumer(code):
            writer.add_part(self, code)
        else:
            writer.assign(self, code)

    def expression(self, writer: Writer) -> Code:
        """Return the code of its result."""
        raise NotImplementedError

    def words(self, index: int) -> list[str]:
        """Return the words of a result's name, which are those of its op.

        A gradient is called `d_` and the name of its tensor.
        """
        made, gradient_of = self.outputs[index], self.op.graph.gradient_of
        for tensor in self.tensors if len(self.outputs) == 1 else [made]:
            if tensor in gradient_of:
                words = words_of(gradient_of[tensor].op)
                return [*words[:-1], f"d_{words[-1]}"]
        words = words_of(made.op)
        return words if len(made.op.outputs) == 1 else [*words[:-1], f"{words[-1]}_{index}"]

    def _is_part_of_consumer(self, code: Code) -> bool:
        return False


class Parameter(Node):
    """A parameter of a function: a feed, a loop variable, or a value from the outer function."""

    view = True


class Read(Node):
    """The current value of a variable."""

    view = True

    def expression(self, writer: Writer) -> Code:
        """Return `state["w"]`."""
        return writer.place(self.op)

    def words(self, index: int) -> list[str]:
        """Return the words of the variable's name."""
        return words_of(self.op)


class Compute(Node):
    """An op that computes something from its inputs."""

    reads_at_once = True
    view = property(lambda self: OPS[self.op.type].view)

    def expression(self, writer: Writer) -> Code:
        """Return the op's code, with scalar constants as plain numbers if their dtype is clear."""
        clear = any(value.constant is None for value in self.arguments)
        literal = clear and OPS[self.op.type].weak
        return expression(self.op, [writer.argument(v, literal) for v in self.arguments])

    def _is_part_of_consumer(self, code: Code) -> bool:
        """Return whether its code can be part of its consumer's statement.

        It must be used once, be short and not be a gradient, and no update may come in between.
        """
        consumer = self.use.consumer
        return (
            self.use.count == 1 == len(self.outputs)
            and not self.use.kept
            and consumer is not None
            and consumer.reads_at_once
            and consumer.epoch == self.epoch
            and len(str(code)) <= LONGEST_INLINED
            and library_call(self.op) == library_call(consumer.op)
            and self.op.graph.gradient_of.keys().isdisjoint(self.tensors)
        )


class Update(Node):
    """The assignment of a new value to one or more variables."""

    has_effect = True
    variables = property(lambda self: variables_of(self.op))
    reads_at_once = property(lambda self: len(self.variables) == 1)
    changes_early = property(lambda self: len(self.variables) > 1)

    def write(self, writer: Writer) -> None:
        """Write one or more statements such as `state["w"] -= d_w`."""
        values, assigns = self.arguments, self.op.type == "Assign"
        # A plain number takes its dtype from the variable or another value, except in an Assign,
        # which stores it.
        literal = any(v.constant is None for v in values) or len(values) == 1 and not assigns
        codes = [writer.argument(v, literal) for v in values]
        # The state must own its arrays.
        if assigns and not _is_own(values[0]):
            codes = [Code(f"copy({codes[0]})", shape=values[0].certain_shape)]
        places = [writer.place(variable) for variable in self.variables]
        for line in OPS[self.op.type].code(self.op, *places, *codes).split("\n"):
            changed = (str(place) for place in places if line.startswith(str(place)))
            writer.add(self, line, next(changed, ""), comment=self.op.name)


def _is_own(value: Value) -> bool:
    """Return whether nothing else uses a value's memory."""
    return value.is_scalar or (value.is_new and value.node.use.count == 1)


class Copy(Node):
    """A copy of a value, or just the value if no copy is needed."""

    view = property(lambda self: not self._is_needed)

    @property
    def _is_needed(self) -> bool:
        """Whether an update may precede its last use, or its memory must be its own."""
        return self.use.fetched or self.use.kept or self.use.last > self.epoch

    def expression(self, writer: Writer) -> Code:
        """Return `copy(x)`, or `x` if it needs no copy, as no scalar does."""
        code = writer.argument(self.arguments[0])
        needs_none = self.arguments[0].is_scalar or not self._is_needed
        return code if needs_none else Code(f"copy({code})")

    def _is_part_of_consumer(self, code: Code) -> bool:
        return not self._is_needed


class Call(Node):
    """A cond or loop: `parts` are its two blocks, which become functions."""

    has_effect = True

    def __init__(
        self,
        op: Operation,
        arguments: list[Value],
        epoch: int,
        outputs: list[Tensor],
        scope: str,
        parts: list[Body],
        changes_early: bool,
    ):
        super().__init__(op, arguments, epoch, outputs)
        self.scope, self.parts, self.changes_early = scope, parts, changes_early

    def is_trusted(self, index: int) -> bool:
        """Return whether the shape of this result agrees with the static shape in every run."""
        return False

    def words_with(self, ending: str) -> list[str]:
        """Return the words of the name of one of its functions."""
        return f"{self.scope}_{ending}".split("/")


class Cond(Call):
    """The results of one of two branches; the false branch is the first part."""

    def is_trusted(self, index: int) -> bool:
        """Return whether the shape agrees in both branches."""
        results = [part.results[index] for part in self.parts]
        return all(result is None or result.trusted for result in results)

    def expression(self, writer: Writer) -> Code:
        """Return `cond_true(state, x) if less else cond_false(state, x)`."""
        false = writer.function(self.parts[0], self.words_with("false"))
        true = writer.function(self.parts[1], self.words_with("true"))
        pred = writer.argument(self.arguments[0])
        return Code(f"{true.call()} if {pred} else {false.call()}", binds=0)


# Names.


def words_of(op: Operation) -> list[str]:
    """Return the name of an op as programs show it, split at its scopes."""
    while op.passes_on:
        op = op.inputs[0].op
    return op.graph.shown_as.get(op.name, op.name).split("/")


def library_call(op: Operation) -> str:
    """Return the scope of the library call that made `op`, if it made other ops as well.

    Otherwise, return the op's own name.
    """
    before, gradient, _ = op.name.partition("_grad/")
    if gradient:
        return f"{before}_grad"
    scope = op.name
    while scope := scope.rpartition("/")[0]:
        if scope in op.graph.operations or scope in op.graph.shown_as:
            return scope
    return op.name
