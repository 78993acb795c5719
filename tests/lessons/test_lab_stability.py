"""The stability explorer runs what the formula says; panels keep their curves inside; the check is fair."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import minitf as tf
from lab import StabilityExplorer, check_converges
from lab.panel import Axis, Curve, Dot, Panel
from lab.scene import Arrow, Scene
from lab.stability import MOST, TOP, Runs

RUNS = Runs()
LOSSES = st.sampled_from(list(TOP))


# What runs.


@settings(max_examples=40, deadline=None)
@given(LOSSES, st.floats(0.0025, MOST), st.integers(2, 40))
@example("sum", 0.1, 10)
@example("mean", 0.4252, 10)
def test_a_run_follows_the_formula(kind, rate, examples):
    curvature, weights = RUNS(kind, rate, examples)
    squares = np.linspace(1, 2, examples) ** 2
    assert curvature == pytest.approx(2 * (squares.sum() if kind == "sum" else squares.mean()), rel=1e-5)
    for step, w in enumerate(weights):
        assert w == pytest.approx(1 - (1 - rate * curvature) ** step, rel=1e-3, abs=1e-4)


def test_the_run_of_the_posts_without_the_step():
    curvature, weights = RUNS("sum", 0.1, 10)
    assert curvature == pytest.approx(47.037037)
    assert weights[-1] == pytest.approx(-485692.56, rel=1e-5)  # TensorFlow 2.21


@given(st.sampled_from([2, 10, 40]))
def test_the_sum_bends_as_many_times_more_as_there_are_examples(examples):
    assert RUNS("sum", 0.1, examples)[0] == pytest.approx(examples * RUNS("mean", 0.1, examples)[0])


# What the explorer shows.


@pytest.mark.parametrize(
    "rate, loss, words",
    [
        (0.1, "sum", "It diverges: w jumps from side to side"),
        (0.045, "sum", "After ten steps w is -2.015"),
        (0.0425, "sum", "The rate is at the limit"),
        (0.04, "sum", "It converges: w jumps from side to side"),
        (0.01, "sum", "It converges: w comes nearer from one side"),
        (0.1, "mean", "each step multiplies w - 1 by 0.5296. After ten steps w is 0.9983"),
        (0.425, "mean", "The rate is at the limit"),
        (0.5, "mean", "It diverges"),
    ],
)
def test_the_words_say_whether_it_converges(rate, loss, words):
    explorer = StabilityExplorer()
    explorer.rate.value, explorer.loss.value = rate, loss
    assert words in explorer.words


def test_the_words_hold_curvature_and_limit():
    assert "curvature 47.04, limit 2 / 47.04 = 0.04252" in StabilityExplorer().words


@settings(max_examples=30, deadline=None)
@given(LOSSES, st.integers(1, 200), st.integers(2, 40))
@example("sum", 200, 40)
@example("sum", 1, 40)
@example("mean", 200, 2)
def test_all_that_is_drawn_lies_inside(loss, rate, examples):
    explorer = SHARED
    explorer.loss.value, explorer.examples.value = loss, examples
    explorer.rate.value = 0.0025 * rate
    picture = explorer.picture()
    svg = picture.svg()
    assert "nan" not in svg and "inf" not in svg
    for path in re.findall(r' d="M([^"]*?)Z?"', svg):
        for point in path.split("L"):
            x, y = map(float, point.split(","))
            assert 0 <= x <= picture.width and 0 <= y <= picture.height


SHARED = StabilityExplorer()


def test_both_drawings_hold_the_same():
    picture = StabilityExplorer().picture()
    svg = ElementTree.fromstring(picture.svg())
    assert svg.get("aria-label") == picture.words.replace("\n", " ")
    texts = {text.text for text in svg.iter("text")}
    assert {"limit 0.04252", "your rate 0.1", "diverges", "10⁻⁴", "sum", "mean"} <= texts
    assert picture.png() == picture.png() != StabilityExplorer().stored_picture().png()


# Panels.

PANEL = Panel(100, 50, 200, 100, Axis(-1, 1, [-1, 0, 1]), Axis(0.01, 100, [0.01, 1, 100], True), "", "")


def test_axes_go_below_zero_and_up_in_logarithms():
    assert PANEL.place((-1, 0.01)) == (100, 150)
    assert PANEL.place((0, 1)) == pytest.approx((200, 100))
    assert PANEL.place((1, 100)) == pytest.approx((300, 50))


def test_marks_are_named_in_powers_of_ten():
    assert [PANEL.up.name(mark) for mark in PANEL.up.marks] == ["10⁻²", "1", "10²"]
    assert [PANEL.across.name(mark) for mark in PANEL.across.marks] == ["-1", "0", "1"]


def test_a_path_inside_has_a_dot_at_each_point():
    curve, *dots = PANEL.path([(-1, 1), (0, 10), (1, 1)], "now")
    assert isinstance(curve, Curve) and len(curve.points) == 3
    assert [type(dot) for dot in dots] == [Dot] * 3


def test_a_path_ends_with_an_arrow_where_it_leaves():
    shapes = PANEL.path([(0, 1), (2, 1), (0, 1)], "now")
    assert [type(shape) for shape in shapes] == [Curve, Arrow, Dot]
    assert shapes[0].points[-1] == shapes[1].points[-1] == pytest.approx((300, 100))


@pytest.mark.parametrize("to, border", [((0, 1e9), (200, 50)), ((0, 0), (200, 150)), ((-1e30, 1), (100, 100))])
def test_a_path_leaves_on_each_side_however_far_it_goes(to, border):
    assert PANEL.path([(0, 1), to], "now")[1].points[-1] == pytest.approx(border)


def test_a_scene_draws_curves_and_dots_in_both_forms():
    shapes = [Curve([(0, 0), (9, 9)], dashed=True), Dot(5, 5, "done")]
    scene, bare = Scene(20, 20, shapes, "It."), Scene(20, 20, [], "It.")
    assert "stroke-dasharray" in scene.svg() and "<circle" in scene.svg()
    assert scene.png() != bare.png()


# The check.


@pytest.fixture
def fresh_graph():
    """Give the test a graph of its own."""
    with tf.Graph().as_default():
        yield


def answer(schedule=(0.1, 10, 2), reduce=tf.reduce_mean, optimizer=None, counted=True, weight=0.0):
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    y = tf.placeholder(tf.float32, [None, 1], name="y")
    loss = reduce((tf.Variable(weight, name="w") * x - y) ** 2)
    global_step = tf.Variable(0, trainable=False)
    rate = tf.train.exponential_decay(schedule[0], global_step, *schedule[1:])
    optimizer = optimizer or tf.train.GradientDescentOptimizer(rate)
    return global_step, optimizer.minimize(loss, global_step=global_step if counted else None)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"reduce": lambda loss: loss / 10},
        {"reduce": tf.identity, "schedule": (0.02, 10, 2)},
        {"reduce": tf.reduce_sum, "schedule": (0.03, 10, 0.5)},
        {"reduce": tf.reduce_sum, "schedule": (0.0425, 10, 0.5)},
        {"reduce": tf.reduce_sum, "schedule": (0.1, 1, 0.8)},
        {"optimizer": tf.train.GradientDescentOptimizer(0.2)},
        {"schedule": (0.3, 10, 1)},
        {"reduce": lambda loss: tf.reduce_mean(loss, axis=0)},
    ],
)
def test_there_are_several_right_ways(fresh_graph, options):
    verdict = check_converges(*answer(**options))
    assert verdict, verdict.message
    assert "all ten are counted" in verdict.message


def test_a_right_answer_is_right_again_and_leaves_the_graph_alone(fresh_graph):
    parts = answer()
    before = tf.get_default_graph().get_operations()
    assert check_converges(*parts) and check_converges(*parts)
    assert tf.get_default_graph().get_operations() == before


def test_a_weight_that_is_no_number_any_more_is_named(fresh_graph):
    verdict = check_converges(*answer((1e6, 1, 10)))
    assert not verdict and "w is no number any more" in verdict.message


def test_odd_answers_are_named_and_nothing_is_raised(fresh_graph):
    global_step, train_op = answer()
    for parts, words in [
        ((0, train_op), "`global_step` is not in the graph"),
        ((global_step, None), "what minimize returns"),
        ((global_step, global_step.initializer), "does not read x and y"),
        ((tf.Variable([0, 0]), train_op), "stops with an error"),
    ]:
        verdict = check_converges(*parts)
        assert not verdict and words in verdict.message


def test_a_rate_that_has_to_be_fed_is_named(fresh_graph):
    rate = tf.placeholder(tf.float32, [], name="rate")
    verdict = check_converges(*answer(optimizer=tf.train.GradientDescentOptimizer(rate)))
    assert "needs rate, too" in verdict.message


def test_an_answer_of_another_graph_is_named(fresh_graph):
    parts = answer()
    with tf.Graph().as_default():
        assert "different graphs" in check_converges(*parts).message
