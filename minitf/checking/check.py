"""Applies the rules to scripts and notebooks, and to what they import, each file once."""

import ast
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from minitf.checking.program import Module, home
from minitf.checking.rules import RULES
from minitf.checking.script import Script, statement
from minitf.checking.source import Source
from minitf.explain.comments import ignored, silences
from minitf.names_used import Files


class Finding(NamedTuple):
    """A fault that was found in a file; in a notebook, lines are those of a cell.

    `cell` is the number of the cell, and 0 in a script. Lines and columns begin at 1.
    """

    path: Path
    cell: int
    line: int
    column: int
    end_line: int
    end_column: int
    id: str
    words: str


class Checked(NamedTuple):
    """The findings, which files were read, and which couldn't be, with the reason."""

    findings: list[Finding]
    files: list[Path]
    unread: list[tuple[Path, str]]


def check(paths: Iterable[Path], roots: Iterable[Path], rules: Iterable[str]) -> Checked:
    """Look for the faults that these rules find in files, and in the modules that they import.

    `roots` are folders in which modules may be.
    """
    files, paths, unread = Files(*roots), [*paths], []
    readable = [path for path in paths if _can_be_read(files, path, unread)]
    modules: dict[Path, Module] = {}
    found = set()
    for script in _scripts(files, readable):
        try:
            found.update(_findings(files, modules, script, rules))
        except RecursionError:
            unread.append((script, "it's nested too deeply"))
        except Exception as error:  # the other files still count
            unread.append((script, f"an error in minitf: {error!r}"))
    return Checked(sorted(found), [path for path in paths if path in readable], unread)


def _can_be_read(files: Files, path: Path, unread: list[tuple[Path, str]]) -> bool:
    try:
        problem = files.text(path).problem
    except OSError as error:
        problem = error.strerror
    if problem:
        unread.append((path, problem))
    return not problem


def _scripts(files: Files, paths: list[Path]) -> Iterator[Path]:
    """Yield the files that no other one imports, and one of each circle."""
    programs = {path: _program(files, path) for path in paths}
    imported = {p for path, inner in programs.items() for p in inner if p != path}
    reached = set()
    for path in [p for p in paths if p not in imported] + [p for p in paths if p in imported]:
        if path not in reached:
            reached.update(programs[path])
            yield path


def _program(files: Files, path: Path) -> list[Path]:
    """Return the files of a program that can be read."""
    try:
        return [each for each in files.program(path) if not files.text(each).problem]
    except OSError:
        return [path]


def _findings(
    files: Files, modules: dict[Path, Module], path: Path, rules: Iterable[str]
) -> Iterator[Finding]:
    """Yield what the rules find in the program of a script."""
    program = _program(files, path)
    if not any(files.text(each).tensorflow for each in program):
        return
    for each in program:
        if each not in modules:
            modules[each] = Module(each, files.text(each))
    resolve = partial(files.resolve, home=path.parent)
    script = Script([modules[each] for each in program], resolve)
    for id in rules if script.is_graph else [id for id in rules if id == "no-such-name"]:
        for node, words in RULES[id].look(script):
            source = home(node).text.source
            if not silences(_ignored(source), id, _lines(node)):
                yield _finding(node, id, words)


def _ignored(source: Source) -> dict[int, set[str] | None]:
    if not source.cells:
        return ignored(source.lines)
    found, starts = {}, [cell.first for cell in source.cells] + [len(source.lines) + 1]
    for first, end in pairwise(starts):
        comments = ignored(source.lines[first - 1 : end - 1])
        found |= {number + first - 1: names for number, names in comments.items()}
    return found


def _lines(node: ast.AST) -> range:
    """Return the lines of the statement of a node, of a block only those above its body."""
    whole = statement(node)
    body = getattr(whole, "body", None)
    end = max(whole.lineno, body[0].lineno - 1) if isinstance(body, list) else whole.end_lineno
    return range(whole.lineno, max(end, node.end_lineno) + 1)


def _finding(node: ast.AST, id: str, words: str) -> Finding:
    module = home(node)
    source = module.text.source
    cell, line = source.place(node.lineno)
    _, end_line = source.place(node.end_lineno)
    column = _column(source, node.lineno, node.col_offset)
    end_column = _column(source, node.end_lineno, node.end_col_offset)
    return Finding(module.path, cell, line, column, end_line, end_column, id, words)


def _column(source: Source, line: int, offset: int) -> int:
    """Return the column of a character, of which Python counts the bytes before."""
    text = source.lines[line - 1].encode("utf-8", "replace")[:offset]
    return len(text.decode("utf-8", "ignore")) + 1
