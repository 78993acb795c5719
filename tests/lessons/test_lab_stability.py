"""The stability explorer runs what the formula says, and draws it; the check is fair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import minitf as tf
from lab import StabilityExplorer, check_converges
from lab.experiments.descent import Descent
from lab.explorers.stability import MOST, TOP
from tests.lessons.room import room

DESCENT = Descent()
EXPLORER = StabilityExplorer()
LOSSES = st.sampled_from(list(TOP))


# What runs.


@settings(max_examples=40, deadline=None)
@given(LOSSES, st.floats(0.0025, MOST), st.integers(2, 40), st.integers(-10, 30))
@example("sum", 0.1, 10, 0)
@example("mean", 0.4252, 10, 0)
def test_a_run_follows_the_formula(kind, rate, examples, tenths):
    start = tenths / 10
    curvatures, weights = DESCENT(kind, rate, examples, start)
    curvature = curvatures[kind]
    squares = np.linspace(1, 2, examples) ** 2
    assert curvature == pytest.approx(2 * (squares.sum() if kind == "sum" else squares.mean()), rel=1e-5)
    for step, w in enumerate(weights):
        assert w == pytest.approx(1 + (start - 1) * (1 - rate * curvature) ** step, rel=1e-3, abs=1e-4)


def test_the_run_of_the_posts_without_the_step():
    curvatures, weights = DESCENT("sum", 0.1, 10)
    assert curvatures["sum"] == pytest.approx(47.037037)
    assert weights[-1] == pytest.approx(-485692.56, rel=1e-5)  # TensorFlow 2.21


@given(st.sampled_from([2, 10, 40]))
def test_the_sum_bends_as_many_times_more_as_there_are_examples(examples):
    curvatures, _ = DESCENT("sum", 0.1, examples)
    assert curvatures["sum"] == pytest.approx(examples * curvatures["mean"])


# What the explorer shows.


def shown(**changes):
    return EXPLORER.picture(**{**EXPLORER.state, **changes})


@pytest.mark.parametrize(
    "rate, loss, words",
    [
        (0.1, "sum", "It diverges: w jumps from side to side"),
        (0.045, "sum", "After ten steps w is -2.015"),
        (0.0425, "sum", "The rate is at the limit"),
        (0.04, "sum", "w - 1 by -0.8815. After ten steps w is 0.7168.\nIt converges: w jumps from side to side"),
        (0.01, "sum", "It converges: w approaches 1 from one side"),
        (0.1, "mean", "each step multiplies w - 1 by 0.5296. After ten steps w is 0.9983"),
        (0.4, "mean", "w - 1 by -0.8815. After ten steps w is 0.7168.\nIt converges: w jumps from side to side"),
        (0.425, "mean", "The rate is at the limit"),
        (0.5, "mean", "It diverges"),
    ],
)
def test_the_words_say_whether_it_converges(rate, loss, words):
    picture = shown(rate=rate, loss=loss)
    assert words in picture.words
    assert picture.words.endswith("\n" + picture.parts[0]["lines"][0])  # the verdict is also to be seen


def test_the_words_hold_curvature_and_limit():
    assert "curvature 47.04, limit 2 / 47.04 = 0.04252" in shown().words


def test_a_start_at_the_answer_stays_there():
    picture = shown(start=1.0, rate=MOST)
    assert picture.words.endswith("After ten steps w is 1.\nw starts at 1, so every step leaves it there.")


@settings(max_examples=30, deadline=None)
@given(LOSSES, st.integers(1, 200), st.integers(2, 40), st.integers(-10, 30))
@example("sum", 200, 40, 0)
@example("sum", 1, 40, 30)
@example("mean", 200, 2, 10)
def test_the_picture_holds_the_run_and_takes_the_same_room(loss, rate, examples, start):
    state = {"loss": loss, "rate": 0.0025 * rate, "examples": examples, "start": start / 10}
    picture = shown(**state)
    assert room(picture) == room(shown())
    curvatures, weights = DESCENT(**state)
    curvature = curvatures[loss]
    _, valley, distances, strip = picture.parts
    _, _, path = valley["lines"]
    height = dict(valley["lines"][0 if loss == "sum" else 1]["points"])[-1.0]
    assert height == pytest.approx(2 * curvature, rel=1e-6)
    for (w, _), real in zip(path["points"], weights, strict=True):
        assert w == pytest.approx(real, abs=1e-3) or curvature / 2 * (real - 1) ** 2 > TOP[loss]
    [curve] = distances["lines"]
    assert [distance for _, distance in curve["points"]] == [abs(w - 1) for w in weights]
    converging, diverging = strip["bands"]
    assert converging["to"] == diverging["from"] == 2 / curvature
    # What can be taken hold of is inside its axes, where the value is.
    for part, control in ((valley, "start"), (strip, "rate")):
        [handle] = part["handles"]
        assert handle["control"] == control and handle["at"][0] == pytest.approx(state[control], abs=1e-6)
        assert part["y"]["min"] <= handle["at"][1] <= part["y"]["max"]


def test_without_python_the_rate_moves_finely_and_the_start_reaches_every_value():
    held = list(EXPLORER.settings())
    first = EXPLORER.state
    rates = {s["rate"] for s in held if {**s, "rate": first["rate"]} == first}
    assert {round(0.0025 * n, 4) for n in range(1, 41)} <= rates and max(rates) == MOST
    assert {s["start"] for s in held} == {n / 10 for n in range(-10, 31)}
    assert {0.425, 0.4, 0.5} <= {s["rate"] for s in held if s["loss"] == "mean"}


# The check.


@pytest.fixture
def fresh_graph():
    """Give the test its own graph."""
    with tf.Graph().as_default():
        yield


def answer(schedule=(0.03, 10, 0.5), reduce=tf.identity, optimizer=None, weight=0.0):
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    y = tf.placeholder(tf.float32, [None, 1], name="y")
    loss = reduce((tf.Variable(weight, name="w") * x - y) ** 2)
    global_step = tf.Variable(0, trainable=False)
    rate = tf.train.exponential_decay(schedule[0], global_step, *schedule[1:])
    optimizer = optimizer or tf.train.GradientDescentOptimizer(rate)
    return loss, global_step, optimizer.minimize(loss, global_step=global_step)


def scheduled(name, *arguments, **more):
    """Build an answer whose rate comes from another function of tf.train."""
    loss, global_step, _ = answer()
    rate = getattr(tf.train, name)(*(global_step if each is None else each for each in arguments), **more)
    return loss, global_step, tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=global_step)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"reduce": lambda loss: tf.reduce_mean(loss) * 10},
        {"schedule": (0.015, 10, 2)},
        {"reduce": tf.reduce_sum, "schedule": (0.03, 10, 1)},
        {"schedule": (0.0425, 10, 0.5)},
        {"schedule": (0.1, 1, 0.8)},
        {"optimizer": tf.train.GradientDescentOptimizer(0.03)},
        {"optimizer": tf.train.GradientDescentOptimizer(1 / 47.037)},
        {"optimizer": tf.train.GradientDescentOptimizer(0.007)},
        {"optimizer": tf.train.GradientDescentOptimizer(0.0355)},
        {"schedule": (0.02, 10, 2)},
    ],
)
def test_there_are_several_right_ways(fresh_graph, options):
    verdict = check_converges(*answer(**options))
    assert verdict, verdict.message
    assert "all ten are counted" in verdict.message


@pytest.mark.parametrize(
    "name, arguments, more",
    [
        ("inverse_time_decay", (0.04, None, 10, 1.0), {}),
        ("natural_exp_decay", (0.04, None, 10, 0.5), {}),
        ("piecewise_constant", (None, [3], [0.03, 0.01]), {}),
        ("polynomial_decay", (0.04, None, 10, 0.001), {}),
        ("cosine_decay", (0.04, None, 10), {}),
        ("exponential_decay", (0.04, None, 5, 0.5), {"staircase": True}),
    ],
)
def test_any_schedule_may_give_the_rate(fresh_graph, name, arguments, more):
    verdict = check_converges(*scheduled(name, *arguments, **more))
    assert verdict, verdict.message


def test_a_right_answer_is_right_again_and_leaves_the_graph_alone(fresh_graph):
    parts = answer()
    before = tf.get_default_graph().get_operations()
    assert check_converges(*parts) and check_converges(*parts)
    assert tf.get_default_graph().get_operations() == before


def test_a_weight_that_is_no_number_any_more_is_named(fresh_graph):
    verdict = check_converges(*answer((1e6, 1, 10)))
    assert not verdict and "w is not a number any more" in verdict.message


def test_odd_answers_are_named_and_nothing_is_raised(fresh_graph):
    loss, global_step, train_op = answer()
    for parts, words in [
        ((3, global_step, train_op), "what model() returns"),
        ((loss, 0, train_op), "`global_step` is not in the graph"),
        ((loss, global_step, None), "what minimize returns"),
        ((loss, global_step, global_step.initializer), "reads no placeholder"),
        ((loss, tf.Variable([0, 0]), train_op), "stops with an error"),
    ]:
        verdict = check_converges(*parts)
        assert not verdict and words in verdict.message


def test_a_rate_that_has_to_be_fed_is_named(fresh_graph):
    rate = tf.placeholder(tf.float32, [], name="rate")
    verdict = check_converges(*answer(optimizer=tf.train.GradientDescentOptimizer(rate)))
    assert "reads rate, x, y. Keep to x and y" in verdict.message


def test_an_answer_of_another_graph_is_named(fresh_graph):
    parts = answer()
    with tf.Graph().as_default():
        assert "different graphs" in check_converges(*parts).message
