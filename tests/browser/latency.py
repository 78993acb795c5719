"""`python -m tests.browser.latency`: how long each control of the lessons takes, from key to pixels.

In Chromium, each control gets an arrow key (a box the space bar) a number of times. A key's time runs from
its event in the page to the frame that is drawn after the picture in the same output has changed.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.controls import Control, Flipbook, Slider, explorers
from tests.browser.jupyterlab import CHROMIUM_ARGUMENTS, Lesson, find_chromium, serving
from tests.lessons.notebooks import LESSONS, lessons

LISTEN = """area => {
    window.took = null;
    let pressed = null;
    const noteTime = () => { pressed = performance.now(); };
    window.addEventListener('keydown', noteTime, { capture: true, once: true });
    const drawn = () => {
        observer.disconnect();
        // A frame's callbacks run before it is drawn, a message sent in one arrives after that.
        requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => { window.took = performance.now() - pressed; };
            channel.port2.postMessage(null);
        });
    };
    const isPicture = node => node.nodeName === 'svg' || node.querySelector?.('svg');
    const observer = new MutationObserver(changes => {
        if (changes.some(change => [...change.addedNodes].some(isPicture))) drawn();
    });
    observer.observe(area, { childList: true, subtree: true });
}"""


def times(page: Page, control: Control, keys: int) -> list[float]:
    """Return the milliseconds that each of `keys` keys took."""
    if isinstance(control, Slider):
        place, ways = control.place.locator(".noUi-handle"), ("ArrowRight", "ArrowLeft")
    elif isinstance(control, Flipbook):
        place, ways = control.place.locator("input"), ("ArrowRight", "ArrowLeft")
    elif control.place.locator("select").count():
        place, ways = control.place.locator("select"), ("ArrowDown", "ArrowUp")
    elif control.place.locator("input").count():
        place, ways = control.place.locator("input"), ("Space", "Space")
    else:
        return []
    took = []
    if place.evaluate("it => it.selectedIndex > 0"):  # a list: there is one above
        ways = ("ArrowUp", "ArrowDown")
    for number in range(keys):
        control.explorer.settled()
        place.focus()
        control.explorer.cell.locator(".jp-Cell-outputArea").evaluate(LISTEN)
        place.press(ways[number % 2])
        page.wait_for_function("window.took !== null")
        took.append(page.evaluate("window.took"))
    return took


def main() -> None:
    """Print the median and the slowest key of each control."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.latency")
    parser.add_argument("--keys", type=int, default=30, help="how often each control is moved")
    parser.add_argument("names", nargs="*", help="how the lessons' names start (default: all)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        folder = shutil.copytree(LESSONS, Path(home) / "lessons")
        with serving(folder, Path(home) / "jupyter") as address:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_ARGUMENTS)
            for path in lessons():
                if options.names and not path.name.startswith(tuple(options.names)):
                    continue
                page = browser.new_page(viewport={"width": 1280, "height": 1200})
                lesson = Lesson(page, address, path.name)
                lesson.run_all()
                for explorer in explorers(lesson):
                    for control in explorer.controls():
                        took = times(page, control, options.keys)
                        if took:
                            print(
                                f"{path.stem[:2]} {control.name:24} median "
                                f"{statistics.median(took):5.1f} ms, slowest {max(took):5.1f} ms",
                                flush=True,
                            )
                page.close()
            browser.close()


if __name__ == "__main__":
    main()
