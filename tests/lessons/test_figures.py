"""What the lessons say beside their cells: figures in the text, curves, and graphs, as TensorFlow was recorded.

The lines that cells print are in recorded.txt, and what minitf knows as well is in transcripts, those of the quizzes
in tests/conformance/facts/quizzes.md.
"""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import minitf as tf
from lab import recorded
from minitf.examples.tutorials.mnist import input_data
from tests.conformance.transcripts import answers
from tests.lessons.notebooks import blocks_of, printed, text_of


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph."""
    with tf.Graph().as_default():
        yield


def test_one_of_two_branches_needs_no_number_of_a_variable():
    _, without, _ = answers("graphs_and_runs", "the_branches_of_a_graph")
    assert answers("graphs_and_runs", "a_fetch_that_needs_no_number_of_a_variable")[0] == without


# Lesson 04.

ADDS_ONE = recorded("who_adds_one")


@pytest.mark.parametrize("name", ["compute_gradients", "apply_gradients", "minimize"])
def test_which_calls_take_a_list_of_variables(name):
    takes = inspect.signature(getattr(tf.train.Optimizer, name)).parameters
    assert ("var_list" in takes) == (name in ADDS_ONE["var_list"])


def waits_for(op):
    return [before.name for before in op.control_inputs]


def test_the_one_is_made_where_it_has_to_wait():
    snippet = next(block for block in blocks_of(text_of("04")) if "with " in block and "update" in block)
    names = {"tf": tf, "update": tf.no_op(name="update")}
    names["global_step"] = tf.Variable(0, trainable=False)
    exec(snippet, names)
    train_op = names["train_op"].op
    _, one = train_op.inputs
    assert [waits_for(train_op), waits_for(one.op)] == [waits for *_, waits in ADDS_ONE["edge"][0]]


# Lesson 06.

CURVATURE = 47.0370
LIMIT = 0.04252


@pytest.mark.parametrize(
    "cell, run, column, form",
    [("both-runs", "with_step", 2, ".4g"), ("both-runs", "without", 4, ".4g"), ("mean-run", "with_mean", 2, ".4f")],
)
def test_the_weights_are_tensorflows(cell, run, column, form):
    rows = [line.split() for line in printed("06", cell)[1:]]
    weights, _ = recorded("divergence")[run]
    assert [row[column] for row in rows] == [format(w, form) for w in weights]
    assert [" ".join(row[:2]) for row in rows[1:]] == recorded("experiment")["with_step"]


def test_the_measured_factor_is_that_of_the_formula():
    ratios = printed("06", "ratios")[1].split()[2:]
    assert len(ratios) == 10
    for ratio in ratios:
        assert float(ratio) == pytest.approx(1 - 0.1 * CURVATURE, rel=1e-3)


def test_the_mean_has_ten_times_the_limit():
    limits = [float(line.split()[-1]) for line in printed("06", "sum-and-mean")[1:]]
    assert limits == [LIMIT, 10 * LIMIT]


def test_a_rate_that_doubles_leads_close_and_then_away():
    rates = 0.03 * 2 ** (np.arange(40) / 10)
    away = np.cumprod(abs(1 - rates * CURVATURE))
    assert np.argmin(away) == 5
    assert 0.08 < away[5] < 0.09
    assert away[-1] > 1e6


# Lesson 07.

RACE = recorded("race")


def test_the_log_is_one_step_off():
    for line in RACE["log"][:6]:
        _, step, _, rate, *_ = line.split()
        assert rate == f"{0.5 * 0.8 ** (int(step) / 100):.4f}"  # of the update just made


def test_what_the_lesson_says_about_the_counts():
    """The prose, the prediction and its replies speak of one count: look at them after a new one."""
    case = RACE["cases"]["sum"]
    again, said = RACE["sum_again"], " ".join(text_of("07").split())
    assert f"{case['old']} values were old" in said
    assert f"Run {case['first_change']} brought the new one" in said
    assert 0 < again["fewest_old"] <= again["most_old"] < 300  # never all old, nor all new
    assert again["ninety_alike"] / again["sessions"] == 0.9  # "in nine sessions out of ten"
    assert f"in each of {again['sessions']} new sessions" in said
    assert f"from {again['fewest_old']} to {again['most_old']} times" in said
    assert RACE["cases"]["variable"]["new"] == 300
    assert RACE["cases"]["resource"]["old"] > 200
    assert RACE["cases"]["rate"]["old"] == 300  # the rate fetched with the train op is the one it used


# Lesson 09.


def test_which_digits_are_zero():
    labels = input_data.read_data_sets("no MNIST here", seed=0).test.labels
    assert np.sum(labels == 0) == 37
    assert len(labels) == 299
    assert "37 of the 299 test digits are" in text_of("09")
    assert recorded("digits")["rate 1.0"][-1] == 0  # every image is read as 0


def test_in_the_fourth_batch_some_logits_are_too_far_apart():
    digits = input_data.read_data_sets("no MNIST here", one_hot=True, seed=0).train
    x = tf.placeholder(tf.float32, [None, 784])
    y = tf.placeholder(tf.float32, [None, 10])
    w = tf.Variable(tf.zeros([784, 10]))
    logits = tf.matmul(x, w) + tf.Variable(tf.zeros(10))
    loss = -tf.reduce_mean(tf.reduce_sum(y * tf.log(tf.nn.softmax(logits)), 1))
    train_op = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
    apart = tf.reduce_max(tf.reduce_max(logits, 1) - tf.reduce_min(logits, 1))
    losses, spreads = [], []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(4):
            images, labels = digits.next_batch(100)
            feed = {x: images, y: labels}
            value, spread, weights = sess.run([loss, apart, w], feed)
            losses.append(value)
            spreads.append(spread)
            assert abs(weights).max() < 100  # no number gets large
            sess.run(train_op, feed)
    assert np.isnan(losses).tolist() == [False, False, False, True]
    assert [spread > 87.4 for spread in spreads] == [False, False, False, True]


# Lesson 10.


def test_what_the_lesson_says_about_adam():
    held, rows, _ = recorded("resuming")["adam"]
    held = {name: float(value) for name, value in held}
    kept, without_step, without_slots = ([float(w) for w in after] for _, after in rows)
    assert held["beta2_power"] == pytest.approx(0.999**151, rel=1e-3)
    assert held["beta1_power"] == pytest.approx(0.9**151, rel=1e-3)
    assert kept == without_step
    assert held["w"] - without_slots[0] == pytest.approx(0.1, abs=1e-4)  # the whole rate
    assert 6000 < (without_slots[0] / held["w"]) ** 2 < 7000
    assert "more than 6,000 times" in text_of("10")


def test_an_old_checkpoint_lacks_the_step():
    said, held = recorded("resuming")["lacking"]
    assert said == ["Key global_step not found in checkpoint"]
    assert f"`{said[0]}`" in text_of("10")
    assert held == [["global_step", 800], ["w", 5.0]]


# Lesson 13.

LIMITS = recorded("many_workers")


@pytest.mark.parametrize("measured, by_formula", [*zip(LIMITS["measured"], LIMITS["limits"], strict=True)])
def test_the_limits_are_close_to_those_of_the_formula(measured, by_formula):
    delay, formula, *ends = by_formula
    curvature = 2 * np.mean(np.linspace(1, 2, 10) ** 2)
    by_hand = 2 * np.sin(np.pi / (4 * delay + 2)) / curvature
    assert formula == f"{by_hand:.4f}"
    assert ends == ["converges", "diverges"]  # 2% below it, and 2% above
    assert float(measured[1]) == pytest.approx(by_hand, abs=0.0025)
    assert "`2 * sin(pi / (4 * delay + 2)) / curvature`" in text_of("13")


def test_no_optimizer_locks_the_plus_one():
    assert recorded("threads")["minimize_locks"] is False
    assert "The `+ 1` that `minimize` builds for an ordinary Variable has none." in " ".join(text_of("13").split())
