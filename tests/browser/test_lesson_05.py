"""A learner goes through lesson 05."""

from __future__ import annotations

import pytest

from tests.browser.journey import moved_controls, pictures_before_a_run

pytestmark = pytest.mark.browser


def test_a_learner_goes_through(open_lesson):
    lesson = open_lesson("05_the_rate_reads_the_clock.ipynb")
    assert pictures_before_a_run(lesson) == 2
    assert moved_controls(lesson) == ["learning_rate", "decay_steps", "end_learning_rate", "power", "cycle", "schedule"]
