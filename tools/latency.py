"""`python -m tools.latency`: how long it takes from a key on a slider to the new picture, in JupyterLab.

It opens a lesson in Chromium, runs it, presses an arrow key on the first slider of its first explorer (30 times, unless
told otherwise), and prints the median of the times until the picture has changed and is loaded.
"""

import argparse
import statistics

from tests.browser.jupyterlab import Lesson
from tests.lessons.notebooks import lessons
from tools.chromium import chromium, served_lessons

LISTEN = """([slider, picture]) => {
    window.took = null;
    slider.addEventListener('keydown', () => {
        const began = performance.now();
        picture.addEventListener('load', () => { window.took = performance.now() - began; }, { once: true });
    }, { capture: true, once: true });
}"""


def times(page, presses):
    """Return the milliseconds that each of so many keys took, there and back again."""
    cell = page.locator(".jp-Cell:has(.widget-slider)").first
    slider, picture = cell.locator(".noUi-handle").first, cell.locator(".widget-image")
    took = []
    for number in range(presses):
        page.evaluate(LISTEN, [slider.element_handle(), picture.element_handle()])
        slider.focus()
        slider.press(["ArrowRight", "ArrowLeft"][number % 2])
        page.wait_for_function("window.took !== null")
        took.append(page.evaluate("window.took"))
    return took


def main():
    """Print the median of each lesson named, of lesson 03 unless one is."""
    parser = argparse.ArgumentParser(prog="python -m tools.latency", description=__doc__.splitlines()[0])
    parser.add_argument("--presses", type=int, default=30)
    parser.add_argument("lessons", nargs="*", default=["03"], help="how the lessons' names start")
    options = parser.parse_args()
    with chromium() as browser, served_lessons() as address:
        for path in (path for path in lessons() if path.name.startswith(tuple(options.lessons))):
            lesson = Lesson(browser.new_page(viewport={"width": 1366, "height": 800}), address, path.name)
            lesson.run_all(clear=False)
            lesson.page.locator(".widget-image").first.scroll_into_view_if_needed()
            took = times(lesson.page, options.presses)
            print(
                f"{path.stem}: {statistics.median(took):.0f} ms in the median of {len(took)}, at most {max(took):.0f}"
            )


if __name__ == "__main__":
    main()
