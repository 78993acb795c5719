"""Updates that meet: minitf makes each of them, and in the order that TensorFlow chooses most often, if it has one."""

from __future__ import annotations

import json

import numpy as np
import pytest

import minitf as tf
from tools.updates import CASES, KINDS, PROCESSES, SESSIONS, TABLE, THREADS, WAYS, in_turn, minitf_outcome


@pytest.fixture(scope="module")
def table():
    """TensorFlow's counts."""
    return json.loads(TABLE.read_text(encoding="utf-8"))


def counts_of(table, case, way, kind):
    """How often each outcome came, with one thread and with many."""
    rows = table["cases"][case]
    found = [rows[f"{kind}, {threads} thread{'s' * (threads > 1)}"][way] for threads in THREADS]
    return {outcome: sum(row.get(outcome, 0) for row in found) for outcome in {*found[0], *found[1]}}


def test_the_table_is_complete(table):
    assert table["sessions"] == PROCESSES * SESSIONS
    assert set(table["cases"]) == set(CASES)
    for case in CASES:
        for way in WAYS:
            for kind in KINDS:
                assert sum(counts_of(table, case, way, kind).values()) == len(THREADS) * table["sessions"]


@pytest.mark.parametrize("case", CASES)
def test_no_update_is_lost(case):
    for way in WAYS:
        assert minitf_outcome(tf, case, way) in in_turn(case).values()


@pytest.mark.parametrize("case", CASES)
def test_an_order_by_edges_is_kept(case, table):
    expected = in_turn(case)[case]
    assert minitf_outcome(tf, case, "ordered") == expected
    for kind in KINDS:
        assert set(counts_of(table, case, "ordered", kind)) == {expected}


def test_minitf_does_what_tensorflow_does_most_often(table):
    """The exceptions double a variable while it is trained: TensorFlow computes both from the old value, then adds."""
    cases = [(case, way) for case in CASES for way in WAYS if way != "ordered"]
    others = set()
    for case, way in cases:
        counts = counts_of(table, case, way, "ref")
        if counts.get(minitf_outcome(tf, case, way), 0) < max(counts.values()):
            others.add(case)
    assert others <= {"train double", "double train", "train double add"}


@pytest.mark.parametrize("way", ["fetched", "grouped", "control_dependencies"])
@pytest.mark.parametrize("optimizer", [tf.train.RMSPropOptimizer, tf.train.GradientDescentOptimizer])
def test_a_critic_whose_weights_are_clipped_learns(way, optimizer):
    """A WGAN's critic: each run trains it and clips its weights."""
    x = tf.constant(np.linspace(-1, 1, 12).reshape(4, 3), tf.float32)
    w = tf.Variable(tf.zeros([3, 1]), name="w")
    score = tf.reduce_mean(tf.matmul(x + 0.5, w)) - tf.reduce_mean(tf.matmul(x, w))
    train = optimizer(0.03).minimize(-score)
    clip = w.assign(tf.clip_by_value(w, -0.05, 0.05))
    run = [train, clip]
    if way == "grouped":
        run = tf.group(train, clip)
    elif way == "control_dependencies":
        with tf.control_dependencies(run):
            run = tf.no_op()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        before = sess.run(score)
        for _ in range(20):
            sess.run(run)
            assert np.abs(sess.run(w)).max() <= np.float32(0.05)
        assert sess.run(score) > before
