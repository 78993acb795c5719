"""The explorers of lessons 09 to 11 train for real, and they show what TensorFlow was recorded to do."""

from __future__ import annotations

import os

import matplotlib.pyplot as plt
import pytest

import lab
from tests.conformance.transcripts import answers, encoded_answers
from tests.lessons.notebooks import cell


def defined(number, *cell_ids):
    """Run some cells of a lesson, and return what they define."""
    plt.switch_backend("Agg")
    names = {"lab": lab, "plt": plt}
    for cell_id in cell_ids:
        exec(cell(number, cell_id).source, names)
    plt.close("all")
    return names


@pytest.fixture(autouse=True)
def no_figures():
    """Close what a test draws."""
    yield
    plt.close("all")


# Lesson 09.


@pytest.fixture(scope="module")
def first_batches():
    """Read the digits once."""
    return defined("09", "digits", "model", "train", "loss-from-logits", "explorer")["first_batches"]


@pytest.mark.parametrize("rate, end", lab.recorded("digits")["first nan"].items())
def test_the_posts_formula_breaks_from_the_same_rate_on_as_in_tensorflow(first_batches, capsys, rate, end):
    first_batches(float(rate))
    left = "7,840" if end == "numbers" else "0"
    assert capsys.readouterr().out == f"{left} of 7,840 weights are numbers, the step is 50\n"


@pytest.mark.parametrize("rate", [0.5, 1.0, 3.0])
def test_from_the_logits_no_rate_breaks(first_batches, capsys, rate):
    first_batches(rate, "from the logits")
    assert "7,840 of 7,840" in capsys.readouterr().out


@pytest.mark.parametrize("rate, share", [(0.5, 0.94), (1.0, 0.124)])
def test_the_step_counts_whatever_is_learned(first_batches, rate, share):
    first_batches(rate)
    accuracy, step, weights = plt.gcf().axes
    assert accuracy.lines[0].get_ydata()[-1] == pytest.approx(share, abs=0.01)
    assert [*step.lines[0].get_ydata()] == [*range(1, 51)]
    assert weights.images[0].get_array().mask.all() == (rate == 1.0)  # nan isn't drawn


# Lesson 10.


@pytest.fixture(scope="module")
def resuming():
    """Return the lesson's program and its explorer."""
    return defined("10", "imports", "train-to", "explorer")


def test_tensorflow_leaves_the_same_checkpoints(resuming, tmp_path):
    train_to, folder = resuming["train_to"], str(tmp_path)
    for last, (start, _, files) in zip((18, 24), encoded_answers("resuming", "killed_and_resumed"), strict=True):
        assert train_to(last, folder, 4, 2) == [*range(start + 1, last + 1)]
        assert sorted(os.listdir(folder)) == files


@pytest.mark.parametrize(
    "setting, again, kept",
    [
        ((18, 4, 2), [17, 18], [12, 16, 20, 24]),
        ((3, 4, 1), [1, 2, 3], [24]),
        ((23, 1, 3), [], [21, 22, 23, 24]),
        ((12, 12, 6), [], [12, 24]),
    ],
)
def test_what_is_done_twice_and_what_is_left(resuming, capsys, setting, again, kept):
    resuming["kill_and_resume"](*setting)
    assert capsys.readouterr().out == f"done twice: {again}\ncheckpoints left: {kept}\n"
    [ax] = plt.gcf().axes
    first, second, twice = (list(line.get_xdata()) for line in ax.lines[:3])
    assert (first[-1], second[-1], twice) == (setting[0], 24, again)
    boxes = [int(text.get_text()) for text in ax.texts if text.get_text().isdigit() and text.get_color() != "C2"]
    assert boxes == kept


# Lesson 11.


@pytest.fixture(scope="module")
def hooks():
    """Return the lesson's functions."""
    return defined("11", "imports", "build", "train-with-hooks", "explorer")


def test_the_calls_are_those_that_were_asked_of_tensorflow(hooks, tmp_path):
    with lab.hook_calls() as rows:
        hooks["train"](str(tmp_path), last_step=2, save_every=2)
    asked = [event.partition(":")[0] for event in answers("who_calls_whom", "calls_of_a_training")]
    assert [method for method, _, _ in rows] == asked
    given = ["StopAtStepHook", "FetchLoss"]
    assert {(*did,) for _, _, did in rows} == {("StepCounterHook", "SummarySaverHook", "CheckpointSaverHook", *given)}


@pytest.mark.parametrize("number, error", [(0, "none"), (1, "ValueError"), (2, "OutOfRangeError")])
def test_the_checkpoints_are_those_that_were_asked_of_tensorflow(hooks, capsys, number, error):
    _, runs, raised, names = answers("who_calls_whom", "ends_by_an_error")[number]
    hooks["calls"](4, 2, error)
    assert capsys.readouterr().out == f"checkpoints: {' '.join(names)}\n"
    words = plt.gcf().words.splitlines()
    assert sum(line.startswith("after_run") for line in words) == runs
    assert (words[-1] == "end isn't called") == (raised == "ValueError")


def test_past_the_last_step_there_is_one_run(hooks, capsys):
    hooks["calls"](2, 2, resume=True)
    assert capsys.readouterr().out == "checkpoints: model.ckpt-0 model.ckpt-5 model.ckpt-6\n"
    assert plt.gcf().words.splitlines()[1:] == [
        "after_create_session, step 5, CheckpointSaverHook saves 5",
        "before_run, step 5",
        "after_run, step 6, StopAtStepHook requests a stop, FetchLoss receives 2.684",
        "end, step 6, CheckpointSaverHook saves 6",
    ]


def test_a_dot_for_each_call_and_words_for_what_it_does(hooks):
    hooks["calls"](3, 2)
    [ax] = plt.gcf().axes
    assert [list(line.get_xdata()) for line in ax.lines] == [[0, 1, 2, 3, 4]] * 9
    said = {text.get_position(): text.get_text() for text in ax.texts if text.get_text()}
    assert said == {
        (2.09, 1): "saves 0",
        (4.09, 3): "receives 25",
        (2.09, 5): "saves 2",
        (4.09, 5): "receives 16",
        (3.09, 7): "requests a stop",
        (4.09, 7): "receives 10.24",
        (2.09, 8): "saves 3",
    }
