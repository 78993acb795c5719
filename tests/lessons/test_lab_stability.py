"""What the stability explorer draws is what the formula says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lab.experiments.descent import Descent
from lab.explorers.stability import MOST, TOP

DESCENT = Descent()
LOSSES = st.sampled_from(list(TOP))


@settings(max_examples=40, deadline=None)
@given(LOSSES, st.floats(0.0025, MOST), st.integers(2, 40), st.integers(-10, 30))
@example("sum", 0.1, 10, 0)
@example("mean", 0.4252, 10, 0)
def test_a_run_follows_the_formula(kind, rate, examples, tenths):
    start = tenths / 10
    curvatures, weights = DESCENT(kind, rate, examples, start)
    curvature = curvatures[kind]
    factor = 1 - rate * curvature
    for step, w in enumerate(weights):
        by_formula = 1 + (start - 1) * factor**step
        assert w == pytest.approx(by_formula, rel=1e-3, abs=1e-4)


@given(st.integers(2, 40))
def test_the_curvature_is_twice_the_mean_of_the_squares(examples):
    curvatures, _ = DESCENT("mean", 0.1, examples)
    squares = np.linspace(1, 2, examples) ** 2
    assert curvatures["mean"] == pytest.approx(2 * squares.mean(), rel=1e-5)


def test_the_run_of_the_posts_without_the_step():
    curvatures, weights = DESCENT("sum", 0.1, 10)
    assert curvatures["sum"] == pytest.approx(47.037037)
    assert weights[-1] == pytest.approx(-485692.56, rel=1e-5)  # TensorFlow 2.21


@given(st.sampled_from([2, 10, 40]))
def test_the_sum_bends_as_many_times_more_as_there_are_examples(examples):
    curvatures, _ = DESCENT("sum", 0.1, examples)
    assert curvatures["sum"] == pytest.approx(examples * curvatures["mean"])
