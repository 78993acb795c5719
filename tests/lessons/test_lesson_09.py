"""Lesson 09 prints what TensorFlow prints, and what it says about learning and counting is so."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import lab
import minitf as tf
from lab.explorers.first_steps import STORED
from minitf.examples.tutorials.mnist import input_data
from tests.conformance.transcripts import encoded_answers
from tests.lessons.notebooks import LESSONS, cells, printed, read

ANSWERS = lab.recorded("digits")


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph."""
    with tf.Graph().as_default():
        yield


@pytest.fixture(scope="module")
def notebook():
    return read(LESSONS / "09_learning_digits.ipynb")


@pytest.fixture(scope="module")
def text(notebook):
    return "\n".join(cell.source for cell in cells(notebook, "markdown"))


def lines(cell_id: str) -> list[str]:
    """What a cell of the lesson printed."""
    return printed("09", cell_id).splitlines()


def as_steps(rows: list[str]) -> list[str]:
    return [row.replace("batch", "step") for row in rows]


# The inherited script: tests/lessons/test_inherited.py asks TensorFlow the same.


def test_the_script_learns_and_does_not_count(tmp_path):
    log = lab.run_inherited(str(tmp_path), lab.inherited(9))
    assert lines("inherited") == log[-3:]
    assert [line.split()[1:4] for line in log[-2:]] == [["300", "rate", "0.2560"]] * 2
    assert [step for step, _ in lab.curve(str(tmp_path))] == [1, 51, 101, 151, 201, 251, 300, 300]
    (_, before), (_, after) = lab.curve(str(tmp_path))[-2:]
    assert after > before
    losses = [loss for _, loss in lab.curve(str(tmp_path), "loss")]
    assert np.mean(losses[370:]) < np.mean(losses[270:300])  # the same 30 batches, before the polish and at its end


def test_the_lines_are_the_scripts_and_their_difference_is_the_plus_one():
    assert lines("two-lines") == [line.strip() for line in lab.inherited(9).splitlines() if "_op" in line]
    step, loss = tf.train.get_or_create_global_step(), tf.Variable(5.0, name="w") ** 2
    minimize = tf.train.GradientDescentOptimizer(0.1).minimize
    ops = {"train_op": minimize(loss, global_step=step), "polish_op": minimize(loss)}
    assert lab.compare_programs(**ops).words.splitlines()[1:] == [
        'Only train op:  state["global_step"] += 1',
        "polish op:  nothing here",
    ]


def test_the_repair_is_the_one_that_the_next_lesson_starts_from():
    instead = ("minimize(loss)", "minimize(loss, global_step=global_step)")
    assert lab.inherited(9).replace(*instead) == lab.inherited(10)
    steps = [line.partition(" test")[0] for line in lines("repair")[-2:]]
    assert steps == ["step 301 rate 0.2560", "step 351 rate 0.2290"]


def test_the_model_reads_as_many_digits_as_before_the_repair():
    shares = [[line.split()[-1] for line in lines(cell_id)] for cell_id in ("inherited", "repair")]
    assert shares[0] == shares[1]


# The post's program.


def test_at_rate_1_all_is_counted_and_nothing_is_left_of_the_model(text):
    *answers, step, numbers, largest_answer = ANSWERS["rate 1.0"]
    rows = lines("doubled")
    assert set(rows) <= set(answers) and rows[-1] == f"step {step}: loss nan, accuracy 0.124"
    assert [row.split()[2:4] for row in rows if row.startswith("step 3:")] == [["loss", "nan,"]]
    assert lines("weights")[0] == f"{numbers} of 7,840 weights are still numbers"
    assert largest_answer == 0  # every image is read as 0
    labels = read_digits().test.labels.argmax(1)
    assert (int((labels == 0).sum()), len(labels)) == (37, 299) and "Of the 299 digits in the test set, 37" in text


def read_digits():
    return input_data.read_data_sets("no MNIST here", one_hot=True, seed=0)


def softmax_regression():
    x, y = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.float32, [None, 10])
    w, b = tf.Variable(tf.zeros([784, 10])), tf.Variable(tf.zeros(10))
    return x, y, w, b, tf.matmul(x, w) + b


def by_the_post(y, logits):
    return tf.reduce_mean(-tf.reduce_sum(y * tf.log(tf.nn.softmax(logits)), reduction_indices=[1]))


