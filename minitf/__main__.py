"""Run a program for TensorFlow 1 on minitf, as it stands: `python -m minitf script.py [arguments]`.

`import tensorflow as tf` gives the program minitf, all else is as `python script.py [arguments]` has it: what it
prints, its arguments, its exit code. Names of TensorFlow's that it uses and minitf lacks are listed first, on stderr.
"""

import os
import sys
from types import ModuleType

from minitf.names_used import missing
from minitf.stand_in import standing_in

USAGE = "usage: python -m minitf script.py [arguments of the script]"


def _say_what_is_missing(script: str, source: bytes) -> None:
    """List on stderr what the program is going to miss."""
    try:
        names = missing(source)
    except (SyntaxError, ValueError):
        return  # Python says it when it compiles the program
    if names:
        print(
            f"{script} uses names of TensorFlow's that minitf lacks, and stops where it needs one:",
            file=sys.stderr,
        )
    for name, lines in sorted(names.items(), key=lambda item: item[1]):
        where = ", ".join(map(str, sorted(set(lines))))
        print(f"  {name.replace('tensorflow', 'tf', 1)} (line {where})", file=sys.stderr)


def _run(source: bytes, path: str) -> int:
    """Run a program as Python runs its main program; 1 if it raises, after its traceback on stderr."""
    main = sys.modules["__main__"] = ModuleType("__main__")
    main.__file__ = path
    main.__builtins__ = __builtins__
    try:
        exec(compile(source, path, "exec", dont_inherit=True), vars(main))
    except Exception as error:
        error.__traceback__ = error.__traceback__.tb_next  # without the frame of this function
        sys.excepthook(type(error), error, error.__traceback__)
        return 1
    return 0


def main(arguments: list[str]) -> int:
    """The command; returns its exit code. A program that raises SystemExit has it raised here."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(
            f"{USAGE}\n\n{__doc__}" if arguments else USAGE,
            file=sys.stdout if arguments else sys.stderr,
        )
        return 0 if arguments else 2
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
