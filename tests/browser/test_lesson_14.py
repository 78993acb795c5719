"""A learner goes through lesson 14."""

from __future__ import annotations

import pytest

from tests.browser.journey import moved_controls, pictures_before_a_run

pytestmark = pytest.mark.browser


def test_a_learner_goes_through(open_lesson):
    lesson = open_lesson("14_where_did_it_go.ipynb")
    assert pictures_before_a_run(lesson) == 1
    assert moved_controls(lesson) == ["mistake", "library"]
