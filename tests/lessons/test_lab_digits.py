"""Lesson 09's pictures, its explorer, and other right answers to its exercise."""

from __future__ import annotations

import math

import numpy as np
import pytest

import minitf as tf
from lab.checks.lesson_09 import check_decay
from lab.digits import show_digits, show_weights
from lab.first_steps import FirstSteps
from lab.learning_curves import learning_curves
from lab.pixels import Pixels
from minitf.examples.tutorials.mnist import input_data


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
    assert "has to read x and y of model()" in verdict.message


def test_a_constant_is_named(mnist):
    assert "`rate` is the number 0.1, which cannot fall" in check_decay(mnist, 0.1, None, None).message


def test_more_variables_are_named(mnist):
    with tf.Graph().as_default():
        step, rate = tf.Variable(0, trainable=False), tf.constant(0.5)
        train_op = tf.train.GradientDescentOptimizer(rate).minimize(tf.Variable(1.0) ** 2, global_step=step)
        assert "Train `w` and `b` of model()" in check_decay(mnist, rate, step, train_op).message


def test_pixels_are_blue_above_zero_and_pale_near_it():
    colors = Pixels(0, 0, 2, 2, np.array([[1.0, -0.5], [0.0, math.nan]])).colors()
    assert colors[0, 0].tolist() == [0, 0x72, 0xB2, 255]
    assert colors[0, 1].tolist() == [0xD5, 0x5E, 0, 128]
    assert colors[1, :, 3].tolist() == [0, 0]


def test_pictures_say_what_they_show(mnist):
    assert show_digits(mnist.test.images, mnist.test.labels).stored_words() == (
        "The first ten: 5, 1, 7, 3, 9, 5, 4, 1, 8, 3."
    )
    picture = show_weights(np.full((784, 10), -0.004, np.float32)).picture
    assert "0: 0.00, 1: 0.00" in picture.words
    assert picture.svg().count("<image") == 12 and picture.png().startswith(b"\x89PNG")


def test_curves_print_each_run_beside_the_others(capsys):
    shown = learning_curves({"a": [(10, 2.0, 0.5), (500, 0.3, 0.9)], "b": [(10, 1.0, 0.6), (500, 0.2, 0.95)]})
    assert capsys.readouterr().out.splitlines()[2] == "10    2.000   0.500       1.000   0.600"
    assert "at step 10: a 2.000; b 1.000. At step 500: a 0.300; b 0.200" in shown.picture.words


def test_the_explorer_tells_nan_from_numbers(mnist):
    explorer = FirstSteps(mnist)
    before = mnist.train.epochs_completed
    assert "It jumps to 5.36 at step 5" in explorer.words
    explorer.rate.value = 0.05
    assert "It falls from there" in explorer.words
    for rate in (1.0, 3.0):
        explorer.rate.value = rate
        assert "it is nan, and so is every weight" in explorer.words
        assert explorer.picture().svg().count(">nan<") == 10
    explorer.loss.value = "from the logits"
    assert "nan" not in explorer.words
    assert mnist.train.epochs_completed == before  # the lesson's own batches stay
