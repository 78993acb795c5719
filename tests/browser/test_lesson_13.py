"""A learner goes through lesson 13."""

from __future__ import annotations

import pytest

from tests.browser.journey import moved_controls, pictures_before_a_run

pytestmark = pytest.mark.browser


def test_a_learner_goes_through(open_lesson):
    lesson = open_lesson("13_many_workers.ipynb")
    assert pictures_before_a_run(lesson) == 2
    assert moved_controls(lesson) == ["workers", "delay of worker 1", "way"]
