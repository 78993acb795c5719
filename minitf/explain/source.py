"""Reads a script's text: what it calls things, what its loops count, and faults that it shows."""

import ast
import linecache
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from minitf.framework.operation import SourceLine

TRAINS = "minimize|apply_gradients"
_COUNTING = ("range", "xrange", "enumerate")


@cache
def _nodes(filename: str) -> list[ast.AST]:
    """Return all nodes of a file's syntax tree, or none if it can't be read."""
    try:
        return list(ast.walk(ast.parse("".join(linecache.getlines(filename)))))
    except (SyntaxError, ValueError):
        return []


def _around(line: SourceLine, kind: type) -> ast.AST | None:
    """Return the innermost node of a kind around a line, or None."""
    nodes = (node for node in _nodes(line.filename) if isinstance(node, kind))
    found = [node for node in nodes if node.lineno <= line.lineno <= node.end_lineno]
    return max(found, key=lambda node: node.lineno, default=None)


def text(line: SourceLine) -> str:
    """Return the statement at a line; of one with a block, only the line."""
    statement = _around(line, ast.stmt)
    if statement is None or hasattr(statement, "body"):
        return linecache.getline(line.filename, line.lineno).strip()
    return ast.unparse(statement)


def called(line: SourceLine, made: str = "") -> str:
    """Return the name that the statement at a line assigns to, or "".

    What it assigns must begin like the pattern `made`.
    """
    found = re.match(rf"([\w.]+) = {made}", text(line))
    return found[1] if found else ""


def _calls(nodes: list[ast.AST], names: str) -> Iterator[ast.Call]:
    """Yield the calls of functions whose last name fits a pattern."""
    for node in nodes:
        if isinstance(node, ast.Call) and re.search(rf"(^|\.)({names})$", ast.unparse(node.func)):
            yield node


def _step(call: ast.Call, position: int) -> ast.expr | None:
    """Return what a call is given as its step, by name or position."""
    named = [k.value for k in call.keywords if k.arg in ("global_step", "x")]
    return next(iter([*named, *call.args[position : position + 1]]), None)


def with_step(line: SourceLine, names: str, position: int, step: str = "") -> str:
    """Return the statement at a line, its calls with another step, or with none."""
    try:
        statement = ast.parse(text(line))
    except SyntaxError:
        return ""
    for call in _calls(list(ast.walk(statement)), names):
        del call.args[position : position + 1]
        call.keywords = [k for k in call.keywords if k.arg != "global_step"]
        if step:
            call.keywords.append(ast.keyword("global_step", ast.Name(step)))
    return ast.unparse(statement)


def counted(line: SourceLine, names: str, position: int) -> str:
    """Return the step that a call at a line is given, if that is a number that a loop counts.

    The loop must begin at a constant, because then it begins there again in the script's next run.
    """
    scope = _around(line, ast.FunctionDef)
    nodes = list(ast.walk(scope)) if scope else _nodes(line.filename)
    at_line = _around(line, ast.stmt)
    for call in _calls(list(ast.walk(at_line)) if at_line else [], names):
        step = _step(call, position)
        if step is not None and _counts(step, {*_counters(nodes)}):
            return ast.unparse(step)
    return ""


def _counts(node: ast.expr, counters: set[str]) -> bool:
    """Return whether a counter is in each term of an expression that isn't constant."""
    match node:
        case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=ast.Constant()):
            return _counts(left, counters)
        case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right):
            return _counts(left, counters) and _counts(right, counters)
    return any(isinstance(part, ast.Name) and part.id in counters for part in ast.walk(node))


def _counters(nodes: list[ast.AST]) -> Iterator[str]:
    """Yield the names that loops count from a constant on."""
    assigned: dict[str, list] = {}
    for node in nodes:
        match node:
            case ast.For(
                target=ast.Name(name) | ast.Tuple(elts=[ast.Name(name), *_]),
                iter=ast.Call(func=ast.Name(kind), args=[start, *rest]),
            ) if kind in _COUNTING and (not rest or isinstance(start, ast.Constant)):
                yield name
            case ast.AugAssign(target=ast.Name(name)):
                assigned.setdefault(name, []).append(None)
            case ast.Assign(targets=[ast.Name(name)], value=value):
                assigned.setdefault(name, []).append(value)
    for name, values in assigned.items():
        if None in values and all(isinstance(v, ast.Constant | None) for v in values):
            yield name


def shown(filename: str) -> Iterator[tuple[SourceLine, str]]:
    """Yield lines whose text is worth a look, and why; nothing of it was seen in a run."""
    nodes = _nodes(filename)
    trains = list(_calls(nodes, TRAINS))
    steps = [ast.unparse(step) for call in trains if (step := _step(call, 1)) is not None]
    for call in trains:
        step = _step(call, 1)
        if step is not None and Counter(steps)[ast.unparse(step)] > 1:
            words = f"{ast.unparse(step)} is passed to several train ops: do they share a turn?"
            yield SourceLine(filename, call.lineno), words
    for call in _calls(nodes, "Variable|(get_or_)?create_global_step|get_variable"):
        line = SourceLine(filename, call.lineno)
        if "global_step" in text(line) and trains and not steps:
            yield line, "makes a step, but no train op is given one"
    counters = {*_counters(nodes)}
    for call in _calls(nodes, r"\w+_decay|\w+_decay_restarts|piecewise_constant"):
        step = _step(call, int("piecewise" not in ast.unparse(call.func)))
        if isinstance(step, ast.Constant) or step is not None and _counts(step, counters):
            words = "the step of this schedule is a number in Python, so the rate stays the same"
            yield SourceLine(filename, call.lineno), words
