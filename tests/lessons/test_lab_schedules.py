"""The schedule explorer shows what fits the chosen schedule; the check of lesson 05 is fair."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitf as tf
from lab import ScheduleExplorer, check_by_epochs, small_curves
from lab.drawing.rates import jumps
from lab.experiments.rates import SCHEDULES, moves, rates
from lab.explorers.schedules import LAST, in_words
from tests.lessons.test_lab_explorers import controls, moved, shown

EXPLORER = ScheduleExplorer("cosine_decay")
FOR_EACH = pytest.mark.parametrize("name", SCHEDULES)


# The explorer.


@FOR_EACH
def test_it_shows_the_arguments_of_the_schedule_and_no_others(name):
    [chosen, *arguments] = controls(EXPLORER, schedule=name)
    assert chosen["name"] == "schedule"
    assert sorted(c["label"] for c in arguments) == sorted(SCHEDULES[name][0].split())
    assert len(arguments) + 2 <= EXPLORER.rows
    assert shown(EXPLORER, schedule=name).words.startswith(f"{name}(")
    assert controls(ScheduleExplorer(name))[1:] == arguments


@FOR_EACH
def test_each_of_its_arguments_moves_the_picture_and_the_words(name):
    before = shown(EXPLORER, schedule=name)
    for control in controls(EXPLORER, schedule=name)[1:]:
        after = shown(EXPLORER, schedule=name, **{control["name"]: moved(control)})
        assert after.words != before.words and after.parts != before.parts


@FOR_EACH
def test_every_slider_may_be_at_both_ends(name):
    for control in controls(EXPLORER, schedule=name)[1:]:
        for end in ("min", "max") if control["kind"] == "slider" else ():
            value = control[end]
            picture = shown(EXPLORER, schedule=name, **{control["name"]: value})
            assert not re.search(r"nan|inf\b", picture.words)
            if value == int(value):  # the page says 1 where Python says 1.0
                assert shown(EXPLORER, schedule=name, **{control["name"]: int(value)}) == picture


@FOR_EACH
def test_each_schedule_is_stored_and_each_of_its_arguments_moved(name):
    stored = [setting for setting in EXPLORER.settings() if setting["schedule"] == name]
    assert {**EXPLORER.state, "schedule": name} in stored
    for argument in SCHEDULES[name][0].split():
        assert len({setting[argument] for setting in stored}) > 1


def test_the_reference_stays():
    before = shown(EXPLORER).parts[0]["lines"][0]
    assert shown(EXPLORER, schedule="exponential_decay", decay_rate=0.8).parts[0]["lines"][0] == before
    assert before["points"][20] == (20, pytest.approx(0.2))


def test_the_call_and_the_formula_can_be_read_below_the_chart():
    [_, below] = shown(EXPLORER).parts
    call, formula = below["lines"]
    assert call == "`cosine_decay(0.4, step, decay_steps=20, alpha=0.05)`"
    assert formula.startswith("The formula: learning_rate * (alpha")


def test_polynomial_decay_comes_close_to_exponential_decay():
    picture = shown(EXPLORER, schedule="polynomial_decay", decay_steps=60, power=2.0)
    reference, close = [line["points"] for line in picture.parts[0]["lines"]]
    assert max(abs(a - b) for (_, a), (_, b) in zip(reference, close, strict=True)) < 0.02
    assert picture.words.splitlines() == [
        "polynomial_decay(0.4, step, decay_steps=60, end_learning_rate=0.05, power=2.0, cycle=False)",
        "Learning rate: 0.4 at step 0, 0.2056 at step 20, 0.08889 at step 40, 0.05 at step 60.",
        "It falls.",
    ]


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
    drawn = rates(
        "inverse_time_decay", 60, learning_rate=first, decay_steps=decay_steps, decay_rate=factor, staircase=staircase
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


# Small curves.


def test_small_curves_are_a_table_and_pictures(capsys):
    curves = {"line": [0.4 - n / 200 for n in range(61)], "zero": [1e-9] * 61, "one jump": [0.4] * 21 + [0.1] * 40}
    view = small_curves(curves, at=[0, 20])
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows == [["step", "0", "20"], ["line", "0.4", "0.3"], ["zero", "0", "0"], ["one", "jump", "0.4", "0.4"]]
    assert "line from 0.4 to 0.1" in view.words
    charts = view.data["picture"]["parts"]
    assert [chart["title"] for chart in charts] == list(curves)
    assert [chart["lines"][0]["steps"] for chart in charts] == [[], [], [21]]
    for chart in charts:
        assert (chart["x"]["label"], chart["x"]["ticks"]) == ("step", [0, 20, 40, 60])
        assert chart["notes"][0]["text"] == "rate"
        assert chart["rules"][0]["x"] == 20
        assert chart["y"] == charts[0]["y"]


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


def words_of(name, **arguments):
    return "\n".join(in_words(name, arguments, rates(name, LAST, **arguments)))


def test_the_words_say_at_which_step_each_rate_holds():
    words = words_of("exponential_decay", learning_rate=0.4, decay_steps=20, decay_rate=0.5, staircase=True)
    assert "0.4 at step 0, 0.2 at step 20, 0.1 at step 40, 0.05 at step 60" in words
    cycling = {"learning_rate": 0.4, "decay_steps": 20, "end_learning_rate": 0.05, "power": 1.0}
    assert "twice as long" in words_of("polynomial_decay", cycle=True, **cycling)
    assert "twice as long" not in words_of("polynomial_decay", cycle=False, **cycling)


def test_a_rate_that_is_small_may_fall_on():
    words = words_of("exponential_decay", learning_rate=0.4, decay_steps=5, decay_rate=0.1, staircase=False)
    assert words.endswith("It falls.")


def test_a_straight_line_is_no_staircase():
    words = words_of("polynomial_decay", learning_rate=0.4, decay_steps=5, end_learning_rate=0.05, power=1.0)
    assert "It falls. From step 5 on" in words
