"""Reads a script's text: its statements, what it calls things, what its loops count.

Everything here is found in the syntax tree of a file. A file that can't be read has no statements.
"""

import ast
import linecache
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from minitf.framework.operation import Operation, SourceLine

TRAINS = "minimize|apply_gradients"
NUMBER = r"-?[\d.]+(?:e-?\d+)?"
_SIMPLE = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.Return
_FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_BLOCK = ast.For | ast.While | ast.If | ast.With | ast.Try

# A file.


@cache
def tree(filename: str) -> ast.Module:
    """Return a file's syntax tree, in which each node has its `parent`."""
    try:
        module = ast.parse("".join(linecache.getlines(filename)))
    except (SyntaxError, ValueError, RecursionError):
        module = ast.Module([], [])
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


def is_scripts(line: SourceLine) -> bool:
    """Return whether a line is the script's own, and not, say, of Python's threading.py."""
    return not line.filename.startswith((sys.base_prefix, sys.prefix, "<"))


def statement(line: SourceLine) -> ast.stmt | None:
    """Return the statement at a line, or None unless there is exactly one."""
    found = _statements(line.filename).get(line.lineno, [])
    return found[0] if len(found) == 1 else None


@cache
def text(line: SourceLine) -> str:
    """Return the statement at a line as Python writes it: on one line, without comments."""
    found = statement(line)
    return ast.unparse(found) if found else ""


# Where a node stands.


def above(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes around a node, the innermost first."""
    while node := getattr(node, "parent", None):
        yield node


def loops(node: ast.AST) -> list[ast.For | ast.While]:
    """Return the loops around a node within its function, the innermost first."""
    found = []
    for parent in above(node):
        if isinstance(parent, _FUNCTION):
            break
        if isinstance(parent, ast.For | ast.While):
            found.append(parent)
    return found


def block(node: ast.stmt) -> list[ast.stmt]:
    """Return the list of statements that a statement is in."""
    for name in ("body", "orelse", "finalbody"):
        found = getattr(node.parent, name, [])
        if isinstance(found, list) and node in found:
            return found
    return []


def _scopes(node: ast.AST) -> list[ast.AST]:
    """Return the functions and the module around a node, and the class if it is in a method."""
    return [p for p in above(node) if isinstance(p, _FUNCTION | ast.ClassDef | ast.Module)]


def _bound(scope: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the names that a scope binds, each with the line where it does."""
    if isinstance(scope, _FUNCTION):
        given = scope.args
        for argument in [*given.posonlyargs, *given.args, *given.kwonlyargs]:
            yield argument.arg, 0
    for node in ast.walk(scope):
        is_name = isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store)
        if is_name and _scopes(node)[0] is scope:
            yield ast.unparse(node), node.lineno


def is_known(name: str, node: ast.AST) -> bool:
    """Return whether a name such as `step` or `self.step` has a value at a node of its file.

    In the node's own scope, it must have been assigned before; elsewhere, anywhere.
    """
    scopes = _scopes(node)
    inner = next(iter(scopes), None)
    first, _, rest = name.partition(".")
    for scope in scopes:
        if isinstance(scope, ast.ClassDef):
            continue
        for bound, lineno in _bound(scope):
            if bound == name and (scope is not inner or lineno < node.lineno):
                return True
    if first == "self" and rest:
        around = next((scope for scope in scopes if isinstance(scope, ast.ClassDef)), None)
        return around is not None and any(bound == name for bound, _ in _all_bound(around))
    return False


