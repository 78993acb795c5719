"""A learner answers by keyboard, and gets a reply."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.jupyterlab import KERNEL_IS_IDLE
from tests.lessons.exercises import exercises_of
from tests.lessons.notebooks import LESSONS, VIEW, read

pytestmark = pytest.mark.browser


def test_questions_are_answered_by_keyboard(open_lesson):
    lesson = open_lesson("03_the_experiment.ipynb")
    said = []
    for number in lesson.numbers(VIEW):
        question = lesson.cell(number).locator(".lab-question:not(.lab-case)").first
        if not question.count():
            continue
        radios, reply = question.locator("input"), question.locator(".lab-verdict")
        before = reply.inner_text()
        radios.first.focus()
        for key in ("ArrowDown", "ArrowUp"):
            lesson.page.keyboard.press(key)
        expect(radios.first).to_be_checked()
        chosen = reply.inner_text()
        lesson.page.keyboard.press("Tab")
        lesson.page.keyboard.press("Enter")
        wrong = reply.inner_text()
        radios.first.focus()
        lesson.page.keyboard.press("ArrowUp" if before else "ArrowDown")  # the last one, or the second
        assert "✗" not in reply.inner_text()
        lesson.page.keyboard.press("Tab")
        lesson.page.keyboard.press("Space")
        said.append([before, chosen, wrong, reply.inner_text()])
    prediction, quiz = said  # its first answer is the right one
    assert prediction[0] == "Choose one before you read on."
    assert prediction[1] == "Now run the next cell, then come back and compare."
    assert prediction[2].startswith("✗ Not this time.") and prediction[3].startswith("✓ You saw it coming.")
    assert quiz[:2] == ["", ""]
    assert quiz[2].startswith("✓ Right!") and quiz[3].startswith("✗ Not yet.")


def test_what_follows_a_prediction_unfolds_once_there_is_an_answer(open_lesson):
    lesson = open_lesson("03_the_experiment.ipynb")
    ids = [cell.id for cell in read(LESSONS / "03_the_experiment.ipynb").cells]
    cell = lesson.cell_at(ids.index("compare"))
    expect(cell.locator(".jp-OutputPlaceholder")).to_be_visible()
    assert not lesson.page.evaluate("jupyterapp.shell.currentWidget.context.model.dirty")
    lesson.run_all(clear=False)
    cell = lesson.cell_at(ids.index("compare"))
    expect(cell.locator(".jp-OutputPlaceholder")).to_be_visible()
    assert "lab-waits" in cell.get_attribute("class")
    compare(lesson.cell_at(ids.index("predict")))
    cell = lesson.cell_at(ids.index("compare"))
    expect(cell.locator(".lab-view")).to_be_visible()
    expect(cell.locator(".jp-OutputPlaceholder")).to_have_count(0)


def test_an_answer_is_remembered_and_can_be_given_again(open_lesson):
    lesson = open_lesson("03_the_experiment.ipynb")
    ids = [cell.id for cell in read(LESSONS / "03_the_experiment.ipynb").cells]
    compare(lesson.cell_at(ids.index("predict")))
    lesson.page.reload()
    lesson.page.wait_for_function(KERNEL_IS_IDLE)
    question = lesson.cell_at(ids.index("predict")).locator(".lab-question")
    expect(question).to_contain_text("Not this time.")
    expect(question.locator("input").first).to_be_checked()
    lesson.run_all(clear=False)
    expect(lesson.cell_at(ids.index("compare")).locator(".lab-view")).to_be_visible()
    question = lesson.cell_at(ids.index("predict")).locator(".lab-question")
    question.get_by_role("button", name="Answer again").click()
    expect(question).to_contain_text("Choose one before you read on.")
    assert question.locator("input:checked").count() == 0


def compare(cell):
    """Choose the first answer of a cell's question, and compare it."""
    cell.locator(".lab-question input").first.check()
    cell.get_by_role("button", name="Compare").click()


def test_an_exercise_is_solved_by_keyboard(open_lesson):
    exercise, *_ = exercises_of("00_start_here", read(LESSONS / "00_start_here.ipynb"))
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


@pytest.mark.long
def test_a_case_tells_what_it_was_when_it_is_solved_by_keyboard(open_lesson):
    exercise = list(exercises_of("15_bug_clinic", read(LESSONS / "15_bug_clinic.ipynb")))[0]
    lesson = open_lesson("15_bug_clinic.ipynb")
    lesson.run_all()
    places = [cell.id for cell in exercise.notebook.cells]
    check = lesson.cell(places.index(exercise.check.id))
    expect(check.locator(".jp-Cell-outputArea")).to_contain_text("Not yet.")
    expect(check.locator(".jp-Cell-outputArea a")).to_have_count(0)
    lesson.cell_at(places.index(exercise.cell.id)).locator(".cm-content").click()
    lesson.page.keyboard.press("Control+A")
    lesson.page.keyboard.insert_text(f"{exercise.solution.strip()}\n\n\nlab.run_case(case_1)")
    for _ in range(2):  # runs the program and its check, one after the other
        lesson.page.keyboard.press("Shift+Enter")
    expect(check.locator(".jp-Cell-outputArea")).to_contain_text("Right!")
    expect(check.locator(".jp-Cell-outputArea a").first).to_have_text("lesson 05")
    assert lesson.errors() == []
