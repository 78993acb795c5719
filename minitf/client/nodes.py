"""What a program is made of before it is text: nodes do something, and values go between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import OPS
from minitf.framework.tensor_shape import UNKNOWN, TensorShape, same_for_certain

LARGEST_FOLDED = 10_000  # elements of a constant that is worked on before the run


@dataclass(slots=True, eq=False)
class Value:
    """What stands for a tensor in the program: a constant, something fed, or a result of a node."""

    tensor: Tensor
    constant: Any = None
    node: Node | None = None  # what computes it; None for constants
    index: int = 0  # which of the node's results
    trusted: bool = True  # whether every run agrees with the static shape
    variable: Operation | None = None  # the variable whose memory it may share

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
        small = self.constant is not None and np.size(self.constant) < LARGEST_FOLDED
        return small and bool(np.all(self.constant == number))

    def key(self):
        """Equal for two values that are surely equal."""
        if self.constant is None:
            return id(self.node), self.index
        if np.size(self.constant) > LARGEST_FOLDED or self.tensor.dtype.name == "string":
            return id(self.constant)
        array = np.asarray(self.constant)
        return array.dtype.str, array.shape, array.tobytes()


@dataclass(slots=True, eq=False)
class Node:
    """One step of the program: an op applied to values, a read of a variable, an update of one, a cond or a loop."""

    kind: str  # "op", "read", "update", "cond", "while", "copy", "parameter", or "alias": a copy that is not needed
    op: Operation
    arguments: list[Value]
    epoch: int  # how many updates come before it
    outputs: list[Tensor] | None = None  # the op's, if not said
    parts: list[Part] = field(default_factory=list)  # of a cond or loop, its two blocks
    scope: str = ""  # of a cond or loop
    changes_early: bool = (
        False  # whether it still reads its arguments after it has changed a variable
    )
    tensors: list[Tensor] = field(default_factory=list)  # everything it gives
    uses: int = 0
    consumer: Node | None = None  # the one that uses it, if it is used once
    last_use: int = 0  # the epoch of the last one that uses it
    fetched: bool = False
    kept: bool = False  # whether it must run even if nothing uses it
    names: tuple[str, ...] = ()
    code: str = ""
    statement: Any = None  # what it is written as, if not as part of its consumer

    def __post_init__(self) -> None:
        self.outputs = list(self.op.outputs) if self.outputs is None else self.outputs
        self.tensors += self.outputs
        self.last_use = self.epoch
        self.kept = self.kind in ("update", "cond", "while") or (
            self.kind == "op" and OPS[self.op.type].stateful
        )


@dataclass(slots=True, eq=False)
class Part:
    """A block of a cond or a loop, to be a function: its nodes, what it takes and what it gives."""

    nodes: list[Node]
    variables: list[Value]  # of a loop
    captured: list[Node]  # parameters, each with the value outside as its argument
    results: list[Value | None]
    ops: list[Operation]
    became: dict[Operation, Node]


def without_unused(nodes: list[Node], results: list[Value | None]) -> list[Node]:
    """The nodes that something needs; each knows how often it is used, and by whom."""
    for value in results:
        if value is not None and value.node:
            value.node.uses += 1
            value.node.fetched = True
    kept = []
    for node in reversed(nodes):
        if node.uses or node.kept:
            kept.append(node)
            hands_on = node.kind in ("copy", "alias", "while") or (
                node.kind == "op" and OPS[node.op.type].view
            )
            later = len(nodes) if hands_on else node.epoch + node.changes_early
            for value in node.arguments:
                if value.node:
                    value.node.uses += 1
                    value.node.consumer = node
                    value.node.last_use = max(value.node.last_use, later)
        outlives = node.fetched or node.kept or node.last_use > node.epoch
        if node.kind == "copy" and not outlives:
            node.kind = "alias"  # the variable does not change before this is last used
    kept.reverse()
    return kept