def _all_bound(scope: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(scope):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield ast.unparse(node), node.lineno


# Names.


def called(line: SourceLine, made: str = "") -> str:
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
    return called(variable.source_line, r"[\w.]*(ariable|global_step)\(")


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
    return [call for call in found if re.fullmatch(names, last_name(call.func))]


def last_name(function: ast.AST) -> str:
    """Return "minimize" for `optimizer.minimize` and for `minimize`."""
    return getattr(function, "attr", getattr(function, "id", ""))


def argument(call: ast.Call, keyword: str, position: int | None = None) -> ast.expr | None:
    """Return the argument of a call that has this keyword, or this position."""
    for word in call.keywords:
        if word.arg == keyword:
            return word.value
    if position is None or any(isinstance(given, ast.Starred) for given in call.args):
        return None
    return call.args[position] if position < len(call.args) else None


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
    return argument(call, *step_place(last_name(call.func)))


# What loops count.


@cache
def _counters(filename: str) -> frozenset[str]:
    """Return the names that a loop of the script counts up from a constant."""
    counters, values, added = set(), defaultdict(list), set()
    for node in ast.walk(tree(filename)):
        match node:
            case ast.For(iter=ast.Call(func=ast.Name(id="range" | "xrange"), args=arguments)):
                begin = arguments[0] if len(arguments) > 1 else ast.Constant(0)
                if isinstance(begin, ast.Constant):
                    counters.add(ast.unparse(node.target))
            case ast.For(iter=ast.Call(func=function)) if last_name(function) == "count":
                counters.add(ast.unparse(node.target))
            case ast.For(iter=ast.Call(func=ast.Name(id="enumerate"), args=[_]), target=target):
                if isinstance(target, ast.Tuple):
                    counters.add(ast.unparse(target.elts[0]))
            case ast.Assign(targets=[ast.Name() | ast.Attribute() as target]):
                values[ast.unparse(target)].append(node.value)
            case ast.AugAssign(op=ast.Add()):
                added.add(ast.unparse(node.target))
    for name in added & set(values):
        if all(re.fullmatch(NUMBER, ast.unparse(value)) for value in values[name]):
            counters.add(name)
    return frozenset(counters)


def counted(line: SourceLine, names: str) -> str:
    """Return the step that the statement at a line passes, if a loop counts it, or else "".

    The loop must begin at a constant, so that it starts over there in the script's next run.
    """
    for call in calls(statement(line), names):
        step = step_of(call)
        if step is not None and is_counted(step, line.filename):
            return ast.unparse(step)
    return ""


def is_counted(value: ast.AST, filename: str) -> bool:
    """Return whether each term of an expression is a number, or counted by a loop."""
    counters = _counters(filename)
    terms = re.split(r" [+-] ", ast.unparse(value))
    terms = [term for term in terms if not re.fullmatch(NUMBER, term)]
    return bool(terms) and all(counters.intersection(re.findall(r"[\w.]+", t)) for t in terms)


def depends_on_counter(value: ast.AST, filename: str, depth: int = 4) -> str:
    """Return a name counted by a loop from which an expression is computed in Python, or ""."""
    if depth == 0:
        return ""
    names = {ast.unparse(n) for n in ast.walk(value) if isinstance(n, ast.Name | ast.Attribute)}
    for name in sorted(names):
        if name in _counters(filename):
            return name
    for node in ast.walk(tree(filename)):
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AugAssign):
            targets = [node.target]
        if names.intersection(map(ast.unparse, targets)):
            loop = loops(node)
            if isinstance(node, ast.AugAssign) and loop:
                return ast.unparse(node.target)
            if found := depends_on_counter(node.value, filename, depth - 1):
                return found
    return ""


# What is done with a result.


def fetched_names(line: SourceLine) -> list[str]:
    """Return the names that a statement such as `_, n = sess.run(...)` assigns to, in order."""
    found = statement(line)
    if not isinstance(found, ast.Assign):
        return []
    target = found.targets[0]
    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    return [ast.unparse(part) for part in parts]


def uses(line: SourceLine, place: int) -> list[ast.AST]:
    """Return the nodes of the script that use the result at this place of a run at a line.

    If the statement doesn't assign it to a name, the statement itself uses it.
    """
    names, found = fetched_names(line), statement(line)
    if not names:
        return [found] if found and not _is_bare(found) else []
    name = names[place % len(names)]
    scope = next((s for s in _scopes(found) if not isinstance(s, ast.ClassDef)), None)
    loads = [n for n in ast.walk(scope) if isinstance(n, ast.Name | ast.Attribute)]
    return [n for n in loads if isinstance(n.ctx, ast.Load) and ast.unparse(n) == name]


def _is_bare(found: ast.stmt) -> bool:
    """Return whether a statement is nothing but a call of `run`, whose results it drops."""
    return isinstance(found, ast.Expr) and last_name(getattr(found.value, "func", found)) == "run"


