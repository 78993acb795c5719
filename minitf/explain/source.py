"""Reads a script's text: what it calls things, what its loops count, and which faults it shows."""

import ast
import linecache
import re
from collections import Counter, defaultdict
from functools import cache

from minitf.framework.operation import SourceLine

TRAINS, _DECAYS = "minimize|apply_gradients", r"\w+_decay(?:_restarts)?|piecewise_constant"
_NUMBER = r"-?[\d.]+"
# A loop that counts up from a constant, as ast.unparse writes it.
_LOOP = r"for \(?(\w+).* in (?:x?range\((?:[^,\n]*|\d+, .*)|enumerate\(.*)\):"


@cache
def _tree(filename):
    """Return a script's syntax tree, which is empty if it can't be read."""
    try:
        return ast.parse("".join(linecache.getlines(filename)))
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def _statements(filename):
    """Return the statements that contain no others, as nodes with `lineno` and `end_lineno`."""
    kinds = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.Return
    return [node for node in ast.walk(_tree(filename)) if isinstance(node, kinds)]


@cache
def _by_line(filename):
    """Return a dict of the statements at each line of a script."""
    found = defaultdict(list)
    for statement in _statements(filename):
        for lineno in range(statement.lineno, statement.end_lineno + 1):
            found[lineno].append(statement)
    return found


@cache
def text(line):
    """Return the statement at a line, or "" unless there is exactly one."""
    found = _by_line(line.filename).get(line.lineno, [])
    return ast.unparse(found[0]) if len(found) == 1 else ""


@cache
def _script(filename):
    """Return a script as ast.unparse writes it: one statement a line, without comments."""
    return ast.unparse(_tree(filename))


def called(line, made=""):
    """Return the name that the statement at a line assigns to, or "".

    What it assigns must begin with a match of the pattern `made`.
    """
    found = re.match(rf"([\w.]+) = {made}", text(line))
    return found[1] if found else ""


def named(variable):
    """Return what the script calls a variable or, if it has no name for it, its key."""
    return called(variable.source_line, r"[\w.]*(ariable|global_step)\(") or variable.name


def is_used(line, place):
    """Return whether the script uses the result at this place of what a run at a line returns."""
    names = re.findall(r"[\w.]+", text(line).split(" = ")[0]) or [""]
    uses = rf"\b{names[place % len(names)]}\b"
    return len(re.findall(uses, _script(line.filename))) > 1


def _calls(tree, names):
    """Yield the calls of functions whose last name matches a pattern.

    Each comes with the position of its step among the arguments, and the keywords that pass one.
    """
    for call in ast.walk(tree):
        name = getattr(getattr(call, "func", None), "attr", "")
        if re.fullmatch(names, name):
            words = [word for word in call.keywords if word.arg in ("global_step", "x")]
            yield call, 2 if name == "save" else 1, words


def steps(line, names=TRAINS):
    """Return the steps that the statement at a line passes, as code.

    They are arguments of functions whose last name matches the pattern `names`.
    """
    found = []
    for call, place, words in _calls(ast.parse(text(line)), names):
        found += call.args[place : place + 1] + [word.value for word in words]
    return [*map(ast.unparse, found)]


def with_step(line, names, step):
    """Return the statement at a line with a different step in its calls of these functions."""
    tree, value = ast.parse(text(line)), ast.parse(step, mode="eval").body
    for call, place, words in _calls(tree, names):
        if place < len(call.args):
            call.args[place] = value
        else:
            rest = [word for word in call.keywords if word not in words]
            call.keywords = [*rest, ast.keyword("global_step", value)]
    return ast.unparse(tree) or f"global_step={step}"


@cache
def _counters(filename):
    """Return the names that a loop of the script counts up from a constant."""
    script = _script(filename)
    values = defaultdict(list)
    for name, value in re.findall(r"^ *(\w+) = (.*)", script, re.M):
        values[name].append(value)
    counters = set(re.findall(_LOOP, script))
    for name in re.findall(r"(\w+) \+= ", script):
        if name in values and all(re.fullmatch(_NUMBER, value) for value in values[name]):
            counters.add(name)
    return counters


def counted(line, names):
    """Return the step that the statement at a line passes, if a loop counts it, or else "".

    The loop must begin at a constant, so that it starts over there in the script's next run.
    """
    counters = _counters(line.filename)
    for step in steps(line, names):
        terms = [t for t in re.split(r" [+-] ", step) if not re.fullmatch(_NUMBER, t)]
        if terms and all(counters.intersection(re.findall(r"\w+", term)) for term in terms):
            return step
    return ""


def shown(filename):
    """Yield why a line's text is worth a look, and the line; none of this was seen in a run."""
    lines = [SourceLine(filename, statement.lineno) for statement in _statements(filename)]
    passed = Counter(step for line in lines for step in steps(line))
    trains = re.search(rf"\b({TRAINS})\(", _script(filename))
    for line in lines:
        if "global_step" in called(line) and trains and not passed:
            yield "It creates a step, but no train op gets one.", line
        for step in steps(line)[:1]:
            if passed[step] > 1:
                yield f"{step} goes to several train ops: does each turn of a loop run all?", line
        for step in steps(line, _DECAYS):
            if re.fullmatch(_NUMBER, step) or counted(line, _DECAYS):
                yield f"{step} is a Python number, so this rate never changes.", line
