"""Which of TensorFlow's names a program needs, found in its text and in its own modules.

Names such as `tf.train.AdamOptimizer` are found whatever the program calls `tf`. Attributes of
values, such as a tensor's methods, can't be found this way.
"""

import ast
import importlib
import re
import tokenize
import warnings
from collections import defaultdict
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from minitf.framework.tensorflow_names import HIDDEN

# A program that catches one of these can do without a name.
_KINDS = {"AttributeError", "ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


class Text(NamedTuple):
    """What a file's text says: the names that it needs, its imports, whether it is Python 3."""

    names: dict[str, list[int]]  # each with its line numbers
    imports: list[tuple[int, str]]  # levels and dotted paths
    is_python_3: bool = True


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
    """Return what a program says. Raises SyntaxError or ValueError if it isn't valid."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python will show them when it compiles the program
        tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    bound = [names for node in nodes for names in _imported(node)]
    ours = {own: name for own, name, _ in bound if _root(name) == "tensorflow"}
    inner = {node.value for node in nodes if isinstance(node, ast.Attribute)}
    own_names, lines, imports = [], defaultdict(list), []

    def full(node: ast.AST) -> str:
        """Return TensorFlow's name for an attribute such as `tf.train.Saver`, or ""."""
        text = ast.unparse(node)
        first, _, rest = text.partition(".")
        if first not in ours or not re.fullmatch(r"[\w.]+", text):
            return ""
        if ours[first] == "tensorflow" and _root(rest) in HIDDEN:
            return f"{NOWHERE}.{rest}"
        return f"{ours[first]}.{rest}".rstrip(".")

    for node in nodes:
        if any(map(_catches_what_is_missing, getattr(node, "handlers", ()))):
            node.body.clear()  # it can do without the names there
    for node in ast.walk(tree):
        names = [name for _, _, name in _imported(node)]
        imports += _paths(node)
        match node:
            case ast.Call(
                func=ast.Name(id="hasattr" | "getattr"),
                args=[module, ast.Constant(value=str(name)), *_],
            ):
                own_names.append(f"{full(module)}.{name}.")
            case ast.Attribute(ctx=ast.Store()):
                own_names.append(f"{full(node)}.")
            case ast.Attribute() if node not in inner:
                names = [full(node)]
        for name in names:
            if _root(name) == "tensorflow":
                lines[name].append(node.lineno)
    own = tuple(own_names)
    needed = {name: where for name, where in lines.items() if not f"{name}.".startswith(own)}
    return Text(needed, imports)


# `tf.python` is no attribute of TensorFlow's module, though `tensorflow.python` can be imported.
NOWHERE = "tensorflow.compat.v1"

# In a file that isn't Python 3, the only statements that are read are its imports.
_IMPORT = re.compile(
    r"^[ \t]*((?:from[ \t]+[\w.]+[ \t]+)?import[ \t]+(?:\([^)]*\)|[^\n#;(]+))", re.MULTILINE
)


def read_old(source: bytes) -> Text:
    """Return what can be found in a file that isn't Python 3, most often because it is Python 2.

    These are its imports and whatever looks like `tf.train.Saver`, even if the program can do
    without it.
    """
    text = source.decode(_encoding(source), "replace")
    kept: dict[int, list[str]] = defaultdict(list)
    bound = set()
    for found in _IMPORT.finditer(text):
        line, statement = text.count("\n", 0, found.start(1)), found[1].strip()
        try:
            (node,) = ast.parse(" ".join(statement.split())).body
        except (SyntaxError, ValueError):
            continue
        kept[line].append(ast.unparse(node))
        bound.update(own for own, full, _ in _imported(node) if _root(full) == "tensorflow")
    used = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, bound)) or '(?!)'})(?:\.\w+)+")
    for number, line in enumerate(text.split("\n")):
        if not re.match(r"\s*(from|import)\b", line):
            kept[number] += used.findall(line.split("#")[0])
    lines = ["; ".join(kept[number]) for number in range(text.count("\n") + 1)]
    return read("\n".join(lines))._replace(is_python_3=False)


def _encoding(source: bytes) -> str:
    try:
        return tokenize.detect_encoding(BytesIO(source).readline)[0]
    except SyntaxError:
        return "latin-1"


def read_any(source: bytes) -> Text:
    """Return what the text of a program says, as far as it can be read."""
    try:
        return read(source)
    except (SyntaxError, ValueError, RecursionError):
        pass
    try:
        return read_old(source)
    except (SyntaxError, ValueError, RecursionError):
        return Text({}, [], is_python_3=False)


class Files:
    """Reads files of Python, each once.

    `roots` are folders in which modules are looked for beside the program's own.
    """

    def __init__(self, *roots: Path):
        self._roots = roots
        self._texts: dict[Path, Text] = {}

    def text(self, path: Path) -> Text:
        """Return what a file's text says."""
        if path not in self._texts:
            self._texts[path] = read_any(path.read_bytes())
        return self._texts[path]

    def program(self, path: Path) -> list[Path]:
        """Return the files of a program: `path` and those of its own modules that it imports."""
        found, folders = {path: None}, [path.parent, *self._roots]
        waiting = [path]
        while waiting:
            file = waiting.pop()
            for level, module in self.text(file).imports:
                parent = [file.parents[level - 1]] if 0 < level <= len(file.parents) else folders
                waiting += [p for p in _files(module, parent) if p not in found]
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
