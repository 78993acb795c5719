"""What a scene says by a frame, a dash or a head, it says in both of its drawings."""

from __future__ import annotations

import io
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from PIL import Image

from lab.scene import Arrow, Box, Scene, Text

SVG = "{http://www.w3.org/2000/svg}"
BOX, TEXT = Box(10, 10, 60, 30), Text(12, 60, "w -= rate * d_w", mono=True)
ARROW = Arrow([(80, 10), (80, 70)])


def scene(*shapes, words="Some words."):
    return Scene(120, 80, shapes, words)


def svg(drawn):
    return ElementTree.fromstring(drawn.svg().replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" '))


def pixels(drawn):
    return Image.open(io.BytesIO(drawn.png())).convert("RGB")


@pytest.mark.parametrize(
    "plain, other",
    [
        (BOX, replace(BOX, kind="quiet")),
        (BOX, replace(BOX, kind="now")),
        (BOX, replace(BOX, kind="done")),
        (ARROW, replace(ARROW, dashed=True)),
        (TEXT, replace(TEXT, kind="quiet")),
        (TEXT, replace(TEXT, bold=True)),
        (TEXT, replace(TEXT, anchor="end", x=118)),
    ],
    ids=["quiet box", "box of now", "box done", "control edge", "quiet text", "bold", "right"],
)
def test_what_differs_differs_in_both_drawings(plain, other):
    assert scene(plain).svg() != scene(other).svg()
    assert pixels(scene(plain)).tobytes() != pixels(scene(other)).tobytes()


def test_state_is_never_told_by_colour_alone():
    widths, dashes = {}, {}
    for kind in ("plain", "now", "done", "quiet"):
        [box] = svg(scene(replace(BOX, kind=kind))).iter(f"{SVG}rect")
        widths[kind], dashes[kind] = float(box.get("stroke-width")), box.get("stroke-dasharray")
    assert widths["now"] > widths["done"] > widths["plain"]
    assert dashes == {"plain": None, "now": None, "done": None, "quiet": "3 3"}
    [line, head] = svg(scene(replace(ARROW, dashed=True))).iter(f"{SVG}path")
    assert line.get("stroke-dasharray") and not head.get("stroke-dasharray")


def test_any_text_is_drawn_as_it_stands():
    drawn = scene(replace(TEXT, text='$a$ < "b" & c'), words='if a < "b" & c')
    root = svg(drawn)
    assert root.get("aria-label") == 'if a < "b" & c'
    assert [text.text for text in root.iter(f"{SVG}text")] == ['$a$ < "b" & c']
    dollars, plain = (scene(replace(TEXT, text=text)) for text in ("$a$", "a"))
    assert pixels(dollars).tobytes() != pixels(plain).tobytes()


def test_a_note_stands_below_the_stored_picture():
    drawn = scene(BOX)
    noted = replace(drawn, note="Run this cell.")
    assert noted.svg() == drawn.svg()
    assert noted.png_height == drawn.png_height + 22
    for picture in (drawn, noted):
        assert pixels(picture).size == (2 * picture.width, 2 * picture.png_height)
