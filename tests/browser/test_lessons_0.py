"""A learner goes through the lessons 00 to 09."""

from __future__ import annotations

import pytest

from tests.browser.journey import goes_through
from tests.lessons.notebooks import lessons

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("path", lessons("0"), ids=lambda path: path.stem)
def test_a_learner_goes_through(open_lesson, path):
    goes_through(open_lesson, path)


def test_a_lesson_works_in_the_dark(open_lesson):
    lesson = open_lesson("03_the_experiment.ipynb")
    lesson.use_theme("JupyterLab Dark")
    lesson.run_all()
    assert lesson.errors() == []
