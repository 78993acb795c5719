"""`PYTHONPATH=lessons python -m tools.tensorboard_pages`: photograph TensorBoard's pages for lesson 12."""

import os
import tempfile

from tensorboard.program import TensorBoard

from tests.lessons.exercises import exercises_of, script_of
from tests.lessons.notebooks import LESSONS, cell, read
from tools.chromium import chromium

PICTURES = LESSONS / "pictures"
RUNS = ("imports", "training", "data", "model", "watch", "lines")  # the cells that write the losses


def main():
    """Write two of lessons/pictures: the losses of two runs, and the histograms of the solved exercise."""
    os.chdir(LESSONS)
    names = {}
    for name in RUNS:
        exec(cell("12", name).source, names)
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        photograph_scalars(browser, served(names["logs"]))
        exercise, *_ = exercises_of("12_watching", read(LESSONS / "12_watching.ipynb"))
        for _ in range(2):
            names["lab"].run_inherited(folder, script_of(exercise.solution))
        photograph_histograms(browser, served(folder))


def served(folder):
    """Return the address of a TensorBoard on `folder`, which runs as long as this program."""
    board = TensorBoard()
    board.configure(logdir=folder, port=0, load_fast="false")
    return board.launch()


def photograph_scalars(browser, address):
    """Photograph the page that opens first."""
    page = browser.new_page(viewport={"width": 1020, "height": 640}, device_scale_factor=1.5)
    page.goto(address)
    page.locator("scalar-card").wait_for()
    page.wait_for_timeout(4000)
    page.screenshot(path=PICTURES / "tensorboard_scalars.png")


def photograph_histograms(browser, address):
    """Photograph the card with the hills."""
    page = browser.new_page(viewport={"width": 1100, "height": 800}, device_scale_factor=2)
    page.goto(f"{address}#histograms")
    page.locator("tf-histogram-loader paper-icon-button").first.click()  # makes it larger
    page.mouse.move(0, 0)
    page.wait_for_timeout(2500)
    card = page.locator("tf-histogram-loader").first.bounding_box()
    clip = {"x": card["x"] - 10, "y": card["y"] - 6, "width": card["width"] + 20, "height": card["height"] - 24}
    page.screenshot(path=PICTURES / "tensorboard_histogram.png", clip=clip)


if __name__ == "__main__":
    main()
