"""Give each browser test an open lesson in JupyterLab."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.browser.jupyterlab import CHROMIUM_ARGUMENTS, SECONDS, SHUT_DOWN, Lesson, find_chromium, serving
from tests.lessons.notebooks import LESSONS

# One server and one browser serve this folder's tests, and end with the last of them: Playwright keeps an event loop
# running, and no other test of the same process should meet it.


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Start Playwright, if there is a Chromium for it."""
    if find_chromium() is None:
        pytest.skip("there is no Chromium: install it, or name it in the environment's MINITF_CHROMIUM")
    expect.set_options(timeout=SECONDS * 1000)
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Start Chromium without a window."""
    browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the lessons, so that no test can change them."""
    copy = tmp_path_factory.mktemp("course") / "lessons"
    return Path(shutil.copytree(LESSONS, copy, ignore=shutil.ignore_patterns(".*", "__pycache__")))


@pytest.fixture(scope="package")
def address(browser: Browser, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the copy of the lessons by JupyterLab."""
    with serving(folder, tmp_path_factory.mktemp("jupyter")) as address:
        yield address


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[[], Page]]:
    """Open empty pages; at the end close those that are still open, and end their kernels."""
    pages: list[Page] = []

    def opened() -> Page:
        pages.append(browser.new_page(viewport={"width": 1366, "height": 800}))
        pages[-1].set_default_timeout(SECONDS * 1000)
        return pages[-1]

    yield opened
    for page in pages:
        if not page.is_closed():
            page.evaluate(SHUT_DOWN)
            page.close()


@pytest.fixture
def open_lesson(open_page: Callable[[], Page], address: str) -> Callable[[str], Lesson]:
    """Open a notebook by its file's name."""
    return lambda name: Lesson(open_page(), address, name)
