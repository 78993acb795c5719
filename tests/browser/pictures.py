"""`python -m tests.browser.pictures`: photograph the lessons for README.md, in JupyterLab."""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.browser.controls import Explorer, Flipbook, explorers
from tests.browser.jupyterlab import CHROMIUM_ARGUMENTS, Lesson, find_chromium, serving
from tests.lessons.notebooks import LESSONS

PICTURES = LESSONS / "pictures"
BEAT, REST = 800, 2500  # milliseconds for which a picture of the animation stays, and the last one


def main() -> None:
    """Write lessons/pictures: the decay explorer with a rate that falls, and the stepper, stepping."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        folder = shutil.copytree(LESSONS, Path(home) / "lessons")
        with serving(folder, Path(home) / "jupyter") as address:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_ARGUMENTS)
            decay = explorer_of(browser, address, "03_the_experiment.ipynb")
            decay.settled()
            decay.cell.screenshot(path=PICTURES / "experiment.png")
            animate(explorer_of(browser, address, "04_who_adds_one.ipynb"), PICTURES / "stepper.gif")
            browser.close()


def explorer_of(browser: Browser, address: str, name: str) -> Explorer:
    """Run a lesson and bring its explorer into sight."""
    page = browser.new_page(viewport={"width": 1040, "height": 1100}, device_scale_factor=1.5)
    lesson = Lesson(page, address, name)
    page.evaluate("() => { jupyterapp.commands.execute('application:toggle-left-area') }")
    lesson.run_all()
    return explorers(lesson)[0]


def animate(explorer: Explorer, path: Path) -> None:
    """Go through a stepper from its first picture to the last of its first run; keep each."""
    [book] = [control for control in explorer.controls() if isinstance(control, Flipbook)]
    place, shots = book.place, []
    slider = place.locator("input")
    if book.value:
        book.press(slider, "Home")
    for _ in range(11):
        png = place.screenshot()
        shots.append(Image.open(io.BytesIO(png)).convert("RGB"))
        book.press(slider, "ArrowRight")
    size = (round(shots[0].width * 0.75), round(shots[0].height * 0.75))
    frames = [shot.resize(size).quantize(64, dither=Image.Dither.NONE) for shot in shots]
    times = [BEAT] * (len(frames) - 1) + [REST]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=times, loop=0)


if __name__ == "__main__":
    main()
