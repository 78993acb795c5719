"""A learner goes through lesson 15, diagnoses a case, and cures it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.journey import moved_controls, pictures_before_a_run
from tests.lessons.exercises import exercises_of
from tests.lessons.notebooks import LESSONS, read

pytestmark = pytest.mark.browser
NAME = "15_bug_clinic"


def test_a_learner_goes_through(open_lesson):
    lesson = open_lesson(f"{NAME}.ipynb")
    assert pictures_before_a_run(lesson) == 1
    assert moved_controls(lesson) == ["case", "show"]


def test_a_case_is_diagnosed_and_cured_by_keyboard(open_lesson):
    exercise = list(exercises_of(NAME, read(LESSONS / f"{NAME}.ipynb")))[3]
    lesson = open_lesson(f"{NAME}.ipynb")
    lesson.run_all()
    places = [cell.id for cell in exercise.notebook.cells]
    question = lesson.cell(places.index("diagnose-4")).locator("fieldset")
    question.locator("input").first.focus()
    lesson.page.keyboard.press("ArrowDown")
    lesson.page.keyboard.press("Tab")
    lesson.page.keyboard.press("Enter")
    expect(question.locator("p")).to_contain_text("Yes.")
    check = lesson.cell(places.index(exercise.check.id))
    expect(check.locator(".jp-Cell-outputArea")).to_contain_text("Not yet.")
    lesson.cell_at(places.index(exercise.cell.id)).locator(".cm-content").click()
    lesson.page.keyboard.press("Control+A")
    lesson.page.keyboard.insert_text(exercise.solution.strip())
    for _ in range(3):  # runs the program, its diagnosis and its check, one after the other
        lesson.page.keyboard.press("Shift+Enter")
    expect(check.locator(".jp-Cell-outputArea")).to_contain_text("Right!")
    assert lesson.errors() == []