def decides(node: ast.AST) -> bool:
    """Return whether a use of a value decides what the script does."""
    below = node
    for parent in above(node):
        if isinstance(parent, ast.If | ast.While | ast.IfExp) and below is parent.test:
            return True
        if isinstance(parent, ast.stmt):
            return False
        below = parent
    return False


_SHOWS = {"print", "format", "info", "debug", "warning", "warn", "log", "write", "imshow", "plot"}


def is_kept(node: ast.AST) -> bool:
    """Return whether a use of a value does more than show it to a person."""
    for parent in above(node):
        if _formats(parent):
            return False
        if isinstance(parent, ast.Call) and last_name(parent.func) in _SHOWS:
            return False
        if isinstance(parent, ast.stmt):
            break
    return True


def _formats(node: ast.AST) -> bool:
    """Return whether a node makes a text of values: an f-string, or `"%d" % step`."""
    match node:
        case ast.JoinedStr() | ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
            return True
    return False


def same_turn(one: ast.AST | None, other: ast.AST | None) -> bool | None:
    """Return whether one turn of a loop comes to both statements, or None if the text can't say.

    One of the two must be directly in that loop, not in a loop inside of it.
    """
    if one is None or other is None:
        return None
    inner, outer = sorted((loops(one), loops(other)), key=len, reverse=True)
    if not outer:
        return None if not (set(_scopes(one)) & set(_scopes(other)) - {_scopes(one)[-1]}) else False
    loop = outer[0]
    if loop not in inner:
        return None
    return one is not other and not (set(branches(one, loop)) & set(_other_sides(other, loop)))


def branches(node: ast.AST, loop: ast.AST) -> list[tuple[ast.AST, bool]]:
    """Return each `if` between a node and a loop around it, and whether the node is in its body."""
    found, below = [], node
    for parent in above(node):
        if parent is loop:
            break
        if isinstance(parent, ast.If):
            found.append((parent, below in parent.body))
        below = parent
    return found


def _other_sides(node: ast.AST, loop: ast.AST) -> list[tuple[ast.AST, bool]]:
    return [(branch, not side) for branch, side in branches(node, loop)]


def python_uses(name: str, filename: str) -> list[ast.AST]:
    """Return the nodes that use what a run gives for a tensor, unless they only show it."""
    found = []
    for call in calls(tree(filename), "run|eval"):
        fetched = [*call.args[:1], *(w.value for w in call.keywords if w.arg == "fetches")]
        if last_name(call.func) == "eval":
            fetched = [getattr(call.func, "value", call.func)]
        names = [ast.unparse(n) for f in fetched for n in ast.walk(f) if hasattr(n, "ctx")]
        if name not in names or not is_kept(call):
            continue
        around = next((p for p in above(call) if isinstance(p, ast.stmt)), None)
        if not isinstance(around, ast.Assign) or passed_to(call).endswith("Optimizer"):
            found += [call] if call is not getattr(around, "value", None) else []
            continue
        targets = [ast.unparse(t) for t in ast.walk(around.targets[0]) if hasattr(t, "ctx")]
        scope = next(s for s in _scopes(around) if not isinstance(s, ast.ClassDef))
        loads = [n for n in ast.walk(scope) if isinstance(getattr(n, "ctx", None), ast.Load)]
        at = _at_place(fetched, name, targets)
        found += [n for n in loads if ast.unparse(n) in at and is_kept(n)]
    return found


def _at_place(fetched: list[ast.AST], name: str, targets: list[str]) -> list[str]:
    """Return the target that gets what is fetched as `name`, or all of them if that isn't clear."""
    elements = getattr(fetched[0], "elts", None)
    texts = [ast.unparse(element) for element in elements or []]
    names = [target for target in targets if not target.startswith(("(", "["))]
    names = [n for n in names if "," not in n]
    if name in texts and len(names) == len(texts):
        return [names[texts.index(name)]]
    return names


def passed_to(node: ast.AST) -> str:
    """Return the last name of the function that a value is passed to, or ""."""
    for parent in above(node):
        if isinstance(parent, ast.Call) and last_name(parent.func) not in ("float", "int", "run"):
            return last_name(parent.func)
        if isinstance(parent, ast.stmt):
            break
    return ""
