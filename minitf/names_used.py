"""Which of TensorFlow's names a program needs, found in its text and in its own modules.

Names such as `tf.train.AdamOptimizer` are found whatever the program calls `tf`. Attributes of
values, such as a tensor's methods, can't be found this way.
"""

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from minitf.checking.source import Source, Unreadable, decode, read_file, read_text
from minitf.framework.tensorflow_names import HIDDEN

# A program that catches one of these can do without a name.
_KINDS = {"AttributeError", "ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


class Text(NamedTuple):
    """What a file's text says: the names that it needs, and its imports.

    If it can't be read, `problem` says why.
    """

    names: dict[str, list[ast.AST]]  # each with the nodes that need it
    imports: list[tuple[int, str]]  # levels and dotted paths
    source: Source | None = None
    tensorflow: dict[str, str] = {}  # what it calls TensorFlow or a part of it
    problem: str = ""


def _imported(node: ast.AST) -> Iterator[tuple[str, str, str]]:
    """Yield what an import binds: its name here, its name in TensorFlow, and the name it needs."""
    home = isinstance(node, ast.ImportFrom) and not node.level and f"{node.module}."
    if home or isinstance(node, ast.Import):
        for name in node.names:
            full = f"{home or ''}{name.name}".removesuffix(".*")
            own = name.asname or (name.name if home else _root(name.name))
            yield own, full if home or name.asname else own, full


def _paths(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the modules that an import may load, each with its level (0 if it's absolute)."""
    if isinstance(node, ast.Import):
        yield from ((0, name.name) for name in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield node.level, node.module or ""
        yield from ((node.level, f"{node.module or ''}.{n.name}".strip(".")) for n in node.names)


def _root(name: str) -> str:
    return name.split(".")[0]


def _catches_what_is_missing(handler: ast.ExceptHandler) -> bool:
    names = re.findall(r"\w+", ast.unparse(handler.type)) if handler.type else _KINDS
    return not _KINDS.isdisjoint(names)


def read(source: str | bytes) -> Text:
    """Return what a program's text says. Raises Unreadable if it isn't valid."""
    return of_source(read_text(decode(source) if isinstance(source, bytes) else source))


def of_source(source: Source) -> Text:
    """Return what a program's text says."""
    nodes = list(ast.walk(source.tree))
    imported = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    bound = [names for node in imported for names in _imported(node)]
    ours = {own: name for own, name, _ in bound if _root(name) == "tensorflow"}
    inner = {node.value for node in nodes if isinstance(node, ast.Attribute)}
    optional = _optional(nodes)
    own_names, found, imports = [], defaultdict(list), []

    def full(node: ast.AST) -> str:
        """Return TensorFlow's name for an attribute such as `tf.train.Saver`, or ""."""
        first, _, rest = _dotted(node).partition(".")
        if first not in ours:
            return ""
        if ours[first] == "tensorflow" and _root(rest) in HIDDEN:
            return f"{NOWHERE}.{rest}"
        return f"{ours[first]}.{rest}".rstrip(".")

    for node in nodes if ours else ():
        match node:
            case ast.Call(
                func=ast.Name(id="hasattr" | "getattr"),
                args=[module, ast.Constant(value=str(name)), *_],
            ):
                own_names.append(f"{full(module)}.{name}.")
            case ast.Attribute(ctx=ast.Store()):
                own_names.append(f"{full(node)}.")
    for node in imported:
        if node not in optional:
            imports += _paths(node)
            for _, _, name in _imported(node):
                if _root(name) == "tensorflow":
                    found[name].append(node)
    for node in nodes if ours else ():
        is_needed = isinstance(node, ast.Attribute) and not (node in inner or node in optional)
        if is_needed and (name := full(node)):
            found[name].append(node)
    own = tuple(own_names)
    needed = {name: where for name, where in found.items() if not f"{name}.".startswith(own)}
    return Text(needed, imports, source, ours)


def _optional(nodes: list[ast.AST]) -> set[ast.AST]:
    """Return the nodes inside a `try` that catches the error for a name that is missing."""
    found = set()
    for node in nodes:
        if any(map(_catches_what_is_missing, getattr(node, "handlers", ()))):
            found.update(inner for part in node.body for inner in ast.walk(part))
    return found


def _dotted(node: ast.AST) -> str:
    """Return an expression such as `tf.train.Saver` as text, or "" for any other."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


# `tf.python` is no attribute of TensorFlow's module, though `tensorflow.python` can be imported.
NOWHERE = "tensorflow.compat.v1"


class Files:
    """Reads files of Python, each once.

    `roots` are folders in which modules are looked for beside the program's own.
    """

    def __init__(self, *roots: Path):
        self._roots = roots
        self._texts: dict[Path, Text] = {}
        self._resolved: dict[tuple, list[Path]] = {}

    def text(self, path: Path) -> Text:
        """Return what a file's text says. Raises OSError if it can't be opened."""
        if path not in self._texts:
            try:
                self._texts[path] = of_source(read_file(path))
            except Unreadable as error:
                self._texts[path] = Text({}, [], problem=str(error))
        return self._texts[path]

    def resolve(self, file: Path, level: int, module: str, home: Path) -> list[Path]:
        """Return the files that an import runs, if they are in one of the folders.

        `file` has the import, and `home` is the folder of the script.
        """
        key = (file.parent, level, module, home)
        if key not in self._resolved:
            folders = [home, *self._above(home), *self._roots, file.parent]
            if 0 < level <= len(file.parents):
                folders = [file.parents[level - 1]]
            self._resolved[key] = _files(module.strip("."), folders)
        return self._resolved[key]

    def _above(self, folder: Path) -> list[Path]:
        """Return the folders around a folder, up to a root."""
        roots = [*folder.parents]
        above = [place for place, each in enumerate(roots, 1) if each in self._roots]
        return roots[: max(above, default=0)]

    def program(self, path: Path) -> list[Path]:
        """Return the files of a program: `path` and those of its own modules that it imports."""
        found, waiting = {path: None}, [path]
        while waiting:
            file = waiting.pop()
            for level, module in self.text(file).imports:
                files = self.resolve(file, level, module, path.parent)
                waiting += [p for p in files if p not in found]
                found |= dict.fromkeys(waiting)
        return list(found)


def _files(module: str, folders: list[Path]) -> list[Path]:
    """Return the files that importing a module runs, if it is in one of the folders."""
    parts = module.split(".") if module else []
    for folder in folders:
        found, place = [], folder
        for part in parts:
            place = place / part
            found += [p for p in (place / "__init__.py", place.parent / f"{part}.py") if _exists(p)]
        if found:
            return found
    return []


def _exists(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


# What minitf has of them.


def exists(name: str) -> bool:
    """Return whether the current `tensorflow` has a name such as "tensorflow.train.Saver"."""
    parts = name.split(".")
    try:
        found = importlib.import_module(parts[0])
        for count, part in enumerate(parts[1:], 2):
            if not isinstance(found, ModuleType | type):
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
