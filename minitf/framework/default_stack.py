"""A default is the top of a stack, one stack for each thread.

Stands for _DefaultStack of tensorflow/python/framework/ops.py.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


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
