"""What `with` blocks set: the default graph and session, name scopes and control dependencies.

Mirrors _DefaultStack and Graph's unique_name, name_scope and control_dependencies in
tensorflow/python/framework/ops.py.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from minitf.framework.operation import Operation, Tensor

_OP_NAME = re.compile(r"^[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$")
_SCOPE_NAME = re.compile(r"^[A-Za-z0-9_.\\/>-]*$")
_DEVICE_PARTS = ("job", "replica", "task", "device")


@contextmanager
def changed(owner, attribute: str, value, gives=None) -> Iterator[Any]:
    """Set the owner's attribute to `value` within the `with`, which yields `gives`."""
    outer = getattr(owner, attribute)
    setattr(owner, attribute, value)
    try:
        yield gives
    finally:
        setattr(owner, attribute, outer)


class DefaultStack(threading.local):
    """Keeps, for each thread, what `with x.as_default()` makes the default."""

    def __init__(self, make_first: Callable[[], Any] | None = None):
        self._stack: list[Any] = []
        self._make_first = make_first
        self._first: Any = None

    def get(self):
        """Return the innermost default; outside any `with`, the one made on first use, or None."""
        if self._stack:
            return self._stack[-1]
        if self._first is None and self._make_first is not None:
            self.reset()
        return self._first

    def reset(self) -> None:
        """Replace the outermost default with a new one."""
        self._first = self._make_first()

    def depth(self) -> int:
        """Return the number of defaults pushed in this thread."""
        return len(self._stack)

    @contextmanager
    def pushed(self, item) -> Iterator[Any]:
        """Make `item` the default within the `with`."""
        self._stack.append(item)
        try:
            yield item
        finally:
            self._stack.remove(item) if self._stack[-1] is not item else self._stack.pop()


class Names:
    """The part of a graph that keeps track of the names in use and the current name scope."""

    def __init__(self):
        self._scope = ""
        self._counts: dict[str, int] = {}  # how often each name was requested, in lower case

    def get_name_scope(self) -> str:
        """Return the name of the current scope, without a final "/"."""
        return self._scope

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """Return `name` in the current scope, with `_1`, `_2` ... appended if it is taken.

        Names that differ only in case count as equal. Without `mark_as_used`, the name stays free.
        Raises ValueError for a name with invalid characters.
        """
        if not (_SCOPE_NAME if self._scope else _OP_NAME).match(name):
            raise ValueError(
                f"`{name}` is not a valid node name. Accepted names conform to Regex /{_OP_NAME}/"
            )
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
        """Put names created within the `with` into a scope; the `with` yields its name and "/".

        A name that ends in "/" reopens the scope of that name; None or "" returns to the top level.
        Raises ValueError for a name with invalid characters.
        """
        name = name or ""
        again = not name or name.endswith("/")
        kind, pattern = ("scope", _SCOPE_NAME) if again or self._scope else ("root scope", _OP_NAME)
        if not pattern.match(name):
            raise ValueError(
                f"'{name}' is not a valid {kind} name. A {kind} name has to match the following "
                f"pattern: {pattern.pattern}"
            )
        scope = name[:-1] if again else self.unique_name(name)
        return changed(self, "_scope", scope, gives=scope and f"{scope}/")


class Control(NamedTuple):
    """What an op has to do with conds and loops (ops/control_flow_ops.py).

    block: the part of a cond or loop that it is in, or None.
    enters: the cond or loop that a tensor enters through it, or None.
    closes: the cond or loop whose result it passes to the outside, or None.
    """

    block: Any = None
    enters: Any = None
    closes: Any = None

    @property
    def gives_inside(self) -> bool:
        """Whether the outputs have a value only inside a cond or loop."""
        return self.block is not None or self.enters is not None


class ControlDependencies:
    """The open `with control_dependencies(...)` blocks of a graph.

    `current` is what new ops have to do with conds and loops.
    """

    def __init__(self):
        # For each open `with`, the ops to wait for and the ops made inside it, which already do;
        # then what is `current`.
        self._open: tuple[list[tuple[list[Operation], set[Operation]]], Control] = [], Control()

    current: Control = property(lambda self: self._open[1])
    block = property(lambda self: self.current.block)

    def inside(self, block, enters=None, closes=None):
        """Make ops created within the `with` part of `block`, entries or exits."""
        return changed(self, "_open", (self._open[0], Control(block, enters, closes)))

    def after(self, operations: list[Operation] | None):
        """Make ops created within the `with` wait for these; None cancels all outer blocks."""
        blocks, current = self._open
        none = [], Control()
        inner = none if operations is None else ([*blocks, (operations, set())], current)
        return changed(self, "_open", inner)

    def of(self, inputs: tuple[Tensor, ...]) -> tuple[Operation, ...]:
        """Return the control inputs of a new op, leaving out what its inputs already wait for."""
        blocks = self._open[0]
        if not blocks:
            return ()
        sources = {t.op for t in inputs}
        waits = [op for operations, inside in blocks if not sources & inside for op in operations]
        return tuple(dict.fromkeys(op for op in waits if op not in sources))

    def made(self, op: Operation) -> None:
        """Record an op created inside the open blocks."""
        for _, inside in self._open[0]:
            inside.add(op)


def merged_device(outer: str, inner: str) -> str:
    """Return the device that `inner` names within `outer`, as a full device spec.

    For example, `/cpu:0` within `/job:ps` is `/job:ps/device:CPU:0`. Raises ValueError for a part
    that no device spec has.
    """
    parts = {}
    for part in filter(None, f"{outer}/{inner}".split("/")):
        kind, _, value = part.partition(":")
        if kind.lower() in ("cpu", "gpu"):
            kind, value = "device", f"{kind}:{value}"
        if kind not in _DEVICE_PARTS:
            raise ValueError(
                f"Unknown attribute '{kind}' is encountered while parsing the device spec: "
                f"'{inner}'."
            )
        parts[kind] = value.upper() if kind == "device" else value
    return "".join(f"/{kind}:{parts[kind]}" for kind in _DEVICE_PARTS if kind in parts)
