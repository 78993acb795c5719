"""What a program is made of before it is text: nodes do something, and values go between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import OPS
from minitf.framework.tensor_shape import UNKNOWN, TensorShape, same_for_certain

LARGEST_FOLDED = 10_000  # elements of a constant that is worked on before the run


class Value:
    """What stands for a tensor in the program: a constant, something fed, or a result of a node."""

    __slots__ = ("tensor", "constant", "node", "index", "trusted", "variable")

    def __init__(
        self,
        tensor: Tensor,
        constant: Any = None,
        node: Node | None = None,
        index: int = 0,
        trusted: bool = True,
        variable: Operation | None = None,
    ):
        self.tensor = tensor
        self.constant = constant
        self.node = node  # what computes it; None for constants and what is fed
        self.index = index  # which of the node's results
        self.trusted = trusted  # whether every run agrees with the static shape
        self.variable = variable  # the variable whose memory it may share

    @property
    def shape(self) -> TensorShape:
        """The static shape."""
        return self.tensor.shape if self.constant is None else TensorShape(np.shape(self.constant))

    @property
    def is_scalar(self) -> bool:
        """Whether it is a single number in every run."""
        return self.trusted and self.shape.lengths == ()

    @property
    def certain_shape(self) -> TensorShape:
        """What is known of the shape that it has in every run."""
        return self.shape if self.trusted else UNKNOWN

    @property
    def known_shape(self) -> tuple[int, ...] | None:
        """The shape that it has in every run, where that is known."""
        shape = self.shape
        return tuple(shape.lengths) if self.trusted and shape.is_fully_defined() else None

    def same_shape(self, other: Value) -> bool:
        """Whether both have the same shape in every run."""
        return self.trusted and other.trusted and same_for_certain(self.shape, other.shape)

    def is_all(self, number: float) -> bool:
        """Whether it is a constant, all of whose elements are `number`."""
        return (
            self.constant is not None
            and np.size(self.constant) < LARGEST_FOLDED
            and bool(np.all(self.constant == number))
        )

    def distrusted(self) -> Value:
        """The same, as a tensor of which a run may give another shape than its static one."""
        return Value(self.tensor, self.constant, self.node, self.index, False, self.variable)

    def key(self) -> Any:
        """Equal for two values that are surely equal."""
        if self.constant is None:
            return id(self)
        if np.size(self.constant) > LARGEST_FOLDED or self.tensor.dtype.name == "string":
            return id(self.constant)
        array = np.asarray(self.constant)
        return array.dtype.str, array.shape, array.tobytes()


class Node:
    """One step of the program: an op applied to values, a read of a variable, or an update of one."""

    __slots__ = ("kind", "op", "arguments", "tensors", "uses", "consumer", "fetched", "kept")
    __slots__ += ("epoch", "last_use", "names", "code", "statement")

    def __init__(self, kind: str, op: Operation, arguments: list[Value], epoch: int):
        self.kind = kind  # "op", "read", "update", "copy", or "alias": a copy that is not needed
        self.op = op
        self.arguments = arguments
        self.tensors: list[Tensor] = list(op.outputs)
        self.uses = 0
        self.consumer: Node | None = None
        self.fetched = False
        self.kept = kind == "update" or (kind == "op" and OPS[op.type].stateful)  # used or not
        self.last_use = epoch
        self.epoch = epoch  # how many updates come before it
        self.names: tuple[str, ...] = ()
        self.code = ""
        self.statement: Any = None  # what it is written as, if not as part of its consumer
