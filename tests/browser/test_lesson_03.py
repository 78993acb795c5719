"""A learner opens lesson 03, looks, runs it, and moves its sliders."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser
LESSON = "03_the_experiment.ipynb"


def test_pictures_show_before_the_lesson_is_run(open_lesson):
    lesson = open_lesson(LESSON)
    pictures = 0
    for cell in lesson.cells_with("image/png"):
        picture = cell.locator(".jp-OutputArea-output img").first
        picture.wait_for()
        assert picture.evaluate("image => image.complete && image.naturalWidth > 0")
        pictures += 1
    assert pictures


def test_keyboard_and_mouse_move_the_sliders(open_lesson):
    lesson = open_lesson(LESSON)
    lesson.run_all()
    assert lesson.errors() == []
    explorers = lesson.explorers()
    assert explorers
    for explorer in explorers:
        for slider in explorer.sliders():
            before = slider.value
            slider.press("ArrowRight")
            assert slider.value > before
            slider.press("ArrowLeft")
            assert slider.value == before
            slider.drag(0.9)
            assert slider.value > before
    assert lesson.errors() == []


def test_it_works_in_the_dark_theme(open_lesson):
    lesson = open_lesson(LESSON)
    lesson.use_theme("JupyterLab Dark")
    lesson.run_all()
    assert lesson.errors() == []
    lesson.explorers()[0].sliders()[0].press("ArrowRight")
