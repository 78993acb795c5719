"""A learner opens lesson 03, looks, runs it, moves its sliders, and likes it dark."""

from __future__ import annotations

import pytest

from tests.browser.controls import explorers
from tests.browser.journey import moved_controls, pictures_before_a_run

pytestmark = pytest.mark.browser
LESSON = "03_the_experiment.ipynb"


def test_a_learner_goes_through(open_lesson):
    lesson = open_lesson(LESSON)
    assert pictures_before_a_run(lesson) == 2
    names = ["learning_rate", "decay_steps", "decay_rate", "staircase"]
    assert moved_controls(lesson) == names


def test_it_works_in_the_dark_theme(open_lesson):
    lesson = open_lesson(LESSON)
    lesson.use_theme("JupyterLab Dark")
    lesson.run_all()
    assert lesson.errors() == []
    explorers(lesson)[0].sliders()[0].press("ArrowRight")
