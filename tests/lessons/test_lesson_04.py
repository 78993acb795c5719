"""Lesson 04 prints what TensorFlow answers: who builds the `+ 1`, what it waits for, and how it counts double."""

from __future__ import annotations

import inspect
import re

import numpy as np
import pytest

import minitf as tf
from lab import recorded
from tests.conformance.transcripts import encoded_answers
from tests.lessons.notebooks import cells, lessons, printed, read, words_of

ANSWERS = recorded("who_adds_one")


def experiment():
    """Build the lesson's experiment: the optimizer, the loss, the step."""
    tf.reset_default_graph()
    x, y = (tf.placeholder(tf.float32, [None, 1], name=name) for name in "xy")
    w = tf.Variable(0.0, name="w")
    loss = (w * x - y) ** 2
    global_step = tf.Variable(0, trainable=False, name="global_step")
    rate = tf.train.exponential_decay(0.1, global_step, decay_steps=10, decay_rate=2, name="rate")
    return tf.train.GradientDescentOptimizer(rate), loss, global_step


def waits(op):
    """Return what is recorded of an op."""
    return [op.name, op.type, [before.name for before in op.control_inputs]]


def test_only_the_first_call_and_minimize_take_a_list_of_variables():
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    calls = [optimizer.compute_gradients, optimizer.apply_gradients, optimizer.minimize]
    takes = [call.__name__ for call in calls if "var_list" in inspect.signature(call).parameters]
    assert takes == ANSWERS["var_list"]


def test_the_constant_waits_for_the_no_op_and_the_no_op_for_the_update():
    *with_step, without = ANSWERS["waits"]
    assert printed("04", "control-inputs").splitlines() == [
        f"{kind:10} waits for {names}" for _, kind, names in with_step
    ]
    optimizer, loss, global_step = experiment()
    train_op = optimizer.minimize(loss, global_step=global_step)
    one = train_op.inputs[1].op
    assert [waits(op) for op in (train_op, one, *one.control_inputs)] == with_step
    optimizer, loss, _ = experiment()
    assert waits(optimizer.minimize(loss)) == without


def test_the_two_small_graphs_are_tensorflows():
    boxes = []
    for line, (ops, w, step) in zip(words_of("04", "graphs").splitlines(), ANSWERS["made_up"], strict=True):
        used = {*(name for name, *_ in ops), *(name for *_, uses in ops for name in uses)}
        assert f" {len(used)} boxes." in line
        assert (w, step) == (4.0, int(line.startswith("with step")))
        boxes.append({(name, kind) for name, kind, *_ in ops})
    with_step, without = words_of("04", "graphs").splitlines()
    only = {"global_step", *(name for name, _ in boxes[0] - boxes[1])}
    assert set(with_step.partition("Only here: ")[2].rstrip(".").split(", ")) == only
    assert without.endswith(f"Only here: {', '.join(name for name, _ in boxes[1] - boxes[0])}.")


def test_a_one_made_before_the_with_moves_the_edge():
    text = "\n".join(cell.source for cell in cells(read(lessons("04")[0]), "markdown"))
    own, early = re.findall(r"```python\n((?:.*\n)*?with (?:.*\n)*?)```", text)
    for snippet, tensorflow in zip((own, early), ANSWERS["edge"], strict=True):
        tf.reset_default_graph()
        names = {"tf": tf, "update": tf.no_op(name="update"), "global_step": tf.Variable(0, trainable=False)}
        exec(snippet, names)
        train_op = names["train_op"].op
        waiting = [[before.name for before in op.control_inputs] for op in (train_op, train_op.inputs[1].op)]
        assert waiting == [before for _, _, before in tensorflow]


# What the quiz says.


def test_a_no_op_that_comes_straight_from_minimize_does_not_count():
    kinds = {}
    for counted in (True, False):
        optimizer, loss, global_step = experiment()
        kinds[counted] = optimizer.minimize(loss, global_step=global_step if counted else None).type
    assert kinds == {True: "AssignAdd", False: "NoOp"} == {True: ANSWERS["waits"][0][1], False: ANSWERS["waits"][-1][1]}


def test_two_train_ops_in_turn_count_once_in_each_pass():
    assert encoded_answers("who_adds_one", "two_train_ops_in_turn") == [1, 2, 3, 4, 5, 6]


def test_an_increment_made_before_the_with_runs_at_any_time():
    waits_for, held = encoded_answers("who_adds_one", "an_increment_made_before_the_with")
    assert waits_for == [["train", "NoOp", ["count", "update_b", "update_w"]], ["count", "AssignAdd", []]]
    assert [each["$scalar"] for each in held] == [4.0, 4.0, 1]


@pytest.mark.parametrize("weights", [1, 3])
def test_one_minimize_counts_once_however_many_weights(weights):
    with tf.Graph().as_default(), tf.Session() as sess:
        made = [tf.Variable(5.0) for _ in range(weights)]
        step = tf.Variable(0, trainable=False)
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(sum(w**2 for w in made), global_step=step)
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        assert np.allclose(sess.run(made), 4.0) and sess.run(step) == 1
