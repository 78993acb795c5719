"""Lesson 06 prints the weights that TensorFlow prints, and its factor is what the formula says."""

from __future__ import annotations

import re

import numpy as np
import pytest

from lab import recorded
from tests.lessons.notebooks import printed


def test_it_prints_the_posts_lines_and_tensorflows_weights():
    answers, posts = recorded("divergence"), recorded("experiment")["with_step"]
    _, *rows = printed("06", "both-runs").splitlines()
    assert [" ".join(row.split()[:2]) for row in rows] == ["0.1 0", *posts]
    assert [row.split()[2] for row in rows] == [f"{w:.4g}" for w in answers["with_step"][0]]
    assert [row.split()[4] for row in rows] == [f"{w:.4g}" for w in answers["without"][0]]
    _, *rows = printed("06", "mean-run").splitlines()
    assert [" ".join(row.split()[:2]) for row in rows] == ["0.1 0", *posts]
    assert [row.split()[2] for row in rows] == [f"{w:.4f}" for w in answers["with_mean"][0]]


def test_the_measured_factor_is_that_of_the_formula():
    curvature, limit = 47.0370, 0.04252
    alone, _ = printed("06", "ratios").splitlines()
    assert [float(ratio) for ratio in alone.split()[2:]] == [pytest.approx(1 - 0.1 * curvature, rel=1e-3)] * 10
    assert f"the limit is {limit}" in printed("06", "limit")
    assert 0.1 / limit == pytest.approx(2.35, abs=0.005)
    limits = [float(text) for text in re.findall(r"limit (\S+)", printed("06", "three-forms"))]
    assert limits == [limit, limit, 10 * limit]


def test_which_constant_rates_can_work():
    curvature = 47.0370
    works = {rate for rate in np.arange(1, 900) / 20_000 if (1 - rate * curvature) ** 10 < 0.02}
    assert (min(works), max(works)) == pytest.approx((0.0069, 0.0356), abs=1e-6)
    assert 1 / curvature == pytest.approx(0.0213, abs=5e-5)


def test_a_rate_that_doubles_leads_close_and_then_away():
    away = np.cumprod([abs(1 - 0.03 * 2 ** (step / 10) * 47.0370) for step in range(40)])
    assert np.argmin(away) == 5 and 0.08 < away[5] < 0.09 and away[-1] > 1e6
