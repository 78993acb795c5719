"""One line says what an error is: its type, and the first line of its message."""

import traceback
from collections.abc import Callable


def first_line(error: Exception) -> str:
    """Return the first line of an error's message, or its type if it has none."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def type_and_first_line(error: Exception) -> str:
    """Return an error as the last line of a traceback shows it."""
    kind, said = type(error).__name__, first_line(error)
    return kind if said == kind else f"{kind}: {said}"


def line_in(file: str, error: Exception) -> str:
    """Say at which line of a file an error came up, if it did there."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == file]
    line = lines[-1] if lines else getattr(error, "lineno", None)  # a SyntaxError has one
    return f" at line {line}" if line else ""


def attempt(function: Callable, *arguments: object) -> None:
    """Print what a call returns or, if it fails, its error. (So that its code gives neither away.)"""
    try:
        print(function(*arguments))
    except Exception as error:
        print(type_and_first_line(error))
