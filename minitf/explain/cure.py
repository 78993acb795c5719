"""A cure is a change of the script's own lines, shown as a diff, or an instruction in words.

A change is built from the lines as they are: what isn't changed keeps its form and its arguments.
A change that leaves its line as it was, or that Python couldn't read, isn't a cure; then there are
only the words.
"""

import ast
import linecache
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from minitf.explain.source import calls, is_known, name_of, step_place, tensorflow
from minitf.syntax import argument, callee


class Edit(NamedTuple):
    """Lines of a file, from `line` on, that become other ones; without old lines, an insertion."""

    file: str
    line: int
    old: Sequence[str]
    new: Sequence[str]

    def diff(self) -> list[str]:
        """Return the lines of a diff, with their numbers."""
        width = len(str(self.line + len(self.old)))
        gone = [f"{self.line + i:{width}} - {line}" for i, line in enumerate(self.old)]
        come = [f"{self.line + i:{width}} + {line}" for i, line in enumerate(self.new)]
        return gone + come


class Cure(NamedTuple):
    """What repairs a fault: edits of the script, and words on what else to know or do."""

    edits: tuple[Edit, ...] = ()
    words: str = ""


def lines_of(filename: str) -> list[str]:
    """Return the lines of a file, without their ends."""
    return [line.rstrip("\r\n") for line in linecache.getlines(filename)]


def cured(filename: str, changes: Iterable[tuple], words: str = "", otherwise: str = "") -> Cure:
    """Return the cure that makes these changes in a file, with `words` on what follows from it.

    Each change is a node and the text in its place; a position (line, column) stands for an
    insertion there. Without a change that can be made, the cure is the instruction `otherwise`.
    """
    changes = list(changes)
    edits = _edits(filename, changes) if changes and all(changes) else ()
    if not edits or not _can_be_read(filename, edits):
        return Cure((), otherwise or words)
    return Cure(edits, words)


class _Change(NamedTuple):
    """What comes between two places of a file, each a line and how many bytes precede it there."""

    begin: tuple[int, int]
    end: tuple[int, int]
    new: str


def _edits(filename: str, changes: list[tuple]) -> tuple[Edit, ...]:
    """Return the changes as edits of whole lines; those that touch the same lines become one."""
    lines, groups = lines_of(filename), []
    for change in sorted(_Change(*_span(place), new) for place, new in changes):
        if groups and change.begin[0] <= groups[-1][-1].end[0]:
            groups[-1].append(change)
        else:
            groups.append([change])
    if any(change.end[0] > len(lines) for group in groups for change in group):
        return ()  # the file has changed since it was read
    edits = [_edit(filename, lines, group) for group in groups]
    return tuple(edit for edit in edits if edit.old != edit.new)


def _edit(filename: str, lines: list[str], changes: list[_Change]) -> Edit:
    """Return the edit that makes some changes, the last one first so that places stay."""
    first, last = changes[0].begin[0], max(change.end[0] for change in changes)
    old = lines[first - 1 : last]
    text = "\n".join(old).encode()
    for change in reversed(changes):
        begin, end = (_offset(old, first, place) for place in (change.begin, change.end))
        text = text[:begin] + change.new.encode() + text[end:]
    return Edit(filename, first, old, text.decode().split("\n") if text.strip() else [])


def _span(place) -> tuple[tuple[int, int], tuple[int, int]]:
    if isinstance(place, tuple):
        return place, place
    return (place.lineno, place.col_offset), (place.end_lineno, place.end_col_offset)


def _offset(lines: list[str], first: int, place: tuple[int, int]) -> int:
    """Return how many bytes of some lines precede a place; the first line has number `first`."""
    return sum(len(line.encode()) + 1 for line in lines[: place[0] - first]) + place[1]


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return a file's text after some edits."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda edit: edit.line, reverse=True):
        at = edit.line - 1
        end = "\r" if lines[at : at + 1] and lines[at].endswith("\r") else ""
        lines[at : at + len(edit.old)] = [line + end for line in edit.new]
    return "\n".join(lines)


def _can_be_read(filename: str, edits: Iterable[Edit]) -> bool:
    try:
        ast.parse(applied("\n".join(lines_of(filename)), edits))
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


# Parts of changes.


def with_argument(call: ast.Call, keyword: str, value: str, position: int | None = None) -> tuple:
    """Return the change that gives a call this argument, in the place of the one that it has."""
    old = argument(call, position, keyword)
    if old is not None:
        return old, value
    given = [*call.args, *(word.value for word in call.keywords)]
    if not given:
        return (call.end_lineno, call.end_col_offset - 1), f"{keyword}={value}"
    last = max(given, key=lambda node: (node.end_lineno, node.end_col_offset))
    return (last.end_lineno, last.end_col_offset), f", {keyword}={value}"


def with_step(node: ast.stmt | None, names: str, step: str) -> list[tuple]:
    """Return the changes that pass this step to the calls of these functions in a statement."""
    found = calls(node, names)
    if len(found) != 1 or not step:
        return []
    [call] = found
    keyword, position = step_place(callee(call))
    return [with_argument(call, keyword, step, position)]


def without(nodes: list[ast.AST], index: int) -> tuple:
    """Return the change that takes one of several nodes out of a list, with a comma beside it."""
    if index:
        return _Gap(_span(nodes[index - 1])[1], _span(nodes[index])[1]), ""
    return _Gap(_span(nodes[0])[0], _span(nodes[1])[0]), ""


class _Gap:
    """A stretch of text that isn't a node."""

    def __init__(self, begin: tuple[int, int], end: tuple[int, int]):
        (self.lineno, self.col_offset), (self.end_lineno, self.end_col_offset) = begin, end


def step_in_scope(step, node: ast.AST | None, filename: str) -> str:
    """Return code that gives a step at a node: its name there, or a call that finds it; or ""."""
    if node is None:
        return ""
    name, made, tf = name_of(step.variable), step.variable.source_line, tensorflow(filename)
    if name and made.filename == filename and is_known(name, node, filename):
        return name
    if made.filename == filename and made.lineno > node.lineno:
        return ""  # it may not be there yet
    return f"{tf}.train.get_global_step()" if tf and step.can_be_found else ""
