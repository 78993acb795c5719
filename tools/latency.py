"""`python -m tools.latency`: how long each control of the lessons takes, from key to pixels.

In Chromium, each control gets an arrow key (a box the space bar, a handle a drag) a number of times. The time runs
from the event in the page to the frame that is drawn after the picture of the same view has changed.
"""

import argparse
import functools
import statistics

from tests.browser.controls import Handle, Menu, Segments, Slider, Tick, explorers
from tests.browser.jupyterlab import Lesson
from tests.lessons.notebooks import lessons
from tools.chromium import chromium, served_lessons

LISTEN = """([cell, type]) => {
    window.took = null;
    let began = null;
    const noteTime = () => { began ??= performance.now(); };
    window.addEventListener(type, noteTime, { capture: true, once: true });
    const observer = new MutationObserver(() => {
        if (began === null) return;
        observer.disconnect();
        // A frame's callbacks run before it is drawn, a message sent in one arrives after that.
        requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => { window.took = performance.now() - began; };
            channel.port2.postMessage(null);
        });
    });
    const all = { childList: true, subtree: true, attributes: true, characterData: true };
    for (const part of cell.querySelectorAll('.lab-parts, .lab-words')) observer.observe(part, all);
}"""


def times(page, control, moves):
    """Return the milliseconds that each of so many keys (of a handle: drags) took."""
    took = []
    for number in range(moves):
        control.explorer.settled()
        is_handle = isinstance(control, Handle)
        act = taken_hold_of(control.place, 60 - 120 * (number % 2)) if is_handle else key_of(control, number % 2)
        if act is None:
            return []
        page.evaluate(LISTEN, [control.explorer.cell.element_handle(), event_of(control)])
        act()
        page.wait_for_function("window.took !== null")
        page.mouse.up()
        took.append(page.evaluate("window.took"))
    return took


def event_of(control):
    """Return the event that moves a control: a box waits until the space bar is let go."""
    return "pointermove" if isinstance(control, Handle) else "keyup" if isinstance(control, Tick) else "keydown"


def key_of(control, back):
    """Return what presses a key that moves a control there, or back."""
    place = control.place
    if isinstance(control, Slider):
        return functools.partial(place.press, "ArrowLeft" if back else "ArrowRight")
    if isinstance(control, Menu):
        is_first = place.evaluate("list => list.selectedIndex === 0")
        return functools.partial(place.press, "ArrowDown" if is_first else "ArrowUp")
    if isinstance(control, Segments):
        return functools.partial(place.locator("input:checked").press, "ArrowRight")
    if isinstance(control, Tick):
        return functools.partial(place.press, "Space")
    return None


def taken_hold_of(handle, way):
    """Press the mouse on a handle, and return what drags it so many pixels."""
    mouse, box = handle.page.mouse, handle.locator("circle").last.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse.move(x, y)
    mouse.down()
    return functools.partial(mouse.move, x + way, y)


def main():
    """Print the median and the slowest key of each control."""
    parser = argparse.ArgumentParser(prog="python -m tools.latency")
    parser.add_argument("--keys", type=int, default=30, help="how often each control is moved")
    parser.add_argument("names", nargs="*", help="how the lessons' names start (default: all)")
    options = parser.parse_args()
    with served_lessons() as address, chromium() as browser:
        for path in lessons():
            if path.name.startswith(tuple(options.names or [""])):
                page = browser.new_page(viewport={"width": 1280, "height": 1200})
                lesson = Lesson(page, address, path.name)
                lesson.run_all()
                for explorer in explorers(lesson):
                    for control in explorer.controls():
                        tell(path.stem[:2], control, times(page, control, options.keys))
                page.close()


def tell(number, control, took):
    """Print the line of a control."""
    if took:
        median = statistics.median(took)
        print(f"{number} {control.name:24} median {median:5.1f} ms, slowest {max(took):5.1f} ms", flush=True)


if __name__ == "__main__":
    main()
