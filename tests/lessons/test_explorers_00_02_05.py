"""The figures of lessons 00, 02 and 05 show what TensorFlow answers, and their explorers show what they run."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import same_color

import lab
import minitf as tf
from tests.lessons.notebooks import cell


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph, and close its figures."""
    with tf.Graph().as_default():
        yield
    plt.close("all")


def run(number, *cell_ids):
    """Run some cells of a lesson, and return the names they define."""
    names = {"lab": lab, "np": np, "plt": plt, "tf": tf}
    for cell_id in cell_ids:
        exec(cell(number, cell_id).source, names)
    return names


def curves():
    """Return the curves of the figure drawn last, one list for each of its axes."""
    return [[line.get_ydata() for line in ax.lines] for ax in plt.gcf().axes]


def test_w_runs_away_in_the_picture_of_lesson_00():
    run("00", "script", "ten-lines", "weights")
    [[goal, w]] = curves()
    assert set(goal) == {1e-6}
    assert w[0] == 0 and w[-1] == pytest.approx(-21.15, abs=0.005)


def test_after_each_line_the_sessions_of_lesson_02_hold_what_they_hold_in_tensorflow():
    memory = run("02", "program", "explorer")["memory"]
    for line, entries in enumerate(lab.recorded("memory")["explorer"], start=4):
        memory(line)
        words = plt.gcf().words.split("; ")[1:]
        held = ["nothing" if entry is None else f"step = {entry}" for entry in entries]
        assert words == [f"session {name}: {entry}" for name, entry in zip("ab", held, strict=True)]
        plt.close()


@pytest.mark.parametrize(
    "line, lit", [(1, ["the graph"]), (4, []), (5, ["session a"]), (8, []), (10, ["the graph"]), (11, ["session b"])]
)
def test_what_a_line_of_lesson_02_changes_lights_up(line, lit):
    run("02", "program", "explorer")["memory"](line)
    plain = plt.rcParams["axes.facecolor"]
    boxes = [ax for ax in plt.gcf().axes if ax.get_title("left")]
    assert [ax.get_title("left") for ax in boxes if not same_color(ax.get_facecolor(), plain)] == lit


def test_an_uninitialized_session_of_lesson_02_says_so(capsys):
    memory = run("02", "program", "explorer")["memory"]
    for line in range(1, 12):
        memory(line)
        assert ("uninitialized value step" in capsys.readouterr().out) == (line == 8)
        plt.close()


def test_every_curve_of_lesson_05_is_tensorflows():
    run("05", "doubled", "arguments")
    for [drawn], rates in zip(curves(), lab.recorded("schedules")["arguments"], strict=True):
        assert drawn == pytest.approx(rates, rel=1e-4, abs=1e-6)


def settled(**settings):
    """Return what the explorer of lesson 05 draws: the constant rate, the schedule's, and both weights."""
    run("05", "doubled", "noisy-run", "explorer")["settle"](**settings)
    (constant, rates), (shaken, weights) = curves()
    return constant, rates, shaken, weights


def test_a_schedule_of_lesson_05_trains_more_calmly_than_a_constant_rate():
    constant, rates, shaken, weights = settled(schedule="exponential_decay")
    assert set(constant) == {rates[0]} and rates[20] == pytest.approx(rates[0] / 2)
    assert np.std(weights[40:]) < np.std(shaken[40:]) / 3


@pytest.mark.parametrize(
    "settings, last_rate, low, high",
    [
        ({"schedule": "exponential_decay", "learning_rate": 0.1, "decay_steps": 5}, 3e-5, 0.7, 0.85),
        ({"schedule": "cosine_decay", "decay_steps": 60}, 3e-4, 0.95, 1.05),
        ({"schedule": "polynomial_decay", "decay_steps": 60}, 7e-3, 0.95, 1.05),
        ({"schedule": "inverse_time_decay"}, 0.16, 0.8, 1.2),
    ],
)
def test_what_the_reader_of_lesson_05_is_told_to_try(settings, last_rate, low, high):
    _, rates, _, weights = settled(**settings)
    assert rates[-1] == pytest.approx(last_rate, rel=0.1)
    assert low < weights[-1] < high


def test_a_rate_that_doubles_leaves_the_chart_of_lesson_05():
    *_, weights = settled(schedule="exponential_decay", decay_rate=2.0)
    assert np.nanmax(np.abs(weights)) > 1e6


def test_fifteen_more_steps_bring_one_of_the_runs_of_lesson_05_back(capsys):
    names = run("05", "doubled", "batches")
    exec(cell("05", "run-suspect").source.replace("range(10)", "range(25)"), names)
    ends = [float(line.split()[-1]) for line in capsys.readouterr().out.splitlines()[-3:]]
    assert [abs(w - 1) < 1e-3 for w in ends] == [False, False, True]
