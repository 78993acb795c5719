"""Lesson 12's link opens a file in JupyterLab's editor, and the check judges what was saved there."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.lessons.exercises import exercises_of, script_of
from tests.lessons.notebooks import LESSONS, read

pytestmark = pytest.mark.browser


def test_a_file_is_edited_by_its_link_and_judged_as_saved(open_lesson, folder):
    exercise, *_ = exercises_of("12_watching", read(LESSONS / "12_watching.ipynb"))
    lesson = open_lesson("12_watching.ipynb")
    lesson.run_all()
    page, places = lesson.page, [cell.id for cell in exercise.notebook.cells]
    check = places.index(exercise.check.id)
    expect(lesson.cell(check).locator(".jp-Cell-outputArea")).to_contain_text("The file is as you found it.")
    notebook = page.evaluate("jupyterapp.shell.currentWidget.id")
    lesson.cell(places.index(exercise.cell.id)).get_by_role("link", name="yours/train_digits.py").click()
    editor = page.locator(".jp-FileEditor .cm-content")
    editor.click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(script_of(exercise.solution))
    page.keyboard.press("Control+S")
    page.wait_for_function("!jupyterapp.shell.currentWidget.context.model.dirty")
    assert (folder / "yours" / "train_digits.py").read_text() == script_of(exercise.solution)
    page.evaluate("id => jupyterapp.shell.activateById(id)", notebook)
    lesson.cell(check).locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    said = lesson.cell(check).locator(".jp-Cell-outputArea")
    expect(said).to_contain_text("Right!")
    expect(said).to_contain_text('+    tf.summary.histogram("logits", logits)')
    assert lesson.errors() == []
