"""Lesson 09's pictures, its explorer, and other right answers to its exercise."""

from __future__ import annotations

import base64

import numpy as np
import pytest

import minitf as tf
from lab.checks.lesson_09 import check_decay
from lab.drawing.curves import learning_curves
from lab.drawing.digits import pixels, show_digits, show_weights
from lab.experiments.first_steps import FORMULAS, STEPS
from lab.explorers.first_steps import FirstSteps
from minitf.examples.tutorials.mnist import input_data
from tests.lessons.room import room


@pytest.fixture(scope="module")
def mnist():
    """Read the digits once."""
    return input_data.read_data_sets("no MNIST here", one_hot=True, seed=0)


def answer(mnist, schedule, *, start=0, of_logits=False, names=("x", "y")):
    """Build the exercise with another schedule, and check it."""
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, 784], names[0])
        y = tf.placeholder(tf.float32, [None, 10], names[1])
        w, b = tf.Variable(tf.zeros([784, 10])), tf.Variable(tf.zeros(10))
        logits = tf.matmul(x, w) + b
        if of_logits:
            losses = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits)
        else:
            losses = -tf.reduce_sum(y * tf.log(tf.nn.softmax(logits)), reduction_indices=[1])
        step = tf.Variable(start, trainable=False)
        rate = schedule(step)
        train_op = tf.train.GradientDescentOptimizer(rate).minimize(tf.reduce_mean(losses), global_step=step)
        return check_decay(mnist, rate, step, train_op)


RIGHT = {
    "a polynomial": (lambda step: tf.train.polynomial_decay(0.5, step, 2000, 0.01), {}),
    "a cosine": (lambda step: tf.train.cosine_decay(0.4, step, 2000), {"of_logits": True}),
    "stairs": (lambda step: tf.train.exponential_decay(0.5, step, 400, 0.5, staircase=True), {}),
    "by hand, and a step that starts at 10": (lambda step: 0.5 / (1 + tf.to_float(step) / 200), {"start": 10}),
}


@pytest.mark.parametrize("schedule, options", RIGHT.values(), ids=RIGHT)
def test_other_right_answers_are_right(mnist, schedule, options):
    verdict = answer(mnist, schedule, **options)
    assert verdict, verdict
    assert "The rate fell from" in verdict.message and "it was 0.960" in verdict.message


def test_other_placeholders_are_named(mnist):
    verdict = answer(mnist, lambda step: tf.train.exponential_decay(0.5, step, 500, 0.5), names=("x", "labels"))
    assert "should read x and y of model()" in verdict.message


def test_a_constant_is_named(mnist):
    assert "`rate` is the number 0.1, which cannot fall" in check_decay(mnist, 0.1, None, None).message


def test_more_variables_are_named(mnist):
    with tf.Graph().as_default():
        step, rate = tf.Variable(0, trainable=False), tf.constant(0.5)
        train_op = tf.train.GradientDescentOptimizer(rate).minimize(tf.Variable(1.0) ** 2, global_step=step)
        assert "Train `w` and `b` of model()" in check_decay(mnist, rate, step, train_op).message


# Pictures.


def sent(part, number):
    data = base64.b64decode(part["images"][number]["data"])
    return np.frombuffer(data, np.int8).reshape(part["side"], part["side"])


def test_small_digits_are_sent_small_and_large_ones_as_they_are(mnist):
    image, large = mnist.test.images[0], np.linspace(-1, 1, 784)
    assert np.array_equal(sent(pixels(image[None], ["5"], 56), 0).repeat(3, 0).repeat(3, 1), digit(image)[2:-2, 2:-2])
    part = pixels(np.stack([image, large]), ["5", "?"], 56)
    assert np.array_equal(sent(part, 0), digit(image)) and np.array_equal(sent(part, 1), digit(large))
    assert (sent(part, 1).min(), sent(part, 1).max()) == (-127, 127)


