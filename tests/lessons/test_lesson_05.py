"""Lesson 05 prints the rates and draws the curves that TensorFlow gives; its numbers hold."""

from __future__ import annotations

import json

import numpy as np
import pytest

import minitf as tf
from lab import recorded
from tests.conformance.transcripts import encoded_answers
from tests.lessons.notebooks import VIEW, lessons, printed, read

ANSWERS = recorded("schedules")


def drawn(cell_id):
    """Return the curves of a stored picture: for each its title, and its points."""
    [cell] = [cell for cell in read(lessons("05")[0]).cells if cell.id == cell_id]
    [view] = [json.loads(output.data[VIEW]) for output in cell.outputs]
    return {part["title"]: part["lines"][0]["points"] for part in view["picture"]["parts"]}


@pytest.mark.parametrize(
    "cell, answer, first",
    [("arguments", "arguments", 0), ("one-of-each", "eight", 0), ("run-boundary", "boundary", 15)],
)
def test_every_curve_is_tensorflows(cell, answer, first):
    curves = drawn(cell)
    answers = [ANSWERS[answer][n] for n in ((0, 1, 3, 4) if answer == "eight" else range(4))]
    for points, theirs in zip(curves.values(), answers, strict=True):
        steps, rates = zip(*points, strict=True)
        assert steps == tuple(range(first, first + len(theirs)))
        assert rates == pytest.approx(theirs, rel=1e-4, abs=1e-6)


def test_the_mistake_makes_the_rate_ten_thousand_times_smaller_and_stops_w():
    first, *_, last = printed("05", "run-mistaken").splitlines()
    assert 0.01 / float(first.split()[5]) == pytest.approx(2 ** (40 / 3), rel=1e-3) == pytest.approx(10_000, rel=0.05)
    assert first.split()[-1] == last.split()[-1] == "0.7209"
    cured = printed("05", "run-cured").splitlines()
    assert float(cured[2].split()[5]) == 0.005 and cured[2].split()[-1] == "1.0000"
    assert cured[0].split()[5] == "0.007937", "as the first answer of the prediction says"


def test_below_one_it_falls_in_one_schedule_only():
    lines = [line.split() for line in printed("05", "same-name-run").splitlines()]
    assert [line[-1] for line in lines] == [f"{rate:.4f}" for rate in ANSWERS["same_name"]]
    grows = [(name, factor) for name, factor, rate in lines if float(rate) > 0.4]
    assert grows == [("exponential_decay", "decay_rate=2.0")]


def test_two_jump_at_the_boundary_and_two_one_step_later():
    at = {name: [y for _, y in points] for name, points in drawn("run-boundary").items()}
    first_changed = {name: 15 + int(np.argmax(np.abs(np.diff(rates)))) + 1 for name, rates in at.items()}
    assert first_changed == {"staircase": 20, "cosine, restarts": 20, "piecewise_constant": 21, "polynomial, cycle": 21}


@pytest.mark.parametrize("boundary, batches", [(20, 21), (19, 20)])
def test_how_many_batches_train_at_the_first_value(boundary, batches):
    with tf.Graph().as_default(), tf.Session() as sess:
        step, seen = tf.Variable(0, trainable=False), []
        rate = tf.train.piecewise_constant(step, boundaries=[boundary], values=[0.4, 0.1])
        # Each batch moves w by its rate.
        w = tf.Variable(0.0)
        train_op = tf.train.GradientDescentOptimizer(rate).minimize(-w, global_step=step)
        sess.run(tf.global_variables_initializer())
        for _ in range(30):
            sess.run(train_op)
            seen.append(sess.run(w))
    moves = np.diff([0, *seen])
    assert moves == pytest.approx([0.4] * batches + [0.1] * (30 - batches), rel=1e-4)


def test_a_rounded_reciprocal_makes_some_staircases_late():
    one = np.float32(1)
    late = [n for n in range(1, 60) if np.floor(np.float32(n) * (one / np.float32(n))) < 1]
    assert late == [41, 47, 55]  # tests/conformance/test_live.py asks TensorFlow


def test_tensorflow_follows_the_recipe_of_the_exercise_both_ways():
    both = encoded_answers("schedules", "a_recipe_in_stairs_and_in_pieces")
    assert both == [["0.4", "0.4", "0.04", "0.04", "0.004", "0.004"]] * 2


def test_there_are_nine_schedules_and_the_lesson_names_each():
    text = "\n".join(cell.source for cell in read(lessons("05")[0]).cells)
    names = {made.__name__ for name, made in vars(tf.train).items() if "decay" in name and callable(made)}
    assert len(names) == 9 and "piecewise_constant" in names  # also called piecewise_constant_decay
    assert {name for name in names if f"`{name}`" in text} == names


# What the quiz says.


def rates(schedule, steps, **arguments):
    with tf.Graph().as_default(), tf.Session() as sess:
        step = tf.placeholder(tf.int64, [])
        rate = getattr(tf.train, schedule)(0.4, step, **arguments)
        return [float(sess.run(rate, {step: at})) for at in steps]


def test_inverse_time_decay_falls_where_exponential_decay_stands():
    steps, arguments = [0, 20, 40], {"decay_steps": 20, "decay_rate": 1}
    assert rates("exponential_decay", steps, **arguments) == pytest.approx([0.4] * 3)
    assert rates("inverse_time_decay", steps, **arguments) == pytest.approx([0.4, 0.2, 0.4 / 3])


def test_only_one_of_the_four_gets_to_zero_without_a_jump_as_the_run_ends():
    steps = [0, 1, 30, 4500, 9000]
    assert rates("cosine_decay", steps, decay_steps=30)[2:] == pytest.approx([0] * 3, abs=1e-6)
    assert rates("cosine_decay", steps, decay_steps=9000)[3:] == pytest.approx([0.2, 0], abs=1e-6)
    assert rates("exponential_decay", steps, decay_steps=9000, decay_rate=0) == pytest.approx([0.4, *[0] * 4])
    assert rates("exponential_decay", steps, decay_steps=9000, decay_rate=0.5)[-1] == pytest.approx(0.2)
