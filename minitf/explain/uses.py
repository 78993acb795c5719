"""What a script does with its values: what its loops count, and what becomes of a run's results."""

import ast
import re
from collections import defaultdict
from functools import cache

from minitf.explain.source import calls, calls_in, loads, scope_of, statement, step_of, tree
from minitf.framework.operation import SourceLine
from minitf.syntax import around, callee, loops

_NUMBER = r"-?[\d.]+(?:e-?\d+)?"

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
            case ast.For(iter=ast.Call() as call) if callee(call) == "count":
                counters.add(ast.unparse(node.target))
            case ast.For(iter=ast.Call(func=ast.Name(id="enumerate"), args=[_]), target=target):
                if isinstance(target, ast.Tuple):
                    counters.add(ast.unparse(target.elts[0]))
            case ast.Assign(targets=[ast.Name() | ast.Attribute() as target]):
                values[ast.unparse(target)].append(node.value)
            case ast.AugAssign(op=ast.Add()):
                added.add(ast.unparse(node.target))
    for name in added & set(values):
        if all(re.fullmatch(_NUMBER, ast.unparse(value)) for value in values[name]):
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
    terms = [term for term in terms if not re.fullmatch(_NUMBER, term)]
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
    return loads(name, scope_of(found), line.filename)


def _is_bare(found: ast.stmt) -> bool:
    """Return whether a statement is nothing but a call of `run`, whose results it drops."""
    value = found.value if isinstance(found, ast.Expr) else None
    return isinstance(value, ast.Call) and callee(value) == "run"


def decides(node: ast.AST) -> bool:
    """Return whether a use of a value decides what the script does."""
    below = node
    for parent in around(node):
        if isinstance(parent, ast.If | ast.While | ast.IfExp) and below is parent.test:
            return True
        if isinstance(parent, ast.stmt):
            return False
        below = parent
    return False


_SHOWS = {"print", "format", "info", "debug", "warning", "warn", "log", "write", "imshow", "plot"}


def is_kept(node: ast.AST) -> bool:
    """Return whether a use of a value does more than show it to a person."""
    for parent in around(node):
        if _formats(parent):
            return False
        if isinstance(parent, ast.Call) and callee(parent) in _SHOWS:
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
    if scope_of(one) is not scope_of(other) or outer and outer[0] not in inner:
        return None
    if not outer or one is other:
        return False
    return not set(branches(one, outer[0])) & set(_other_sides(other, outer[0]))


def branches(node: ast.AST, loop: ast.AST) -> list[tuple[ast.AST, bool]]:
    """Return each `if` between a node and a loop around it, and whether the node is in its body."""
    found, below = [], node
    for parent in around(node):
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
    for call in calls_in(filename, "run|eval"):
        fetched = [*call.args[:1], *(w.value for w in call.keywords if w.arg == "fetches")]
        if callee(call) == "eval":
            fetched = [getattr(call.func, "value", call.func)]
        names = [ast.unparse(n) for f in fetched for n in ast.walk(f) if hasattr(n, "ctx")]
        if name not in names or not is_kept(call):
            continue
        whole = next((p for p in around(call) if isinstance(p, ast.stmt)), None)
        if not isinstance(whole, ast.Assign) or passed_to(call).endswith("Optimizer"):
            found += [call] if call is not getattr(whole, "value", None) else []
            continue
        targets = [ast.unparse(t) for t in ast.walk(whole.targets[0]) if hasattr(t, "ctx")]
        for target in _at_place(fetched, name, targets):
            used = loads(target, scope_of(whole), filename)
            found += [node for node in used if is_kept(node)]
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
    for parent in around(node):
        if isinstance(parent, ast.Call) and callee(parent) not in ("float", "int", "run"):
            return callee(parent)
        if isinstance(parent, ast.stmt):
            break
    return ""
