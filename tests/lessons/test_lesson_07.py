"""Lesson 07 prints what TensorFlow prints, and what it says about the inherited script and the race is so."""

from __future__ import annotations

import re

import pytest

import lab
import minitf as tf
from lab.experiments.inherited import SCRIPT
from tests.lessons.exercises import exercises_of
from tests.lessons.notebooks import LESSONS, cells, read

NOTEBOOK = read(LESSONS / "07_before_or_after.ipynb")
PRINTED = {
    cell.id: "".join(output.get("text", "") for output in cell.outputs).splitlines() for cell in cells(NOTEBOOK, "code")
}
RACE = lab.recorded("race")


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph."""
    with tf.Graph().as_default():
        yield


def test_the_inherited_script_runs_and_leaves_its_files(tmp_path):
    log = lab.run_inherited(str(tmp_path))
    assert log[:3] == PRINTED["inherited"]
    steps_and_rates = [line.rpartition(" ")[0] for line in log]
    assert steps_and_rates == [line.rpartition(" ")[0] for line in RACE["log"]]
    assert (tmp_path / "checkpoint").exists() and list(tmp_path.glob("*tfevents*"))


def test_an_inherited_script_that_stops_says_why(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(tf.errors.FailedPreconditionError, match="not a directory"):
        lab.run_inherited(str(tmp_path / "file"))


def test_the_log_is_one_step_off():
    updates = [int(line.split()[1]) for line in RACE["log"]]
    assert updates[:7] == list(range(0, 301, 50))  # each after one update more
    rates = [line.split()[3] for line in RACE["log"][:6]]
    assert rates == [f"{0.5 * 0.8 ** (step / 100):.4f}" for step in updates[:6]]  # of the update just made


def test_the_lines_shown_are_the_script_s():
    [block] = re.findall(r"```python\n(.*?)```", cells(NOTEBOOK, "markdown")[1].source, flags=re.DOTALL)
    source = [line.strip() for line in SCRIPT.read_text(encoding="utf-8").splitlines()]
    lines = [line for line in block.splitlines() if line != "..."]
    assert len(lines) == 3 and all(source.count(line) == 1 for line in lines)


def test_what_the_lesson_says_about_the_counts():
    """The prose, the prediction and its replies speak of one count: look at them after a new one."""
    case, other = RACE["cases"]["sum"], RACE["cases"]["made_outside"]
    assert 240 < case["old"] < 300 and case["first_change"] == 91  # "nearly every time", "run 91"
    assert other["old"] and other["new"]
    assert RACE["cases"]["variable"]["new"] == 300 and RACE["cases"]["resource"]["old"] > 200
    assert PRINTED["late"] == [f"TensorFlow, 300 runs: old {other['old']}, new {other['new']}"]


def test_tensorflow_starts_quick_ops_in_a_different_way_after_about_ninety_runs():
    """Its executor (executor.cc) averages each op's cost, 1/10 new, from 100 million cycles down to 8,000."""
    runs, estimate = 0, 100_000_000
    while estimate > 8_000:
        runs, estimate = runs + 1, estimate * 9 / 10
    assert runs == 90


def test_the_rate_fetched_with_the_train_op_is_the_one_it_used():
    assert RACE["cases"]["rate"]["old"] == 300
    rates = [f"{0.5 * 0.8 ** (step / 100):.4f}" for step in range(4)]
    assert rates[:3] == [f"{rate:.4f}" for rate in lab.recorded("before_or_after")["rates"]]
    pairs = zip(rates, rates[1:], strict=False)
    assert PRINTED["rate"] == [f"this step used {now}, the next one will use {then}" for now, then in pairs]


def test_tensorflow_prints_the_repaired_log():
    log = lab.recorded("before_or_after")["log"]
    assert log == ["step 1 rate 0.5000", "step 2 rate 0.4989", "step 3 rate 0.4978"]
    exercise, *_ = exercises_of("07", NOTEBOOK)
    names = {"tf": tf}
    exec(exercise.solution, names)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert [names["train_once"](sess) for _ in range(3)] == log


def test_an_identity_gives_the_new_value_as_in_tensorflow():
    step = tf.Variable(0)
    before = tf.identity(step)
    with tf.control_dependencies([before]):
        tick = tf.assign_add(step, 1)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run([before, tick]) == [1, 1]


def test_a_read_that_waits_for_the_train_op_trains():
    """As the quiz says, and why the script itself takes two runs."""
    exercise, *_ = exercises_of("07", NOTEBOOK)
    names = {"tf": tf}
    shown = "shown_step = tf.add("
    exec(exercise.cell.source.replace(shown, f"with tf.control_dependencies([train_op]):\n    {shown}"), names)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert [sess.run(names["shown_step"]) for _ in range(2)] == [1, 2]
        assert sess.run(names["global_step"]) == 2


def test_the_program_reads_before_it_updates():
    lines = [line.strip() for line in PRINTED["program"]]
    assert lines.index("seen = step + 0") < lines.index('state["step"] += 1  # add_one')
