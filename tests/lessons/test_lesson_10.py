"""Lesson 10 prints what TensorFlow prints, and what it says about the inherited script and Adam is so."""

from __future__ import annotations

import math
import re
import subprocess
import sys

import pytest

import lab
import minitf as tf
from tests.conformance.transcripts import answers
from tests.lessons.notebooks import LESSONS, cells, printed, read

LESSON = LESSONS / "10_stop_and_resume.ipynb"
ANSWERS = lab.recorded("resuming")
REPAIRS = [("Saver([w, b])", "Saver()"), ("global_step=i + 1", "global_step=global_step")]


def lines(cell_id: str) -> list[str]:
    """What a cell of the lesson printed."""
    return printed("10", cell_id).splitlines()


@pytest.fixture(scope="module")
def text():
    return "\n".join(cell.source for cell in cells(read(LESSON), "markdown"))


def test_what_the_lesson_says_about_adam(text):
    held, rows, _ = ANSWERS["adam"]
    held = {name: float(value) for name, value in held}
    assert f"{0.999**151:.4f}" == f"{held['beta2_power']:.4f}" == "0.8598"
    assert f"{0.9**151:.3e}" == f"{held['beta1_power']:.3e}"
    [kept, without_step, without_slots] = [[float(w) for w in after] for _, after in rows]
    assert kept == without_step
    assert math.isclose(held["w"] - without_slots[0], 0.1, abs_tol=1e-4)  # the whole rate
    assert 6000 < (without_slots[0] / held["w"]) ** 2 < 7000 and "more than 6,000 times" in text
    assert f"{held['w'] - 0.1 * 2 * held['w']:.4f}" == "0.0010"  # gradient descent, as a wrong option has it


def test_the_script_restores_its_weights_and_starts_again_at_1(tmp_path):
    script = lab.inherited(10)
    runs = [lab.run_inherited(str(tmp_path), script) for _ in range(2)]
    begin = ["first run:  ", "second run: "]
    assert lines("twice") == [f"{name}{log[0]} ... {log[-1]}" for name, log in zip(begin, runs, strict=True)]
    assert runs[1][0].startswith("step 1 rate 0.5000") and float(runs[1][0].split()[-1]) > 0.87
    files = sorted(path.name for path in tmp_path.glob("model*"))
    assert lines("left-behind") == [*files, "inside: b [10]", "inside: w [64, 10]"]
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-400")


def test_the_two_repairs_are_the_lesson_s(tmp_path, text):
    script = lab.inherited(10)
    quoted = re.search(r"```python\n(saver = .*?)```", text, re.DOTALL)[1].splitlines()
    for line in (quoted[0], quoted[2]):
        assert script.count(f" {line}\n") == 1
    for before, after in REPAIRS:
        script = script.replace(before, after)
    assert script == lab.inherited(11)
    runs = [lab.run_inherited(str(tmp_path), script) for _ in range(2)]
    assert [line.partition(": ")[2].lstrip() for line in lines("repair")[:2]] == [f"{r[0]} ... {r[-1]}" for r in runs]
    assert lines("repair")[2:] == ["model.ckpt-400.index", "model.ckpt-800.index"]
    assert runs[1][0].startswith("step 401 rate 0.2048") and f"{0.5 * 0.8**4:.4f}" == "0.2048"


def test_the_repaired_script_cannot_restore_the_old_file(text):
    said, held = ANSWERS["lacking"]
    assert lines("old-folder")[0].startswith("NotFoundError: Restoring from checkpoint failed. ")
    assert said == ["Key global_step not found in checkpoint"] and f"`{said[0]}`" in text
    assert held == [["global_step", 800], ["w", 5.0]]


@pytest.mark.tensorflow
def test_tensorflow_leaves_the_same_and_rescues_the_same(tmp_path):
    tensorflow = pytest.importorskip("tensorflow.compat.v1")
    script, folder = tmp_path / "inherited" / "script.py", tmp_path / "run"
    script.parent.mkdir()
    (tmp_path / "data").symlink_to(LESSONS / "data")

    def run(number):
        script.write_text(lab.inherited(number), encoding="utf-8")
        return subprocess.run([sys.executable, str(script), str(folder)], capture_output=True, text=True)

    for _ in range(2):
        assert run(10).returncode == 0
    [index] = folder.glob("*.index")
    assert index.stem == "model.ckpt-400"
    assert tensorflow.train.list_variables(str(folder)) == [("b", [10]), ("w", [64, 10])]
    failed = run(11).stderr
    assert "NotFoundError: Restoring from checkpoint failed. " in failed
    assert "Key global_step not found in checkpoint" in failed
    with tensorflow.Graph().as_default(), tensorflow.Session() as sess:
        w, b = tensorflow.Variable(tensorflow.zeros([64, 10]), name="w"), tensorflow.Variable(tensorflow.zeros([10]))
        step = tensorflow.train.get_or_create_global_step()
        names = {"w": w, "b": b}
        tensorflow.train.Saver(names).restore(sess, f"{folder}/model.ckpt-400")
        sess.run(step.assign(800))
        tensorflow.train.Saver({**names, "global_step": step}).save(sess, f"{folder}/model.ckpt", global_step=step)
    assert run(11).stdout.startswith("step 801 rate 0.0839")


def test_a_step_among_local_variables_is_not_saved():
    """As in the thread on YOLOv3_TensorFlow."""
    assert answers("resuming", "a_step_that_is_no_global_variable") == [["w", 5.0]]


def test_what_the_quiz_says_is_so(tmp_path):
    for runs in range(1, 4):  # question 1
        with tf.Graph().as_default(), tf.Session() as sess:
            step = tf.train.get_or_create_global_step()
            train_op = tf.train.GradientDescentOptimizer(0.1).minimize(tf.Variable(5.0) ** 2, global_step=step)
            saver, latest = tf.train.Saver(), tf.train.latest_checkpoint(str(tmp_path))
            sess.run(tf.global_variables_initializer())
            if latest:
                saver.restore(sess, latest)
            for _ in range(500):
                sess.run(train_op)
            path = saver.save(sess, f"{tmp_path}/model", global_step=500)
        assert tf.train.load_variable(path, "global_step") == 500 * runs
        assert [file.stem for file in tmp_path.glob("*.index")] == ["model-500"]
    with tf.Graph().as_default(), tf.Session() as sess:  # question 3
        tf.Variable(5.0)
        saver = tf.train.Saver(max_to_keep=3)
        sess.run(tf.global_variables_initializer())
        for step in range(100, 1235, 100):
            saver.save(sess, f"{tmp_path}/kept", global_step=step)
    assert sorted(int(file.stem.split("-")[1]) for file in tmp_path.glob("kept*.index")) == [1000, 1100, 1200]
