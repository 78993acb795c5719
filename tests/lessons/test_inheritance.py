"""Lesson 15's inherited scripts do the same in TensorFlow, and their check survives odd answers."""

from __future__ import annotations

import pytest

import lab
from lab.checks.inheritance import check_inheritance
from lab.experiments.inheritance import FOLDER, SCRIPTS
from tests.conformance.transcripts import encoded_answers
from tests.lessons.answers import answers, script_of
from tests.lessons.exercises import exercises_of
from tests.lessons.notebooks import LESSONS, cells, printed, read, text_of

NOTEBOOK = read(LESSONS / "15_bug_clinic.ipynb")
LOGS = encoded_answers("clinic", "inherited")
NUMBERS = sorted(SCRIPTS)
EXERCISES = [one for one in exercises_of("15", NOTEBOOK) if "check_inheritance" in one.check.source]
REPAIRED = {number: script_of(exercise.solution) for number, exercise in zip(NUMBERS, EXERCISES, strict=True)}


@pytest.mark.parametrize("number", NUMBERS)
def test_the_lesson_shows_the_script_as_it_is(number):
    outputs = [output for cell in cells(NOTEBOOK, "code") for output in cell.outputs]
    shown = [output.data.get("text/markdown") for output in outputs if "data" in output]
    assert f"```python\n{lab.inheritance(number)}```" in shown
    assert f"({FOLDER.name}/{SCRIPTS[number]})" in text_of("15")
    assert lab.inheritance(number).count("\n") <= 80


@pytest.mark.parametrize("cell", ["inherited-runs", "repair-wave"])
def test_the_lesson_prints_two_runs_of_the_first_script(cell):
    first = LOGS["fit_wave"][:8]
    second = LOGS["fit_wave"][8:16]
    lines = [line.strip() for line in printed("15", cell)]
    assert lines[:6] == ["first run", *first[:3], "...", first[-1]]
    assert lines[6:] == ["second run", *second[:3], "...", second[-1]]


def test_the_lesson_prints_a_run_of_the_second_script():
    assert printed("15", "repair-digits") == LOGS["warm_up"][:4]


def test_the_lesson_prints_a_run_of_the_third_script():
    lines = [line.strip() for line in printed("15", "repair-plane")]
    assert [line for line in lines if "run" not in line] == LOGS["fit_plane"]


@pytest.mark.parametrize("number, odd", [(1, ""), (1, "import sys\nsys.exit(2)"), (9, "")])
def test_odd_scripts_are_not_right(number, odd):
    verdict = check_inheritance(number, odd)
    assert not verdict
    assert "The check couldn't run" not in verdict.message


def test_a_script_that_never_ends_is_stopped():
    endless = REPAIRED[3].replace("for i in range(1, 301)", "import itertools\n        for i in itertools.cycle([1])")
    assert "The check stops it after" in check_inheritance(3, endless).message


def test_a_repair_can_make_the_test_look_worse():
    folders = [lab.temporary_folder() for _ in range(3)]
    [half] = [answer.code for answer in answers() if answer.name == "the step saved, not the averages"]
    texts = lab.inheritance(1), script_of(half), REPAIRED[1]
    worst = []
    for text, folder in zip(texts, folders, strict=True):
        lab.run_inherited(folder, text)
        first = len(lab.curve(folder, "test_error"))
        lab.run_inherited(folder, text)
        worst.append([round(value, 3) for _, value in lab.curve(folder, "test_error")][first - 1 : first + 1])
    assert worst == [[0.038, 0.034], [0.038, 0.101], [0.038, 0.037]]


@pytest.mark.tensorflow
@pytest.mark.parametrize("repaired", [False, True])
@pytest.mark.parametrize("number", NUMBERS)
def test_tensorflow_prints_the_same(number, repaired, by_tensorflow, tmp_path):
    text = REPAIRED[number] if repaired else lab.inheritance(number)
    for _ in range(3):
        ran = by_tensorflow(text)
        assert ran.stdout.splitlines() == lab.run_inherited(str(tmp_path / "ours"), text)
