"""The call timeline shows what a real training calls; the check of lesson 11 takes every right way."""

from __future__ import annotations

import os
import tempfile

import pytest

import minitf as tf
from lab import CallTimeline, check_stops_when_small, logged
from lab.calls import AFTER, BUILT_IN, DATA, DIRECTORIES, EMPTY, ERRORS, FILLED, INSIDE, NONE, OWN, train
from tests.conformance import recordings
from tests.lessons.quote import plain


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test a graph of its own."""
    with tf.Graph().as_default():
        yield


def methods(training):
    return [moment.what for moment in training.moments]


def test_the_hooks_are_those_of_a_training_session():
    tf.train.get_or_create_global_step()
    with tempfile.TemporaryDirectory() as folder, logged():
        with tf.train.MonitoredTrainingSession(checkpoint_dir=folder) as sess:
            made = [type(hook).__name__ for hook in sess._hooks]
        tf.summary.FileWriterCache.clear()
    assert tuple(made) == BUILT_IN
    assert [call.hook for call in train(EMPTY, 2, 2, "none").moments[0].calls] == [*BUILT_IN, *OWN]
    assert [call.hook for call in train(NONE, 2, 2, "none").moments[0].calls] == [*OWN]


def test_the_calls_are_those_that_were_asked_of_tensorflow():
    asked = [event.partition(":")[0] for event in plain(recordings.read("who_calls_whom")["calls_of_a_training"])]
    assert [what for what in methods(train(NONE, 2, 2, "none")) if what != "run"] == asked


@pytest.mark.parametrize("number, error", [(0, "none"), (1, AFTER), (2, DATA)])
def test_the_checkpoints_are_those_that_were_asked_of_tensorflow(number, error):
    start, runs, raised, names = plain(recordings.read("who_calls_whom")["ends_by_an_error"])[number]
    training = train(EMPTY, 4, 2, error)
    assert training.moments[1].step == start
    assert (len(training.losses), training.error or None, training.checkpoints) == (runs, raised, names)


def test_an_error_inside_a_run_leaves_out_after_run_and_end():
    training = train(EMPTY, 4, 2, INSIDE)
    assert methods(training)[-3:] == ["after_run", "before_run", "run"]
    assert training.moments[-1].said == "run 3 raises ValueError"
    assert (training.steps, training.error) == ([1, 2], "ValueError")


def test_past_the_last_step_there_is_one_run():
    training = train(FILLED, 2, 2, "none")
    assert (training.moments[1].step, training.steps) == (3, [4])
    assert training.checkpoints == ["model.ckpt-3", "model.ckpt-4"]


def test_what_happens_is_noted():
    training = train(EMPTY, 3, 2, "none")
    did = {(m.what, m.step, c.hook): c for m in training.moments for c in m.calls}
    saver = "CheckpointSaverHook"
    assert did["after_create_session", 0, saver].did == "saves 0"
    assert did["after_run", 2, saver].did == "saves 2"
    assert did["end", 3, saver].did == "saves 3"
    assert did["after_run", 3, "StopAtStepHook"].did == "says stop"
    assert did["after_run", 1, "your hook"].did == "loss 25"
    assert did["end", 3, "your hook"].idle and not did["end", 3, saver].idle


def test_a_training_leaves_nothing_behind(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for error in ERRORS:
        train.__wrapped__(FILLED, 4, 1, error)
    assert os.listdir(tmp_path) == []
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("directory", DIRECTORIES)
@pytest.mark.parametrize("error", ERRORS)
def test_the_picture_says_what_the_words_say(directory, error):
    explorer = CallTimeline()
    explorer.directory.value, explorer.error.value, explorer.last_step.value = directory, error, 5
    scene, training = explorer.picture(), train(directory, 5, 2, error)
    texts = [shape.text for shape in scene.shapes if hasattr(shape, "text")]
    for run, (step, loss) in enumerate(zip(training.steps, training.losses, strict=True), 1):
        assert f"un {run}, step {step}, loss {loss:.4g}" in explorer.words
        assert f"loss {loss:.4g}" in texts and f"{step}" in texts
    assert ("not called" in texts) == bool(training.error) == ("no end is called" in explorer.words)
    assert ("not there" in texts) == (directory == NONE)
    for name in training.checkpoints:
        assert name in explorer.words
    for shape in scene.shapes:
        if hasattr(shape, "height"):
            assert shape.x >= 0 and shape.x + shape.width <= scene.width
            assert shape.y >= 0 and shape.y + shape.height <= scene.height


def test_a_run_that_never_comes_has_no_error():
    explorer = CallTimeline()
    explorer.directory.value, explorer.error.value = FILLED, AFTER
    assert "There is no run 3, so no error." in explorer.words


class Base(tf.train.SessionRunHook):
    """What right answers share."""

    def __init__(self, loss, limit):
        self.loss, self.limit = loss, limit

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self.loss)

    def after_run(self, run_context, run_values):
        if run_values.results < self.limit:
            run_context.request_stop()


class AsADict(Base):
    """Asks in a dict."""

    def before_run(self, run_context):
        return tf.train.SessionRunArgs({"loss": self.loss})

    def after_run(self, run_context, run_values):
        if run_values.results["loss"] < self.limit:
            run_context.request_stop()


class ByName(Base):
    """Asks by the loss's own name, and for more."""

    def before_run(self, run_context):
        return tf.train.SessionRunArgs([tf.train.get_global_step(), self.loss.name])

    def after_run(self, run_context, run_values):
        _, loss = run_values.results
        if loss < self.limit:
            run_context.request_stop()


