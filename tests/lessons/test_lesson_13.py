"""Lesson 13 shows what TensorFlow gave, finds TensorFlow's limits, and its repair is the inherited script's."""

from __future__ import annotations

import subprocess
import sys

import pytest

import lab
from lab.experiments.inherited import SCRIPT
from tests.lessons.notebooks import LESSONS, printed, read, words_of

BEFORE, AFTER = lab.inherited(13), lab.inherited(14)


@pytest.fixture(scope="module")
def cell():
    return {cell.id: cell.source for cell in read(LESSONS / "13_many_workers.ipynb").cells}


@pytest.fixture(scope="module")
def with_workers(cell):
    names: dict = {}
    exec(cell["with-workers"], names)
    return names["with_workers"]


def test_it_shows_what_tensorflow_lost_and_saw_twice():
    seen, lines = lab.recorded("threads"), printed("13", "shock").splitlines()
    kinds = seen["kinds"]
    assert [[int(n) for n in line.split()[-10:]] for line in lines[1:4]] == [kind["lost"] for kind in kinds.values()]
    for line, kind in zip(lines[5:], kinds.values(), strict=True):
        assert f" {kind['different']:,} " in line and f"reached {kind['reached']:,})" in line


def test_it_says_how_many_batches_tensorflow_took(cell):
    alone, together = (sum(lab.recorded("threads")["batches"][way]) for way in ("asynchronous", "synchronous"))
    assert f"to step 100: without it they took {alone} batches, and with it {together}." in " ".join(
        cell["rounds"].split()
    )


def test_it_finds_tensorflows_limits():
    answers, (_, *rows) = lab.recorded("many_workers"), printed("13", "limits").splitlines()
    assert [row.split() for row in rows] == [[str(part) for part in limit] for limit in answers["limits"]]
    ups = [part.split()[-1].rstrip(".") for part in words_of("13", "paths").split("; ")]
    assert ups == answers["up"]


def test_half_of_the_limit_is_left_after_one_step():
    limits = {int(delay): float(limit) for delay, limit, *_ in lab.recorded("many_workers")["limits"]}
    assert limits[1] == pytest.approx(limits[0] / 2, abs=1e-4)
    assert limits[8] == pytest.approx(0.092 * limits[0], rel=0.01)
    assert limits[4] < 0.08 < limits[2]  # the rate of the picture


def last_lines(log):
    return ["    " + line for line in log[5:]]


def test_its_repair_is_the_inherited_scripts(cell):
    names = {"script": BEFORE, "lab": lab, "with_workers": lambda script, number: script}
    exec(cell["repair"], names)
    comment = "  # the last 100 of 400 steps polish"
    assert comment in AFTER and names["script"] == AFTER.replace(comment, "")


def test_four_workers_print_what_one_prints_once_it_is_repaired(with_workers):
    assert lab.run_inherited(script=with_workers(BEFORE, 1)) == lab.run_inherited(script=BEFORE)
    one, four = (lab.run_inherited(script=with_workers(AFTER, number)) for number in (1, 4))
    assert one == four == lab.run_inherited(script=AFTER)
    assert printed("13", "repair").splitlines()[1:4] == printed("13", "repair").splitlines()[5:] == last_lines(one)


def test_four_workers_polish_from_step_1200_if_nobody_stops_them(with_workers):
    told = BEFORE.replace("feed =", 'if i == 300: print("at", sess._tf_sess().run(global_step))\n            feed =')
    assert not any(line.startswith("at") for line in lab.run_inherited(script=with_workers(told, 4)))
    longer = with_workers(told.replace("num_steps=400", "num_steps=1600"), 4)
    polish = [line for line in lab.run_inherited(script=longer) if line.startswith("at")]
    assert polish == [f"at {step}" for step in (1200, 1201, 1202, 1203)]


def test_one_death_counts_31_batches_twice():
    every, death = printed("13", "engine").splitlines()
    assert every == "400 pushes made 400 different steps, up to 400"
    assert f"step 431, 31 too many; rate {0.05 * 0.8**4.31:.4f}" in death
    *_, end = printed("13", "server-dies").splitlines()
    assert end == f"in the end: 400 batches, step 400, rate {0.05 * 0.8**4:.4f}"


@pytest.mark.tensorflow
@pytest.mark.parametrize("script", [BEFORE, AFTER], ids=["before", "after"])
def test_tensorflow_prints_the_same(script, with_workers, tmp_path):
    pytest.importorskip("tensorflow")
    (tmp_path / "inherited").mkdir()
    (tmp_path / "data").symlink_to(SCRIPT.parents[1] / "data")
    file = tmp_path / "inherited" / "script.py"
    file.write_text(with_workers(script, 4), encoding="utf-8")
    ran = subprocess.run([sys.executable, str(file), str(tmp_path / "run")], check=True, capture_output=True, text=True)
    assert ran.stdout.splitlines() == lab.run_inherited(script=with_workers(script, 4))
