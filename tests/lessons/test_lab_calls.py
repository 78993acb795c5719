"""The call timeline shows what a real training run calls; the check of lesson 11 survives odd hooks."""

from __future__ import annotations

import tempfile

import pytest

import minitf as tf
from lab import logged
from lab.experiments import calls
from lab.experiments.calls import BUILT_IN, DATA, EMPTY, FILLED, NONE, OWN, train
from lab.explorers.call_timeline import HOOKS
from tests.conformance.transcripts import answers


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph."""
    with tf.Graph().as_default():
        yield


def steps(moments):
    return [moment.step for moment in moments if moment.what == "run"]


def test_the_hooks_are_those_of_a_training_session():
    tf.train.get_or_create_global_step()
    with tempfile.TemporaryDirectory() as folder, logged():
        with tf.train.MonitoredTrainingSession(checkpoint_dir=folder) as sess:
            made = [type(hook).__name__ for hook in sess._hooks]
        tf.summary.FileWriterCache.clear()
    assert tuple(made) == BUILT_IN
    assert tuple(train(EMPTY, 2, 2, "none")[0][0].calls) == HOOKS
    assert tuple(train(NONE, 2, 2, "none")[0][0].calls) == OWN


def test_the_calls_are_those_that_were_asked_of_tensorflow():
    asked = [event.partition(":")[0] for event in answers("who_calls_whom", "calls_of_a_training")]
    assert [moment.what for moment in train(NONE, 2, 2, "none")[0] if moment.what != "run"] == asked


@pytest.mark.parametrize("number, error", [(0, "none"), (1, calls.AFTER), (2, DATA), (3, DATA)])
def test_the_checkpoints_are_those_that_were_asked_of_tensorflow(number, error):
    start, runs, raised, names = answers("who_calls_whom", "ends_by_an_error")[number]
    moments, checkpoints = train(EMPTY, 4, 2, error)
    assert (moments[1].step, len(steps(moments)), checkpoints) == (start, runs, names)
    last = moments[-1]
    assert (last.what, last.said) == (("error", f"your loop raises {raised}") if raised else ("end", ""))


def test_past_the_last_step_there_is_one_run():
    moments, checkpoints = train(FILLED, 5, 2, "none")
    assert (moments[1].step, steps(moments), checkpoints) == (5, [6], ["model.ckpt-5", "model.ckpt-6"])
    assert train(FILLED, 2, 2, "none") == (moments, checkpoints)


def test_what_happens_is_noted():
    moments, _ = train(EMPTY, 3, 2, "none")
    begin, created, before, first, after, *_, last, end = (moment.calls for moment in moments)
    second = moments[7]
    assert [moment.step for moment in moments if moment.step is not None] == [0, 1, 2, 3, 3]
    assert [*begin.values()] == ["finds step"] * 4 + [""]
    assert [*created.values()] == ["", "", "saves 0", "", ""]
    assert [*before.values()] == ["step"] * 4 + ["loss"]
    assert not first and [*after.values()] == [""] * 4 + ["loss 25"]
    assert (second.what, [*second.calls.values()]) == ("after_run", ["", "", "saves 2", "", "loss 16"])
    assert [*last.values()] == ["", "", "", "says stop", "loss 10.24"]
    assert [*end.values()] == ["", "", "saves 3", "", ""]


def test_lines_are_counted_anew_in_each_with():
    found = []
    for _ in range(2):
        with logged() as lines:
            for number in range(4):
                tf.logging.log_first_n(tf.logging.WARN, "line %d", 2, number)
        found.append(lines)
    assert found == [["WARNING:tensorflow:line 0", "WARNING:tensorflow:line 1"]] * 2
