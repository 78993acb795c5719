"""Photograph the widgets of the lessons, for notebooks that aren't run.

python -m tools.photograph               lessons/pictures/toy.png, cards.png and cards_missed.png
python -m tools.photograph --animations  also the toy as it plays, for README.md, and its end, for shared links
"""

import io
import sys

from PIL import Image

from tests.browser.bare import show
from tests.lessons.notebooks import LESSONS
from tools.chromium import chromium

PICTURES = LESSONS / "pictures"
PAPERS = {"light": "#ffffff", "dark": "#0d1117"}  # GitHub's
BEAT, FRAME, RUN, REST = 500, 80, 6560, 5000  # milliseconds: of a step, a frame, the run and its end
STILL = "<style>button, #controls { display: none !important }</style>"  # what can't be used in a picture


def main(options):
    """Write the pictures."""
    sys.path.insert(0, str(LESSONS))
    import lab

    with chromium() as browser:
        for widget in (lab.Toy(), lab.OrderShuffler(), lab.OrderShuffler(late=True)):
            photograph(browser, widget)
        if "--animations" in options:
            for theme in PAPERS:
                shots, times = zip(*played(browser, lab.Toy(), theme, scale=1.1), strict=True)
                look = {"duration": times, "loop": 0, "lossless": True, "method": 4}
                shots[0].save(PICTURES / f"toy_{theme}.webp", save_all=True, append_images=shots[1:], **look)
            *_, (last, _) = played(browser, lab.Toy(), "light", scale=1.6, margins=(25, 22))
            last.crop((0, 0, 1200, 630)).save(PICTURES / "preview.png", optimize=True)


def photograph(browser, widget):
    """Photograph a widget as it comes, two pixels a point, in at most 64 colours."""
    page = browser.new_page(viewport={"width": 800, "height": 900}, device_scale_factor=2, reduced_motion="reduce")
    show(page, widget)
    page.locator("main > div > *").first.evaluate("(it, style) => it.insertAdjacentHTML('afterend', style)", STILL)
    picture = shot(page.locator("main > div")).quantize(64, dither=Image.Dither.NONE)
    picture.save(PICTURES / f"{widget.picture}.png", optimize=True)


def played(browser, toy, theme, *, scale, margins=(0, 0)):
    """Yield frames, each with how long it is shown: the lines appear, then the cover goes, and the run begins again."""
    x, y = margins
    size = {"width": 700 + 2 * x, "height": 350 + 2 * y}
    page = browser.new_page(viewport=size, device_scale_factor=scale, color_scheme=theme)
    page.clock.install(time=0)
    page.clock.pause_at(1)  # time passes only as told
    show(page, toy, f"body {{ margin: {y}px {x}px; background: {PAPERS[theme]} }}")
    page.locator("#toy").evaluate("(it, style) => it.insertAdjacentHTML('afterend', style)", STILL)
    yield shot(page), BEAT
    for _ in range(10):
        page.clock.run_for(BEAT)
        page.wait_for_timeout(400)  # a line fades in, whatever the page's clock says
        yield shot(page), BEAT
    page.locator("#reveal").evaluate("button => button.click()")
    for _ in range(RUN // FRAME):
        page.clock.run_for(FRAME)
        yield shot(page), FRAME
    yield shot(page), REST


def shot(seen):
    """Return what is to be seen of a page or a part."""
    return Image.open(io.BytesIO(seen.screenshot())).convert("RGB")


if __name__ == "__main__":
    main(sys.argv[1:])
