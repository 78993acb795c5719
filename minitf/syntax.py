"""Where the nodes of a syntax tree are, and what calls are given. Each node has its `parent`.

The reading of scripts (checking) and the report on them (explain) both ask here.
"""

import ast
from collections.abc import Iterator

LOOPS = (ast.For, ast.While, ast.AsyncFor)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

# Where a node is.


def around(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes around a node, from the inside out."""
    while node := node.parent:
        yield node


def function_of(node: ast.AST) -> ast.AST:
    """Return the innermost function around a node, or the module."""
    return next(outer for outer in around(node) if isinstance(outer, (*FUNCTIONS, ast.Module)))


def loops(node: ast.AST) -> list[ast.AST]:
    """Return the loops whose body a node is in, inside its function, from the inside out."""
    found, inner = [], node
    for outer in around(node):
        if isinstance(outer, FUNCTIONS):
            break
        if isinstance(outer, LOOPS) and any(inner is part for part in outer.body):
            found.append(outer)
        inner = outer
    return found


def blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of statements of a statement such as `if`."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block
    yield from (case.body for case in getattr(node, "cases", ()))


def block_of(statement: ast.stmt) -> list[ast.stmt]:
    """Return the block of statements that a statement is one of."""
    found = (b for b in blocks(statement.parent) if any(each is statement for each in b))
    return next(found, [statement])


# Calls.


def callee(call: ast.Call) -> str:
    """Return the last part of the name of what is called, such as "minimize", or ""."""
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def argument(call: ast.Call, place: int | None, *names: str) -> ast.expr | None:
    """Return the argument at a place, or with one of these names; None if it isn't given.

    What follows `*given` has no place that the text shows.
    """
    for word in call.keywords:
        if word.arg in names:
            return word.value
    before = call.args if place is None else call.args[: place + 1]
    hidden = any(isinstance(each, ast.Starred) for each in before)
    return None if place is None or hidden or place >= len(call.args) else call.args[place]
