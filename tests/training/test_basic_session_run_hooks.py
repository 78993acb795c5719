"""Hooks: when training stops, and what is logged, counted, summarized and left in a directory."""

import logging
import os
import time
from collections import Counter
from unittest import mock

import pytest

import minitf as tf
from minitf.framework import tf_logging
from tests.training.hooked import run


@pytest.mark.parametrize(("number", "runs"), [(1, 10), (2, 6), (3, 4), (5, 3), (20, 2)])
def test_a_stop_looks_one_step_ahead_as_in_tensorflow(number, runs):
    add = tf.assign_add(tf.train.get_or_create_global_step(), number)
    assert run([tf.train.StopAtStepHook(last_step=10)], add, 100) == runs


def test_a_step_that_stands_still_is_warned_of_at_most_five_times(caplog, monkeypatch):
    monkeypatch.setattr(tf_logging, "_calls", Counter())  # no line has logged yet
    caplog.set_level(logging.WARNING, "tensorflow")
    tf.train.get_or_create_global_step()
    run([tf.train.StepCounterHook(every_n_steps=1)], tf.no_op(), 20)
    warnings = [record for record in caplog.records if "has not been increased" in record.getMessage()]
    assert len(warnings) == 5


def test_the_counter_writes_what_it_logs(tmp_path, caplog):
    caplog.set_level(logging.INFO, "tensorflow")
    add = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    run([tf.train.StepCounterHook(every_n_steps=2, output_dir=str(tmp_path))], add, 6)
    tf.summary.FileWriterCache.clear()
    (path,) = tmp_path.glob("*tfevents*")
    written = [(e.step, v) for e in tf.train.summary_iterator(str(path)) for v in e.summary.value]
    assert [(step, value.tag) for step, value in written] == [(3, "global_step/sec"), (5, "global_step/sec")]
    logged = [float(record.args[1]) for record in caplog.records if "/sec" in record.getMessage()]
    assert logged == pytest.approx([value.simple_value for _, value in written])  # a float32


def test_summaries_are_of_the_step_that_the_run_has_made(tmp_path):
    step = tf.train.get_or_create_global_step()
    add = tf.assign_add(step, 1)
    with tf.control_dependencies([add]):
        summary = tf.summary.scalar("ten_times", step.read_value() * 10)
    run([tf.train.SummarySaverHook(save_steps=2, output_dir=str(tmp_path), summary_op=summary)], add, 6)
    tf.summary.FileWriterCache.clear()
    (path,) = tmp_path.glob("*tfevents*")
    events = list(tf.train.summary_iterator(str(path)))
    written = [(event.step, value.simple_value) for event in events for value in event.summary.value]
    assert written == [(1, 10.0), (3, 30.0), (5, 50.0)]


def test_a_log_line_shows_small_numbers_as_such(caplog):
    caplog.set_level(logging.INFO, "tensorflow")
    values = tf.constant([1e-9, 1.0])
    run([tf.train.LoggingTensorHook({"values": values}, every_n_iter=1)], tf.no_op(), 1)
    assert "values = [0. 1.]" in caplog.text


def test_a_hook_that_logs_begins_anew_with_each_session(caplog):
    caplog.set_level(logging.INFO, "tensorflow")
    hook = tf.train.LoggingTensorHook({"one": tf.constant(1)}, every_n_iter=10)
    for _ in range(2):
        run([hook], tf.no_op(), 2)
    assert [record.getMessage() for record in caplog.records].count("one = 1") == 2


def test_when_a_training_saves_unless_told_otherwise(tmp_path, monkeypatch):
    clock = mock.Mock(return_value=0.0)
    monkeypatch.setattr(time, "time", clock)
    step = tf.train.get_or_create_global_step()
    tf.summary.scalar("a", 1.0)
    add, scaffold = tf.assign_add(step, 1), tf.train.Scaffold(saver=tf.train.Saver(max_to_keep=None))
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=str(tmp_path), scaffold=scaffold, log_step_count_steps=None
    ) as session:
        for clock.return_value in [0.0] * 101 + [599.0, 600.0, 1199.0]:
            session.run(add)
    tf.summary.FileWriterCache.clear()
    (path,) = tmp_path.glob("*tfevents*")
    written = [e.step for e in tf.train.summary_iterator(path) for v in e.summary.value if v.tag == "a"]
    assert written == [1, 101]
    assert sorted(int(p.stem.split("-")[1]) for p in tmp_path.glob("*.index")) == [0, 103, 104]


def test_what_is_in_a_directory_after_training(tmp_path):
    add = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path)) as session:
        session.run(add)
    tf.summary.FileWriterCache.clear()
    names = sorted(name for name in os.listdir(tmp_path) if "tfevents" not in name)
    ends = [f"model.ckpt-{n}.{end}" for n in (0, 1) for end in ("data-00000-of-00001", "index", "meta")]
    assert names == ["checkpoint", "graph.pbtxt", *ends]


@pytest.mark.parametrize("number", [1, 3])
def test_a_checkpoint_is_due_by_the_step_that_a_run_has_reached(tmp_path, number):
    add = tf.assign_add(tf.train.get_or_create_global_step(), number)
    hook = tf.train.CheckpointSaverHook(str(tmp_path), save_steps=4, saver=tf.train.Saver(max_to_keep=None))
    run([hook], add, 5)
    saved = sorted(int(path.stem.split("-")[1]) for path in tmp_path.glob("*.index"))
    assert saved == {1: [0, 4, 5], 3: [0, 6, 12, 15]}[number]
