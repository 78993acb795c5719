"""Lesson 12 prints what TensorFlow prints, and what it says about the script, smoothing and TensorBoard is so."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import lab
import minitf as tf
from lab.experiments.inherited import SCRIPT, written
from lab.explorers.smoothing import smoothed
from tests.conformance import transcripts
from tests.lessons.exercises import exercises_of
from tests.lessons.notebooks import LESSONS, cells, printed, read, words_of

LESSON = LESSONS / "12_watching.ipynb"
RECORDED = {name: transcripts.answers("watching", name) for name in transcripts.load("watching").sections}
ADD = "writer.add_summary(curve, i)"
NO_STEP = lab.inherited(12).replace(ADD, "writer.add_summary(curve)")
READS = lab.inherited(12).replace(ADD, "writer.add_summary(curve, sess.run(global_step))")
GROWS = lab.inherited(13).replace(
    "            i += 1\n", '            i += 1\n            tf.summary.scalar("rate", rate)\n'
)


def lines(cell_id: str) -> list[str]:
    """What a cell of the lesson printed."""
    return printed("12", cell_id).splitlines()


@pytest.fixture(scope="module")
def lesson():
    """Run the lesson's small model; give what its cells define."""
    names = {"tf": tf, "lab": lab}
    for cell in cells(read(LESSON), "code"):
        if cell.id in ("training", "data", "model", "watch", "lines"):
            exec(cell.source, names)
    tf.reset_default_graph()
    return names


@pytest.fixture(scope="module")
def text():
    return "\n".join(cell.source for cell in cells(read(LESSON), "markdown"))


def test_the_lesson_prints_what_tensorflow_prints():
    said = [re.search(r"([\d.]+) at step (\d+)", line) for line in RECORDED["a_line_every_hundred_steps"]]
    losses = [[found[2], f"{float(found[1]):.3f}"] for found in said]  # those of the fast run
    assert [line.split()[:2] for line in lines("lines")[1:4]] == losses
    made, _ = RECORDED["a_summary_made_in_the_loop"]
    assert lines("names") == [f"made in three turns: {made}"]
    assert lines("refused") == [f"RuntimeError: {RECORDED['a_finalized_graph']['message']}"]
    assert RECORDED["points_without_a_step"] == [300, [0]]
    assert lines("without") == ["800 points, at the steps {0}"]


def test_the_noisy_runs_are_those_of_tensorflow(lesson):
    first, last, count = RECORDED["points_of_a_run"]
    fast, slow = (lab.curve(f"{lesson['logs']}/{name}", "loss") for name in ("fast", "slow"))
    assert [["loss", step, f"{value:.4f}"] for step, value in [*fast[:3], fast[-1]]] == [*first, last]
    assert ["loss", slow[-1][0], f"{slow[-1][1]:.4f}"] == RECORDED["another_rate"]
    assert [step for step, _ in fast] == [step for step, _ in slow] == [*range(1, count + 1)]
    assert lines("lines")[4].split() == ["300", f"{fast[-1][1]:.3f}", f"{slow[-1][1]:.3f}"]


def test_the_opening_and_the_proof():
    assert lines("curves") == [
        "test accuracy: 16 points, the last at step 751",
        "loss:         800 points, the last at step 399",
    ]
    assert words_of("12", "curves").startswith("Steps of the loss: 0 to 399, then 0 to 399.")
    assert lines("proof") == ["800 points, at the steps 1 2 3 ... 399 400 401 402 ... 799 800"]
    assert words_of("12", "proof") == "Steps of the loss: 1 to 800. Steps of the test accuracy: 1 to 751."


def test_a_run_that_only_reads_calls_the_hooks():
    stops, many, tested = lines("read")
    assert stops == "RuntimeError: Run called even after should_stop requested."
    assert tested == "tests at the steps 1 1 51 51 101 101 ..."
    with lab.logged() as log, pytest.raises(RuntimeError):
        lab.run_inherited(script=READS)
    assert many == f"{len(log)} lines logged" == "5 lines logged"
    assert all("(tf.train.get_global_step) has not been increased." in line for line in log)


def test_the_lines_that_the_lesson_quotes_are_the_scripts(text):
    [quoted] = re.findall(r"```python\n(.*?)```", text.partition("## Ask the counter")[0], re.DOTALL)
    script = lab.inherited(12)
    assert all(f"{line}\n" in script for line in quoted.splitlines() if line.strip() != "...")


def test_the_repair_is_that_of_the_next_lesson():
    names = {"lab": lab}
    [repair] = [cell for cell in cells(read(LESSON), "code") if cell.id == "repair"]
    exec(repair.source, names)
    assert names["script"] == lab.inherited(13)


def test_by_default_the_hook_writes_every_hundredth_step(tmp_path):
    script = lab.inherited(13).replace("        save_summaries_steps=1,\n", "")
    lab.run_inherited(str(tmp_path), script)
    assert [step for step, _ in lab.curve(str(tmp_path), "loss")] == [1, 101, 201, 301]


def test_after_a_kill_tensorboard_drops_the_older_points(tmp_path):
    script = lab.inherited(13).replace("num_steps=400", "last_step=400")
    killed = script.replace("            i += 1\n", "            i += 1\n            assert i < 250\n")
    with pytest.raises(AssertionError):
        lab.run_inherited(str(tmp_path), killed)
    tf.summary.FileWriterCache.clear()
    lab.run_inherited(str(tmp_path), script)
    written = [step for step, _ in lab.curve(str(tmp_path), "loss")]
    assert written == [*range(1, 251), *range(201, 401)]
    board = EventAccumulator(str(tmp_path), size_guidance={"scalars": 0}).Reload()
    assert [event.step for event in board.Scalars("loss")] == [*range(1, 401)]


