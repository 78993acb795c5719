"""Reads a script's text: what it calls things, what its loops count, and faults that it shows."""

import ast
import linecache
import re
from functools import cache

from minitf.framework.operation import SourceLine

TRAINS = "minimize|apply_gradients"
_DECAYS = r"\w+_decay(?:_restarts)?|piecewise_constant"
_NUMBER = r"-?[\d.]+"
# A loop that counts from a constant on, as ast.unparse writes it.
_LOOP = r"for \(?(\w+).* in (?:x?range\((?:[^,\n]*|\d+, .*)|enumerate\(.*)\):"
_STATEMENTS = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
_SCOPES = (ast.FunctionDef, ast.Module)


@cache
def _nodes(filename):
    """Return all nodes of a file's syntax tree, or none if it can't be read."""
    try:
        return list(ast.walk(ast.parse("".join(linecache.getlines(filename)))))
    except (SyntaxError, ValueError):
        return []


def _around(line, kinds):
    """Return the innermost node of some kinds around a line, as code; "" if there is none."""
    found = ast.Module([], [])
    for node in _nodes(line.filename):  # inner ones come later
        if isinstance(node, kinds):
            first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", line.lineno)
            found = node if first <= line.lineno <= last else found
    return ast.unparse(found)


def called(line, made=""):
    """Return the name that the statement at a line assigns to, or "".

    What it assigns must begin like the pattern `made`.
    """
    found = re.match(rf"([\w.]+) = {made}", _around(line, _STATEMENTS))
    return found[1] if found else ""


def is_used(line, place):
    """Return whether the script uses what a run at a line returns at a place of its result."""
    statement = _around(line, _STATEMENTS)
    names, assigned, _ = statement.partition(" = ")
    names = names.strip("()").split(", ")
    name = re.escape(names[place] if place < len(names) else names[0])
    uses = re.findall(rf"\b{name}\b", _around(line, _SCOPES))
    return len(uses) > 1 if assigned else not re.match(r"[\w.]+\.run\(", statement)


def with_step(line, names, step=""):
    """Return the statement at a line, with a new step in its calls, and their old steps.

    The calls are those of functions whose last name fits the pattern `names`. A new step of "" is
    none.
    """
    statement, old = ast.parse(_around(line, _STATEMENTS)), []
    for call in ast.walk(statement):
        name = re.search(rf"\b({names})$", ast.unparse(getattr(call, "func", ast.Pass())))
        if name:
            place = 2 if name[1] == "save" else 1
            given = call.args[place : place + 1]
            given += [k.value for k in call.keywords if k.arg in ("global_step", "x")]
            old += map(ast.unparse, given)
            call.args = [value for value in call.args if value not in given]
            call.keywords = [k for k in call.keywords if k.value not in given]
            call.keywords += [ast.keyword("global_step", ast.Name(step))] if step else []
    return ast.unparse(statement), old


def counted(line, names):
    """Return the step that a call at a line is given, if that is a number that a loop counts.

    The loop must begin at a constant, because then it begins there again in the script's next run.
    """
    scope = _around(line, _SCOPES)
    counters = set(re.findall(_LOOP, scope))
    for name in re.findall(r"(\w+) \+= ", scope):
        values = re.findall(rf"^ *{name} = (.*)", scope, re.M)
        if values and all(re.fullmatch(_NUMBER, value) for value in values):
            counters.add(name)
    for step in with_step(line, names)[1]:
        terms = [t for t in re.split(r" [+-] ", step) if not re.fullmatch(_NUMBER, t)]
        if terms and all(counters.intersection(re.findall(r"\w+", term)) for term in terms):
            return step
    return ""


def shown(filename):
    """Yield lines whose text is worth a look, and why; nothing of it was seen in a run."""
    nodes = [node for node in _nodes(filename) if isinstance(node, _STATEMENTS)]
    lines = [SourceLine(filename, node.lineno) for node in nodes]
    passed = [step for line in lines for step in with_step(line, TRAINS)[1]]
    trains = any(re.search(rf"\b({TRAINS})\(", ast.unparse(node)) for node in nodes)
    for line in lines:
        if "global_step" in called(line) and trains and not passed:
            yield line, "It makes a step, but no train op is given one."
        for step in with_step(line, TRAINS)[1][:1]:
            if passed.count(step) > 1:
                yield line, f"{step} is passed to more than one train op: do they share a turn?"
        step = "".join(with_step(line, _DECAYS)[1])
        if re.fullmatch(_NUMBER, step) or counted(line, _DECAYS):
            yield line, f"{step} is a number in Python, so this rate stays as it is."
