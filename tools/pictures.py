"""`python -m tools.pictures`: photograph the lessons for README.md. (tools.tensorboard_pages is for lesson 12.)"""

import contextlib
import io
import sys

from PIL import Image

from tests.browser.controls import explorers
from tests.browser.jupyterlab import Lesson
from tests.lessons.notebooks import LESSONS
from tools.chromium import chromium, served_lessons

PICTURES = LESSONS / "pictures"
BEAT, FRAME, RUN, REST = 500, 80, 6560, 5000  # milliseconds: of a step, a frame, the run and its end
PAPERS = {"light": "#ffffff", "dark": "#0d1117"}  # GitHub's
WIDTH, SCALE = 704, 1.1
STILL = ".lab-toy .reveal, .under { display: none !important }"  # what can't be pressed in a picture


def main():
    """Write lessons/pictures: the toy, playing; the decay explorer with a rate that falls."""
    PICTURES.mkdir(exist_ok=True)
    with served_lessons() as address, chromium() as browser:
        photograph_toy(browser)
        photograph_decay(browser, address)


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


def photograph_toy(browser):
    """Play lesson 00's first picture in both themes, without its buttons; keep the last frame for shared links."""
    for theme, paper in PAPERS.items():
        with toy(browser, theme, paper, width=WIDTH, scale=SCALE) as page:
            clip = page.locator(".lab-toy").bounding_box()
            frames = list(played(page, clip))
        shots, times = zip(*frames, strict=True)
        look = {"duration": times, "loop": 0, "lossless": True, "method": 4}
        shots[0].save(PICTURES / f"toy_{theme}.webp", save_all=True, append_images=shots[1:], **look)
    with toy(browser, "light", PAPERS["light"], width=750, scale=1.6) as page:
        *_, (last, _) = played(page, {"x": 0, "y": 0, "width": 750, "height": 394})
        last.crop((0, 0, 1200, 630)).save(PICTURES / "preview.png", optimize=True)


@contextlib.contextmanager
def toy(browser, theme, paper, *, width, scale):
    """Yield a page with the toy alone, in which time passes only as told."""
    sys.path.insert(0, str(LESSONS))
    from lab import Toy
    from lab.page.view import alone

    view = Toy()._view
    page = browser.new_page(viewport={"width": width, "height": 500}, device_scale_factor=scale)
    page.clock.install(time=0)
    page.clock.pause_at(1)
    page.set_content(f"<!doctype html><body style='margin: 0; background: {paper}'>{alone(view.data, view.words)}")
    page.evaluate("isLight => document.body.dataset.jpThemeLight = isLight", str(theme == "light").lower())
    page.locator(".lab-toy").wait_for()
    page.add_style_tag(content=f"{STILL} .lab-view {{ margin: {(width - 700) // 2 - 2}px auto !important }}")
    yield page
    page.close()


def played(page, clip):
    """Yield frames, each with how long it is shown: the lines appear, then the cover goes, and the run begins again."""
    page.clock.run_for(50)  # which begins the run
    yield shot(page, clip), BEAT
    for _ in range(10):
        page.clock.run_for(BEAT)
        page.wait_for_timeout(400)  # a line fades in, whatever the page's clock says
        yield shot(page, clip), BEAT
    page.evaluate("document.querySelector('.reveal').click()")
    for _ in range(RUN // FRAME):
        page.clock.run_for(FRAME)
        yield shot(page, clip), FRAME
    page.wait_for_timeout(400)
    yield shot(page, clip), REST


def shot(page, clip):
    """Return what is to be seen now."""
    return Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")


def around(view):
    """Return where a view is on its page, with a margin."""
    box = view.bounding_box()
    return {"x": box["x"] - 8, "y": box["y"] - 4, "width": box["width"] + 16, "height": box["height"] + 8}


if __name__ == "__main__":
    main()
