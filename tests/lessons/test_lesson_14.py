"""Lesson 14: what it prints and says of other libraries is what they printed; nothing stops its check."""

from __future__ import annotations

import re

import numpy as np
import pytest

import lab
import minitf as tf
from lab.checks.lesson_14 import RATES
from lab.explorers.elsewhere import RIGHT
from tests.lessons.exercises import exercises_of, judge
from tests.lessons.notebooks import LESSONS, cells, printed, read
from tools.elsewhere import PACKAGES, more_programs

RECORDED = {library: lab.recorded("elsewhere", library.removesuffix("_1")) for library in PACKAGES}
LESSON = LESSONS / "14_where_did_it_go.ipynb"
KERAS = RECORDED["keras"]["more"]
EXERCISE, *_ = exercises_of(LESSON.stem, read(LESSON))


def lines(cell_id: str) -> list[str]:
    """What a cell of the lesson printed."""
    return printed("14", cell_id).splitlines()


@pytest.fixture(scope="module")
def text():
    return "\n".join(cell.source for cell in cells(read(LESSON), "markdown"))


@pytest.fixture(scope="module")
def log():
    """What the repaired script prints in two runs."""
    folder = lab.temporary_folder()
    return [line for _ in range(2) for line in lab.run_inherited(folder, lab.inherited(14))]


def test_the_port_agrees_for_300_steps_and_then_starts_again(text, log):
    port = KERAS["digits"]["printed"]
    pairs = [line.split("  |  ") for line in lines("two-logs")[1:]]
    assert pairs == [[*pair] for pair in zip(log[4:8], port[4:], strict=True)]
    assert port[:6] == log[:6]
    assert [line.split(" test")[0] for line in port[6:]] == ["step 1 rate 0.0500", "step 51 rate 0.0447"]
    assert not KERAS["digits"]["warnings"]
    accuracies = [[float(line.split()[-1]) for line in one[6:8]] for one in (port, log)]
    assert np.allclose(*map(sorted, accuracies), atol=0.004)  # it doesn't tell you
    quoted = text.partition("```python\n")[2].partition("```")[0]
    assert all(f"{line}\n" in more_programs("keras")["digits"] for line in quoted.splitlines() if line != "...")


def test_with_one_optimizer_and_one_rate_the_port_prints_the_scripts_log(log):
    assert KERAS["digits, one rate"]["printed"] == log[:8]


def test_the_mistakes_are_silent_and_w_is_near_1():
    wrong = [run for it in RECORDED.values() for name, run in it["runs"].items() if name != RIGHT]
    assert not any(run["warnings"] for run in wrong)
    assert all(abs(float(run["printed"][-1].split()[2]) - 1) < 0.01 for run in wrong)
    assert len(wrong) == 11  # eight of them are in the explorer
    other = RECORDED["keras"]["runs"]["two optimizers"]["printed"]
    assert other[-1].split()[1] == "5"  # each has counted its own


def test_a_scheduler_counts_calls():
    once = RECORDED["pytorch"]["runs"]["once an epoch"]
    assert lines("epochs")[-1] == once["printed"][-1]
    assert lines("epochs")[-1].split()[1] == "2"  # "Ten updates, and the clock says 2."


def test_the_order_of_two_lines_decides_what_a_file_brings_back():
    assert lines("saving") == KERAS["saving"]["printed"]
    assert lines("saving") == [
        "load_weights, then compile: step 1 rate 0.5000",
        "compile, then load_weights: step 401 rate 0.2048",
        "load_model: step 401 rate 0.2048",
    ]
    assert not [said for said in KERAS["saving"]["warnings"] if "optimizer" in said or "load" in said]


def test_a_point_without_a_step_is_at_0(text):
    said = RECORDED["pytorch"]["more"]["curve"]["printed"]
    assert said == ["with global_step: [1, 51, 101]", "without: [0, 0, 0]"]
    assert "not a counter; leave it out, and the point is at 0" in text


def test_the_small_optimizer_prints_the_ten_lines_of_all_libraries():
    assert all(lines("ten") == it["runs"][RIGHT]["printed"] for it in RECORDED.values())


def test_the_lesson_names_the_versions(text):
    versions = {name: RECORDED[name][name] for name in ("keras", "pytorch", "optax")}
    minor = {name: version.rpartition(".")[0] for name, version in versions.items()}
    assert f"Keras {minor['keras']}, PyTorch {minor['pytorch']} and optax {versions['optax']}" in " ".join(text.split())


def test_the_lines_of_the_exercise_are_the_scripts(text):
    before, after = text.split("## Exercise")
    [quoted] = re.findall(r"```python\n(rate.*?)```", after, re.DOTALL)
    joined = re.sub(r"\(\n +", "(", quoted).splitlines()
    assert len(joined) == 2 and all(f"    {line}" in lab.inherited(14) for line in joined)


def test_the_check_knows_the_scripts_rates(log):
    with tf.Graph().as_default(), tf.Session() as sess:
        step = tf.Variable(0, trainable=False)
        rate = tf.train.exponential_decay(0.5, step, decay_steps=100, decay_rate=0.8)
        rate = tf.where(step % 400 < 300, rate, rate / 10)
        assert np.allclose([sess.run(rate, {step: n}) for n in range(801)], RATES, rtol=1e-5)
    shown = [(int(line.split()[1]), line.split()[3]) for line in log]
    assert all(f"{RATES[step - 1]:.4f}" == rate for step, rate in shown)
    assert [step for step, _ in shown] == [*range(1, 800, 50)]


def test_as_it_ships_the_port_learns_and_does_not_count():
    count, accuracy = printed("14", "exercise-port").rsplit(" ", 1)
    assert count == "{'count': 0}" and float(accuracy) > 0.88
    verdict = judge(EXERCISE, EXERCISE.cell.source)
    assert not verdict.right and "This rate never changes" in verdict.message


def test_what_the_quiz_says_is_so():
    assert f"{0.5 * 0.8 ** (200 / 100):.2f}" == "0.32" and f"{0.5 * 0.8**4:.4f}" == "0.2048"
    answer = {"np": np, "lab": lab, "tf": tf}
    for cell in read(LESSON).cells:
        if cell.id in ("sgd", "digits", "model"):
            exec(cell.source.replace("data/", f"{LESSONS}/data/"), answer)
    exec(EXERCISE.solution, answer)
    model, start = np.zeros([65, 10]), {"count": 0}
    for _ in range(2):
        model, state = answer["train"](model, start, answer["batches"])
    assert (start, state) == ({"count": 0}, {"count": 400})
