"""What `with` opens in a graph: a default for the thread, a scope of names, an order between ops.

Mirrors _DefaultStack and Graph's unique_name, name_scope and control_dependencies in
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
_DEVICE_PARTS = ("job", "replica", "task", "device")


@contextmanager
def changed(owner, attribute: str, value, gives=None) -> Iterator[Any]:
    """Let the owner's attribute have this value inside `with`, which itself gives `gives`."""
    outer = getattr(owner, attribute)
    setattr(owner, attribute, value)
    try:
        yield gives
    finally:
        setattr(owner, attribute, outer)


class DefaultStack(threading.local):
    """Keeps what `with x.as_default()` makes the default in this thread."""

    def __init__(self, make_first: Callable[[], Any] | None = None):
        self._stack: list[Any] = []
        self._make_first = make_first
        self._first: Any = None

    def get(self):
        """Return the innermost default; outside of all, one made when first asked for, or None."""
        if self._stack:
            return self._stack[-1]
        if self._first is None and self._make_first is not None:
            self.reset()
        return self._first

    def reset(self) -> None:
        """Make a new outermost default."""
        self._first = self._make_first()

    def depth(self) -> int:
        """Return how many defaults are pushed in this thread."""
        return len(self._stack)

    @contextmanager
    def pushed(self, item) -> Iterator[Any]:
        """Let `item` be the default inside the `with`."""
        self._stack.append(item)
        try:
            yield item
        finally:
            self._stack.remove(item) if self._stack[-1] is not item else self._stack.pop()


class Names:
    """The part of a graph that knows which names are taken, and the scope that new ones go into."""

    def __init__(self):
        self._scope = ""
        self._counts: dict[str, int] = {}  # how often each name was asked for, in lower case

    def get_name_scope(self) -> str:
        """Return the current scope."""
        return self._scope

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """Return `name` inside the current scope, with `_1`, `_2` ... appended where it is taken.

        Upper and lower case count as the same. Raises ValueError for characters that no name may
        have.
        """
        if not (_SCOPE_NAME if self._scope else _OP_NAME).match(name):
            words = f"Accepted names conform to Regex /{_OP_NAME}/"
            raise ValueError(f"`{name}` is not a valid node name. {words}")
        full = f"{self._scope}/{name}" if self._scope else name
        key, counts = full.lower(), self._counts
        number = counts.get(key, 0)
        while number and f"{key}_{number}" in counts:
            number += 1
        if mark_as_used:
            counts[key] = number + 1
            if number:
                counts[f"{key}_{number}"] = 1
        return f"{full}_{number}" if number else full

    def name_scope(self, name: str | None):
        """Begin names made inside `with` with the scope's name and "/", which the `with` gives.

        A name that ends in "/" enters that very scope again; None or "" leaves all scopes.
        """
        name = name or ""
        again = not name or name.endswith("/")
        kind, pattern = ("scope", _SCOPE_NAME) if again or self._scope else ("root scope", _OP_NAME)
        if not pattern.match(name):
            words = f"A {kind} name has to match the following pattern: {pattern.pattern}"
            raise ValueError(f"'{name}' is not a valid {kind} name. {words}")
        scope = name[:-1] if again else self.unique_name(name)
        return changed(self, "_scope", scope, gives=scope and f"{scope}/")


class ControlDependencies:
    """What the open `with control_dependencies(...)` blocks ask of new ops, and where these are.

    `block` is the part of a cond or a loop that new ops are in, or None (ops/control_flow_ops.py).
    """

    def __init__(self):
        # Of each open `with`: the ops to wait for, and those made inside it, which wait already.
        self._open: tuple[list[tuple[list[Operation], set[Operation]]], Any] = [], None

    block = property(lambda self: self._open[1])

    def inside(self, block):
        """Let ops made inside this `with` be in `block` of a cond or a loop."""
        return changed(self, "_open", (self._open[0], block))

    def after(self, operations: list[Operation] | None):
        """Let ops made inside this `with` wait for these; None leaves all outer blocks."""
        blocks, block = self._open
        inner = ([], None) if operations is None else ([*blocks, (operations, set())], block)
        return changed(self, "_open", inner)

    def of(self, inputs: tuple[Tensor, ...]) -> list[Operation]:
        """Return what a new op with these inputs waits for, without what its inputs wait for."""
        blocks = self._open[0]
        sources = {t.op for t in inputs} if blocks else set()
        waits = [op for operations, inside in blocks if not sources & inside for op in operations]
        return list(dict.fromkeys(op for op in waits if op not in sources))

    def made(self, op: Operation) -> None:
        """Note an op made inside the open blocks."""
        for _, inside in self._open[0]:
            inside.add(op)


def merged_device(outer: str, inner: str) -> str:
    """Return a device inside another: `/job:ps` and `/cpu:0` are `/job:ps/device:CPU:0`.

    Raises ValueError for what is no device.
    """
    parts = {}
    for part in filter(None, f"{outer}/{inner}".split("/")):
        kind, _, value = part.partition(":")
        if kind.lower() in ("cpu", "gpu"):
            kind, value = "device", f"{kind}:{value}"
        if kind not in _DEVICE_PARTS:
            words = f"is encountered while parsing the device spec: '{inner}'."
            raise ValueError(f"Unknown attribute '{kind}' {words}")
        parts[kind] = value.upper() if kind == "device" else value
    return "".join(f"/{kind}:{parts[kind]}" for kind in _DEVICE_PARTS if kind in parts)
