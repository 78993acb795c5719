"""`python -m tests.browser.pictures`: photograph the lessons for README.md, and TensorBoard for lesson 12."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.browser.controls import Explorer, Flipbook, explorers
from tests.browser.jupyterlab import CHROMIUM_ARGUMENTS, Lesson, find_chromium, serving
from tests.lessons.exercises import exercises_of
from tests.lessons.notebooks import LESSONS, cells, read

PICTURES = LESSONS / "pictures"
BEAT, REST = 800, 2500  # milliseconds for which a picture of the animation stays, and the last one


def main() -> None:
    """Write lessons/pictures: the decay explorer with a rate that falls, the stepper, stepping; TensorBoard's pages."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        folder = shutil.copytree(LESSONS, Path(home) / "lessons")
        with serving(folder, Path(home) / "jupyter") as address:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_ARGUMENTS)
            decay = explorer_of(browser, address, "03_the_experiment.ipynb")
            decay.settled()
            decay.cell.screenshot(path=PICTURES / "experiment.png")
            animate(explorer_of(browser, address, "04_who_adds_one.ipynb"), PICTURES / "stepper.gif")
            with boards() as (losses, weights):
                photograph_tensorboard(browser, losses, weights)
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


@contextlib.contextmanager
def boards() -> Iterator[tuple[str, str]]:
    """Run lesson 12, its exercise solved; yield the addresses of TensorBoard on its losses, and on its weights."""
    notebook = read(LESSONS / "12_watching.ipynb")
    [exercise] = exercises_of("12_watching", notebook)
    sys.path.insert(0, str(LESSONS))
    os.chdir(LESSONS)
    import lab

    lesson: dict = {"__name__": "__main__"}
    for cell in cells(notebook, "code"):
        if cell is exercise.check:
            break
        with contextlib.redirect_stdout(io.StringIO()):
            exec(exercise.solution if cell is exercise.cell else cell.source, lesson)
    losses = lesson["board"]
    with tempfile.TemporaryDirectory() as folder:
        lesson["log_run"](folder)
        weights = lab.TensorBoard(folder)
    for board in (losses, weights):
        board.show()
    yield losses.address, weights.address
    for board in (losses, weights):
        board.close()


def photograph_tensorboard(browser: Browser, losses: str, weights: str) -> None:
    """Photograph TensorBoard's page of scalars, its graph, and its histograms."""
    page = browser.new_page(viewport={"width": 1000, "height": 690}, device_scale_factor=1.25)
    page.goto(f"{losses}?smoothing=0.9#timeseries")
    page.locator("scalar-card tb-data-table").get_by_text("1.1226").wait_for()
    page.get_by_text("Enable saving pins").wait_for()
    page.wait_for_timeout(1500)  # curves grow
    page.screenshot(path=PICTURES / "tensorboard_scalars.png")
    page.set_viewport_size({"width": 1400, "height": 900})
    page.goto("about:blank")
    page.goto(f"{losses}#graphs&run=fast")
    page.locator("g.edge text").first.wait_for(state="attached")
    page.wait_for_timeout(2500)  # it is moved into place
    boxes = [node.bounding_box() for node in page.locator("g.node").all()]
    left, top = (min(box[side] for box in boxes) - 12 for side in ("x", "y"))
    right, bottom = (max(b[side] + b[size] for b in boxes) + 12 for side, size in (("x", "width"), ("y", "height")))
    clip = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    page.screenshot(path=PICTURES / "tensorboard_graph.png", clip=clip)
    page.goto(f"{weights}#histograms")
    page.locator("vz-histogram-timeseries .histogram path").first.wait_for(state="attached")
    page.wait_for_timeout(1500)
    card = page.locator("tf-histogram-loader").first.bounding_box()
    clip = {"x": card["x"] - 10, "y": card["y"] - 6, "width": card["width"] + 20, "height": card["height"] - 24}
    page.screenshot(path=PICTURES / "tensorboard_histogram.png", clip=clip)


if __name__ == "__main__":
    main()
