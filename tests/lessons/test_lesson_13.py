"""Lesson 13 shows what TensorFlow gave, finds TensorFlow's limits, and its repair is the inherited script's."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import lab
import minitf as tf
from lab import with_workers
from lab.experiments.inherited import SCRIPT, killed_at
from tests.lessons.notebooks import LESSONS, printed, read

BEFORE, AFTER = lab.inherited(13), lab.inherited(14)


@pytest.fixture(scope="module")
def cell():
    return {cell.id: cell.source for cell in read(LESSONS / "13_many_workers.ipynb").cells}


def test_the_plus_one_of_minimize_is_not_locked_even_in_an_optimizer_that_locks(cell):
    assert lab.recorded("threads")["minimize_locks"] is False
    assert "The `+ 1` that `minimize` builds for an ordinary Variable doesn't." in " ".join(cell["two-claims"].split())
    guide = read(LESSONS / "field_guide.ipynb").cells
    assert any("even with it, the `+ 1` isn't locked" in cell.source for cell in guide)


def test_the_limits_are_close_to_those_of_the_formula(cell):
    answers = lab.recorded("many_workers")
    limits = {delay: float(limit) for delay, limit in answers["measured"]}
    for delay, formula, *ends in answers["limits"]:
        by_hand = 2 * np.sin(np.pi / (4 * delay + 2)) / (2 * np.mean(np.linspace(1, 2, 10) ** 2))
        assert formula == f"{by_hand:.4f}" and ends == ["converges", "diverges"]  # 2% below it, and 2% above
        assert limits[delay] == pytest.approx(by_hand, abs=0.0025)
    assert "`2 * sin(pi / (4 * delay + 2)) / curvature`" in cell["limits-read"]
    assert limits[1] == pytest.approx(limits[0] / 2, abs=0.002)
    assert f"{limits[2]:.2f}" == "0.13"  # what the prediction says of two steps
    assert limits[4] < 0.08 < limits[2]  # the rate of the picture
    assert np.sin(np.pi / 14) < 1 / 4  # what three steps leave of the limit


def last_lines(log):
    return ["    " + line for line in log[5:]]


def test_its_repair_is_the_inherited_scripts(cell):
    names = {"script": BEFORE, "lab": lab}
    exec(cell["repair"], names)
    comment = "  # the last 100 of every 400 polish"
    assert comment in AFTER and names["script"] == AFTER.replace(comment, "")


def test_the_loop_that_it_prints_is_the_one_that_runs():
    assert printed("13", "with-workers").rstrip() in with_workers(BEFORE, 4)


@pytest.mark.parametrize("number", [1, 3, 4, 7])
def test_workers_share_out_the_batches_and_stop_together(number):
    told = BEFORE.replace("feed =", 'print("batch", batch.start)\n            feed =')
    batches = [line for line in lab.run_inherited(script=with_workers(told, number)) if line.startswith("batch")]
    assert batches == [f"batch {50 * batch % 1500}" for batch in range(400)]


def test_four_workers_print_what_one_prints_once_it_is_repaired():
    assert lab.run_inherited(script=with_workers(BEFORE, 1)) == lab.run_inherited(script=BEFORE)
    one, four = (lab.run_inherited(script=with_workers(AFTER, number)) for number in (1, 4))
    assert one == four == lab.run_inherited(script=AFTER)
    assert printed("13", "proof").splitlines()[1:4] == printed("13", "proof").splitlines()[5:] == last_lines(one)


@pytest.mark.parametrize(
    "end, last", [("num_steps=400", "step 551 rate 0.1465"), ("last_step=400", "step 351 rate 0.0229")]
)
def test_after_a_kill_it_polishes_at_its_end_if_that_is_a_multiple_of_400(end, last, tmp_path):
    with pytest.raises(InterruptedError):
        lab.run_inherited(str(tmp_path), killed_at(250, AFTER))
    tf.summary.FileWriterCache.clear()
    first, *_, at_the_end = lab.run_inherited(str(tmp_path), AFTER.replace("num_steps=400", end))
    assert first.startswith("step 201 rate 0.3200") and at_the_end.startswith(last)


def test_four_workers_polish_from_step_1200_if_nobody_stops_them():
    told = BEFORE.replace("feed =", 'if i == 300: print("at", sess._tf_sess().run(global_step))\n            feed =')
    assert not any(line.startswith("at") for line in lab.run_inherited(script=with_workers(told, 4)))
    longer = with_workers(told.replace("num_steps=400", "num_steps=1600"), 4)
    polish = [line for line in lab.run_inherited(script=longer) if line.startswith("at")]
    assert polish == [f"at {step}" for step in (1200, 1201, 1202, 1203)]


def test_one_death_counts_31_batches_twice(cell):
    assert printed("13", "engine") == f"400 batches, but step 431; the rate is {0.05 * 0.8**4.31:.4f}\n"
    assert f"after 400 steps the rate would be {0.05 * 0.8**4:.4f}" in " ".join(cell["not-asked"].split())
    *_, end = printed("13", "server-dies").splitlines()
    assert end == f"400 batches, step 400; the rate is {0.05 * 0.8**4:.4f}"


@pytest.mark.tensorflow
@pytest.mark.parametrize("script", [BEFORE, AFTER], ids=["before", "after"])
def test_tensorflow_prints_the_same(script, tmp_path):
    pytest.importorskip("tensorflow")
    (tmp_path / "inherited").mkdir()
    (tmp_path / "data").symlink_to(SCRIPT.parents[1] / "data")
    file = tmp_path / "inherited" / "script.py"
    file.write_text(with_workers(script, 4), encoding="utf-8")
    ran = subprocess.run([sys.executable, str(file), str(tmp_path / "run")], check=True, capture_output=True, text=True)
    assert ran.stdout.splitlines() == lab.run_inherited(script=with_workers(script, 4))
