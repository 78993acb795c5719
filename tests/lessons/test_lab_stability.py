"""The stability explorer runs what the formula says, and draws it; the check is fair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lab.experiments.descent import Descent
from lab.explorers.stability import MOST, TOP

DESCENT = Descent()
LOSSES = st.sampled_from(list(TOP))


# What runs.


@settings(max_examples=40, deadline=None)
@given(LOSSES, st.floats(0.0025, MOST), st.integers(2, 40), st.integers(-10, 30))
@example("sum", 0.1, 10, 0)
@example("mean", 0.4252, 10, 0)
def test_a_run_follows_the_formula(kind, rate, examples, tenths):
    start = tenths / 10
    curvatures, weights = DESCENT(kind, rate, examples, start)
    curvature = curvatures[kind]
    squares = np.linspace(1, 2, examples) ** 2
    assert curvature == pytest.approx(2 * (squares.sum() if kind == "sum" else squares.mean()), rel=1e-5)
    for step, w in enumerate(weights):
        assert w == pytest.approx(1 + (start - 1) * (1 - rate * curvature) ** step, rel=1e-3, abs=1e-4)


def test_the_run_of_the_posts_without_the_step():
    curvatures, weights = DESCENT("sum", 0.1, 10)
    assert curvatures["sum"] == pytest.approx(47.037037)
    assert weights[-1] == pytest.approx(-485692.56, rel=1e-5)  # TensorFlow 2.21


@given(st.sampled_from([2, 10, 40]))
def test_the_sum_bends_as_many_times_more_as_there_are_examples(examples):
    curvatures, _ = DESCENT("sum", 0.1, examples)
    assert curvatures["sum"] == pytest.approx(examples * curvatures["mean"])
