"""What a real training run calls, which the call timeline of lesson 11 shows."""

from __future__ import annotations

import pytest

import minitf as tf
from lab import logged
from lab.explorers.call_timeline import AFTER, DATA, EMPTY, FILLED, NONE
from tests.conformance.transcripts import answers
from tests.lessons.calls import BUILT_IN, HOOKS, OWN, train


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph."""
    with tf.Graph().as_default():
        yield


def steps(moments):
    return [moment.step for moment in moments if moment.what == "run"]


def test_the_hooks_are_those_of_a_training_session(tmp_path):
    tf.train.get_or_create_global_step()
    with logged(), tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path)) as sess:
        assert tuple(type(hook).__name__ for hook in sess._hooks) == BUILT_IN
    tf.summary.FileWriterCache.clear()


@pytest.mark.parametrize("directory, hooks", [(EMPTY, HOOKS), (NONE, OWN)])
def test_which_hooks_are_called(directory, hooks):
    [first, *_], _ = train(directory, 2, 2, "none")
    assert tuple(first.calls) == hooks


def test_the_calls_are_those_that_were_asked_of_tensorflow():
    asked = [event.partition(":")[0] for event in answers("who_calls_whom", "calls_of_a_training")]
    moments, _ = train(NONE, 2, 2, "none")
    assert [moment.what for moment in moments if moment.what != "run"] == asked


@pytest.mark.parametrize("number, error", [(0, "none"), (1, AFTER), (2, DATA), (3, DATA)])
def test_the_checkpoints_are_those_that_were_asked_of_tensorflow(number, error):
    start, runs, raised, names = answers("who_calls_whom", "ends_by_an_error")[number]
    moments, checkpoints = train(EMPTY, 4, 2, error)
    assert moments[1].step == start
    assert len(steps(moments)) == runs
    assert checkpoints == names
    ends = ("error", f"your loop raises {raised}") if raised else ("end", "")
    assert (moments[-1].what, moments[-1].said) == ends


def test_past_the_last_step_there_is_one_run():
    moments, checkpoints = train(FILLED, 5, 2, "none")
    assert moments[1].step == 5
    assert steps(moments) == [6]
    assert checkpoints == ["model.ckpt-5", "model.ckpt-6"]
    assert train(FILLED, 2, 2, "none") == (moments, checkpoints)


@pytest.mark.parametrize(
    "at, what, calls",
    [
        (0, "begin", ["finds step"] * 4 + [""]),
        (1, "after_create_session", ["", "", "saves 0", "", ""]),
        (2, "before_run", ["step"] * 4 + ["loss"]),
        (3, "run", []),
        (4, "after_run", ["", "", "", "", "loss 25"]),
        (7, "after_run", ["", "", "saves 2", "", "loss 16"]),
        (-2, "after_run", ["", "", "", "says stop", "loss 10.24"]),
        (-1, "end", ["", "", "saves 3", "", ""]),
    ],
)
def test_what_happens_is_noted(at, what, calls):
    moments, _ = train(EMPTY, 3, 2, "none")
    assert moments[at].what == what
    assert [*moments[at].calls.values()] == calls


def test_lines_are_counted_anew_in_each_with():
    found = []
    for _ in range(2):
        with logged() as lines:
            for number in range(4):
                tf.logging.log_first_n(tf.logging.WARN, "line %d", 2, number)
        found.append(lines)
    assert found == [["WARNING:tensorflow:line 0", "WARNING:tensorflow:line 1"]] * 2
