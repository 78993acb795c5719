"""Run a TensorFlow 1 program on minitf, unchanged: `python -m minitf script.py [arguments]`.

When the program imports tensorflow, it gets minitf. Its output, arguments and exit code are the
same as with `python script.py [arguments]`. Before it starts, any TensorFlow names that it uses and
minitf doesn't have are listed on stderr.

Put `--explain` before the script to get a report on its global step, on stderr, when it ends.
`--html FILE` and `--json FILE` also write the report to files. `--steps N` stops the script after N
training runs (calls of `Session.run` that train). `--select ID,...` and `--ignore ID,...` choose
what to look for, and `--strict` makes the exit code 1 if anything is found. `--try` applies the
suggested changes to a copy of the script's folder, runs the copy, and lists the findings that are
left. Given a checkpoint's .meta file, `--explain` prints the train ops in it as NumPy programs.

`--check PATH...` runs nothing. It reads scripts, notebooks and folders, and prints the faults that
it finds in their text, one per line, as `path:line:column: identifier words`. `--select`,
`--ignore` and `--json` work here too. The exit code is 1 if anything is found.

A comment `# minitf: ignore[ID]` silences a statement, for `--explain` and for `--check`.

`--missing FOLDER...` counts the scripts and notebooks in folders that use only names that minitf
has, and lists the names it lacks.

minitf finds names such as `tf.train.AdamOptimizer` in the program and in its own modules, whatever
they call `tf`. It can't check attributes of values, such as a tensor's methods, before the run.
`--check` and `--missing` also read Python 2, if tree-sitter and tree-sitter-python are installed.
"""

import argparse
import os
import sys
from ast import AST
from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from types import ModuleType, TracebackType

import numpy as np

from minitf.checking.files import scripts, unreadable
from minitf.framework import tensorflow_names
from minitf.names_used import Files, exists, read
from minitf.stand_in import standing_in


def used(source: str | bytes) -> dict[str, list[int]]:
    """Return the TensorFlow names that a program can't do without, each with its line numbers.

    Raises ValueError for a program that isn't valid Python.
    """
    return _by_line(read(source).names)


def missing(source: str | bytes) -> dict[str, list[int]]:
    """Return the names that the program uses and `tensorflow` lacks, each with its line numbers."""
    return _lacked(used(source))


def _by_line(names: dict[str, list[AST]]) -> dict[str, list[int]]:
    return {name: [node.lineno for node in nodes] for name, nodes in names.items()}


def _lacked(names: dict[str, list]) -> dict[str, list]:
    return {name: where for name, where in names.items() if not exists(name)}


def _shown(name: str) -> str:
    """Return a name as programs write it, and whether it is no name of TensorFlow's at all."""
    short = name.replace("tensorflow.compat.v1.", "tf.", 1).replace("tensorflow", "tf", 1)
    return short if tensorflow_names.may_have(name) else f"{short}, which TensorFlow doesn't have"


def _say_what_is_missing(script: str, path: Path) -> None:
    """List on stderr the names that a program and its own modules need and minitf lacks."""
    files, found = Files(), []
    source = files.text(path).source
    if not (source and source.is_python_3):
        return  # Python will report it when it compiles the program
    for file in files.program(path):
        place = "" if file == path else f"{os.path.relpath(file, path.parent)}, "
        lacked = _by_line(_lacked(files.text(file).names))
        for name, lines in sorted(lacked.items(), key=lambda item: item[1]):
            where = ", ".join(map(str, sorted(set(lines))))
            found.append(f"  {_shown(name)} ({place}line {where})")
    if found:
        words = "uses TensorFlow names that minitf lacks, and will stop when it reaches one:"
        print("\n".join([f"{script} {words}", *found]), file=sys.stderr)


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
            _say_what_is_missing(arguments[0], Path(path))
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
    """Print how many scripts in folders use only names that minitf has, and the names it lacks.

    A script is counted with its own modules: it lacks what they lack. Names that TensorFlow doesn't
    have either aren't missing: `--check` finds them.
    """
    files = Files(*map(Path, folders))
    counted, lacking, counts, unread = 0, 0, Counter(), []
    with standing_in():
        for path in scripts([*map(Path, folders)]):
            try:
                texts = [files.text(file) for file in files.program(path)]
            except OSError as error:
                unread.append((path, error.strerror))
                continue
            if texts[0].problem:
                unread.append((path, texts[0].problem))
            lacked = {name for text in texts for name in _tensorflows(_lacked(text.names))}
            is_script = any(text.names for text in texts)
            counted, lacking = counted + is_script, lacking + bool(lacked)
            counts.update(_tensorflows(_lacked(texts[0].names)))
    print(f"{counted - lacking} of {counted} scripts use only TensorFlow names that minitf has")
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        print(f"{count:5} {_shown(name)}")
    print("\n".join(unreadable(unread)), end="\n" if unread else "")
    return 0


def _tensorflows(names: Iterable[str]) -> list[str]:
    return [name for name in names if tensorflow_names.may_have(name)]


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
    for name in ("--explain", "--check", "--missing"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--try", action="store_true")
    for name in ("--select", "--ignore"):
        parser.add_argument(name, metavar="ID,...", default="")
    for name in ("--html", "--json"):
        parser.add_argument(name, type=os.path.abspath, metavar="FILE")
    parser.add_argument("--steps", type=int, metavar="N")
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    if options.check:
        from minitf.checking import command

        return command.main(arguments)
    given = [options.script, *options.arguments]
    if options.missing:
        return _check_paths(given, []) or _count_missing(given)
    if _check_paths([], [options.html, options.json]):
        return 2
    if options.explain or options.html or options.json:
        from minitf.explain import FINDINGS, explain  # a script that just runs needs none of it

        options.chosen = chosen(parser, options, FINDINGS)
        return explain(options, partial(_run, given), _in_text)
    for name in ("steps", "strict", "try", "select", "ignore"):
        if getattr(options, name):
            parser.error(f"--{name} needs --explain")
    return _run(given)


def _in_text(path: str) -> list[str]:
    """Return what `--check` says about a script, as lines."""
    from minitf.checking import command

    return command.lines(Path(path))


def chosen(parser: argparse.ArgumentParser, options, known: Iterable[str]) -> set[str]:
    """Return the identifiers that `--select` and `--ignore` leave; a wrong one ends the command."""
    selected, left_out = (
        set(filter(None, text.split(","))) for text in (options.select, options.ignore)
    )
    if unknown := (selected | left_out) - set(known):
        parser.error(f"there is no {', '.join(sorted(unknown))}; choose from {', '.join(known)}")
    return (selected or set(known)) - left_out


def _own_lines(found: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames that run a program, so that only its own remain."""
    errstate = np.errstate.__call__.__code__.co_filename  # a run is inside of it
    ours = (os.path.dirname(__file__), "minitf program", "<frozen runpy>", errstate)
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
