"""Reads a script's text: its statements, where they are, what it calls things, and its calls.

Everything here is found in the syntax tree of a file. A file that can't be read has no statements.
(What loops count, and what is done with a result, is in uses.py.)
"""

import ast
import linecache
import os
import re
import sysconfig
from collections import defaultdict
from functools import cache

from minitf.framework.operation import Operation, SourceLine
from minitf.syntax import FUNCTIONS, argument, around, callee

TRAINS = "minimize|apply_gradients"
_SIMPLE = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.Return

# A file.


@cache
def tree(filename: str) -> ast.Module:
    """Return a file's syntax tree, in which each node has its `parent`."""
    try:
        module = ast.parse("".join(linecache.getlines(filename)))
    except (SyntaxError, ValueError, RecursionError):
        module = ast.Module([], [])
    module.parent = None
    for parent in ast.walk(module):
        for child in ast.iter_child_nodes(parent):
            child.parent = parent
    return module


@cache
def _statements(filename: str) -> dict[int, list[ast.stmt]]:
    """Return the statements that contain no others, by the lines that they are on."""
    found = defaultdict(list)
    for node in ast.walk(tree(filename)):
        if isinstance(node, _SIMPLE):
            for lineno in range(node.lineno, node.end_lineno + 1):
                found[lineno].append(node)
    return found


_NOT_SCRIPTS = tuple(
    {sysconfig.get_path(name) + os.sep for name in ("stdlib", "purelib", "platlib")}
)


def is_scripts(line: SourceLine) -> bool:
    """Return whether a line is the script's own, and not, say, of Python's threading.py."""
    return not line.filename.startswith((*_NOT_SCRIPTS, "<"))


def statement(line: SourceLine) -> ast.stmt | None:
    """Return the statement at a line, or None unless there is exactly one."""
    found = _statements(line.filename).get(line.lineno, [])
    return found[0] if len(found) == 1 else None


@cache
def text(line: SourceLine) -> str:
    """Return the statement at a line as Python writes it: on one line, without comments."""
    found = statement(line)
    return ast.unparse(found) if found else ""


# Names, and where they have values.


def scopes(node: ast.AST) -> list[ast.AST]:
    """Return the functions, classes and the module around a node, the innermost first."""
    return [p for p in around(node) if isinstance(p, (*FUNCTIONS, ast.ClassDef, ast.Module))]


def scope_of(node: ast.AST) -> ast.AST:
    """Return the function or module whose names a node uses."""
    return next(scope for scope in scopes(node) if not isinstance(scope, ast.ClassDef))


@cache
def _names(filename: str) -> dict[str, list[ast.Name | ast.Attribute]]:
    """Return the nodes of a file that are names, such as `step` and `self.step`, by their text."""
    found = defaultdict(list)
    for node in ast.walk(tree(filename)):
        if isinstance(node, ast.Name | ast.Attribute):
            found[ast.unparse(node)].append(node)
    return found


def loads(name: str, scope: ast.AST, filename: str) -> list[ast.AST]:
    """Return the nodes in a scope that use a name's value."""
    found = _names(filename).get(name, [])
    return [node for node in found if isinstance(node.ctx, ast.Load) and scope in scopes(node)]


def is_known(name: str, node: ast.AST, filename: str) -> bool:
    """Return whether a name such as `step` or `self.step` has a value at a node of a file.

    In the node's own scope, it must have been assigned before; elsewhere, anywhere.
    """
    outer = scopes(node)
    if any(name in _arguments(scope) for scope in outer):
        return True
    for bound in _names(filename).get(name, []):
        own = scopes(bound)
        if not isinstance(bound.ctx, ast.Store) or isinstance(own[0], ast.ClassDef):
            continue
        if own[0] is outer[0]:
            if bound.lineno < node.lineno:
                return True
        elif own[0] in outer or _in_one_class(name, own, outer):
            return True
    return False


def _arguments(scope: ast.AST) -> list[str]:
    given = getattr(scope, "args", None)
    if not isinstance(given, ast.arguments):
        return []
    return [a.arg for a in [*given.posonlyargs, *given.args, *given.kwonlyargs]]


def _in_one_class(name: str, one: list[ast.AST], other: list[ast.AST]) -> bool:
    """Return whether a name is an attribute of self, and both places are in the same class."""
    classes = [scope for scope in one if isinstance(scope, ast.ClassDef)]
    return name.startswith("self.") and any(scope in other for scope in classes)


# Names.


def assigned(line: SourceLine, made: str = "") -> str:
    """Return the name that the statement at a line assigns to, or "".

    What it assigns must begin with a match of the pattern `made`.
    """
    found = re.match(rf"([\w.]+) = {made}", text(line))
    return found[1] if found else ""


def named(variable: Operation) -> str:
    """Return what the script calls a variable or, if it has no name for it, its key."""
    return name_of(variable) or variable.name


def name_of(variable: Operation) -> str:
    """Return what the script calls a variable, or "" if it has no name for it."""
    return assigned(variable.source_line, r"[\w.]*(ariable|global_step)\(")


@cache
def tensorflow(filename: str) -> str:
    """Return what a file calls TensorFlow, such as "tf", or "" if it doesn't import it."""
    for node in ast.walk(tree(filename)):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name.split(".")[0] in ("tensorflow", "minitf"):
                    return name.asname or name.name
        if isinstance(node, ast.ImportFrom) and node.module == "tensorflow.compat":
            return node.names[0].asname or node.names[0].name
    return ""


# Calls.


def calls(node: ast.AST | None, names: str) -> list[ast.Call]:
    """Return the calls inside a node of functions whose last name matches a pattern."""
    found = [each for each in ast.walk(node) if isinstance(each, ast.Call)] if node else []
    return [call for call in found if re.fullmatch(names, callee(call))]


@cache
def calls_in(filename: str, names: str) -> list[ast.Call]:
    """Return the calls in a file of functions whose last name matches a pattern."""
    return calls(tree(filename), names)


# Where each function takes its step: as which keyword, and at which position.
STEP_PLACES = {
    "minimize": ("global_step", 1),
    "apply_gradients": ("global_step", 1),
    "add_summary": ("global_step", 1),
    "save": ("global_step", 2),
    "piecewise_constant": ("x", 0),
    "piecewise_constant_decay": ("x", 0),
}
_SCHEDULE_PLACE = ("global_step", 1)


def step_place(name: str) -> tuple[str, int]:
    """Return as which keyword and at which position a function takes its step."""
    return STEP_PLACES.get(name, _SCHEDULE_PLACE)


def step_of(call: ast.Call) -> ast.expr | None:
    """Return the step that a call of such a function gets, if it gets one."""
    keyword, place = step_place(callee(call))
    return argument(call, place, keyword)
