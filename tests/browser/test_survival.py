"""What a lesson shows is seen wherever it is opened: not run, run, the next day, exported, on another host."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from nbconvert import HTMLExporter
from playwright.sync_api import Page

from tests.browser.controls import explorers
from tests.browser.journey import FAULTS, views_drawn, views_of
from tests.browser.jupyterlab import HOST, SHUT_DOWN, Lesson
from tests.lessons.notebooks import LESSONS, VIEW, lessons

pytestmark = pytest.mark.browser

QUICK = "04"
NAMES = [
    pytest.param(path.name, marks=[] if path.name.startswith(QUICK) else pytest.mark.long)
    for path in [*lessons(), LESSONS / "field_guide.ipynb", LESSONS / "glossary.ipynb"]
]
SIZES = {  # wide, and wide at 150%, where the page has less room; narrow
    "JupyterLab Light": [(1400, 900), (933, 600)],
    "JupyterLab Dark": [(800, 900)],
}


@pytest.mark.parametrize("name", NAMES)
def test_before_a_run(open_lesson, name: str):
    lesson = open_lesson(name)
    page = lesson.page
    for theme, sizes in SIZES.items():
        lesson.use_theme(theme)
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            assert views_drawn(lesson) == len(views_of(LESSONS / name, folded=False))
        no_violation(lesson)
    assert not page.evaluate("jupyterapp.shell.currentWidget.context.model.dirty")


@pytest.mark.parametrize("name", NAMES)
def test_the_next_day(open_lesson, open_page, name: str, folder, tmp_path):
    copy = f"saved_{name}"  # other tests open the lesson as it comes
    shutil.copy(folder / name, folder / copy)
    lesson = open_lesson(copy)
    lesson.run_all()
    count = views_drawn(lesson)
    lesson.page.evaluate("() => { jupyterapp.commands.execute('docmanager:save') }")
    lesson.page.wait_for_function("!jupyterapp.shell.currentWidget.context.model.dirty")
    lesson.page.evaluate(SHUT_DOWN)
    lesson.page.close()
    lesson = open_lesson(copy)
    assert views_drawn(lesson) == count == len(views_of(LESSONS / name))
    for explorer in explorers(lesson):
        control = explorer.controls()[0]
        control.by_keyboard()  # from what is stored beside the view
    exported(open_page(), folder / copy, tmp_path)


def test_over_plain_http_under_another_name(open_page, address: str):
    lesson = Lesson(open_page(), address.replace("127.0.0.1", HOST), "03_the_experiment.ipynb")
    assert not lesson.page.evaluate("window.isSecureContext")
    lesson.run_all()
    assert views_drawn(lesson) == len(views_of(LESSONS / "03_the_experiment.ipynb"))
    lesson.page.locator(".lab-question input").first.check()


def exported(page: Page, path: Path, folder: Path) -> None:
    """Export a notebook to HTML, open the file without a server, and see each view."""
    html, _ = HTMLExporter().from_filename(str(path))
    (folder / "page.html").write_text(html, encoding="utf-8")
    page.route("http*://**", lambda route: route.abort())  # a page on a train
    page.goto((folder / "page.html").as_uri())
    count = len(views_of(path))
    page.wait_for_function("count => document.querySelectorAll('.lab-view').length === count", arg=count)
    for view in page.locator(".jp-Cell:has(.lab-view)").all():
        view.scroll_into_view_if_needed()
        assert view.evaluate(FAULTS) == []


def no_violation(lesson: Lesson) -> None:
    """Ask axe-core about each view: nothing serious or critical."""
    for number in lesson.numbers(VIEW):
        lesson.cell(number)
        found = Axe().run(lesson.page, ".lab-view", {"resultTypes": ["violations"]}).response["violations"]
        serious = [v for v in found if v["impact"] in ("serious", "critical")]
        assert not serious, [(v["id"], v["nodes"][0]["html"], v["nodes"][0]["any"][:1]) for v in serious]