def digit(numbers):
    return np.rint(127 * numbers).reshape(28, 28)


def test_pictures_say_what_they_show(mnist):
    digits = show_digits(mnist.test.images, mnist.test.labels)
    assert digits.words == "The first ten: 5, 1, 7, 3, 9, 5, 4, 1, 8, 3."
    assert "".join(image["label"] for image in digits.data["picture"]["parts"][0]["images"]) == "5173954183"
    weights = show_weights(np.full((784, 10), -0.004, np.float32))
    assert "0: 0.00, 1: 0.00" in weights.words
    part, meaning = weights.data["picture"]["parts"]
    assert len(part["images"]) == 10 and (sent(part, 9) == -127).all()  # as much as any
    assert meaning["lines"][0] in weights.words


def test_curves_print_each_run_beside_the_others(capsys):
    runs = {"a": [(10, 2.0, 0.5), (500, 0.3, 0.9)], "b": [(10, 1.0, 0.6), (500, 0.2, 0.95)]}
    view = learning_curves(runs)
    assert capsys.readouterr().out.splitlines()[2] == "10    2.000   0.500       1.000   0.600"
    assert "at step 10: a 2.000; b 1.000. At step 500: a 0.300; b 0.200" in view.words
    charts = view.data["picture"]["parts"]
    assert [[line["points"] for line in chart["lines"]] for chart in charts] == [
        [[[10, 2.0], [500, 0.3]], [[10, 1.0], [500, 0.2]]],
        [[[500, 0.3]], [[500, 0.2]]],
        [[[10, 0.5], [500, 0.9]], [[10, 0.6], [500, 0.95]]],
    ]
    for chart in charts:
        assert [line["name"] for line in chart["lines"]] == ["a", "b"]
        for line in chart["lines"]:
            assert all(chart["y"]["min"] <= value <= chart["y"]["max"] for _, value in line["points"])


# The explorer.


@pytest.fixture(scope="module")
def explorer(mnist):
    """Make one for all tests, which leaves the lesson's own batches where they are."""
    before = mnist.train.epochs_completed
    yield FirstSteps(mnist)
    assert mnist.train.epochs_completed == before


@pytest.mark.parametrize(
    "rate, formula, words, accuracy",
    [
        (0.05, 0, "It falls from there", None),
        (0.5, 0, "It jumps to 5.36 at step 5, and at step 60 it is 0.0928", "0.943"),
        (1.0, 0, "At step 4 it is nan, and so is every weight after that", "0.124"),
        (3.0, 0, "it is nan, and so is every weight after that", None),
        (1.0, 1, "It jumps to 19.2 at step 7, and at step 60 it is 0.0337", "0.940"),
        (3.0, 1, "It jumps to", None),
    ],
)
def test_the_explorer_tells_nan_from_numbers(explorer, rate, formula, words, accuracy):
    picture = explorer.picture(rate, FORMULAS[formula])
    losses, learned = picture.parts
    weights, bar = learned["parts"]
    assert words in picture.words and (accuracy or "") in bar["x"]["label"]
    assert bar["x"]["label"].rpartition(" ")[2] in picture.words
    is_nan = "nan" in words
    step = len(losses["lines"][0]["points"]) + 1
    assert losses.get("rules", []) == ([{"x": step, "label": f"nan at step {step}", "kind": "now"}] if is_nan else [])
    assert is_nan == (step <= STEPS) == all(image["label"].endswith("nan") for image in weights["images"])
    assert is_nan == (not any(sent(weights, number).any() for number in range(10)))


def test_what_is_stored_takes_the_same_room_and_is_small(explorer):
    settings = list(explorer.settings())
    assert {(rate, formula) for rate in (0.5, 1.0) for formula in FORMULAS} <= {tuple(s.values()) for s in settings}
    assert len({str(room(explorer.picture(**setting))) for setting in settings}) == 1
    assert len(str(explorer.view().data)) < 60_000
