"""Smoothing is TensorBoard's; the button says what it cannot do; the check of histograms takes every right way."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lab
from lab import board, smoothing
from tests.lessons.exercises import exercises_of, judge
from tests.lessons.notebooks import LESSONS, read

[EXERCISE] = exercises_of("12_watching", read(LESSONS / "12_watching.ipynb"))
NUMBERS = st.lists(st.floats(-100, 100), min_size=1, max_size=30)


# Smoothing.


@given(NUMBERS, st.floats(0, 0.99))
def test_a_smoothed_point_is_the_mean_of_those_before_it_the_nearest_weigh_most(values, weight):
    curve = smoothing.smoothed(values, weight)
    for count, point in enumerate(curve, start=1):
        weights = weight ** np.arange(count - 1, -1, -1)
        assert point == pytest.approx(np.average(values[:count], weights=weights), abs=1e-9)


@given(NUMBERS)
def test_no_smoothing_changes_nothing(values):
    assert smoothing.smoothed(values, 0) == values


def test_what_is_no_number_is_left_out_as_tensorboard_does():
    assert smoothing.smoothed([1.0, math.inf, 1.0], 0.5)[2] == 1.0


@pytest.mark.parametrize(
    "runs",
    [
        {"one": [3.0, 1.0, 2.0]},
        {"a run": [1.0], "another": [2.0, 7.0]},
        {"it diverges": [1.0, 1e30, math.inf, math.nan]},
        {"empty": []},
        {},
    ],
)
def test_the_explorer_draws_any_runs(runs):
    explorer = lab.SmoothingExplorer(runs)
    explorer.smoothing.value = 0.9
    explorer.points.value = False
    svg = explorer.picture().svg()
    ElementTree.fromstring(svg)
    assert "nan" not in svg.split(">", 1)[1].lower()
    assert explorer.words.startswith("Smoothing 0.90; the points are hidden.")


# TensorBoard.


def test_a_server_that_cannot_start_is_said_to_be_so(tmp_path, monkeypatch):
    server = tmp_path / "server.py"
    server.write_text("raise SystemExit('No module named tensorboard')")
    monkeypatch.setattr(board, "SERVER", server)
    (tmp_path / "events.out.tfevents.1").write_bytes(b"")
    button = lab.TensorBoard(tmp_path)
    assert button.stored_words() == "A button that opens TensorBoard on 1 event file (runs: .)."
    button.show()
    assert "cannot be opened here" in button._page.value
    assert "The reason: No module named tensorboard" in button._page.value
    assert button._home == ""
    button.close()


def test_a_folder_without_event_files(tmp_path):
    assert lab.TensorBoard(tmp_path).stored_words().startswith("No event file here")


# Other right answers.


def answer(make="", log="writer.add_summary(sess.run(weights), now)", after="", writer="FileWriter(folder)"):
    return f"""
def log_run(folder):
    train_op = training(tf.reduce_mean(model()), 0.01)
    [w] = tf.trainable_variables()
    weights = tf.summary.histogram("weights", w)
    {make or "pass"}
    writer = tf.summary.{writer}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for batch in batches[:100]:
            sess.run(train_op, batch)
            now = tf.train.global_step(sess, tf.train.get_global_step())
            if now % 10 == 0:
                {log}
    {after or "writer.close()"}
"""


@pytest.mark.parametrize(
    "right",
    [
        answer(),
        answer(after="writer.flush()"),
        answer(writer="FileWriter(folder, w.graph)").replace("for batch", "sess.graph.finalize()\n        for batch"),
        answer(
            make="merged = tf.summary.merge_all()", log="writer.add_summary(sess.run(merged, batch), global_step=now)"
        ),
        answer(writer='FileWriter(folder + "/run")'),
    ],
    ids=["closed", "flushed", "finalized", "merged", "in a folder of its own"],
)
def test_another_right_answer_is_accepted(right):
    verdict = judge(EXERCISE, right)
    assert verdict.right, verdict.message
