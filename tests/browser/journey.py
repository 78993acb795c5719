"""A learner's way through a lesson, the same for each: look, run all, move every control both ways."""

from __future__ import annotations

from tests.browser.controls import explorers
from tests.browser.jupyterlab import Lesson


def pictures_before_a_run(lesson: Lesson) -> int:
    """See that every stored picture shows in the notebook that nobody has run yet; count them."""
    pictures = 0
    for cell in lesson.cells_with("image/png"):
        picture = cell.locator(".jp-OutputArea-output img").first
        picture.wait_for()
        assert picture.evaluate("image => image.complete && image.naturalWidth > 0")
        pictures += 1
    return pictures


def moved_controls(lesson: Lesson) -> list[str]:
    """Run all, then move each control by keyboard and by mouse; return their names, by explorer."""
    lesson.run_all()
    assert lesson.errors() == []
    names = []
    for explorer in explorers(lesson):
        for control in explorer.controls():
            names.append(control.name)
            control.by_keyboard()
            control.by_mouse()
    assert lesson.errors() == []
    return names
