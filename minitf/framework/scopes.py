"""What `with` opens in a graph: a default for the thread, a scope of names, an order between ops.

Stands for _DefaultStack and for unique_name, name_scope and control_dependencies of Graph in
tensorflow/python/framework/ops.py.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minitf.framework.operation import Operation, Tensor

_OP_NAME = re.compile(r"^[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$")
_SCOPE_NAME = re.compile(r"^[A-Za-z0-9_.\\/>-]*$")


class DefaultStack(threading.local):
    """Keeps what `with x.as_default()` makes the default in this thread."""

    def __init__(self, make_first: Callable[[], Any] | None = None):
        self._stack: list[Any] = []
        self._make_first = make_first
        self._first: Any = None

    def get(self) -> Any:
        """The innermost default; at the outermost level, one made when first asked for, or None."""
        if self._stack:
            return self._stack[-1]
        if self._first is None and self._make_first is not None:
            self.reset()
        return self._first

    def reset(self) -> None:
        """Make a new outermost default."""
        self._first = self._make_first()

    def depth(self) -> int:
        """How many defaults are pushed in this thread."""
        return len(self._stack)

    @contextmanager
    def pushed(self, item: Any) -> Iterator[Any]:
        """`item` is the default inside the `with`."""
        self._stack.append(item)
        try:
            yield item
        finally:
            self._stack.remove(item) if self._stack[-1] is not item else self._stack.pop()


class Names:
    """The names of one graph that are taken, and the scope that new ones go into."""

    def __init__(self):
        self.current = ""
        self._counts: dict[str, int] = {}  # how often each name was asked for, in lower case

    def unique(self, name: str, mark_as_used: bool = True) -> str:
        """`name` inside the current scope, with `_1`, `_2` ... behind it where it is taken.

        Upper and lower case count as the same. Raises ValueError for characters that no name may have.
        """
        if not _OP_NAME.match(name) and not (self.current and _SCOPE_NAME.match(name)):
            raise ValueError(f"`{name}` is not a valid node name. Accepted names conform to Regex /{_OP_NAME}/")
        full = f"{self.current}/{name}" if self.current else name
        key, names = full.lower(), self._counts
        if key not in names:
            if mark_as_used:
                names[key] = 1
            return full
        number = names[key]
        while f"{key}_{number}" in names:
            number += 1
        if mark_as_used:
            names[key] = number + 1
            names[f"{key}_{number}"] = 1
        return f"{full}_{number}"

    @contextmanager
    def scope(self, name: str | None) -> Iterator[str]:
        """Names made inside start with this scope's name and "/", which is what the `with` gives.

        A name that ends in "/" enters that very scope again; None or "" leaves all scopes.
        """
        name, outer = name or "", self.current
        again = not name or name.endswith("/")
        kind, pattern = ("scope", _SCOPE_NAME) if again or outer else ("root scope", _OP_NAME)
        if not pattern.match(name):
            words = f"A {kind} name has to match the following pattern: {pattern.pattern}"
            raise ValueError(f"'{name}' is not a valid {kind} name. {words}")
        self.current = name[:-1] if again else self.unique(name)
        try:
            yield self.current + "/" if self.current else ""
        finally:
            self.current = outer


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
        sources = {t.op for t in inputs} if self._blocks else set()
        waits = [op for operations, inside in self._blocks if not sources & inside for op in operations]
        return list(dict.fromkeys(op for op in waits if op not in sources))

    def made(self, op: Operation) -> None:
        """Note an op made inside the open blocks."""
        for _, inside in self._blocks:
            inside.add(op)
