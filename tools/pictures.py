"""`python -m tools.pictures`: photograph the lessons for README.md, and TensorBoard for lesson 12."""

import contextlib
import io
import os
import sys
import tempfile

from PIL import Image

from tests.browser.controls import explorers
from tests.browser.jupyterlab import Lesson
from tests.lessons.exercises import exercises_of
from tests.lessons.notebooks import LESSONS, cells, read
from tools.chromium import chromium, served_lessons

PICTURES = LESSONS / "pictures"
FLOWS, BEAT, REST = 350, 700, 2500  # milliseconds of a frame: while values flow, after that, and at the end


def main():
    """Write lessons/pictures: the decay explorer with a rate that falls, the stepper, stepping; TensorBoard's pages."""
    PICTURES.mkdir(exist_ok=True)
    with served_lessons() as address, chromium() as browser:
        photograph_decay(browser, address)
        animate(browser, address)
        with boards() as (losses, hills):
            photograph_tensorboard(browser, losses, hills)


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


def animate(browser, address):
    """Step through lesson 04's first run: of each statement, its values on their way, and then where it leads."""
    view = view_of(browser, address, "04_who_adds_one.ipynb", 960)
    view.evaluate("view => view.scrollIntoView()")
    step, clip, shots = view.get_by_role("button", name="Step"), around(view), []
    view.page.mouse.move(0, 0)
    for at in range(11):
        if at:
            step.evaluate("button => button.click()")
        for wait in (150, 1000):
            view.page.wait_for_timeout(wait)
            shots.append(Image.open(io.BytesIO(view.page.screenshot(clip=clip))).convert("RGB"))
    frames = [shot.quantize(64, dither=Image.Dither.NONE) for shot in shots]
    times = [FLOWS, BEAT] * (len(frames) // 2 - 1) + [FLOWS, REST]
    frames[0].save(PICTURES / "stepper.gif", save_all=True, append_images=frames[1:], duration=times, loop=0)


def around(view):
    """Return where a view is on its page, with a margin."""
    box = view.bounding_box()
    return {"x": box["x"] - 8, "y": box["y"] - 4, "width": box["width"] + 16, "height": box["height"] + 8}


@contextlib.contextmanager
def boards():
    """Run lesson 12, its exercise solved; yield the addresses of TensorBoard on its noisy runs, and on the script's."""
    notebook = read(LESSONS / "12_watching.ipynb")
    exercise, *_ = exercises_of("12_watching", notebook)
    sys.path.insert(0, str(LESSONS))
    os.chdir(LESSONS)
    import lab

    lesson = {"__name__": "__main__"}
    for cell in cells(notebook, "code"):
        if cell is exercise.check:
            break
        with contextlib.redirect_stdout(io.StringIO()):
            exec(exercise.solution if cell is exercise.cell else cell.source, lesson)
    losses = lab.TensorBoard(lesson["logs"])
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            lab.run_inherited(folder, lesson["script"])
        hills = lab.TensorBoard(folder)
    yield losses.address(), hills.address()
    for board in (losses, hills):
        board.close()


def photograph_tensorboard(browser, losses, hills):
    """Photograph TensorBoard's card of the losses, and its histograms."""
    page = browser.new_page(viewport={"width": 1100, "height": 800}, device_scale_factor=2)
    page.goto(f"{losses}?smoothing=0.9#timeseries")
    page.locator("scalar-card tb-data-table").get_by_text("1.1226").wait_for()
    page.get_by_role("button", name="Settings").click()  # closes them, so that the card is wider
    page.wait_for_timeout(1500)  # curves grow
    page.locator("scalar-card").screenshot(path=PICTURES / "tensorboard_scalars.png")
    page.goto("about:blank")
    page.goto(f"{hills}#histograms")
    page.locator("tf-histogram-loader paper-icon-button").first.click()  # makes it larger
    page.mouse.move(0, 0)
    page.wait_for_timeout(2500)
    card = page.locator("tf-histogram-loader").first.bounding_box()
    clip = {"x": card["x"] - 10, "y": card["y"] - 6, "width": card["width"] + 20, "height": card["height"] - 24}
    page.screenshot(path=PICTURES / "tensorboard_histogram.png", clip=clip)


if __name__ == "__main__":
    main()
