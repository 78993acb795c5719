"""Reads the code cells of a notebook as one program, and knows in which cell each line is."""

import json
import re
from typing import NamedTuple


class Cell(NamedTuple):
    """A code cell: its number, counting all cells from 1, and its first line in the program."""

    number: int
    first: int


# Cell magics below which there is Python.
_RUNS_PYTHON = re.compile(r"%%(time|timeit|capture|prun|debug|python3?|py)\b")
_COMMAND = re.compile(r"(\s*)(?:[!%?].*|[\w.]+\?{1,2}\s*$)")  # !ls, %matplotlib inline, ?tf, tf?
_ASSIGNED = re.compile(r"(\s*[\w.,\s]+=\s*)[!%].*")  # files = !ls


def read_cells(source: bytes) -> tuple[str, list[Cell]]:
    """Return a notebook's program and its code cells.

    What only IPython understands is blank. Raises ValueError if this is no notebook.
    """
    try:
        book = json.loads(source)
        cells = book["cells"] if "cells" in book else book["worksheets"][0]["cells"]
        texts = [
            (number, _text(cell))
            for number, cell in enumerate(cells, 1)
            if cell["cell_type"] == "code"
        ]
    except (KeyError, TypeError, IndexError, AttributeError):
        raise ValueError("it isn't a notebook") from None
    lines, found = [], []
    for number, text in texts:
        found.append(Cell(number, len(lines) + 1))
        lines += _python_lines(text)
    return "\n".join(lines), found


def _text(cell: dict) -> str:
    text = cell.get("source", cell.get("input", ""))
    return text if isinstance(text, str) else "".join(text)


def _python_lines(text: str) -> list[str]:
    """Return the lines of a cell, without those that only IPython understands."""
    lines = text.split("\n")
    code = next((line for line in lines if line.strip()), "")
    if code.startswith("%%") and not _RUNS_PYTHON.match(code):
        return [""] * len(lines)
    found, goes_on, quote = [], False, ""
    for line in lines:
        command = None if quote else _COMMAND.fullmatch(line)
        assigned = None if quote else _ASSIGNED.fullmatch(line)
        if goes_on:
            found.append("")
        elif command and not _continues(found):
            found.append(f"{command[1]}pass")
        elif assigned:
            found.append(f"{assigned[1]}None")
        else:
            found.append(line)
            quote = _open_quote(line, quote)
        goes_on = line.endswith("\\") and (goes_on or bool(command) or bool(assigned))
    return found


def _continues(before: list[str]) -> bool:
    """Return whether a line goes on with an expression, where % is an operator."""
    last = next((line.split("#")[0].rstrip() for line in reversed(before) if line.strip()), "")
    if last.endswith(("\\", "(", ",", "[", "{")):
        return True
    text = "\n".join(before)
    is_open = sum(map(text.count, "([{")) > sum(map(text.count, ")]}"))
    return is_open and last.endswith(('"', "'"))


def _open_quote(line: str, quote: str) -> str:
    """Return the quotes that a string of several lines began with, if it doesn't end here."""
    for found in re.finditer(r"\"{3}|'{3}", line):
        quote = "" if quote == found[0] else quote or found[0]
    return quote
