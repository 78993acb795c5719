"""Reads a script's text: what it calls things, what its loops count, and faults that it shows."""

import ast
import linecache
import re
from functools import cache

from minitf.framework.operation import SourceLine

TRAINS = "minimize|apply_gradients"
_DECAYS = r"\w+_decay(_restarts)?|piecewise_constant"
_NUMBER = r"-?[\d.]+"
# A loop that counts from a constant on, as ast.unparse writes it.
_LOOP = r"for \(?(\w+).* in (?:x?range\((?:[^,\n]*|\d+, .*)|enumerate\(.*)\):"


@cache
def _nodes(filename):
    """Return all nodes of a file's syntax tree, or none if it can't be read."""
    try:
        return list(ast.walk(ast.parse("".join(linecache.getlines(filename)))))
    except (SyntaxError, ValueError):
        return []


def _around(line, kind):
    """Return the innermost node of a kind around a line, or None."""
    nodes = (node for node in _nodes(line.filename) if isinstance(node, kind))
    found = [node for node in nodes if node.lineno <= line.lineno <= node.end_lineno]
    return max(found, key=lambda node: node.lineno, default=None)


def text(line):
    """Return the statement at a line; of one with a block, only the line."""
    statement = _around(line, ast.stmt)
    if statement is None or hasattr(statement, "body"):
        return linecache.getline(line.filename, line.lineno).strip()
    return ast.unparse(statement)


def called(line, made=""):
    """Return the name that the statement at a line assigns to, or "".

    What it assigns must begin like the pattern `made`.
    """
    found = re.match(rf"([\w.]+) = {made}", text(line))
    return found[1] if found else ""


def with_step(line, names, position, step=""):
    """Return the statement at a line, with a new step in its calls, and their old steps.

    The calls are those of functions whose last name fits the pattern `names`; `position` is where
    they take the step. A new step of "" is none.
    """
    try:
        statement, old = ast.parse(text(line)), []
    except SyntaxError:
        return "", []
    for call in ast.walk(statement):
        if isinstance(call, ast.Call) and re.search(rf"\b({names})$", ast.unparse(call.func)):
            given = call.args[position : position + 1]
            del call.args[position : position + 1]
            given += [k.value for k in call.keywords if k.arg in ("global_step", "x")]
            call.keywords = [k for k in call.keywords if k.value not in given]
            call.keywords += [ast.keyword("global_step", ast.Name(step))] if step else []
            old += map(ast.unparse, given)
    return ast.unparse(statement), old


def counted(line, names, position):
    """Return the step that a call at a line is given, if that is a number that a loop counts.

    The loop must begin at a constant, because then it begins there again in the script's next run.
    """
    around = _around(line, ast.FunctionDef) or _nodes(line.filename)[0]
    scope = ast.unparse(around)
    counters = set(re.findall(_LOOP, scope))
    for name in re.findall(r"(\w+) \+= ", scope):
        values = re.findall(rf"^ *{name} = (.*)", scope, re.M)
        if values and all(re.fullmatch(_NUMBER, value) for value in values):
            counters.add(name)
    for step in with_step(line, names, position)[1]:
        terms = [t for t in re.split(r" [+-] ", step) if not re.fullmatch(_NUMBER, t)]
        if terms and all(counters.intersection(re.findall(r"\w+", term)) for term in terms):
            return step
    return ""


def shown(filename):
    """Yield lines whose text is worth a look, and why; nothing of it was seen in a run."""
    statements = [node for node in _nodes(filename) if isinstance(node, ast.stmt)]
    lines = [SourceLine(filename, s.lineno) for s in statements if not hasattr(s, "body")]
    steps = {line: with_step(line, TRAINS, 1)[1] for line in lines if re.search(TRAINS, text(line))}
    passed = [step for given in steps.values() for step in given]
    for line in lines:
        step = steps.get(line)
        if "global_step" in called(line) and steps and not passed:
            yield line, "It makes a step, but no train op is given one."
        if step and passed.count(step[0]) > 1:
            yield line, f"{step[0]} is passed to more than one train op: do they share a turn?"
        decay = with_step(line, _DECAYS, 1)[1]
        if re.fullmatch(_NUMBER, "".join(decay)) or counted(line, _DECAYS, 1):
            yield line, f"{decay[0]} is a number in Python, so this rate stays as it is."