class AnOpOfItsOwn(Base):
    """Makes its op in begin."""

    def begin(self):
        self.small = self.loss < self.limit

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self.small)

    def after_run(self, run_context, run_values):
        if run_values.results:
            run_context.request_stop()


class ByTheCoordinator(Base):
    """Stops through the coordinator."""

    def after_create_session(self, session, coord):
        self.coord = coord

    def after_run(self, run_context, run_values):
        if run_values.results < self.limit:
            self.coord.request_stop()


@pytest.mark.parametrize("hook", [Base, AsADict, ByName, AnOpOfItsOwn, ByTheCoordinator])
def test_each_way_to_stop_is_right(hook):
    verdict = check_stops_when_small(hook)
    assert verdict, verdict.message
    assert check_stops_when_small(hook)  # again
    assert tf.get_default_graph().get_operations() == []


def doing(**methods):
    return type("Doing", (Base,), methods)


def fail(*arguments):
    raise ValueError


def lose(*arguments):
    raise tf.errors.AbortedError(None, None, "lost")


@pytest.mark.parametrize(
    "hook, words",
    [
        (None, "has to be a class"),
        (doing(begin=lambda self: [][0]), "stops with IndexError: list index out of range"),
        (doing(after_run=fail), "stops with ValueError\nRepair that first"),
        (doing(end=fail), "stops with ValueError"),
        (doing(after_run=lose), "stops with AbortedError: lost"),
        (doing(begin=lambda self: tf.reset_default_graph()), "Not yet"),
        (doing(before_run=None), "Not yet"),
        (doing(after_create_session=lambda self, session, coord: session.close()), "does not close the session"),
    ],
)
def test_odd_answers_are_named(hook, words):
    verdict = check_stops_when_small(hook)
    assert not verdict
    assert words in repr(verdict)


def test_no_line_is_printed_by_the_check(capsys):
    check_stops_when_small(Base)
    assert capsys.readouterr() == ("", "")


def test_lines_are_counted_anew_in_each_with():
    found = []
    for _ in range(2):
        with logged() as lines:
            for number in range(4):
                tf.logging.log_first_n(tf.logging.WARN, "line %d", 2, number)
        found.append(lines)
    assert found == [["WARNING:tensorflow:line 0", "WARNING:tensorflow:line 1"]] * 2
