"""A learner goes through lesson 10."""

from __future__ import annotations

import pytest

from tests.browser.journey import moved_controls, pictures_before_a_run

pytestmark = pytest.mark.browser


def test_a_learner_goes_through(open_lesson):
    lesson = open_lesson("10_stop_and_resume.ipynb")
    assert pictures_before_a_run(lesson) == 1
    assert moved_controls(lesson) == ["save every ... steps", "max_to_keep", "killed after step"]
