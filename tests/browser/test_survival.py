"""What a lesson shows is seen wherever it is opened: not run, run, the next day, exported, on another host."""

from __future__ import annotations

import os

import pytest
from axe_playwright_python.sync_playwright import Axe
from nbconvert import HTMLExporter
from playwright.sync_api import Browser, Page

from tests.browser.controls import explorers
from tests.browser.journey import FAULTS, views_drawn, views_of
from tests.browser.jupyterlab import CHROMIUM_ARGUMENTS, SECONDS, Lesson, find_chromium, serving
from tests.lessons.notebooks import LESSONS, VIEW, lessons

pytestmark = pytest.mark.browser

QUICK = ("06", "10")
NAMES = [
    pytest.param(path.name, marks=[] if path.name.startswith(QUICK) else pytest.mark.long)
    for path in [*lessons(), LESSONS / "field_guide.ipynb", LESSONS / "glossary.ipynb"]
]
SIZES = {  # wide, and wide at 150%, where the page has less room; narrow
    "JupyterLab Light": [(1400, 900), (933, 600)],
    "JupyterLab Dark": [(800, 900)],
}
HOST = "lessons.test"  # a name that is not localhost: over http, Chromium gives its pages no secure context


@pytest.mark.parametrize("name", NAMES)
def test_before_a_run(browser: Browser, address: str, name: str):
    page = opened(browser)
    lesson = Lesson(page, address, name)
    for theme, sizes in SIZES.items():
        lesson.use_theme(theme)
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            assert views_drawn(lesson) == len(views_of(LESSONS / name, folded=False))
        no_violation(lesson)
    assert not page.evaluate("jupyterapp.shell.currentWidget.context.model.dirty")
    page.close()


@pytest.mark.parametrize("name", NAMES)
def test_the_next_day(browser: Browser, address: str, name: str, folder, tmp_path):
    lesson = Lesson(opened(browser), address, name)
    lesson.run_all()
    count = views_drawn(lesson)
    lesson.page.evaluate("() => { jupyterapp.commands.execute('docmanager:save') }")
    lesson.page.wait_for_function("!jupyterapp.shell.currentWidget.context.model.dirty")
    lesson.page.evaluate("() => { jupyterapp.shell.currentWidget.sessionContext.shutdown() }")
    lesson.page.close()
    lesson = Lesson(opened(browser), address, name)
    assert views_drawn(lesson) == count == len(views_of(LESSONS / name))
    for explorer in explorers(lesson):
        control = explorer.controls()[0]
        control.by_keyboard()  # from what is stored beside the view
    lesson.page.close()
    exported(browser, folder / name, tmp_path)


def test_over_plain_http_under_another_name(folder, tmp_path, playwright):
    arguments = [*CHROMIUM_ARGUMENTS, f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
    browser = playwright.chromium.launch(executable_path=find_chromium(), args=arguments)
    with serving(folder, tmp_path / "jupyter", "--ServerApp.allow_remote_access=True") as address:
        lesson = Lesson(opened(browser), address.replace("127.0.0.1", HOST), "04_who_adds_one.ipynb")
        assert not lesson.page.evaluate("window.isSecureContext")
        lesson.run_all()
        assert views_drawn(lesson) == len(views_of(LESSONS / "04_who_adds_one.ipynb"))
        lesson.page.locator(".lab-question input").first.check()
    browser.close()


def exported(browser: Browser, path: os.PathLike, folder: os.PathLike) -> None:
    """Export a notebook to HTML, open the file without a server, and see each view."""
    html, _ = HTMLExporter().from_filename(str(path))
    (folder / "page.html").write_text(html, encoding="utf-8")
    page = opened(browser)
    page.route("http*://**", lambda route: route.abort())  # a page on a train
    page.goto((folder / "page.html").as_uri())
    count = len(views_of(path))
    page.wait_for_function("count => document.querySelectorAll('.lab-view').length === count", arg=count)
    for view in page.locator(".jp-Cell:has(.lab-view)").all():
        view.scroll_into_view_if_needed()
        assert view.evaluate(FAULTS) == []
    page.close()


def no_violation(lesson: Lesson) -> None:
    """Ask axe-core about each view: nothing serious or critical."""
    for number in lesson.numbers(VIEW):
        lesson.cell(number)
        found = Axe().run(lesson.page, ".lab-view", {"resultTypes": ["violations"]}).response["violations"]
        serious = [v for v in found if v["impact"] in ("serious", "critical")]
        assert not serious, [(v["id"], v["nodes"][0]["html"], v["nodes"][0]["any"][:1]) for v in serious]


def opened(browser: Browser) -> Page:
    """Open an empty page."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(SECONDS * 1000)
    return page
