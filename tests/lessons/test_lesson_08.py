"""Lesson 08 prints what TensorFlow prints, and what it says about the inherited script is so."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import lab
import minitf as tf
from lab.experiments.inherited import SCRIPT
from lab.experiments.ways_to_count import LINE, WAYS, look
from tests.conformance.transcripts import answers
from tests.lessons.exercises import exercises_of
from tests.lessons.notebooks import LESSONS, cells, printed, read

LESSON = LESSONS / "08_finding_the_clock.ipynb"


def lines(cell_id: str) -> list[str]:
    """What a cell of the lesson printed."""
    return printed("08", cell_id).splitlines()


@pytest.fixture(scope="module")
def text():
    return "\n".join(cell.source for cell in cells(read(LESSON), "markdown"))


def test_what_is_found_by_name_is_a_tensor_that_minimize_can_count():
    with tf.Graph().as_default():
        step = tf.Variable(0, trainable=False, name="global_step")
        found = tf.train.get_global_step()
        assert not hasattr(found, "initializer") and not hasattr(found, "assign_add")
        assert hasattr(step, "initializer") and hasattr(step, "assign_add")
    assert answers("finding", "what_was_found_by_name_can_be_counted") == 3


def test_the_scripts_points_are_all_at_step_0():
    before = tf.get_default_graph().get_operations()
    assert lines("pile") == [f"steps: {[0] * 8}"]
    points = look(LINE).points
    assert f"{points[0][1]:.0%} to {points[-1][1]:.0%}" == "20% to 89%"
    assert tf.get_default_graph().get_operations() == before


def test_a_curve_that_is_repaired_disagrees_with_the_log_and_ends_with_two_points_at_300():
    steps = [step for step, _ in look(WAYS["tf.train.get_or_create_global_step()"]).points]
    assert (steps[0], steps[-2:]) == (1, [300, 300])
    logged = [int(line.split()[1]) for line in lab.run_inherited()]
    assert logged == [0, 50, 100, 150, 200, 250, 300, 300]


@pytest.mark.tensorflow
@pytest.mark.parametrize("line", [LINE, *list(WAYS.values())[2:6]])
def test_tensorflow_draws_the_same_curve(line, tmp_path):
    tensorflow = pytest.importorskip("tensorflow.compat.v1")
    script, folder = tmp_path / "inherited" / "script.py", tmp_path / "data"
    script.parent.mkdir()
    folder.symlink_to(LESSONS / "data")
    instead = line.replace("\n", "\n    ")
    script.write_text(SCRIPT.read_text(encoding="utf-8").replace(LINE, instead), encoding="utf-8")
    subprocess.run([sys.executable, str(script), str(tmp_path / "run")], check=True, capture_output=True)
    [file] = (tmp_path / "run").glob("events*")
    points = [
        (event.step, value.simple_value)
        for event in tensorflow.train.summary_iterator(str(file))
        for value in event.summary.value
        if value.tag == "test_accuracy"
    ]
    seen = look(line).points
    assert [step for step, _ in points] == [step for step, _ in seen]
    assert [share for _, share in points] == pytest.approx([share for _, share in seen], abs=0.01)


def test_the_lines_that_the_lesson_quotes_are_the_scripts(text):
    script = SCRIPT.read_text(encoding="utf-8")
    assert script.count(f"    {LINE}\n") == 1
    before, _, _ = text.partition("## Exercise")
    quoted = [line for block in re.findall(r"```python\n(.*?)```", before, re.DOTALL) for line in block.splitlines()]
    assert len(quoted) == 7
    assert all(f"{line}\n" in script for line in quoted if "..." not in line)
    assert ".minimize(loss, global_step=global_step)\n" in script


def test_three_of_the_explorers_lines_work(text):
    works = [way for way, code in WAYS.items() if look(code).found is not None]
    assert len(works) == 3 and "Three lines work" in text


def test_as_it_ships_the_exercise_fails_in_silence():
    exercise, *_ = exercises_of(LESSON.stem, read(LESSON))
    answer = {"tf": tf}
    exec(exercise.cell.source, answer)
    with tf.Graph().as_default(), tf.Session() as sess:
        train_op = answer["make_train_op"](tf.Variable(5.0) ** 2)
        sess.run(tf.global_variables_initializer())
        for _ in range(100):
            sess.run(train_op)
        step = tf.train.get_global_step()
        assert tf.train.global_step(sess, step) == 0
        assert sess.run(tf.train.exponential_decay(0.5, step, 100, 0.8)) == 0.5


def test_what_the_quiz_says_is_so():
    with tf.Graph().as_default(), tf.Session() as sess:  # question 1
        step = tf.Variable(0, trainable=False, name="step")
        tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, step)
        assert tf.train.get_global_step() is step
    with tf.Graph().as_default(), tf.Session() as sess:  # question 2
        counter = tf.Variable(0, trainable=False)
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(tf.Variable(5.0) ** 2, global_step=counter)
        step = tf.train.get_or_create_global_step()
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(train_op)
        assert sess.run([counter, step]) == [3, 0]
