"""The checkpoint timeline draws what real runs did, and the check of lesson 10 takes every right answer."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitf as tf
from lab import CheckpointTimeline, check_resumes
from lab.stop_and_resume import LAST, stop_and_resume
from tests.lessons.notebooks import LESSONS

EVERY, KEEP, KILLED = st.integers(1, 12), st.integers(1, 6), st.integers(1, LAST - 1)


@settings(max_examples=30, deadline=None)
@given(EVERY, KEEP, KILLED)
def test_the_second_run_starts_at_the_newest_checkpoint(every, keep, killed):
    first, second = stop_and_resume(every, keep, killed)
    assert (first.start, first.end) == (0, killed)
    assert first.saved == tuple(range(every, killed + 1, every))
    assert first.kept == first.found == first.saved[-keep:]
    assert (second.start, second.end) == (killed - killed % every, LAST)


@settings(max_examples=30, deadline=None)
@given(EVERY, KEEP, KILLED)
def test_a_new_saver_deletes_only_its_own(every, keep, killed):
    first, second = stop_and_resume(every, keep, killed)
    assert second.kept == second.saved[-keep:]
    assert second.found == first.kept + second.kept


def test_no_file_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    stop_and_resume.cache_clear()
    stop_and_resume(4, 2, 18)
    check_resumes(either_or)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "moves, words",
    [
        ({}, "Kept"),
        ({"killed": 16}, "Done twice: no step."),
        ({"killed": 17}, "Done twice: step 17."),
        ({"killed": 3}, "it finds no checkpoint, and starts with step 1. Done twice: steps 1 to 3."),
        ({"every": 1}, "It saves every step;"),
        ({"keep": 6}, "Checkpoints kept: 4, 8, 12, 16. Deleted: none."),
    ],
)
def test_the_words_name_what_is_lost(moves, words):
    explorer = CheckpointTimeline()
    for name, value in moves.items():
        getattr(explorer, name).value = value
    assert words.lower() in explorer.words.lower()


@settings(max_examples=40, deadline=None)
@given(EVERY, KEEP, KILLED)
def test_nothing_is_drawn_outside(every, keep, killed):
    explorer = CheckpointTimeline()
    explorer.every.value, explorer.keep.value, explorer.killed.value = every, keep, killed
    scene = explorer.picture()
    for shape in scene.shapes:
        if hasattr(shape, "anchor"):
            wide = len(shape.text) * shape.size * 0.58
            left = shape.x - {"start": 0, "middle": wide / 2, "end": wide}[shape.anchor]
            assert left >= -1 and left + wide <= scene.width + 1, shape.text


def build():
    tf.reset_default_graph()
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.001, step, 500, 0.5)
    return tf.train.GradientDescentOptimizer(rate).minimize(tf.Variable(5.0, name="w") ** 2, global_step=step)


def either_or(folder, runs):
    """The initializer only where there is nothing to restore; the path from the state file; a save in between."""
    train_op, saver = build(), tf.train.Saver(tf.global_variables(), max_to_keep=1)
    step, state = tf.train.get_global_step(), tf.train.get_checkpoint_state(folder)
    with tf.Session() as sess:
        if state:
            saver.restore(sess, state.model_checkpoint_path)
        else:
            sess.run(tf.global_variables_initializer())
        for now in range(runs):
            sess.run(train_op)
            if now % 100 == 0:
                saver.save(sess, os.path.join(folder, "any-name"), global_step=sess.run(step))
        saver.save(sess, os.path.join(folder, "any-name"), global_step=sess.run(step))
        return sess.run(step)


def monitored(folder, runs):
    """A session that restores and saves by itself."""
    train_op = build()
    with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, log_step_count_steps=None) as sess:
        for _ in range(runs):
            sess.run(train_op)
        return int(sess.run(tf.train.get_global_step()))


@pytest.mark.parametrize("answer", [either_or, monitored])
def test_another_right_answer_is_right(answer):
    verdict = check_resumes(answer)
    assert verdict, verdict.message
    assert "goes on at 1000, and ends at 1005" in verdict.message


def test_the_check_leaves_no_trace():
    save, restore, graph = tf.train.Saver.save, tf.train.Saver.restore, tf.get_default_graph()
    assert check_resumes(either_or)
    assert (tf.train.Saver.save, tf.train.Saver.restore, tf.get_default_graph()) == (save, restore, graph)
    assert graph.get_operations() == []


def test_an_answer_that_stops_is_named_without_the_folder():
    def stops(folder, runs):
        raise ValueError(f"nothing in {folder}: {os.path.join(folder, 'model')} is missing")

    said = check_resumes(stops).message
    assert "In an empty folder, `train_more` stops: nothing in folder: model is missing" in said


@pytest.mark.parametrize("answer", [lambda: 1, lambda folder, runs: 1 / 0, None, 5, print])
def test_odd_answers_never_raise(answer):
    assert not check_resumes(answer)


def test_a_lessons_folder_goes_when_python_ends():
    code = "import lab; folder = lab.temporary_folder(); open(f'{folder}/a', 'w').close(); print(folder)"
    folder = subprocess.check_output([sys.executable, "-c", code], cwd=LESSONS, text=True).strip()
    assert "lesson-" in folder
    assert not os.path.exists(folder)
