"""`python -m tests.browser.pictures`: photograph the lessons for README.md, in JupyterLab."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.controls import explorers
from tests.browser.jupyterlab import CHROMIUM_ARGUMENTS, Lesson, find_chromium, serving
from tests.lessons.notebooks import LESSONS

PICTURES = LESSONS / "pictures"


def main() -> None:
    """Write lessons/pictures/experiment.png: the decay explorer, moved to a rate that falls."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        folder = shutil.copytree(LESSONS, Path(home) / "lessons")
        with serving(folder, Path(home) / "jupyter") as address:
            browser = playwright.chromium.launch(
                executable_path=find_chromium(), args=CHROMIUM_ARGUMENTS
            )
            page = browser.new_page(
                viewport={"width": 1040, "height": 900}, device_scale_factor=1.5
            )
            lesson = Lesson(page, address, "03_the_experiment.ipynb")
            page.evaluate("() => { jupyterapp.commands.execute('application:toggle-left-area') }")
            lesson.run_all()
            explorer = explorers(lesson)[0]
            explorer.sliders()[0].press("ArrowRight")
            explorer.cell.screenshot(path=PICTURES / "experiment.png")
            browser.close()


if __name__ == "__main__":
    main()
