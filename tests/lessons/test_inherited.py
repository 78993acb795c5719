"""The script that part two inherits: each lesson repairs a little more of it, until repaired.py is left."""

from __future__ import annotations

import pytest
from inherited.repairs import REPAIRS, repaired

import lab
from lab.experiments.inherited import SCRIPT

REPAIRED = SCRIPT.with_name("repaired.py")


def test_the_repairs_lead_from_one_file_to_the_other():
    assert lab.inherited(7) == SCRIPT.read_text(encoding="utf-8")
    assert lab.inherited(14) == REPAIRED.read_text(encoding="utf-8")


@pytest.mark.parametrize("lesson", REPAIRS)
def test_a_repair_finds_each_of_its_lines_once(lesson):
    script = lab.inherited(lesson)
    for change in REPAIRS[lesson]:
        first = change[0] if isinstance(change[0], str) else change[0][0]
        assert script.count(first) == 1
        script = repaired(script, change)


LAST_LINES = {  # of the first run, and the first line of a second run in the same folder
    7: ("step 300 rate 0.2560", "step 0 rate 0.5000"),
    8: ("step 300 rate 0.2560", "step 1 rate 0.5000"),
    9: ("step 300 rate 0.2560", "step 1 rate 0.5000"),
    10: ("step 351 rate 0.2290", "step 1 rate 0.5000"),
    11: ("step 351 rate 0.2290", "step 401 rate 0.2048"),
    12: ("step 351 rate 0.2290", "step 401 rate 0.2048"),
    13: ("step 351 rate 0.2290", "step 401 rate 0.2048"),
    14: ("step 351 rate 0.0229", "step 401 rate 0.2048"),
}


@pytest.mark.parametrize("lesson", LAST_LINES)
def test_what_each_lesson_finds_the_script_do(lesson, tmp_path):
    script = lab.inherited(lesson)
    folder = str(tmp_path)
    first = lab.run_inherited(folder, script)
    second = lab.run_inherited(folder, script)
    said = [line.partition(" test")[0] for line in (first[-1], second[0])]
    assert tuple(said) == LAST_LINES[lesson]
    losses = [step for step, _ in lab.curve(folder, "loss")]
    assert losses == (list(range(1, 801)) if lesson > 12 else [*range(400)] * 2)


@pytest.mark.tensorflow
@pytest.mark.parametrize("lesson", LAST_LINES)
def test_tensorflow_prints_the_same(lesson, by_tensorflow, tmp_path):
    for _ in range(2):
        ran = by_tensorflow(lab.inherited(lesson))
        assert ran.stdout.splitlines() == lab.run_inherited(str(tmp_path / "ours"), lab.inherited(lesson))
