"""Which of TensorFlow's names a program uses is read in its text, before it runs.

Such a name is `tf.train.AdamOptimizer`, whatever the program calls `tf`. What hangs on a value, such as a method of a
tensor, can't be known before the run.
"""

import ast
import importlib
import warnings
from collections.abc import Iterator
from types import ModuleType

from minitf.framework.namespaces import Respelled

# Errors that a missing name may be caught as.
_KINDS = {"AttributeError", "ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


def _chain(node: ast.AST) -> list[str]:
    """["tf", "train", "Saver"] of `tf.train.Saver`; empty if it is no such chain of names."""
    match node:
        case ast.Name(id=name):
            return [name]
        case ast.Attribute(value=value, attr=name) if before := _chain(value):
            return [*before, name]
    return []


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """What an import statement binds: (the program's name, TensorFlow's)."""
    match node:
        case ast.Import(names=names):
            for name in names:
                yield (
                    name.asname or name.name.split(".")[0],
                    name.name if name.asname else name.name.split(".")[0],
                )
        case ast.ImportFrom(module=str(module), names=names, level=0):
            for name in names:
                yield (
                    name.asname or name.name,
                    module if name.name == "*" else f"{module}.{name.name}",
                )


def _catches_what_is_missing(handler: ast.ExceptHandler) -> bool:
    kinds = (
        {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)}
        if handler.type
        else _KINDS
    )
    return bool(kinds & _KINDS)


def _tried(tree: ast.AST) -> set[ast.AST]:
    """The nodes in `try` blocks of a program that goes on where a name is missing."""
    found: set[ast.AST] = set()
    for block in ast.walk(tree):
        if isinstance(block, ast.Try) and any(map(_catches_what_is_missing, block.handlers)):
            found.update(node for statement in block.body for node in ast.walk(statement))
    return found


def used(source: str | bytes) -> dict[str, list[int]]:
    """TensorFlow's names in the program's text, each with its lines; not those that it can do without."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python says it when it compiles the program
        tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    ours = {
        own: name
        for node in nodes
        for own, name in _imported(node)
        if name.split(".")[0] == "tensorflow"
    }
    own_names, lines = set(), {}
    inner, tried = {node.value for node in nodes if isinstance(node, ast.Attribute)}, _tried(tree)

    def full(node: ast.AST) -> str:
        first, *rest = _chain(node) or [""]
        return ".".join([ours[first], *rest]) if first in ours else ""

    for node in nodes:
        match node:
            case ast.Call(
                func=ast.Name(id="hasattr" | "getattr"),
                args=[module, ast.Constant(value=str(name)), *_],
            ):
                own_names.add(f"{full(module)}.{name}")
            case ast.Attribute(ctx=ast.Store()):
                own_names.add(full(node))
        names = [name for _, name in _imported(node)]
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        if isinstance(node, ast.Attribute) and node not in inner:
            names = [full(node)]
        for name in names:
            if name.split(".")[0] == "tensorflow" and node not in tried:
                lines.setdefault(name, []).append(node.lineno)
    return {
        name: where
        for name, where in lines.items()
        if not any(f"{name}.".startswith(f"{n}.") for n in own_names)
    }


def exists(name: str) -> bool:
    """Does `tensorflow` have a name like "tensorflow.train.Saver"? It may need a package that is not installed."""
    parts = name.split(".")
    try:
        found = importlib.import_module(parts[0])
        for count, part in enumerate(parts[1:], 2):
            if not isinstance(found, ModuleType | Respelled | type):
                break
            try:
                found = getattr(found, part)
            except AttributeError:
                found = importlib.import_module(".".join(parts[:count]))
    except ModuleNotFoundError:
        return False
    except ImportError:
        pass
    return True


def missing(source: str | bytes) -> dict[str, list[int]]:
    """The names that the program uses and `tensorflow` lacks, each with its lines."""
    return {name: lines for name, lines in used(source).items() if not exists(name)}
