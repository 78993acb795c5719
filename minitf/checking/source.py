"""Reads scripts and notebooks as syntax trees, Python 2 as well, and says why one can't be read."""

import ast
import re
import tokenize
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from minitf.checking.notebook import Cell, read_cells
from minitf.checking.python2 import HOW_TO_GET_IT, as_python_3

_MOST_BYTES = {".ipynb": 100_000_000}  # with its pictures; of code, a hundredth
_MOST_CODE = 1_000_000
NEEDS_A_PACKAGE = f"it isn't Python 3; to read Python 2, first run `{HOW_TO_GET_IT}`"


class Unreadable(ValueError):
    """A file isn't a program that can be read. The message says why."""


@dataclass(frozen=True)
class Source:
    """A program's text: its syntax tree, its lines, and the code cells if it is a notebook."""

    tree: ast.Module
    lines: list[str]
    is_python_3: bool = True
    cells: list[Cell] = field(default_factory=list)

    def place(self, line: int) -> tuple[int, int]:
        """Return the number of the cell in which a line is (0 in a script), and its line there."""
        return place_in(self.cells, line)


def place_in(cells: Sequence[Cell], line: int) -> tuple[int, int]:
    """Return the number of the cell in which a line is, or 0 without cells, and its line there."""
    before = [cell for cell in cells if cell.first <= line]
    return (before[-1].number, line - before[-1].first + 1) if before else (0, line)


def read_file(path: Path) -> Source:
    """Return what is in a file. Raises Unreadable, or OSError if it can't be opened."""
    is_notebook = path.suffix == ".ipynb"
    if path.stat().st_size > _MOST_BYTES.get(path.suffix, _MOST_CODE):
        raise Unreadable("it's too large")
    data = path.read_bytes()
    try:
        text, cells = read_cells(data) if is_notebook else (decode(data), [])
    except RecursionError:
        raise Unreadable("it's nested too deeply") from None
    except ValueError as error:
        raise Unreadable(f"it can't be decoded: {error}") from None
    if len(text) > _MOST_CODE:
        raise Unreadable("it's too large")
    return read_text(text, cells)


def decode(data: bytes) -> str:
    """Return the text of a file of Python. What isn't UTF-8 without saying so is Latin-1."""
    try:
        encoding = tokenize.detect_encoding(BytesIO(data).readline)[0]
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ")


def read_text(text: str, cells: Sequence[Cell] = ()) -> Source:
    """Return what a program's text says. Raises Unreadable if it isn't Python."""
    lines, code = text.split("\n"), re.sub(r"\A\s*#[^\n]*coding[:=][^\n]*", "#", text)
    try:
        return Source(_parse(code), lines, True, [*cells])
    except SyntaxError:
        pass  # it may be Python 2
    except (ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(_reason(error, cells)) from None
    try:
        return Source(_parse(as_python_3(code)), lines, False, [*cells])
    except ModuleNotFoundError:
        raise Unreadable(NEEDS_A_PACKAGE) from None
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(_reason(error, cells)) from None


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python will show them when it compiles the program
        return ast.parse(text)


def _reason(error: Exception, cells: Sequence[Cell]) -> str:
    if isinstance(error, SyntaxError):
        cell, line = place_in(cells, error.lineno or 1)
        return f"it isn't valid Python: {error.msg}, {f'cell {cell}, ' * bool(cell)}line {line}"
    if isinstance(error, RecursionError | MemoryError):
        return "it's nested too deeply"
    return f"it isn't Python: {error}"
