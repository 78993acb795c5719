"""Take a lesson's exercises apart and try answers on them.

An exercise is a code cell tagged `exercise`, which ships unsolved. A code cell tagged `check` ends
with the call that judges it, `lab.check_...(...)`: its value is true when the answer is right, and
its `repr` says what is right or missing, kindly. A markdown cell tagged `solution` holds, folded,
the code that solves it:

    <details><summary>Solution</summary>

    ```python
    ...
    ```

    </details>

A solution may be a block of ```diff with the lines that change in the exercise's cell, or in the text of the file if
the reader edits one (lab/files/edited.py).

A code cell tagged `apart` takes its time, while no exercise needs what it does: it is left out here.

A lesson may have several; the first check and the first solution belong to the first exercise.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import io
import os
import pickle
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from matplotlib import pyplot as plt
from nbformat import NotebookNode

import lab
import minitf as tf
from tests.lessons.notebooks import LESSONS, cells, lessons, read

FOLDED = re.compile(
    r"<details>\s*<summary>Solution</summary>\s*```(?P<kind>python|diff)\n(?P<code>.*?)```\s*</details>", re.DOTALL
)
CHANGE = re.compile(r"((?:^[ -].*\n)+)((?:^\+.*\n)*)(?:^\.\.\.\n)?", re.MULTILINE)


@dataclass(frozen=True)
class Exercise:
    """One exercise of a lesson, its check, and its solution."""

    name: str  # the lesson's, as in "03_the_experiment"; for its second one "03_the_experiment 2"
    notebook: NotebookNode
    cell: NotebookNode
    check: NotebookNode
    solution: str


@dataclass(frozen=True)
class Verdict:
    """What a check says about an answer."""

    right: bool
    message: str


def exercises() -> list[Exercise]:
    """Return every lesson's exercises."""
    return [exercise for path in lessons() for exercise in exercises_of(path.stem, read(path))]


def exercises_of(name: str, notebook: NotebookNode) -> Iterator[Exercise]:
    """Pair a notebook's exercises with their checks and their solutions."""
    exercise_cells = cells(notebook, "code", "exercise")
    checks = cells(notebook, "code", "check")
    solutions = cells(notebook, "markdown", "solution")
    found = (len(exercise_cells), len(checks), len(solutions))
    if len(set(found)) != 1:
        raise ValueError("{}: {} exercises, {} checks, {} solutions".format(name, *found))
    for number, (cell, check, solution) in enumerate(zip(exercise_cells, checks, solutions, strict=True), start=1):
        folded = FOLDED.search(solution.source)
        if folded is None:
            raise ValueError(f"{name}: solution {number} is not a folded block of Python code")
        full_name = name if number == 1 else f"{name} {number}"
        solution = folded["code"]
        if folded["kind"] == "diff":
            script = script_of(cell.source)
            program, _, _ = cell.source.partition("\n\n\n")  # without the line that runs it
            solution = patched(program, solution) if script is None else f"script = {patched(script, solution)!r}"
        yield Exercise(full_name, notebook, cell, check, solution)


def script_of(code: str) -> str | None:
    """Return the script that `code` makes or copies, if it does, without the lines that run it."""
    if not code.startswith("script = "):
        return None
    names = {"lab": lab}
    exec(code.partition("\n\n")[0], names)
    return getattr(names["script"], "inherited", names["script"])


def patched(text: str, lines: str) -> str:
    """Change whole lines, from top to bottom, as a diff says."""
    lines = lines.rstrip("\n") + "\n"
    if CHANGE.sub("", lines).strip():
        raise ValueError("new lines come after the lines that they replace or follow")
    done = ""
    rest = "\n" + text.rstrip("\n") + "\n"
    for old, new in CHANGE.findall(lines):
        place = "\n" + _marked(old, " -")
        if rest.count(place) != 1:
            raise ValueError(f"these lines are there {rest.count(place)} times, not once:{place}")
        before, _, after = rest.partition(place)
        done += (before + "\n" + _marked(old, " ") + _marked(new, "+")).removesuffix("\n")
        rest = "\n" + after
    return (done + rest)[1:]


