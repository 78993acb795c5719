"""The schedule explorer shows what fits the schedule, and what it trains."""

from __future__ import annotations

import math
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitf as tf
from lab import ScheduleExplorer
from lab.drawing.rates import jumps
from lab.experiments.rates import SCHEDULES, rates, weights
from lab.explorers.schedules import CONSTANT, LAST, in_words
from tests.lessons.test_lab_explorers import controls, moved, shown

EXPLORER = ScheduleExplorer()
FOR_EACH = pytest.mark.parametrize("name", SCHEDULES)


# The explorer.


@FOR_EACH
def test_it_shows_the_arguments_of_the_schedule_and_no_others(name):
    [chosen, *arguments] = controls(EXPLORER, schedule=name)
    assert chosen["name"] == "schedule"
    assert sorted(c["label"] for c in arguments) == sorted(SCHEDULES[name][0].split())
    assert len(arguments) + 2 <= EXPLORER.rows
    assert shown(EXPLORER, schedule=name).words.startswith(f"{name}(")


@FOR_EACH
def test_each_of_its_arguments_moves_the_picture_and_the_words(name):
    before = shown(EXPLORER, schedule=name)
    for control in controls(EXPLORER, schedule=name)[1:]:
        after = shown(EXPLORER, schedule=name, **{control["name"]: moved(control)})
        assert after.words != before.words
        assert after.parts != before.parts


@FOR_EACH
@pytest.mark.parametrize("end", ["min", "max"])
def test_every_slider_may_be_at_both_ends(name, end):
    for control in controls(EXPLORER, schedule=name):
        if control["kind"] == "slider":
            picture = shown(EXPLORER, schedule=name, **{control["name"]: control[end]})
            assert not re.search(r"nan|inf\b", picture.words)


@FOR_EACH
def test_the_page_may_say_1_where_python_says_1_point_0(name):
    whole = {
        key: int(value) for key, value in EXPLORER.state.items() if isinstance(value, float) and value == int(value)
    }
    assert shown(EXPLORER, schedule=name, **whole) == shown(EXPLORER, schedule=name)


# What the schedules train.


def path_of(**chosen):
    return [w for _, w in shown(EXPLORER, **chosen).parts[1]["lines"][1]["points"]]


def test_minitf_trains_the_same_weights():
    step = tf.Variable(0, trainable=False)
    wanted = tf.placeholder(tf.float32, [])
    rate = tf.train.exponential_decay(0.4, step, 20, 0.5)
    w = tf.Variable(0.0)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize((w - wanted) ** 2, global_step=step)
    batches = random.Random(39)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for drawn in path_of():
            assert sess.run(w) == pytest.approx(drawn, rel=1e-4)
            sess.run(train_op, {wanted: batches.uniform(0.5, 1.5)})


def test_the_constant_rate_never_settles_and_a_falling_one_does():
    ends = [path_of()[-10:], weights(CONSTANT)[-10:]]
    falling, constant = (max(end) - min(end) for end in ends)
    assert falling < 0.1 < 0.5 < constant
    assert path_of(schedule="cosine_decay", decay_steps=60)[60] == pytest.approx(1, abs=0.01)


def test_a_rate_that_falls_too_soon_freezes():
    for w in path_of(learning_rate=0.1, decay_steps=5)[30:]:
        assert w == pytest.approx(0.73, abs=0.02)


def test_a_rate_that_grows_leaves_the_chart_and_is_drawn_no_further():
    grown = path_of(decay_rate=2.0)
    assert abs(grown[-1]) > 2
    assert len(grown) < LAST


def test_a_restart_shakes_the_weight():
    away = [abs(w - 1) for w in path_of(schedule="cosine_decay_restarts")]
    assert max(away[26:30]) < 0.15 < max(away[32:36])


# The rates.


def test_a_call_in_the_words_gives_the_rates_in_the_words():
    call, numbers, _ = shown(EXPLORER, schedule="polynomial_decay").words.splitlines()
    with tf.Graph().as_default(), tf.Session() as sess:
        step = tf.placeholder(tf.int64, [])
        rate = eval("tf.train." + call)
        for value, now in re.findall(r"([\d.]+) at step (\d+)", numbers):
            assert f"{sess.run(rate, {step: int(now)}):.4g}" == value


@settings(max_examples=30, deadline=None)
@given(st.floats(0.1, 0.8), st.integers(1, 60), st.floats(0.1, 2.0), st.booleans())
def test_the_rates_are_the_formula(first, decay_steps, factor, staircase):
    more = {"decay_steps": decay_steps, "decay_rate": factor, "staircase": staircase}
    drawn = rates("inverse_time_decay", 60, learning_rate=first, **more)
    for step, rate in enumerate(drawn):
        passed = step // decay_steps if staircase else step / decay_steps
        assert rate == pytest.approx(first / (1 + factor * passed), rel=1e-4)


@pytest.mark.parametrize(
    "schedule, at",
    [
        ({"schedule": "piecewise_constant"}, [21, 41]),
        ({"schedule": "exponential_decay", "staircase": True}, [20, 40, 60]),
        ({"schedule": "exponential_decay"}, []),
        ({"schedule": "polynomial_decay"}, []),
        ({"schedule": "polynomial_decay", "power": 0.5}, []),
        ({"schedule": "polynomial_decay", "cycle": True}, [21, 41]),
        ({"schedule": "cosine_decay"}, []),
        ({"schedule": "cosine_decay_restarts"}, [10, 30]),
        ({"schedule": "cosine_decay_restarts", "first_decay_steps": 5}, [5, 15, 35]),
        ({"schedule": "linear_cosine_decay", "num_periods": 2.0}, []),
    ],
)
def test_jumps_are_drawn_as_jumps_and_the_rest_is_not(schedule, at):
    now = shown(EXPLORER, **schedule).parts[0]["lines"][1]
    assert now["steps"] == jumps([rate for _, rate in now["points"]]) == at
    assert len(now["points"]) - 1 not in at  # the curve does not end in a jump


# The check.


@pytest.mark.parametrize("staircase", [False, True])
@pytest.mark.parametrize("name", [name for name, (_, formula) in SCHEDULES.items() if "learning_rate" in formula])
def test_the_formula_gives_the_curve(name, staircase):
    arguments = {argument: EXPLORER.state[argument] for argument in SCHEDULES[name][0].split()}
    if "staircase" in arguments:
        arguments["staircase"] = staircase
    now = rates(name, LAST, **arguments)
    [formula] = re.findall(r"The formula: (.*)\.$", in_words(name, arguments, now)[1])
    rate, _, passed = formula.partition(", passed = ")
    known = {**arguments, "end": arguments.get("end_learning_rate"), "min": min, "pi": math.pi}
    known |= {"exp": math.exp, "cos": math.cos, "floor": math.floor}
    for step, drawn in enumerate(now):
        known["step"] = step
        if passed:
            known["passed"] = eval(passed, {}, known)
        assert eval(rate, {}, known) == pytest.approx(drawn, rel=1e-4, abs=1e-6)
