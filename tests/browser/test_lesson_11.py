"""A learner goes through lesson 11."""

from __future__ import annotations

import pytest

from tests.browser.journey import moved_controls, pictures_before_a_run

pytestmark = pytest.mark.browser


def test_a_learner_goes_through(open_lesson):
    lesson = open_lesson("11_hooks.ipynb")
    assert pictures_before_a_run(lesson) == 1
    assert moved_controls(lesson) == ["last_step", "save_checkpoint_steps", "checkpoint_dir", "error"]
