"""Run a TensorFlow 1 program on minitf, unchanged: `python -m minitf script.py [arguments]`.

`import tensorflow as tf` gives the program minitf. Its output, arguments and exit code are the same
as with `python script.py [arguments]`, but first any TensorFlow names that it uses and minitf lacks
are listed on stderr.

With `--explain` before the script, a report on its global step follows on stderr; `--html FILE` and
`--json FILE` also write it to files, and `--steps N` stops after N training runs.

`--missing FOLDER` counts a folder's scripts that use only names that minitf has, and lists the
names it lacks.

Names such as `tf.train.AdamOptimizer` are found in the program's text, whatever it calls `tf`.
Attributes of values, such as a tensor's methods, can't be checked before the run.
"""

import argparse
import ast
import importlib
import os
import re
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType, TracebackType

from minitf.stand_in import standing_in

# A program that catches one of these can do without a name.
_KINDS = {"AttributeError", "ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


def _imported(node: ast.AST) -> Iterator[tuple[str, str, str]]:
    """Yield what an import binds: its name here, its name in TensorFlow, and the name it needs."""
    home = isinstance(node, ast.ImportFrom) and not node.level and f"{node.module}."
    if home or isinstance(node, ast.Import):
        for name in node.names:
            full = f"{home or ''}{name.name}".removesuffix(".*")
            own = name.asname or (name.name if home else _root(name.name))
            yield own, full if home or name.asname else own, full


def _root(name: str) -> str:
    return name.split(".")[0]


def _catches_what_is_missing(handler: ast.ExceptHandler) -> bool:
    names = re.findall(r"\w+", ast.unparse(handler.type)) if handler.type else _KINDS
    return not _KINDS.isdisjoint(names)


def used(source: str | bytes) -> dict[str, list[int]]:
    """Return the TensorFlow names that a program can't do without, each with its line numbers.

    Raises SyntaxError or ValueError for a program that isn't valid Python.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python will show them when it compiles the program
        tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    bound = [names for node in nodes for names in _imported(node)]
    ours = {own: name for own, name, _ in bound if _root(name) == "tensorflow"}
    inner = {node.value for node in nodes if isinstance(node, ast.Attribute)}
    own_names, lines = [], defaultdict(list)

    def full(node: ast.AST) -> str:
        """Return TensorFlow's name for an attribute such as `tf.train.Saver`, or ""."""
        text = ast.unparse(node)
        first = _root(text)
        chain = first in ours and re.fullmatch(r"[\w.]+", text)
        return ours[first] + text.removeprefix(first) if chain else ""

    for node in nodes:
        if any(map(_catches_what_is_missing, getattr(node, "handlers", ()))):
            node.body.clear()  # it can do without the names there
    for node in ast.walk(tree):
        names = [name for _, _, name in _imported(node)]
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
    return {name: where for name, where in lines.items() if not f"{name}.".startswith(own)}


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


def _run(arguments: list[str]) -> int:
    """Run a program as Python would, and return its exit code.

    If it raises, the traceback goes to stderr. Its SystemExit is passed on.
    """
    path = os.path.abspath(arguments[0])
    try:
        source = Path(path).read_bytes()
    except OSError as error:
        return _complain("open file", path, error)
    before = sys.argv, sys.path[:], sys.modules["__main__"]
    sys.argv, sys.path[:1] = arguments, [os.path.dirname(path)]
    main = sys.modules["__main__"] = ModuleType("__main__")
    main.__file__ = path
    main.__builtins__ = __builtins__
    try:
        with standing_in():
            _say_what_is_missing(arguments[0], source)
            exec(compile(source, path, "exec", dont_inherit=True), vars(main))
    except Exception as error:
        error.__traceback__ = error.__traceback__.tb_next  # drops this function's frame
        sys.last_value = error  # where Python keeps it
        sys.excepthook(type(error), error, error.__traceback__)
        return 1
    finally:
        sys.argv, sys.path[:], sys.modules["__main__"] = before
    return 0


def _count_missing(folders: list[str]) -> int:
    """Print how many scripts in folders use only names that minitf has, and the names it lacks."""
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
    print(f"{scripts - lacking} of {scripts} scripts use only TensorFlow names that minitf has")
    for name, count in counts.most_common():
        print(f"{count:5} {name.replace('tensorflow', 'tf', 1)}")
    return 0


def _complain(what: str, path: str, error: OSError) -> int:
    """Say on stderr what can't be done with a file or folder, and return the exit code."""
    words = f"[Errno {error.errno}] {error.strerror}"
    print(f"python -m minitf: can't {what} {path!r}: {words}", file=sys.stderr)
    return 2


def _check_writable(path: str) -> None:
    """Raise OSError if there can't be a file with this path."""
    existed = os.path.exists(path)
    if os.path.isfile(path) or os.path.isdir(path) or not existed:  # not a pipe, which would wait
        open(path, "ab").close()
    if not existed:
        os.remove(path)


def _check_paths(folders: list[str], files: list[str]) -> int:
    """Return 2, and say why, unless all folders can be read and all files written; else 0."""
    checks = [("open folder", folder, os.listdir) for folder in folders]
    checks += [("write file", file, _check_writable) for file in files if file]
    for what, path, check in checks:
        try:
            check(path)
        except OSError as error:
            return _complain(what, path, error)
    return 0


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code. A program's SystemExit is passed on."""
    parser = argparse.ArgumentParser("python -m minitf", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    for name in ("--explain", "--missing"):
        parser.add_argument(name, action="store_true")
    for name in ("--html", "--json"):
        parser.add_argument(name, type=os.path.abspath, metavar="FILE")
    parser.add_argument("--steps", type=int)
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    given = [options.script, *options.arguments]
    if options.missing:
        return _check_paths(given, []) or _count_missing(given)
    if _check_paths([], [options.html, options.json]):
        return 2
    if options.explain or options.html or options.json:
        from minitf.explain import explain  # a script that just runs needs none of it

        return explain(options, partial(_run, given))
    return _run(given)


def _own_lines(found: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames that run a program, so that only its own remain."""
    ours = (os.path.dirname(__file__), "minitf program", "<frozen runpy>")
    frames = []
    while found:
        if not found.tb_frame.f_code.co_filename.startswith(ours):
            frames.append(found)
        found = found.tb_next
    own = None
    for each in reversed(frames):
        own = TracebackType(own, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return own


def _show_own_lines() -> None:
    """Let Python show the error that ends the command without the frames that ran the program."""
    show = sys.excepthook  # the program may have set its own

    def hook(kind: type, error: BaseException, found: TracebackType | None) -> None:
        own = _own_lines(found)
        show(kind, error.with_traceback(own), own)

    sys.excepthook = hook


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        _show_own_lines()
        raise  # Python shows it, and ends with the exit code that shells expect
