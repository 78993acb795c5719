"""Random classes are drawn as often as TensorFlow's samplers draw them."""

from __future__ import annotations

import collections

import numpy as np
import pytest

import minitf as tf

RANGE, RUNS = 4, 20_000
CHANCES = {
    "uniform_candidate_sampler": np.full(RANGE, 1 / RANGE),
    "log_uniform_candidate_sampler": np.diff(np.log(np.arange(RANGE + 1) + 1)) / np.log(RANGE + 1),
}


def _drawn(name, count, unique):
    """What a sampler gives in many runs: the classes, and how often they can be expected."""
    made = getattr(tf.nn, name)(np.arange(RANGE)[:, None], 1, count, unique, RANGE, seed=5)
    with tf.Session() as sess:
        draw = sess.make_callable(list(made))
        return [draw() for _ in range(RUNS)]


def _frequencies(outcomes):
    return {outcome: count / RUNS for outcome, count in collections.Counter(outcomes).items()}


@pytest.mark.parametrize(("name", "chances"), CHANCES.items())
def test_classes_that_may_repeat(name, chances):
    drawn = np.stack([classes for classes, *_ in _drawn(name, 3, False)])
    for column in drawn.T:
        np.testing.assert_allclose(np.bincount(column) / RUNS, chances, atol=0.015)


@pytest.mark.parametrize(("name", "chances"), CHANCES.items())
def test_different_classes_come_one_after_the_other(name, chances):
    runs = _drawn(name, 2, True)
    pairs = _frequencies(tuple(classes.tolist()) for classes, *_ in runs)
    for first, p in enumerate(chances):
        for second, q in enumerate(chances):
            wanted = 0 if first == second else p * q / (1 - p)
            assert pairs.get((first, second), 0) == pytest.approx(wanted, abs=0.015)


@pytest.mark.parametrize(("name", "chances"), CHANCES.items())
def test_how_often_a_class_can_be_expected_depends_on_how_many_were_drawn(name, chances):
    expected = {2: 2 * chances} | {tries: 1 - (1 - chances) ** tries for tries in range(3, 60)}
    counts = collections.Counter()
    for classes, mine, theirs in _drawn(name, 2, True):
        tries = min(expected, key=lambda tries: abs(expected[tries][0] - mine[0, 0]))
        np.testing.assert_allclose(mine[:, 0], expected[tries], rtol=1e-5)
        np.testing.assert_allclose(theirs, mine[classes, 0])
        counts[tries] += 1
    for tries in (2, 3, 4):
        wanted = np.sum(chances ** (tries - 1) * (1 - chances))
        assert counts[tries] / RUNS == pytest.approx(wanted, abs=0.015)


def test_all_of_many_classes_are_found():
    made = tf.nn.log_uniform_candidate_sampler([[0]], 1, 3000, True, 3000)
    with tf.Session() as sess:
        assert sorted(sess.run(made.sampled_candidates)) == list(range(3000))
