"""Random classes are drawn as often as TensorFlow's samplers draw them."""

from __future__ import annotations

import collections

import numpy as np
import pytest

import minitf as tf

RANGE, RUNS, TOLERANCE = 4, 5000, 0.025
CHANCES = {
    "uniform_candidate_sampler": np.full(RANGE, 1 / RANGE),
    "log_uniform_candidate_sampler": np.diff(np.log(np.arange(RANGE + 1) + 1)) / np.log(RANGE + 1),
}
BOTH = pytest.mark.parametrize(("name", "chances"), CHANCES.items())


def _sampler(name, count, unique):
    return getattr(tf.nn, name)(np.arange(RANGE)[:, None], 1, count, unique, RANGE, seed=5)


def _shares(outcomes):
    """How often each outcome comes."""
    return {outcome: count / RUNS for outcome, count in collections.Counter(outcomes).items()}


def _pairs_drawn(name):
    """Two different classes, many times, with how often all classes and these can be expected."""
    draw = tf.Session().make_callable(list(_sampler(name, 2, unique=True)))
    return [draw() for _ in range(RUNS)]


@BOTH
def test_classes_that_may_repeat(name, chances):
    drawn, *_ = tf.Session().run(_sampler(name, RUNS, unique=False))
    np.testing.assert_allclose(np.bincount(drawn) / RUNS, chances, atol=TOLERANCE)


@BOTH
def test_different_classes_come_one_after_the_other(name, chances):
    pairs = _shares(tuple(classes.tolist()) for classes, *_ in _pairs_drawn(name))
    for first, p in enumerate(chances):
        for second, q in enumerate(chances):
            wanted = 0 if first == second else p * q / (1 - p)
            assert pairs.get((first, second), 0) == pytest.approx(wanted, abs=TOLERANCE)


@BOTH
def test_how_often_a_class_can_be_expected_depends_on_how_many_were_drawn(name, chances):
    expected = {tries: 1 - (1 - chances) ** tries for tries in range(3, 60)}
    expected[2] = 2 * chances
    tries_of_runs = []
    for classes, of_all, of_these in _pairs_drawn(name):
        tries = min(expected, key=lambda tries: abs(expected[tries][0] - of_all[0, 0]))
        assert of_all[:, 0] == pytest.approx(expected[tries], rel=1e-5)
        assert of_these == pytest.approx(of_all[classes, 0])
        tries_of_runs.append(tries)
    shares = _shares(tries_of_runs)
    for tries in (2, 3, 4):
        wanted = np.sum(chances ** (tries - 1) * (1 - chances))
        assert shares[tries] == pytest.approx(wanted, abs=TOLERANCE)


def test_all_of_many_classes_are_found():
    made = tf.nn.log_uniform_candidate_sampler([[0]], 1, 3000, True, 3000)
    assert sorted(tf.Session().run(made.sampled_candidates)) == list(range(3000))