def test_what_the_lesson_says_about_the_fourth_batch():
    mnist = read_digits()
    x, y, w, _, logits = softmax_regression()
    loss = by_the_post(y, logits)
    train_op = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
    apart = tf.reduce_max(logits, 1) - tf.reduce_min(logits, 1)
    found, digits = [], copy.deepcopy(mnist.train)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(4):
            images, labels = digits.next_batch(100)
            feed = {x: images, y: labels}
            in_test = sess.run(apart, {x: mnist.test.images})
            value, spread, weights = sess.run([loss, apart, w], feed)
            found.append((bool(np.isnan(value)), bool((spread > 87.4).sum() > 1), bool((in_test > 87.4).any())))
            assert np.isfinite(weights).all() and abs(weights).max() < 100  # no number gets large
            sess.run(train_op, feed)
        assert np.isnan(sess.run(w)).all()
    assert found == [(False, False, False)] * 3 + [(True, True, True)]  # the test set as step 3 leaves it


def test_the_gradient_is_probability_minus_label_times_brightness():
    mnist = read_digits()
    x, y, w, _, logits = softmax_regression()
    loss = by_the_post(y, logits)
    train_op = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    images, labels = mnist.validation.images, mnist.validation.labels
    feed = {x: images, y: labels}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op, feed)
        [theirs], a = sess.run([tf.gradients(loss, [w]), tf.nn.softmax(logits)], feed)
    by_hand = images.T @ (a - labels) / len(images)
    assert np.allclose(theirs, by_hand, atol=1e-6) and abs(theirs).max() <= 1
    largest, same = encoded_answers("digits", "the_gradient")
    assert (f"{abs(theirs).max():.4f}", same) == (largest, True)


def test_the_first_rate_that_breaks_is_tensorflows(text):
    stored = ANSWERS["first nan"]
    assert [float(rate) for rate in stored] == list(STORED)
    broken = {float(rate): end != "numbers" for rate, end in stored.items()}
    assert broken == {rate: rate > 0.8 for rate in STORED}
    assert "holds up to 0.8 and breaks from 0.85 on, in TensorFlow 2.21 as well" in text


def test_a_sure_and_wrong_model_has_gradients_of_nan():
    x, w = tf.constant([[200.0]]), tf.Variable([[1.0, 0.0]])
    loss = by_the_post(tf.constant([[0.0, 1.0]]), tf.matmul(x, w))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        value, gradient = sess.run([loss, tf.gradients(loss, w)[0]])
    assert np.isinf(value) and np.isnan(gradient).all()


# What the quiz says.


def test_an_op_that_only_counts_makes_the_log_look_repaired():
    line = "polish_op = tf.train.GradientDescentOptimizer(rate / 10).minimize(loss)"
    log = lab.run_inherited(script=lab.inherited(9).replace(line, "polish_op = tf.assign_add(global_step, 1)"))
    last = [line.partition(" test accuracy ") for line in log[-2:]]
    assert [said for said, _, _ in last] == ["step 301 rate 0.2560", "step 351 rate 0.2290"]
    assert last[0][2] == last[1][2]  # the model is no better after fifty batches


@pytest.mark.parametrize("rate", [0.0, 0.001, 0.5])
def test_nan_stays(rate):
    w = tf.Variable([[np.nan, np.nan]], dtype=tf.float32)
    logits = tf.matmul([[1.0]], w)
    loss = tf.nn.softmax_cross_entropy_with_logits_v2(labels=[[1.0, 0.0]], logits=logits)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        assert np.isnan(sess.run(w)).all()


def test_a_decay_that_nobody_counts_for_changes_nothing():
    x, y, w, _, logits = softmax_regression()
    loss, ends = by_the_post(y, logits), []
    step = tf.train.get_or_create_global_step()
    for rate in (0.5, tf.train.exponential_decay(0.5, step, 500, 0.5)):
        train_op, digits = tf.train.GradientDescentOptimizer(rate).minimize(loss), read_digits().train
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(50):
                images, labels = digits.next_batch(100)
                sess.run(train_op, {x: images, y: labels})
            ends.append(sess.run([w, step]))
    assert np.array_equal(ends[0][0], ends[1][0]) and ends[1][1] == 0
