"""Run a TensorFlow 1 program on minitf, unchanged: `python -m minitf script.py [arguments]`.

`import tensorflow as tf` gives the program minitf. Its output, arguments and exit code are the same
as with `python script.py [arguments]`, but first any TensorFlow names that it uses and minitf lacks
are listed on stderr.

With `--explain` before the script, a report on its global step follows on stderr; `--html FILE` and
`--json FILE` also write it to files, and `--steps N` stops after N training runs. And `--missing
FOLDER` counts how many of a folder's scripts have all the names that they use.

Names such as `tf.train.AdamOptimizer` are found in the program's text, whatever it calls `tf`.
Attributes of values, such as a tensor's methods, can't be checked before the run.
"""

import ast
import importlib
import os
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from minitf.stand_in import standing_in

USAGE = "usage: python -m minitf script.py [arguments of the script]"
# A program that catches one of these can do without a name.
_KINDS = {"AttributeError", "ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield each name that an import statement binds, with TensorFlow's name for it."""
    match node:
        case ast.Import(names=names):
            for name in names:
                yield (
                    name.asname or _root(name.name),
                    name.name if name.asname else _root(name.name),
                )
        case ast.ImportFrom(module=str(module), names=names, level=0):
            for name in names:
                full = module if name.name == "*" else f"{module}.{name.name}"
                yield name.asname or name.name, full


def _root(name: str) -> str:
    return name.split(".")[0]


def _catches_what_is_missing(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    return any(isinstance(node, ast.Name) and node.id in _KINDS for node in ast.walk(handler.type))


def _tried(tree: ast.AST) -> set[ast.AST]:
    """Return the nodes in `try` blocks whose handlers let the program continue without a name."""
    found: set[ast.AST] = set()
    for block in ast.walk(tree):
        if isinstance(block, ast.Try) and any(map(_catches_what_is_missing, block.handlers)):
            found.update(node for statement in block.body for node in ast.walk(statement))
    return found


def used(source: str | bytes) -> dict[str, list[int]]:
    """Return the TensorFlow names that a program can't do without, each with its line numbers.

    Raises SyntaxError or ValueError for a program that isn't valid Python.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python will show them when it compiles the program
        tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    bound = [pair for node in nodes for pair in _imported(node)]
    ours = {own: name for own, name in bound if _root(name) == "tensorflow"}
    inner, tried = {node.value for node in nodes if isinstance(node, ast.Attribute)}, _tried(tree)
    own_names, lines = set(), {}

    def full(node: ast.AST) -> str:
        """Return TensorFlow's name for an attribute such as `tf.train.Saver`, or ""."""
        text = ast.unparse(node)
        first = _root(text)
        chain = first in ours and re.fullmatch(r"[\w.]+", text)
        return ours[first] + text.removeprefix(first) if chain else ""

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
            if _root(name) == "tensorflow" and node not in tried:
                lines.setdefault(name, []).append(node.lineno)
    return {
        name: where
        for name, where in lines.items()
        if not any(f"{name}.".startswith(f"{n}.") for n in own_names)
    }


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


def missing(source: str | bytes) -> dict[str, list[int]]:
    """Return the names that the program uses and `tensorflow` lacks, each with its line numbers."""
    return {name: lines for name, lines in used(source).items() if not exists(name)}


def _say_what_is_missing(script: str, source: bytes) -> None:
    """List on stderr the names that the program needs and minitf lacks."""
    try:
        names = missing(source)
    except (SyntaxError, ValueError):
        return  # Python will report it when it compiles the program
    if names:
        words = "uses TensorFlow names that minitf lacks, and will stop when it reaches one:"
        print(script, words, file=sys.stderr)
    for name, lines in sorted(names.items(), key=lambda item: item[1]):
        where = ", ".join(map(str, sorted(set(lines))))
        print(f"  {name.replace('tensorflow', 'tf', 1)} (line {where})", file=sys.stderr)


def _run(source: bytes, path: str) -> int:
    """Run a program as Python would; if it raises, print the traceback on stderr and return 1."""
    main = sys.modules["__main__"] = ModuleType("__main__")
    main.__file__ = path
    main.__builtins__ = __builtins__
    try:
        exec(compile(source, path, "exec", dont_inherit=True), vars(main))
    except Exception as error:
        error.__traceback__ = error.__traceback__.tb_next  # drops this function's frame
        sys.excepthook(type(error), error, error.__traceback__)
        return 1
    return 0


def _count_missing(folders: list[str]) -> int:
    """Print how many of the scripts in folders have all their names, and what the others lack."""
    scripts, lacking, counts = 0, 0, Counter()
    with standing_in():
        for path in (path for folder in folders for path in Path(folder).rglob("*.py")):
            try:
                names = used(path.read_bytes())
            except (SyntaxError, ValueError, OSError):
                continue  # most often for Python 2
            lacks = [name for name in names if not exists(name)]
            scripts, lacking = scripts + bool(names), lacking + bool(lacks)
            counts.update(lacks)
    print(f"{scripts - lacking} of {scripts} scripts have all the TensorFlow names that they use")
    for name, count in counts.most_common():
        print(f"{count:5} {name.replace('tensorflow', 'tf', 1)}")
    return 0


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code. A program's SystemExit is passed on."""
    if not arguments:
        print(USAGE, file=sys.stderr)
        return 2
    if arguments[0] in ("-h", "--help"):
        print(f"{USAGE}\n\n{__doc__}")
        return 0
    if arguments[0] == "--missing":
        return _count_missing(arguments[1:])
    if arguments[0].startswith("--"):
        from minitf.explain import explain  # a script that just runs needs none of it

        return explain(arguments, main)
    script = arguments[0]
    path = os.path.abspath(script)
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        words = f"[Errno {error.errno}] {error.strerror}"
        print(f"python -m minitf: can't open file {path!r}: {words}", file=sys.stderr)
        return 2
    before = sys.argv, sys.path[:], sys.modules["__main__"]
    sys.argv, sys.path[:1] = arguments, [os.path.dirname(path)]
    try:
        with standing_in():
            _say_what_is_missing(script, source)
            return _run(source, path)
    finally:
        sys.argv, sys.path[:], sys.modules["__main__"] = before


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
