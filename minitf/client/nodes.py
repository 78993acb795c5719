"""What a program consists of before it is text: nodes, and the values that pass between them.

Each kind of node is a class that defines how the node is written as code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from minitf.client.program import Statement
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

    trusted: whether its shape agrees with the static shape in every run.
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


class Node:
    """One step of a program: an op applied to values."""

    view = False  # whether a result may be in existing memory
    changes_early = False  # whether it reads arguments after it has changed a variable
    reads_at_once = False  # whether it reads each argument once, before anything else
    kept = False  # whether it must run even if nothing uses it
    uses, fetched = 0, False
    consumer: Node | None = None  # the node that uses it, if just one does
    names: tuple[str, ...] = ()
    code: Code | None = None
    statement: Statement | None = None  # None if it is part of its consumer's

    def __init__(
        self,
        op: Operation,
        arguments: list[Value],
        epoch: int = 0,
        outputs: list[Tensor] | None = None,
    ):
        self.op, self.arguments = op, arguments
        self.epoch = epoch  # the number of updates before it
        self.last_use = epoch  # the number of updates before the last node that uses it
        self.outputs = op.outputs if outputs is None else outputs
        self.tensors = list(self.outputs)  # all tensors whose values are its results

    def write(self, writer: Writer) -> None:
        """Write it as a statement, or keep its code for the statement that it is a part of."""
        self.code = self.expression(writer)
        if not self._is_part_of_consumer():
            count = range(len(self.outputs))
            self.names = tuple(writer.names.make(self.words(i)) for i in count)
            names = ", ".join(self.names)
            writer.add(self, f"{names} = {self.code}" if names else str(self.code))

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

    def _is_part_of_consumer(self) -> bool:
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

    def _is_part_of_consumer(self) -> bool:
        """Return whether its code can be part of its consumer's statement.

        It must be used once, be short and not be a gradient, and no update may come in between.
        """
        consumer = self.consumer
        return (
            self.uses == 1 == len(self.outputs)
            and not self.kept
            and consumer is not None
            and consumer.reads_at_once
            and consumer.epoch == self.epoch
            and len(str(self.code)) <= LONGEST_INLINED
            and library_call(self.op) == library_call(consumer.op)
            and self.op.graph.gradient_of.keys().isdisjoint(self.tensors)
        )


class Update(Node):
    """The assignment of a new value to one or more variables."""

    kept = True
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
        if assigns and not (values[0].is_scalar or values[0].is_new and values[0].node.uses == 1):
            codes = [Code(f"copy({codes[0]})", shape=values[0].certain_shape)]
        places = [writer.place(variable) for variable in self.variables]
        for line in OPS[self.op.type].code(self.op, *places, *codes).split("\n"):
            writer.add(self, line, comment=self.op.name)


class Copy(Node):
    """A copy of a value, or just the value if no copy is needed."""

    needed = True
    view = property(lambda self: not self.needed)

    def write(self, writer: Writer) -> None:
        """Write a statement only if the copy is needed."""
        if self.needed:
            super().write(writer)
        else:
            self.code = writer.argument(self.arguments[0])

    def expression(self, writer: Writer) -> Code:
        """Return `copy(x)`, or `x` if it is a scalar, which needs no copy."""
        code = writer.argument(self.arguments[0])
        return code if self.arguments[0].is_scalar else Code(f"copy({code})")


class Call(Node):
    """A cond or loop: `parts` are its two blocks, which become functions."""

    kept = True
    scope: str
    parts: list[Body]

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
