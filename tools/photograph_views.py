"""Photograph views as PNG, for places that can neither run Python nor draw them, such as GitHub."""

import base64
import io
import sys

from PIL import Image

from tests.lessons.notebooks import LESSONS
from tools.chromium import chromium

WIDTH, WIDE = 1000, 1092  # of the page, in pixels, and of one with a view that is wide
STILL = ".lab-parts > figure { min-height: 0 !important } .lab-hint { display: none }"  # nothing moves here
PAGE = '<!doctype html><meta charset="utf-8"><body style="margin: 0; background: white">{}</body>'


def photographs(views):
    """Draw views, each its data and its words, in Chromium; return a PNG (base64) of each, and its size."""
    sys.path.insert(0, str(LESSONS))
    from lab.page.view import alone

    with chromium() as browser:
        page = browser.new_page(viewport={"width": WIDTH, "height": 900}, device_scale_factor=1)
        page.emulate_media(reduced_motion="reduce")
        taken = []
        for data, words in views:
            page.goto("about:blank")
            page.set_viewport_size({"width": WIDE if data.get("wide") else WIDTH, "height": 900})
            page.set_content(PAGE.format(alone(data, words)))
            page.add_style_tag(content=STILL)
            view = page.locator(".lab-view")
            view.locator(".lab-parts figure figure, .lab-parts .scroll, .lab-toy .scene").first.wait_for(
                state="attached"
            )
            for button in view.locator(".reveal").all():  # what is covered would stay so in a photograph
                button.click()
                view.evaluate("() => document.activeElement.blur()")
            box = view.bounding_box()
            taken.append((small(view.screenshot()), {"width": round(box["width"]), "height": round(box["height"])}))
    return taken


def small(png):
    """Return a picture in at most 48 colours, in base64 as a notebook has it."""
    file = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").quantize(48, dither=Image.Dither.NONE).save(file, "png", optimize=True)
    return base64.b64encode(file.getvalue()).decode() + "\n"