def _marked(lines: str, marks: str) -> str:
    """Return the lines that begin with one of the marks, without it."""
    return "".join(line[1:] for line in lines.splitlines(keepends=True) if line[0] in marks)


def judge(exercise: Exercise, answer: str, folder: Path = LESSONS) -> Verdict:
    """Run the lesson with `answer` in the place of the exercise, as far as its check.

    The cells run in this process, one after the other, in a fresh namespace and a fresh graph: a
    kernel for each answer would take seconds.
    """
    with _at_home(folder):
        return _verdict(exercise, answer, _names_before(exercise))


def judge_all(exercise: Exercise, answers: Iterable[str]) -> list[Verdict]:
    """Judge many answers.

    The lesson runs once, as far as the exercise; from there, a copy of this process goes on with each answer.
    """
    if not hasattr(os, "fork"):  # on Windows
        return [judge(exercise, answer) for answer in answers]
    with _at_home(LESSONS):
        names = _names_before(exercise)
        gc.freeze()  # what the copies don't touch, they share
        return [_in_a_copy(_verdict, exercise, answer, names) for answer in answers]


def _names_before(exercise: Exercise) -> dict:
    """Run the cells before the exercise, and return what they define."""
    names = {"__name__": "__main__", "display": lambda *things: None}
    before, _ = _around(exercise)
    for cell in before:
        with contextlib.redirect_stdout(io.StringIO()):
            _run(cell.source, names, cell)
    return names


def _verdict(exercise: Exercise, answer: str, names: dict) -> Verdict:
    """Run the answer and the cells after the exercise, as far as the check."""
    _, after = _around(exercise)
    with contextlib.redirect_stdout(io.StringIO()):
        _run(answer, names, exercise.cell)
    for cell in after:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            value = _run(cell.source, names, cell)
        if cell is exercise.check:
            return Verdict(bool(value), f"{printed.getvalue()}{value!r}")
    raise ValueError(f"{exercise.name}: the check comes before the exercise")


def _around(exercise: Exercise) -> tuple[list[NotebookNode], list[NotebookNode]]:
    """Return the cells to run before the exercise, and those after it."""
    to_run = [cell for cell in cells(exercise.notebook, "code") if "apart" not in cell.metadata.get("tags", [])]
    [place] = [number for number, cell in enumerate(to_run) if cell is exercise.cell]
    return to_run[:place], to_run[place + 1 :]


def _in_a_copy(function: Callable[..., Verdict], *arguments: object) -> Verdict:
    """Call a function in a copy of this process, so that nothing it does lasts."""
    reads, writes = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # pytest-xdist has a thread, which the copy doesn't need
        process = os.fork()
    if process == 0:
        try:
            verdict = function(*arguments)
        except BaseException:
            verdict = Verdict(False, traceback.format_exc())
        with open(writes, "wb") as pipe:
            pickle.dump(verdict, pipe)
        os._exit(0)
    os.close(writes)
    with open(reads, "rb") as pipe:
        verdict = pickle.load(pipe)
    os.waitpid(process, 0)
    return verdict


def _run(source: str, namespace: dict, cell: NotebookNode) -> object:
    """Run a cell's code and return the value of its last line, if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    try:
        exec(compile(tree, f"<cell {cell.id}>", "exec"), namespace)
        if last is not None:
            return eval(compile(ast.Expression(last.value), f"<cell {cell.id}>", "eval"), namespace)
    except Exception:
        if "raises-exception" not in cell.metadata.get("tags", []):
            raise
    return None


@contextlib.contextmanager
def _at_home(folder: Path) -> Iterator[None]:
    """Work as a lesson does: in its folder, importing from there, with an empty default graph."""
    before = os.getcwd()
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    plt.switch_backend("Agg")  # no window opens
    tf.reset_default_graph()
    try:
        yield
    finally:
        tf.reset_default_graph()
        plt.close("all")
        sys.path.remove(str(folder))
        os.chdir(before)
