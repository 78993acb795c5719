"""Reads the cases: scripts whose first lines say what should be found in them.

# finds: step-not-passed; may ask: python-counter; runs: 2
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).with_name("cases")


class Case(NamedTuple):
    """A script, what must be found or asked, what may be, and how often it runs in its folder."""

    path: Path
    finds: set[str]
    asks: set[str]
    may_find: set[str]
    may_ask: set[str]
    runs: int


def cases() -> list[Case]:
    """Return all cases, by their names."""
    return [read(path) for path in sorted(FOLDER.glob("*.py"))]


def read(path: Path) -> Case:
    """Return the case in a file. Raises ValueError for a first line in another form."""
    first = path.read_text("utf-8").split("\n", 1)[0]
    said = {"finds": "", "asks": "", "may find": "", "may ask": "", "runs": "1"}
    if first != "# finds nothing":
        for part in first.removeprefix("# ").split(";"):
            found = re.fullmatch(r"(finds|asks|may find|may ask|runs): ([\w\- ,]+)|finds nothing", part.strip())
            if not found:
                raise ValueError(f"{path.name}: {part}")
            if found[1]:
                said[found[1]] = found[2]
    finds, asks, may_find, may_ask, runs = said.values()
    ids = [set(re.findall(r"[\w-]+", words)) for words in (finds, asks, may_find, may_ask)]
    return Case(path, *ids, int(runs))
