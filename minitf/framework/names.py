"""Every operation has a name of its own: scopes go before it, a number behind it where it is taken.

Stands for unique_name and name_scope of Graph in tensorflow/python/framework/ops.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

_OP_NAME = re.compile(r"^[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$")
_SCOPE_NAME = re.compile(r"^[A-Za-z0-9_.\\/>-]*$")


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
        count, unique = names[key], key
        while unique in names:
            unique = f"{key}_{count}"
            count += 1
        if mark_as_used:
            names[key] = count
            names[unique] = 1
        return f"{full}_{count - 1}"

    @contextmanager
    def scope(self, name: str | None) -> Iterator[str]:
        """Names made inside start with this scope's name and "/", which is what the `with` gives.

        A name that ends in "/" enters that very scope again; None or "" leaves all scopes.
        """
        if name and not name.endswith("/") and not self.current and not _OP_NAME.match(name):
            raise ValueError(
                f"'{name}' is not a valid root scope name. A root scope name has to match the "
                f"following pattern: {_OP_NAME.pattern}"
            )
        if name and not _SCOPE_NAME.match(name):
            raise ValueError(
                f"'{name}' is not a valid scope name. A scope name has to match the following "
                f"pattern: {_SCOPE_NAME.pattern}"
            )
        outer = self.current
        if not name:
            self.current = ""
        else:
            self.current = name[:-1] if name.endswith("/") else self.unique(name)
        try:
            yield self.current + "/" if self.current else ""
        finally:
            self.current = outer
