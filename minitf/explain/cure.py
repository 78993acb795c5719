"""A cure is a change of the script's own lines, shown as a diff, or an instruction in words.

A change is built from the lines as they are: what isn't changed keeps its form and its arguments.
A change that leaves its line as it was, or that Python couldn't read, isn't a cure; then there are
only the words.
"""

import ast
import linecache
from collections.abc import Iterable
from typing import NamedTuple

from minitf.explain.source import argument, calls, is_known, name_of, step_place, tensorflow
from minitf.framework.operation import SourceLine


class Edit(NamedTuple):
    """Lines of a file, from `first` on, that become other ones; without old lines, an insertion."""

    filename: str
    first: int
    old: tuple[str, ...]
    new: tuple[str, ...]

    def diff(self) -> list[str]:
        """Return the lines of a diff, with their numbers."""
        width = len(str(self.first + len(self.old)))
        gone = [f"{self.first + i:{width}} - {line}" for i, line in enumerate(self.old)]
        come = [f"{self.first + i:{width}} + {line}" for i, line in enumerate(self.new)]
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


def _edits(filename: str, changes: list[tuple]) -> tuple[Edit, ...]:
    """Return the changes as edits of whole lines; those that touch the same lines become one."""
    spans = sorted((_span(place), new) for place, new in changes)
    lines, groups = lines_of(filename), []
    for (begin, end), new in spans:
        if groups and begin[0] <= groups[-1][-1][0][1][0]:
            groups[-1].append(((begin, end), new))
        else:
            groups.append([((begin, end), new)])
    edits = []
    for group in groups:
        first, last = group[0][0][0][0], max(end[0] for (_, end), _ in group)
        if last > len(lines):
            return ()
        text = "\n".join(lines[first - 1 : last]).encode()
        for (begin, end), new in reversed(group):
            start, stop = (_offset(lines, first, place) for place in (begin, end))
            text = text[:start] + new.encode() + text[stop:]
        new = tuple(text.decode().split("\n")) if text.strip() else ()
        edits.append(Edit(filename, first, tuple(lines[first - 1 : last]), new))
    return tuple(edit for edit in edits if edit.old != edit.new)


def _span(place) -> tuple[tuple[int, int], tuple[int, int]]:
    if isinstance(place, tuple):
        return place, place
    return (place.lineno, place.col_offset), (place.end_lineno, place.end_col_offset)


def _offset(lines: list[str], first: int, place: tuple[int, int]) -> int:
    """Return how many bytes there are between the beginning of line `first` and a place."""
    return sum(len(line.encode()) + 1 for line in lines[first - 1 : place[0] - 1]) + place[1]


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return a file's text after some edits."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda edit: edit.first, reverse=True):
        at = edit.first - 1
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
    old = argument(call, keyword, position)
    if old is not None:
        return old, value
    given = [*call.args, *(word.value for word in call.keywords)]
    if not given:
        return (call.end_lineno, call.end_col_offset - 1), f"{keyword}={value}"
    last = max(given, key=lambda node: (node.end_lineno, node.end_col_offset))
    return (last.end_lineno, last.end_col_offset), f", {keyword}={value}"


def with_step(line: SourceLine, node: ast.stmt | None, names: str, step: str) -> list[tuple]:
    """Return the changes that pass this step to the calls of these functions in a statement."""
    found = calls(node, names)
    if len(found) != 1 or not step:
        return []
    [call] = found
    keyword, position = step_place(call.func.attr if hasattr(call.func, "attr") else call.func.id)
    return [with_argument(call, keyword, step, position)]


def without(nodes: list[ast.AST], one: ast.AST) -> list[tuple] | None:
    """Return the change that takes one of several nodes, with its comma, out of a list of them."""
    at = nodes.index(one)
    if len(nodes) == 1:
        return None
    if at:
        before = nodes[at - 1]
        return [
            (
                _Gap(
                    (before.end_lineno, before.end_col_offset), (one.end_lineno, one.end_col_offset)
                ),
                "",
            )
        ]
    return [(_Gap((one.lineno, one.col_offset), (nodes[1].lineno, nodes[1].col_offset)), "")]


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
