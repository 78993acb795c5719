"""Every exercise ships unsolved, accepts its own solution and others, and rejects wrong answers by name."""

from __future__ import annotations

import ast
import os
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest
from nbformat import v4

from tests.lessons.answers import Answer, answers
from tests.lessons.exercises import Exercise, Verdict, exercises, exercises_of, judge, judge_all

EXERCISES = {exercise.name: exercise for exercise in exercises()}
ANSWERS = list(answers())

# A right answer is right again, and the check adds nothing to the reader's graph.
AGAIN = """
import minitf
operations = len(minitf.get_default_graph().get_operations())
{check}
assert len(minitf.get_default_graph().get_operations()) == operations"""

ODD = ["None", "3", "'text'", "print", "lambda *given: 1 / 0"]
OURS = {"old", "batches"}  # what a check is given that isn't the reader's


def tried() -> Iterator[Answer]:
    """Return every answer that is tried on an exercise."""
    for exercise in EXERCISES.values():
        yield Answer(exercise, "it ships unsolved", exercise.cell.source, "")
        yield Answer(exercise, "the folded solution", exercise.solution, "Right!")
        yield Answer(exercise, "judged twice", exercise.solution + AGAIN.format(check=exercise.check.source), "Right!")
        for name in judged_names(exercise):
            for odd in ODD:
                yield Answer(exercise, f"{name} = {odd}", f"{exercise.solution}\n{name} = {odd}", "Not yet.")
    yield from ANSWERS


def judged_names(exercise: Exercise) -> list[str]:
    """Return what a check is given: its arguments, or the name of a piece of lesson 16."""
    call = ast.parse(exercise.check.source).body[-1].value
    names = [part.id for part in call.args if isinstance(part, ast.Name) and part.id not in OURS]
    return names or [call.args[0].value]


TRIED = {f"{answer.exercise.name}: {answer.name}": answer for answer in tried()}
QUICK = 15  # how many answers to an exercise a quick run tries beside the first three; they're drawn anew each time


def drawn() -> set[str]:
    """Return the names of the answers that a quick run tries."""
    draw, found = random.Random(os.environ["MINITF_SEED"]), set()
    for exercise in EXERCISES:
        own = [name for name, answer in TRIED.items() if answer.exercise.name == exercise]
        found.update(own[:3], draw.sample(own[3:], min(len(own) - 3, QUICK)))
    return found


DRAWN = drawn()


@cache
def verdicts(exercise: str, quick: bool) -> dict[str, Verdict]:
    """Judge the answers to an exercise that a quick run tries, or all others."""
    names = [name for name, answer in TRIED.items() if answer.exercise.name == exercise and (name in DRAWN) == quick]
    return dict(zip(names, judge_all(EXERCISES[exercise], [TRIED[name].code for name in names]), strict=True))


@pytest.mark.parametrize("name", [pytest.param(it, marks=[] if it in DRAWN else pytest.mark.long) for it in TRIED])
def test_an_answer_is_judged_by_name(name):
    answer = TRIED[name]
    verdict = verdicts(answer.exercise.name, name in DRAWN)[name]
    assert verdict.right == answer.right
    assert answer.words in verdict.message


def test_each_answer_has_its_own_name():
    assert len(TRIED) == len(list(tried()))


def test_each_exercise_has_wrong_answers():
    wrong = Counter(answer.exercise.name for answer in ANSWERS if not answer.right)
    assert {name for name, number in wrong.items() if number >= 2} == set(EXERCISES)


def lesson(answer="double = None", check="check(double)", solution="def double(x):\n    return 2 * x"):
    """Make a lesson with one exercise."""
    checking = "def check(double):\n    print('checked')\n    return double is not None and double(2) == 4"
    folded = f"<details><summary>Solution</summary>\n\n```python\n{solution}\n```\n\n</details>"
    return v4.new_notebook(
        cells=[
            v4.new_code_cell(checking),
            v4.new_code_cell("1 / 0", metadata={"tags": ["raises-exception"]}),
            v4.new_code_cell(answer, metadata={"tags": ["exercise"]}),
            v4.new_code_cell(check, metadata={"tags": ["check"]}),
            v4.new_markdown_cell(folded, metadata={"tags": ["solution"]}),
        ]
    )


def test_the_frame_tells_right_from_wrong():
    [exercise] = exercises_of("01_try", lesson())
    assert judge(exercise, exercise.solution).right
    verdict = judge(exercise, "double = abs")
    assert verdict.right is False
    assert verdict.message == "checked\nFalse"


def test_an_answer_that_raises_is_not_swallowed():
    [exercise] = exercises_of("01_try", lesson())
    with pytest.raises(NameError):
        judge(exercise, "undefined")


def test_an_exercise_without_a_folded_solution_is_noticed():
    notebook = lesson()
    notebook.cells[-1].source = "def double(x): ..."
    with pytest.raises(ValueError, match="not a folded block"):
        list(exercises_of("01_try", notebook))
    notebook.cells[-1].metadata.tags = []
    with pytest.raises(ValueError, match="1 exercises, 1 checks, 0 solutions"):
        list(exercises_of("01_try", notebook))


def test_a_lesson_may_have_several_exercises():
    notebook = lesson()
    again = lesson(solution="double = (2).__mul__").cells[2:]
    notebook.cells += again
    first, second = exercises_of("01_try", notebook)
    assert first.name == "01_try"
    assert second.name == "01_try 2"
    assert second.cell is again[0]
    assert second.check is again[1]
    for exercise in (first, second):
        assert not judge(exercise, exercise.cell.source).right
        assert judge(exercise, exercise.solution).right
