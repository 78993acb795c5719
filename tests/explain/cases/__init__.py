"""Reads the cases: scripts whose first lines say what should be found in them.

# finds: step-not-passed; may ask: python-counter; runs: 2
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

from minitf.__main__ import main

ROOT = Path(__file__).resolve().parents[3]


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
    return [read(path) for kind in ("fault", "right") for path in sorted(Path(__file__).parent.glob(f"{kind}_*.py"))]


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


def explained_in(folder: Path, case: Case) -> dict:
    """Run a case in a folder, as often as it says, and return the last report."""
    report, work = folder / "report.json", folder / "work"
    work.mkdir()
    arguments = ["--explain", "--json", str(report), str(case.path)]
    for _ in range(case.runs):
        _run_apart(arguments, work)
    return json.loads(report.read_text("utf-8"))


def _run_apart(arguments: list[str], folder: Path) -> None:
    """Run `python -m minitf` in a folder, in a new process."""
    process = _PROCESSES.Process(target=_run, args=(arguments, folder))
    process.start()
    process.join()


def _run(arguments: list[str], folder: Path) -> None:
    os.chdir(folder)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")
    main(arguments)


# Where it's possible, new processes are copies of one that has imported minitf, and nothing else.
_PROCESSES = multiprocessing.get_context("spawn" if sys.platform == "win32" else "forkserver")
if sys.platform != "win32":
    _PROCESSES.set_forkserver_preload(["minitf.__main__", "minitf.explain"])
