"""A learner answers by keyboard, and gets a reply."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.lessons.exercises import exercises_of
from tests.lessons.notebooks import LESSONS, read

pytestmark = pytest.mark.browser
WIDGET = "application/vnd.jupyter.widget-view+json"


def test_questions_are_answered_by_keyboard(open_lesson):
    lesson = open_lesson("03_the_experiment.ipynb")
    lesson.run_all()
    predictions = quizzes = 0
    for cell in lesson.cells_with(WIDGET):
        cell.locator(".jp-OutputArea-output .jupyter-widgets").first.wait_for()
        questions = cell.locator("fieldset")
        if not questions.count():
            continue
        radios, reply = questions.first.locator("input"), questions.first.locator("p")
        radios.first.focus()
        lesson.page.keyboard.press("ArrowDown")
        expect(radios.nth(1)).to_be_checked()
        if questions.first.locator("button:visible").count():
            quizzes += 1
            lesson.page.keyboard.press("Tab")
            lesson.page.keyboard.press("Enter")
            expect(reply).to_contain_text("Not yet.")
            radios.nth(1).focus()
            lesson.page.keyboard.press("ArrowDown")
            expect(reply).to_be_empty()
            lesson.page.keyboard.press("Tab")
            lesson.page.keyboard.press("Space")
            expect(reply).to_contain_text("Yes.")
        else:
            predictions += 1
            expect(reply).to_contain_text("You predict:")
    assert (predictions, quizzes) == (2, 1)
    assert lesson.errors() == []


def test_an_exercise_is_solved_by_keyboard(open_lesson):
    [exercise] = exercises_of("00_start_here", read(LESSONS / "00_start_here.ipynb"))
    lesson = open_lesson("00_start_here.ipynb")
    lesson.run_all()
    sources = [cell.id for cell in exercise.notebook.cells]
    check = lesson.cell(sources.index(exercise.check.id))
    expect(check.locator(".jp-Cell-outputArea")).to_contain_text("Not yet.")
    editor = lesson.cell_at(sources.index(exercise.cell.id)).locator(".cm-content")
    editor.click()
    lesson.page.keyboard.press("Control+A")
    lesson.page.keyboard.insert_text(exercise.solution.strip())
    lesson.page.keyboard.press("Shift+Enter")  # runs the cell, and goes to the next
    lesson.page.keyboard.press("Shift+Enter")
    expect(check.locator(".jp-Cell-outputArea")).to_contain_text("Right!")
    assert lesson.errors() == []
