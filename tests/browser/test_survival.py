"""Whenever a lesson is opened, it shows its pictures: not run, run, reloaded, the next day and the day after."""

from __future__ import annotations

import shutil

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.jupyterlab import KERNEL_IS_IDLE, SHUT_DOWN, Lesson
from tests.lessons.notebooks import lessons

pytestmark = pytest.mark.browser

PICTURES = """() => [...jupyterapp.shell.currentWidget.content.model.cells].flatMap((cell, i) =>
    cell.type === 'code' && !cell.getMetadata('jupyter')?.outputs_hidden
    && cell.outputs.toJSON().some(output => output.data && 'image/png' in output.data) ? [i] : [])"""
# What a reader should never see: ipywidgets' errors, and the repr of a widget.
BROKEN = "() => document.body.innerText.match(/Error displaying widget|\\b[HV]?Box\\(children=.*/)"
LOADED = "() => !document.body.innerText.includes('Loading widget')"  # as ipywidgets says for a moment
SLIDER = ".widget-slider .noUi-handle"


def shows_pictures(lesson: Lesson) -> list[int]:
    """See that each cell that has a picture shows it, and no error; return the numbers of these cells."""
    numbers = lesson.page.evaluate(PICTURES)
    for number in numbers:
        cell = lesson.cell_at(number)
        expect(cell.locator("img:visible, svg:visible, canvas:visible").first).to_be_visible()
    lesson.page.wait_for_function(LOADED)
    assert lesson.page.evaluate(BROKEN) is None
    return numbers


def save_and_leave(lesson: Lesson) -> None:
    lesson.page.evaluate("() => { jupyterapp.commands.execute('docmanager:save') }")
    lesson.page.wait_for_function("!jupyterapp.shell.currentWidget.context.model.dirty")
    lesson.page.evaluate(SHUT_DOWN)
    lesson.page.close()


def move_a_slider(lesson: Lesson, numbers: list[int]) -> int:
    """Press a key on the first slider of each picture, and see the picture change; return how many there are."""
    count = 0
    lesson.page.evaluate("() => { jupyterapp.shell.currentWidget.content.activeCellIndex = 0 }")  # arrows fold headings
    for number in numbers:
        cell = lesson.cell_at(number)
        if not cell.locator(SLIDER).count():
            continue
        picture = cell.locator(".widget-image")
        before = picture.get_attribute("src")
        handle = cell.locator(SLIDER).first
        handle.focus()
        handle.press(
            "ArrowRight"
            if handle.get_attribute("aria-valuenow") != handle.get_attribute("aria-valuemax")
            else "ArrowLeft"
        )
        expect(picture).not_to_have_attribute("src", before)
        count += 1
    return count


@pytest.mark.parametrize("name", [path.name for path in lessons()])
def test_a_lesson_through_the_days(open_lesson, folder, name: str):
    copy = f"saved_{name}"  # other tests open the lesson as it comes
    shutil.copy(folder / name, folder / copy)
    lesson = open_lesson(copy)
    delivered = shows_pictures(lesson)
    lesson.run_all(clear=False)
    assert lesson.errors() == []
    ran = shows_pictures(lesson)
    assert set(delivered) <= set(ran)
    sliders = move_a_slider(lesson, ran)
    lesson.page.evaluate("() => { jupyterapp.commands.execute('docmanager:save') }")
    lesson.page.wait_for_function("!jupyterapp.shell.currentWidget.context.model.dirty")
    lesson.page.reload()
    lesson.page.wait_for_function(KERNEL_IS_IDLE)
    assert shows_pictures(lesson) == ran
    assert move_a_slider(lesson, ran) == sliders
    save_and_leave(lesson)
    for day in ("the next day", "the day after, without a run in between"):
        lesson = open_lesson(copy)
        assert shows_pictures(lesson) == ran, day
        save_and_leave(lesson)


def test_sliders_come_back_the_next_day(open_lesson, folder):
    shutil.copy(folder / "03_the_experiment.ipynb", folder / "sliders.ipynb")
    lesson = open_lesson("sliders.ipynb")
    lesson.run_all(clear=False)
    save_and_leave(lesson)
    lesson = open_lesson("sliders.ipynb")
    shows_pictures(lesson)
    expect(lesson.page.locator(SLIDER)).to_have_count(3)


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_nothing_keeps_a_reader_out(open_lesson, theme: str):
    lesson = open_lesson("03_the_experiment.ipynb")
    lesson.use_theme(theme)
    lesson.run_all(clear=False)
    for number in shows_pictures(lesson):
        lesson.cell_at(number)
        assert violations(lesson.page) == []


def violations(page: Page) -> list[str]:
    """Return what axe finds in the notebook's outputs, but for what is JupyterLab's or ipywidgets' own."""
    found = Axe().run(page, context=".jp-OutputArea-output", options={"resultTypes": ["violations"]})
    own = {
        "image-alt",
        "aria-input-field-name",
        "scrollable-region-focusable",
    }  # of ipywidgets' Image and sliders, JupyterLab
    return [f"{one['id']}: {one['help']}" for one in found.response["violations"] if one["id"] not in own]
