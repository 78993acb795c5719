r"""Answers to the exercises, wrong ones and unusual right ones, each with words of the verdict on it.

There is one file a lesson. Below the heading `# Exercise 2`, answers change the solution that the lesson gives to
its second exercise; below `# Exercise 2, as it comes`, they change the unsolved exercise. If the answer is a
script, it is the script that they change. Most answers take a line: a name, a change, and words of the verdict,
in which `\n` stands for a new line. A right answer has the words `Right!`.

    adds two | global_step, 1 -> global_step, 2 | The step counts 2, 4, 6.

What a change replaces must be there exactly once. Whole lines are replaced below the name and the words, as in a
diff: `+` for new lines, `-` for old ones, and a space for lines that stay, to say where it is. If two changes would
run together, write `...` between them.

    nobody counts | stays 0: nothing counts
    -    with tf.control_dependencies(updates):
    -        return tf.assign_add(global_step, 1)
    +    return tf.group(*updates)

An answer that has nothing in common with the solution is written in full, each line indented by four spaces.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.lessons.exercises import Exercise, exercises_of, patched, script_of
from tests.lessons.notebooks import LESSONS, read

HEADING = re.compile(r"^# Exercise (\d+)(, as it comes)?\n", re.MULTILINE)
NEXT = re.compile(r"\n+(?=[^\s+.-])")  # an answer begins with its name


@dataclass(frozen=True)
class Answer:
    """An answer to an exercise, and words of the verdict on it."""

    exercise: Exercise
    name: str
    code: str
    words: str

    @property
    def right(self) -> bool:
        """Whether the check has to accept it."""
        return self.words.startswith("Right!")


def answers() -> Iterator[Answer]:
    """Return the answers in all files."""
    for path in sorted(Path(__file__).parent.glob("*.txt")):
        exercises = list(exercises_of(path.stem, read(LESSONS / f"{path.stem}.ipynb")))
        yield from answers_in(path.read_text(encoding="utf-8"), exercises)


def answers_in(text: str, exercises: Sequence[Exercise]) -> Iterator[Answer]:
    """Return the answers in `text` to a lesson's exercises."""
    before, *sections = HEADING.split(text)
    if before:
        raise ValueError(f"the first line should be a heading, such as '# Exercise 1', and not {before!r}")
    for number, unsolved, rows in zip(sections[::3], sections[1::3], sections[2::3], strict=True):
        exercise = exercises[int(number) - 1]
        yield from _answers_to(exercise, exercise.cell.source if unsolved else exercise.solution, rows)


def _answers_to(exercise: Exercise, code: str, text: str) -> Iterator[Answer]:
    for entry in NEXT.split(text.strip("\n")):
        first, _, lines = entry.partition("\n")
        name, *changes, words = first.split(" | ")
        try:
            answer = _answer(code, " | ".join(changes), lines.rstrip("\n"))
        except ValueError as error:
            raise ValueError(f"{exercise.name}: {name}: {error}") from None
        yield Answer(exercise, name, answer, words.replace(r"\n", "\n"))


def _answer(code: str, change: str, lines: str) -> str:
    if lines.startswith("    ") and not re.search("^[+-]", lines, re.MULTILINE):
        return textwrap.dedent(lines)
    script = script_of(code)
    text = code if script is None else script
    text = _replaced(text, change) if change else patched(text, lines)
    return text if script is None else f"script = {text!r}"


def _replaced(text: str, change: str) -> str:
    """Change `old -> new`."""
    old, arrow, new = change.partition(" ->")
    if not arrow or text.count(old) != 1:
        raise ValueError(f"{old!r} is there {text.count(old)} times, not once")
    return text.replace(old, new.strip())