def test_what_smoothing_shows(lesson):
    weights, runs, goal = (lesson[name] for name in ("weights", "runs", "goal"))
    truth = {name: 1 + np.sum((w - goal) ** 2) for name, w in weights.items()}
    ends = {weight: [smoothed(runs[name], weight)[-1] for name in truth] for weight in (0, 0.6, 0.9, 0.99)}
    rows = [f"{weight:<12} {fast:.3f}  {slow:.3f}" for weight, (fast, slow) in ends.items()]
    assert lines("ends") == ["smoothing    fast   slow", *rows, "in truth     {:.3f}  {:.3f}".format(*truth.values())]
    assert truth["fast"] < truth["slow"] and ends[0][0] > ends[0][1]  # the last points misled us
    assert abs(ends[0.6][0] - ends[0.6][1]) < 0.005  # a tie
    assert truth["slow"] < ends[0.9][0] < ends[0.9][1]  # the right order, too high
    assert abs(ends[0.99][0] - truth["fast"]) < 0.02  # right for fast
    assert ends[0.99][1] - truth["slow"] > 0.15  # far too much for slow


def test_one_run_is_level_for_half_of_its_steps_and_the_other_still_falls(lesson):
    for rate, level in ((0.01, True), (0.003, False)):
        w, losses = np.zeros(20), []
        for x, y in zip(lesson["x_data"], lesson["y_data"], strict=True):
            w = w - rate * 2 * np.mean(x * (x @ w - y)[:, None], axis=0)
            losses.append(1 + np.sum((w - lesson["goal"]) ** 2))
        assert bool(losses[149] - losses[-1] < 0.02) is level


def test_the_lessons_formula_is_the_explorers(lesson):
    [cell] = [cell for cell in cells(read(LESSON), "code") if cell.id == "smooth"]
    names = {}
    exec(cell.source, names)
    assert names["smooth"](lesson["runs"]["slow"], 0.9) == smoothed(lesson["runs"]["slow"], 0.9)


def test_as_it_ships_the_exercise_stops_at_the_first_batch(tmp_path):
    names = {"lab": lab}
    exercise, *_ = exercises_of(LESSON.stem, read(LESSON))
    exec(exercise.cell.source, names)
    with pytest.raises(RuntimeError, match="Graph is finalized and cannot be modified"):
        lab.run_inherited(str(tmp_path), names["script"])
    tf.summary.FileWriterCache.clear()
    assert [step for step, _ in lab.curve(str(tmp_path), "loss")] == [0]


def test_the_small_hill_is_that_of_the_right_digits(tmp_path):
    lab.run_inherited(str(tmp_path), lab.inherited(13))
    saved = [tf.train.load_variable(tf.train.latest_checkpoint(str(tmp_path)), name) for name in "wb"]
    with np.load(LESSONS / "data" / "optdigits.npz") as file:
        images, labels = file["images"].reshape(-1, 64)[:1500] / 16, np.eye(10)[file["labels"]][:1500]
    logits = images @ saved[0] + saved[1]
    right, wrong = logits[labels == 1], logits[labels == 0]
    assert np.mean(right) > 4 and np.mean(right > 2) > 0.9
    assert abs(np.mean(wrong)) < 1 and np.mean(wrong > 2) < 0.1


def test_what_the_quiz_says_about_merge_all_is_so(tmp_path):
    tf.reset_default_graph()
    w = tf.Variable(1.0)
    tf.summary.scalar("loss", w**2)
    merged = tf.summary.merge_all()
    tf.summary.histogram("weights", w)
    with tf.Session() as sess, tf.summary.FileWriter(str(tmp_path)) as writer:
        sess.run(w.initializer)
        writer.add_summary(sess.run(merged), 1)
    assert [(step, value.tag) for step, value in written(str(tmp_path))] == [(1, "loss")]
    tf.reset_default_graph()


@pytest.fixture
def by_tensorflow(tmp_path):
    """Run a version of the script by TensorFlow, some times in one folder; give the last run, and the folder."""
    pytest.importorskip("tensorflow")

    def run(script, times=1):
        file, folder = tmp_path / "inherited" / "script.py", tmp_path / "run"
        file.parent.mkdir()
        (tmp_path / "data").symlink_to(SCRIPT.parents[1] / "data")
        file.write_text(script, encoding="utf-8")
        for _ in range(times):
            ran = subprocess.run([sys.executable, str(file), str(folder)], capture_output=True, text=True)
        return ran, str(folder)

    return run


@pytest.mark.tensorflow
def test_without_a_step_tensorflow_writes_at_step_0(by_tensorflow):
    _, folder = by_tensorflow(NO_STEP, 2)
    assert [step for step, _ in lab.curve(folder, "loss")] == [0] * 800


@pytest.mark.tensorflow
def test_in_tensorflow_a_run_that_only_reads_calls_the_hooks(by_tensorflow):
    ran, folder = by_tensorflow(READS)
    assert "RuntimeError: Run called even after should_stop requested." in ran.stderr
    assert ran.stderr.count("It seems that global step") == 5
    assert [line.split()[1] for line in ran.stdout.splitlines()[:4]] == ["1", "1", "51", "51"]


@pytest.mark.tensorflow
def test_in_tensorflow_the_graph_is_finalized_as_well(by_tensorflow):
    ran, _ = by_tensorflow(GROWS)
    assert "RuntimeError: Graph is finalized and cannot be modified." in ran.stderr
