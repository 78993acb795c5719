"""An exercise that is made by the recipe in CONTRIBUTING.md works: its solution and each of its answers."""

from __future__ import annotations

import re
import textwrap

import pytest
from nbformat import v4

import lab
from tests.lessons.answers import answers_in
from tests.lessons.exercises import exercises_of, judge
from tests.lessons.notebooks import ROOT

RECIPE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("### An exercise\n")[2].partition("\n### ")[0]
BLOCKS = [textwrap.dedent(block).strip("\n") for block in re.findall(r"(?:^ {4}.*\n|^\n)+", RECIPE, re.MULTILINE)]
EXERCISE, CHECK, SOLUTION, FUNCTION, ANSWERS, COMMANDS = filter(None, BLOCKS)


@pytest.fixture
def exercise(monkeypatch):
    names = {}
    exec(FUNCTION, names)
    monkeypatch.setattr(lab, "check_countdown", names["check_countdown"], raising=False)
    cells = [
        v4.new_code_cell("import lab\nimport minitf as tf"),
        v4.new_code_cell(EXERCISE, metadata={"tags": ["exercise"]}),
        v4.new_code_cell(CHECK, metadata={"tags": ["check"]}),
        v4.new_markdown_cell(SOLUTION, metadata={"tags": ["solution"]}),
    ]
    [made] = exercises_of("recipe", v4.new_notebook(cells=cells))
    return made


def test_it_ships_unsolved_and_accepts_its_solution(exercise):
    assert not judge(exercise, exercise.cell.source).right
    assert judge(exercise, exercise.solution).right


def test_each_answer_is_judged_by_name(exercise):
    for answer in answers_in(ANSWERS, [exercise]):
        verdict = judge(exercise, answer.code)
        assert verdict.right == answer.right, answer.name
        assert answer.words in verdict.message
    names = [answer.name for answer in answers_in(ANSWERS, [exercise])]
    assert len(names) == 5
    assert names[-1] == "nothing built"


@pytest.mark.parametrize(
    "rows, said",
    [
        ("it counts up | assign_sub -> assign_add | words", "first line should be a heading"),
        ("# Exercise 1\n\nodd | assign_mul -> assign_add | words", "odd: 'assign_mul' is there 0 times, not once"),
        ("# Exercise 1\n\nodd | counter -> clock | words", "odd: 'counter' is there 2 times, not once"),
        ("# Exercise 1\n\nodd | words\n-step = 0", "these lines are there 0 times, not once:\nstep = 0"),
        ("# Exercise 1\n\nodd | words\n+step = 0", "new lines come after the lines that they replace or follow"),
    ],
)
def test_a_row_that_changes_nothing_is_noticed(exercise, rows, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        list(answers_in(rows, [exercise]))
