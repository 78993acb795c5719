"""A control dependency says "first that, then this" where no value flows from that to this.

Stands for the control dependency stack of Graph in tensorflow/python/framework/ops.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minitf.framework.operation import Operation, Tensor


class ControlDependencies:
    """The `with control_dependencies(...)` blocks that are open, innermost last."""

    def __init__(self):
        # Of each open block: the ops to wait for, and the ops made inside it, which wait already.
        self._blocks: list[tuple[list[Operation], set[Operation]]] = []

    @contextmanager
    def after(self, operations: list[Operation] | None) -> Iterator[None]:
        """Open a block; None closes all outer ones for as long as this one is open."""
        outer = self._blocks
        self._blocks = [] if operations is None else [*outer, (operations, set())]
        try:
            yield
        finally:
            self._blocks = outer

    def of(self, inputs: tuple[Tensor, ...]) -> list[Operation]:
        """What a new op with these inputs has to wait for, without what its inputs wait for anyway."""
        if not self._blocks:
            return []
        waits: dict[Operation, None] = {}
        sources = {t.op for t in inputs}
        for operations, inside in self._blocks:
            if not sources & inside:
                waits.update(dict.fromkeys(op for op in operations if op not in sources))
        return list(waits)

    def made(self, op: Operation) -> None:
        """Note an op made inside the open blocks."""
        for _, inside in self._blocks:
            inside.add(op)
