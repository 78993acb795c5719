"""The schedule explorer shows what fits the chosen schedule; the check of lesson 05 is fair."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitf as tf
from lab import ScheduleExplorer, check_by_epochs, small_curves
from lab.schedules import SCHEDULES, in_words, moves, rates, stairs
from tests.lessons.test_lab_explorers import controls, moved, shown

EXPLORERS = {name: ScheduleExplorer(name) for name in SCHEDULES}


# The explorer.


@pytest.mark.parametrize("name", SCHEDULES)
def test_it_shows_the_arguments_of_the_schedule_and_no_others(name):
    explorer = EXPLORERS[name]
    [chosen, *arguments] = controls(explorer)
    assert chosen is explorer.schedule
    assert sorted(c.description for c in arguments) == sorted(SCHEDULES[name][0].split())


def test_another_schedule_brings_its_own_arguments():
    explorer = ScheduleExplorer("cosine_decay")
    for name in [*SCHEDULES, "cosine_decay"]:
        explorer.schedule.value = name
        assert [c.description for c in controls(explorer)] == [c.description for c in controls(EXPLORERS[name])]
        assert explorer.words.startswith(f"{name}(")


@pytest.mark.parametrize("name", SCHEDULES)
def test_each_of_its_arguments_moves_the_picture_and_the_words(name):
    explorer = EXPLORERS[name]
    for control in controls(explorer)[1:]:
        words, picture, before = explorer.words, shown(explorer), control.value
        control.value = moved(control)
        assert explorer.words != words and shown(explorer) != picture
        control.value = before
        assert (explorer.words, shown(explorer)) == (words, picture)


@pytest.mark.parametrize("name", SCHEDULES)
def test_every_slider_may_stand_at_both_ends(name):
    explorer = EXPLORERS[name]
    for control in controls(explorer)[1:]:
        if hasattr(control, "step"):
            assert control.min < control.value < control.max
            before = control.value
            for end in (control.min, control.max):
                control.value = end
                assert not re.search(r"nan|inf\b", explorer.words)
            control.value = before


def test_the_reference_stays():
    explorer = ScheduleExplorer()
    before = explorer.picture().lines[0]
    explorer.decay_rate.value = 0.8
    assert explorer.picture().lines[0] == before
    assert before.points[20] == (20, pytest.approx(0.2))


def test_a_call_in_the_words_gives_the_rates_in_the_words():
    explorer = EXPLORERS["polynomial_decay"]
    call, _, numbers, _ = explorer.words.splitlines()
    with tf.Graph().as_default(), tf.Session() as sess:
        step = tf.placeholder(tf.int64, [])
        rate = eval("tf.train." + call.replace("...", "global_step=step"))
        for value, now in re.findall(r"([\d.]+) at step (\d+)", numbers):
            assert f"{sess.run(rate, {step: int(now)}):.4g}" == value


@settings(max_examples=30, deadline=None)
@given(st.floats(0.1, 0.8), st.integers(1, 60), st.floats(0.1, 2.0), st.booleans())
def test_the_rates_are_the_formula(first, decay_steps, factor, staircase):
    drawn = rates(
        "inverse_time_decay", learning_rate=first, decay_steps=decay_steps, decay_rate=factor, staircase=staircase
    )
    for step, rate in enumerate(drawn):
        passed = step // decay_steps if staircase else step / decay_steps
        assert rate == pytest.approx(first / (1 + factor * passed), rel=1e-4)


@pytest.mark.parametrize(
    "now, words",
    [
        ([0.4] * 61, "It stays at 0.4."),
        ([0.4 - n / 200 for n in range(61)], "It falls."),
        ([max(0.4 - n / 100, 0.2) for n in range(61)], "From step 20 on it stays at 0.2."),
        ([0.4 + n for n in range(61)], "It grows."),
        ([0.4] * 20 + [0.2] * 41, "It falls in jumps. From step 20 on it stays at 0.2."),
        ([1 - n % 20 / 20 for n in range(61)], "It falls, and jumps up at step 20, 40, 60."),
        ([abs(n % 10 - 5) for n in range(61)], "It falls and grows in turn."),
    ],
)
def test_the_words_say_how_the_rate_moves(now, words):
    assert words in moves(now, in_stairs="in jumps" in words)


def test_stairs_have_corners():
    points = stairs([0.4, 0.4, 0.1])
    assert points[-2:] == [(2, 0.4), (2, 0.1)]
    assert all(x == u or y == v for (x, y), (u, v) in zip(points, points[1:], strict=False))


# Small curves.


def test_small_curves_are_a_table_and_a_picture(capsys):
    curves = {"line": [0.4 - n / 200 for n in range(61)], "zero": [1e-9] * 61}
    still = small_curves(curves, at=[0, 20])
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows == [["step", "0", "20"], ["line", "0.4", "0.3"], ["zero", "0", "0"]]
    assert "line from 0.4 to 0.1" in still.picture.words
    assert still.picture.png().startswith(b"\x89PNG")
    for name in curves:
        assert f">{name}<" in still.picture.svg()
    assert "nan" not in still.picture.svg()


# The check.


@pytest.fixture(autouse=True)
def fresh_graph():
    with tf.Graph().as_default():
        yield


VALUES = [0.4, 0.1, 0.01]


@pytest.mark.parametrize(
    "build",
    [
        lambda step: tf.train.piecewise_constant(step, [99, 199], VALUES),
        lambda step: tf.train.piecewise_constant(step // 50, [1, 3], VALUES),
        lambda step: tf.train.piecewise_constant(step + 1, [100, 200], VALUES),
        lambda step: tf.train.piecewise_constant(tf.cast(step, tf.float32), [99.5, 199.5], VALUES),
        lambda step: tf.train.piecewise_constant_decay(x=step, boundaries=(99, 199), values=VALUES),
    ],
)
@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
def test_each_right_way_is_right(build, dtype):
    step = tf.Variable(0, trainable=False, dtype=dtype)
    assert check_by_epochs(build(step), step)
    assert check_by_epochs(build(step), step), "and again"


def test_a_step_that_already_trains_is_fine():
    step = tf.train.get_or_create_global_step()
    rate = tf.train.piecewise_constant(step, [99, 199], VALUES)
    tf.train.GradientDescentOptimizer(rate).minimize(tf.Variable(1.0) ** 2, global_step=step)
    assert check_by_epochs(rate, step)


def test_odd_answers_are_named():
    step = tf.Variable(0, trainable=False)
    rate = tf.train.piecewise_constant(step, [99, 199], VALUES)
    assert "not a tensor" in check_by_epochs(None, step).message
    assert "not in the graph" in check_by_epochs(rate, None).message
    fed = tf.placeholder(tf.float32, [])
    assert "stops with an error" in check_by_epochs(fed, step).message
    many = tf.constant([0.4, 0.1])
    assert "stops with an error" in check_by_epochs(many, step).message
    nowhere = tf.train.exponential_decay(0.4, step, 0, 0.5)
    assert not check_by_epochs(nowhere, step)
    with tf.Graph().as_default():
        assert "different graphs" in check_by_epochs(rate, step).message
        assert "different graphs" in check_by_epochs(rate, tf.Variable(0)).message


@pytest.mark.parametrize("staircase", [False, True])
@pytest.mark.parametrize("name", [name for name, (_, formula) in SCHEDULES.items() if "learning_rate" in formula])
def test_the_formula_in_the_words_gives_the_curve(name, staircase):
    arguments = {argument: EXPLORERS[name].arguments[argument].value for argument in SCHEDULES[name][0].split()}
    if "staircase" in arguments:
        arguments["staircase"] = staircase
    words = in_words(name, arguments, rates(name, **arguments))
    [formula] = re.findall(r"The formula: (.*)\.\n", words)
    rate, _, passed = formula.partition(", passed = ")
    known = {**arguments, "end": arguments.get("end_learning_rate"), "min": min, "pi": math.pi}
    known |= {"exp": math.exp, "cos": math.cos, "floor": math.floor}
    for step, drawn in enumerate(rates(name, **arguments)):
        known["step"] = step
        if passed:
            known["passed"] = eval(passed, {}, known)
        assert eval(rate, {}, known) == pytest.approx(drawn, rel=1e-4, abs=1e-6)


def test_the_words_say_at_which_step_each_rate_holds():
    arguments = {"learning_rate": 0.4, "decay_steps": 20, "decay_rate": 0.5, "staircase": True}
    words = in_words("exponential_decay", arguments, rates("exponential_decay", **arguments))
    assert "0.4 at step 0, 0.2 at step 20, 0.1 at step 40, 0.05 at step 60" in words
    cycling = {"learning_rate": 0.4, "decay_steps": 20, "end_learning_rate": 0.05, "power": 1.0}
    now = rates("polynomial_decay", cycle=True, **cycling)
    assert "twice as long" in in_words("polynomial_decay", {**cycling, "cycle": True}, now)
    assert "twice as long" not in in_words("polynomial_decay", {**cycling, "cycle": False}, now)


def test_a_staircase_is_drawn_with_corners():
    explorer = ScheduleExplorer("exponential_decay")
    explorer.staircase.value = True
    points = explorer.picture().lines[-1].points
    assert all(x == u or y == v for (x, y), (u, v) in zip(points, points[1:], strict=False))


def test_a_rate_that_is_small_may_fall_on():
    arguments = {"learning_rate": 0.4, "decay_steps": 5, "decay_rate": 0.1, "staircase": False}
    words = in_words("exponential_decay", arguments, rates("exponential_decay", **arguments))
    assert words.endswith("It falls.")


def test_a_straight_line_is_no_staircase():
    arguments = {"learning_rate": 0.4, "decay_steps": 5, "end_learning_rate": 0.05, "power": 1.0}
    now = rates("polynomial_decay", **arguments)
    assert "It falls. From step 5 on" in in_words("polynomial_decay", arguments, now)
