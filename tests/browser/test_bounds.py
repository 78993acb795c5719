"""A view that would freeze the page isn't drawn, and says why; everything that the lessons store is drawn."""

from __future__ import annotations

import json

import pytest
from nbformat import v4, write
from playwright.sync_api import Page, expect

from tests.browser.journey import views_of
from tests.browser.test_extension import METADATA
from tests.lessons.notebooks import LESSONS, VIEW

pytestmark = pytest.mark.browser
DRAW = """
globalThis.draw = (data, words) => {
  const host = document.createElement("div");
  document.querySelector("main").replaceChildren(host);
  return [modules.view.mount(host, data, words), host];
};
globalThis.pictures = ({ rule, state, data, picture }) => {
  if (rule === "toy") return []; // it draws by itself
  if (rule !== "stored") return picture ? [picture] : rule ? [modules.view.RULES[rule](state, data)] : [];
  return Object.values(data.held).map((delta) => modules.stored.patched(data.base, delta));
};
"""


@pytest.fixture
def page(kit_page: Page) -> Page:
    """Return a page that can draw a view, and say which pictures it has."""
    kit_page.evaluate(f"() => {{ {DRAW} }}")
    return kit_page


def picture(*parts: dict, **more) -> dict:
    """Return the data of a view of these parts."""
    return {"kind": "picture", "picture": {"parts": list(parts)}, **more}


def text_of(data: dict) -> str:
    """Return JSON, in which a number may be infinite."""
    return json.dumps(data).replace("Infinity", "1e999")


def nested(depth: int, inside) -> object:
    """Return a value inside lists."""
    for _ in range(depth):
        inside = [inside]
    return inside


AXIS = {"min": 0, "max": 1, "label": "x"}
CHART = {"type": "chart", "x": AXIS, "y": AXIS}
NOTE = {"type": "note", "lines": ["Words."]}
PIXELS = {"type": "pixels", "side": 1, "size": 9, "images": [{"data": "AA==", "label": "one"}]}
SLIDER = {"kind": "slider", "name": "a", "label": "a", "value": 0, "min": 0, "max": 1, "step": 1}


def looked_up(held: dict, *parts: dict) -> dict:
    """Return the data of an explorer whose pictures are stored."""
    data = {"base": picture(*parts)["picture"], "held": held}
    return {"kind": "explorer", "rule": "stored", "controls": [SLIDER], "state": {"a": 0}, "data": data}


ALL = [view for path in sorted(LESSONS.glob("*.ipynb")) for view in views_of(path)]
STEPPED = looked_up({"[1]": {"parts": {"0": {"side": [16000]}}}}, PIXELS)

# What a stranger's notebook holds, and what the page says.
TOO_MUCH = {
    "a side": (picture({**PIXELS, "side": 16_000}), "side is 16,000, and at most 64 is drawn"),
    "a negative side": (picture({**PIXELS, "side": -1e9}), "side is -1,000,000,000"),
    "a side in words": (picture({**PIXELS, "side": "16000"}), "side is 16,000"),
    "a size": (picture({**PIXELS, "size": 1e6}), "size is 1,000,000"),
    "images": (picture({**PIXELS, "images": PIXELS["images"] * 5000}), "images has 5,000 items, and at most 50"),
    "points": (picture({**CHART, "lines": [{"points": [[0, 0]] * 10**6}]}), "points has 1,000,000 items"),
    "curves": (picture({**CHART, "lines": [{"points": [[0, 0]] * 9}] * 900}), "more than 20,000 values"),
    "ticks": (picture({**CHART, "x": {**AXIS, "ticks": [0] * 1000}}), "ticks has 1,000 items"),
    "a height": (picture({**CHART, "height": 1e9}), "height is 1,000,000,000"),
    "infinity": (picture({**CHART, "x": {**AXIS, "max": float("inf")}}), "one of its numbers is infinite"),
    "parts": (picture(*[NOTE] * 3000), "parts has 3,000 items, and at most 20"),
    "stacked parts": (picture({"type": "stack", "parts": [NOTE] * 21}), "parts has 21 items"),
    "words": (picture({**NOTE, "lines": ["x" * 10**6]}), "more than 50,000 characters"),
    "depth": (picture({**NOTE, "lines": nested(200, "x")}), "it is nested too deeply"),
    "a row of a table": (picture({"type": "table", "rows": [["x"] * 5000]}), "rows[] has 5,000 items"),
    "widths": (picture({"type": "table", "rows": [["x"]], "widths": [1e9]}), "widths[] is 1,000,000,000"),
    "room for controls": (picture(NOTE, rows=1e9), "rows is 1,000,000,000"),
    "controls": (picture(NOTE, controls=[SLIDER] * 61), "controls has 61 items"),
    "questions": ({"kind": "quiz", "questions": [{}] * 41}, "questions has 41 items"),
    "settings": (looked_up({f"[{n}]": {} for n in range(2001)}, NOTE), "it stores more than 2,000 settings"),
    "depth of a setting": (looked_up({"[1]": nested(200, 1)}, NOTE), "its settings are nested too deeply"),
}


@pytest.mark.parametrize("data, why", TOO_MUCH.values(), ids=TOO_MUCH)
def test_what_would_freeze_the_page_is_not_drawn(page, data, why):
    said = page.evaluate("text => draw(JSON.parse(text), 'words')[1].innerText", text_of(data))
    assert said.startswith("This view isn't drawn, because it could freeze the page: ")
    assert why in said
    assert page.locator("main *").count() < 20


def test_a_setting_that_would_freeze_the_page_is_not_drawn(page):
    page.evaluate("data => draw(data)", STEPPED)
    expect(page.locator("main img")).to_be_visible()
    page.locator("main input").press("ArrowRight")
    expect(page.locator("main .lab-note")).to_contain_text("side is 16,000")
    page.locator("main input").press("ArrowLeft")
    expect(page.locator("main img")).to_be_visible()


STRANGE = [1e15, -1e15, "x", None, True, {"a": 1}]


@pytest.mark.parametrize("value", [*STRANGE, "missing"])
@pytest.mark.parametrize("rule", ["calls", "checkpoints", "decay", "descent", "schedules", "workers"])
def test_a_setting_that_no_control_has_does_not_freeze_the_page(page, rule, value):
    [view] = [view for view in ALL if view.get("rule") == rule][:1]
    state = {} if value == "missing" else dict.fromkeys(view["state"], value)
    said = page.evaluate("data => draw(data, 'words')[1].innerText", view | {"state": state})
    assert said
    own = {control["name"]: control for control in view["controls"]}
    limits = [control | {"max": 1e15, "min": -1e15} if "min" in control else control for control in own.values()]
    page.evaluate("data => { try { draw(data, 'words') } catch {} }", view | {"state": state, "controls": limits})


@pytest.mark.parametrize("path", sorted(LESSONS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_all_that_a_lesson_stores_is_drawn(page, path):
    for view in views_of(path):
        refused = "data => [data, ...pictures(data)].map(modules.bounds.refusal).filter(Boolean)"
        assert page.evaluate(refused, view) == []


def test_a_notebook_from_a_stranger_opens_at_once(folder, open_lesson):
    views = [text for text in (text_of(data) for data, _ in TOO_MUCH.values()) if len(text) < 3000]
    outputs = [v4.new_output("display_data", {VIEW: view, "text/plain": "words"}) for view in views]
    write(v4.new_notebook(cells=[v4.new_code_cell("1", outputs=outputs)], metadata=METADATA), folder / "frozen.ipynb")
    page = open_lesson("frozen.ipynb").page
    expect(page.locator(".lab-view .lab-note")).to_have_count(len(views))
