"""What a program is made of before it is text: nodes do something, and values go between them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
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
    node: Node | None = None  # what computes it; None for constants and what is fed
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
        return (
            self.constant is not None
            and np.size(self.constant) < LARGEST_FOLDED
            and bool(np.all(self.constant == number))
        )

    def distrusted(self) -> Value:
        """The same, as a tensor of which a run may give another shape than its static one."""
        return replace(self, trusted=False)

    def key(self) -> Any:
        """Equal for two values that are surely equal."""
        if self.constant is None:
            return id(self) if self.node is None else (id(self.node), self.index)
        if np.size(self.constant) > LARGEST_FOLDED or self.tensor.dtype.name == "string":
            return id(self.constant)
        array = np.asarray(self.constant)
        return array.dtype.str, array.shape, array.tobytes()


@dataclass(slots=True, eq=False)
class Node:
    """One step of the program: an op applied to values, a read of a variable, or an update of one."""

    kind: str  # "op", "read", "update", "copy", or "alias": a copy that is not needed
    op: Operation
    arguments: list[Value]
    epoch: int  # how many updates come before it
    tensors: list[Tensor] = field(default_factory=list)  # all that it gives
    uses: int = 0
    consumer: Node | None = None  # the one that uses it, if it is used once
    last_use: int = 0  # the epoch of the last one that uses it
    fetched: bool = False
    kept: bool = False  # whether it must run even if nothing uses it
    names: tuple[str, ...] = ()
    code: str = ""
    statement: Any = None  # what it is written as, if not as part of its consumer

    def __post_init__(self) -> None:
        self.tensors += self.op.outputs
        self.last_use = self.epoch
        self.kept = self.kind == "update" or (self.kind == "op" and OPS[self.op.type].stateful)
