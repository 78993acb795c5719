"""The checkpoint timeline draws what real runs did, and the checks of lesson 10 take every right answer."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import minitf as tf
from lab import CheckpointTimeline, check_rescued, check_resumes
from lab.drawing.parts import DONE, GONE, NOW
from lab.experiments.stop_and_resume import LAST, stop_and_resume
from minitf.training.checkpoint_format import write_checkpoint
from tests.conformance.transcripts import encoded_answers
from tests.lessons.notebooks import LESSONS
from tests.lessons.room import room

EVERY, KEEP, KILLED = st.integers(1, 12), st.integers(1, 6), st.integers(1, LAST - 1)


@settings(max_examples=30, deadline=None)
@given(EVERY, KEEP, KILLED)
def test_the_second_run_starts_at_the_newest_checkpoint(every, keep, killed):
    first, second = stop_and_resume(every, keep, killed)
    assert (first.start, first.end) == (0, killed)
    assert first.saved == [*range(every, killed + 1, every)]
    assert first.kept == first.found == first.saved[-keep:]
    assert (second.start, second.end) == (killed - killed % every, LAST)


@settings(max_examples=30, deadline=None)
@given(EVERY, KEEP, KILLED)
def test_a_new_saver_deletes_only_its_own(every, keep, killed):
    first, second = stop_and_resume(every, keep, killed)
    assert second.kept == second.saved[-keep:]
    assert second.found == first.kept + second.kept


def test_tensorflow_leaves_the_same_checkpoints():
    theirs = encoded_answers("resuming", "killed_and_resumed")
    for half, (start, kept, files) in zip(stop_and_resume(4, 2, 18), theirs, strict=True):
        assert half.start == start
        assert [f"model-{step}" for step in half.kept] == kept
        assert {f"model-{step}.index" for step in half.found} == {name for name in files if name.endswith(".index")}


def test_no_file_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    stop_and_resume.cache_clear()
    stop_and_resume(4, 2, 18)
    check_resumes(either_or)
    assert list(tmp_path.iterdir()) == []


EXPLORER = CheckpointTimeline()


@pytest.mark.parametrize(
    "moves, words",
    [
        ({}, "Kept"),
        ({"killed": 16}, "starts with step 17. Done twice: none."),
        ({"killed": 17}, "Done twice: 17."),
        ({"killed": 3}, "Checkpoints kept: none.\nSecond run: starts with step 1. Done twice: 1, 2, 3."),
        ({"every": 5, "keep": 1, "killed": 19}, "Done twice: 16, 17, 18, 19.\nIn the folder at the end: 15, 20."),
        ({"every": 1}, "Saved every 1 steps; max_to_keep is 2.\nFirst run: killed after step 18."),
        ({"keep": 6}, "Checkpoints kept: 4, 8, 12, 16."),
    ],
)
def test_the_words_name_what_is_lost(moves, words):
    picture = EXPLORER.picture(**EXPLORER.state | moves)
    assert words.lower() in picture.words.lower()


@settings(max_examples=30, deadline=None)
@given(KILLED, EVERY, KEEP)
@example(23, 1, 6)
@example(23, 2, 1)
@example(3, 4, 2)
def test_the_picture_holds_both_runs_and_takes_the_same_room(killed, every, keep):
    picture = EXPLORER.picture(killed, every, keep)
    assert room(picture) == room(EXPLORER.picture(**EXPLORER.state))
    [timeline] = picture.parts  # and no text below it
    halves = stop_and_resume(every, keep, killed)
    for row, half in zip(timeline["rows"], halves, strict=True):
        assert [mark["at"] for mark in row["marks"] if "shape" not in mark] == [*range(half.start + 1, half.end + 1)]
        boxes = {mark["at"]: mark["kind"] for mark in row["marks"] if mark.get("shape") == "box"}
        assert boxes == {step: DONE if step in half.kept else GONE for step in half.saved}
        assert all(mark["label"] == f"{mark['at']}" for mark in row["marks"] if mark["at"] in boxes and "shape" in mark)
    first, second = timeline["rows"]
    restored = [(link["from"][:2], link["to"]) for link in timeline.get("links", ())]
    start = halves[1].start
    assert restored == ([([0, start], [1, start])] if start else [])
    twice = [(bar["from"], bar["to"]) for bar in second["bars"] if bar["kind"] == NOW]
    assert twice == ([(start + 0.5, killed + 0.5)] if killed > start else [])
    [handle] = timeline["handles"]
    [cross] = [mark for mark in first["marks"] if mark.get("shape") == "cross"]
    assert (handle["control"], handle["row"], handle["at"]) == ("killed", 0, cross["at"]) == ("killed", 0, killed + 0.5)


def test_without_python_the_mark_goes_everywhere():
    held = EXPLORER.settings()
    assert all(EXPLORER.state | {"killed": step} in held for step in range(1, LAST))
    assert held.count(EXPLORER.state) >= 3  # each control's first value is there as well


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


def renamed(folder, runs):
    """Other names in the checkpoint than in the graph; the initializer first, then whatever is there."""
    train_op = build()
    w, step = tf.trainable_variables()[0], tf.train.get_global_step()
    saver = tf.train.Saver({"weight": w, "how_many": step}, pad_step_number=True)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        if found := tf.train.latest_checkpoint(folder):
            saver.restore(sess, found)
        last = sess.run(step) + runs
        while tf.train.global_step(sess, step) < last:
            sess.run(train_op)
        saver.save(sess, os.path.join(folder, "any-name"), global_step=step)
        return last


def monitored(folder, runs):
    """A session that restores and saves by itself."""
    train_op = build()
    with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, log_step_count_steps=None) as sess:
        for _ in range(runs):
            sess.run(train_op)
        return int(sess.run(tf.train.get_global_step()))


@pytest.mark.parametrize("answer", [either_or, renamed, monitored])
def test_another_right_answer_is_right(answer):
    verdict = check_resumes(answer)
    assert verdict, verdict.message
    assert "goes on at 1000 and ends at 1005" in verdict.message


def test_the_check_leaves_no_trace():
    save, restore, graph = tf.train.Saver.save, tf.train.Saver.restore, tf.get_default_graph()
    assert check_resumes(either_or)
    assert (tf.train.Saver.save, tf.train.Saver.restore, tf.get_default_graph()) == (save, restore, graph)
    assert graph.get_operations() == []


def rescued(step, old, folder):
    """Write the values of an old checkpoint again, with a step, and without a graph."""
    values = {name: tf.train.load_variable(old, name) for name, _ in tf.train.list_variables(old)}
    write_checkpoint(f"{folder}/any-name", {**values, "global_step": step})
    tf.train.update_checkpoint_state(folder, f"{folder}/any-name")


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    """A checkpoint without a step, as the script leaves it."""
    path = f"{tmp_path_factory.mktemp('old')}/model.ckpt-400"
    write_checkpoint(path, {"b": np.linspace(-1, 1, 10, dtype="f"), "w": np.full((64, 10), 0.5, "f")})
    return path


def test_a_rescue_without_a_graph_is_right_and_stays_as_it_is(old, tmp_path):
    rescued(np.int64(800), old, tmp_path)
    before = sorted(tmp_path.iterdir())
    verdict = check_rescued(str(tmp_path), old)
    assert verdict, verdict.message
    assert "begins with\nstep 801 rate 0.0839 test accuracy" in verdict.message
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "step, said",
    [
        (np.float32(800), "is an int64. Make yours"),
        (np.int32(800), "The script's step is an int64. Make yours with tf.train.get_or_create_global_step()."),
        (np.zeros(2, int), ""),
        (np.int64(799), "799.\nHow many"),
    ],
)
def test_a_step_that_the_script_cannot_use_is_not_right(step, said, old, tmp_path):
    rescued(step, old, tmp_path)
    verdict = check_rescued(str(tmp_path), old)
    assert not verdict and said in verdict.message


def test_a_step_that_an_earlier_try_left_in_the_old_folder_does_no_harm(old, tmp_path):
    (tmp_path / "slip").mkdir()
    (tmp_path / "rescued").mkdir()
    rescued(np.int64(400), old, tmp_path / "slip")
    slipped = tf.train.latest_checkpoint(str(tmp_path / "slip"))
    for step, right in ((801, False), (800, True)):
        rescued(np.int64(step), old, tmp_path / "rescued")
        verdict = check_rescued(str(tmp_path / "rescued"), slipped)
        assert verdict.right is right, verdict.message


@pytest.mark.parametrize("folder", [None, 5, "no-such-folder"])
def test_odd_folders_never_raise(folder, old):
    assert not check_rescued(folder, old)


def test_an_answer_that_stops_is_named_without_the_folder():
    def stops(folder, runs):
        raise ValueError(f"nothing in {folder}: {os.path.join(folder, 'model')} is missing")

    said = check_resumes(stops).message
    assert "In an empty folder, `train_more` stops: nothing in folder: model is missing" in said


@pytest.mark.parametrize(
    "answer", [lambda: 1, lambda folder, runs: 1 / 0, lambda folder, runs: sys.exit(), None, 5, print]
)
def test_odd_answers_never_raise(answer):
    assert not check_resumes(answer)


FOLDER = "import lab; folder = lab.temporary_folder(); open(f'{folder}/a', 'w').close(); print(folder, flush=True)"


def test_a_lessons_folder_goes_when_python_ends():
    folder = subprocess.check_output([sys.executable, "-c", FOLDER], cwd=LESSONS, text=True).strip()
    assert "lesson-" in folder
    assert not os.path.exists(folder)


def test_a_lessons_folder_goes_when_python_is_killed():
    command = [sys.executable, "-c", f"{FOLDER}; input()"]
    with subprocess.Popen(command, cwd=LESSONS, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as python:
        folder = python.stdout.readline().strip()
        assert os.path.exists(f"{folder}/a")
        python.kill()
    deadline = time.monotonic() + 30
    while os.path.exists(folder) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not os.path.exists(folder)
