"""`python -m tools.pictures`: photograph the lessons for README.md, and TensorBoard for lesson 12."""

import contextlib
import os
import sys
import tempfile

from tests.browser.controls import explorers
from tests.browser.jupyterlab import Lesson
from tests.lessons.exercises import exercises_of, script_of
from tests.lessons.notebooks import LESSONS, read
from tools.chromium import chromium, served_lessons

PICTURES = LESSONS / "pictures"


def main():
    """Write lessons/pictures: the decay explorer with a rate that falls; TensorBoard's pages."""
    PICTURES.mkdir(exist_ok=True)
    with served_lessons() as address, chromium() as browser:
        photograph_decay(browser, address)
        with board() as hills:
            photograph_tensorboard(browser, hills)


def view_of(browser, address, name, width):
    """Run a lesson, and bring its explorer into sight, so many pixels wide."""
    page = browser.new_page(viewport={"width": width + 140, "height": 1000}, device_scale_factor=1.5)
    lesson = Lesson(page, address, name)
    lesson.run_all()
    view = explorers(lesson)[0].cell.locator(".lab-view")
    view.scroll_into_view_if_needed()
    return view


def photograph_decay(browser, address):
    """Photograph lesson 03's sliders with a rate that falls in jumps."""
    view = view_of(browser, address, "03_the_experiment.ipynb", 720)
    view.get_by_label("decay_rate").fill("0.5")
    view.get_by_label("staircase").check()
    view.page.wait_for_timeout(1000)
    view.page.screenshot(path=PICTURES / "experiment.png", clip=around(view))


def around(view):
    """Return where a view is on its page, with a margin."""
    box = view.bounding_box()
    return {"x": box["x"] - 8, "y": box["y"] - 4, "width": box["width"] + 16, "height": box["height"] + 8}


@contextlib.contextmanager
def board():
    """Run the script of lesson 12's solved exercise; yield the address of TensorBoard on what it writes."""
    exercise, *_ = exercises_of("12_watching", read(LESSONS / "12_watching.ipynb"))
    sys.path.insert(0, str(LESSONS))
    os.chdir(LESSONS)
    import lab

    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            lab.run_inherited(folder, script_of(exercise.solution))
        hills = lab.TensorBoard(folder)
    yield hills.address()
    hills.close()


def photograph_tensorboard(browser, hills):
    """Photograph TensorBoard's histograms."""
    page = browser.new_page(viewport={"width": 1100, "height": 800}, device_scale_factor=2)
    page.goto(f"{hills}#histograms")
    page.locator("tf-histogram-loader paper-icon-button").first.click()  # makes it larger
    page.mouse.move(0, 0)
    page.wait_for_timeout(2500)
    card = page.locator("tf-histogram-loader").first.bounding_box()
    clip = {"x": card["x"] - 10, "y": card["y"] - 6, "width": card["width"] + 20, "height": card["height"] - 24}
    page.screenshot(path=PICTURES / "tensorboard_histogram.png", clip=clip)


if __name__ == "__main__":
    main()
