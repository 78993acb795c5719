"""Chromium, and a JupyterLab that serves a copy of the lessons: what the tools that look at pages share."""

import contextlib
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.jupyterlab import CHROMIUM_ARGUMENTS, find_chromium, serving
from tests.lessons.notebooks import LESSONS


@contextlib.contextmanager
def chromium():
    """Yield a browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_ARGUMENTS)
        yield browser
        browser.close()


@contextlib.contextmanager
def served_lessons():
    """Yield the address of a JupyterLab."""
    with tempfile.TemporaryDirectory() as home:
        folder = shutil.copytree(LESSONS, Path(home) / "lessons")
        with serving(folder, Path(home) / "jupyter") as address:
            yield address
