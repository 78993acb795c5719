"""A drag belongs to one pointer and one view, and a stack holds only what is read."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from lab import StabilityExplorer

pytestmark = pytest.mark.browser
DRAW = """([data, words]) => {
    globalThis.view?.dispose();
    const host = document.createElement("div");
    document.querySelector("main").replaceChildren(host);
    globalThis.view = modules.view.mount(host, data, words);
}"""
PRESS = """([selector, pointerId]) => {
    const it = document.querySelector(selector);
    const { x, y, width, height } = it.getBoundingClientRect();
    globalThis.from = [x + width / 2, y + height / 2];
    const [clientX, clientY] = from;
    it.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerId, clientX, clientY }));
}"""
MOVE = """([type, pointerId, far]) => {
    const [clientX, clientY] = from.map((place) => place + far);
    dispatchEvent(new PointerEvent(type, { pointerId, clientX, clientY }));
    return JSON.stringify(view.state);
}"""
HANDLE = "[data-control=rate] circle"


@pytest.fixture(params=[(StabilityExplorer, HANDLE, 60)], ids=["handle"])
def drag(kit_page: Page, request):
    """Draw an explorer, and return its page, what can be dragged in it, and how far."""
    kind, selector, far = request.param
    explorer = kind()
    kit_page.evaluate(DRAW, [explorer.data, explorer.words])
    return kit_page, selector, far


def test_only_the_pointer_that_pressed_moves_and_ends_a_drag(drag):
    page, selector, far = drag
    page.evaluate(PRESS, [selector, 1])
    before = page.evaluate(MOVE, ["pointermove", 2, far])
    page.evaluate(MOVE, ["pointerup", 2, 0])
    moved = page.evaluate(MOVE, ["pointermove", 1, far])
    assert moved != before
    page.evaluate(MOVE, ["pointerup", 1, far])
    assert page.evaluate(MOVE, ["pointermove", 1, 0]) == moved
    assert page.locator(".dragging").count() == 0


def test_a_second_finger_takes_over(drag):
    page, selector, far = drag
    page.evaluate(PRESS, [selector, 1])
    page.evaluate(PRESS, [selector, 2])
    before = page.evaluate(MOVE, ["pointermove", 1, far])
    assert page.evaluate(MOVE, ["pointermove", 2, far]) != before


def test_a_view_that_goes_lets_go(drag):
    page, selector, far = drag
    page.evaluate(PRESS, [selector, 1])
    before = page.evaluate("JSON.stringify(view.state)")
    page.evaluate("view.dispose()")
    assert page.evaluate(MOVE, ["pointermove", 1, far]) == before


def test_a_stack_holds_only_what_is_read(kit_page):
    chart = {"type": "chart", "x": {"min": 0, "max": 1}, "y": {"min": 0, "max": 1}}
    parts = [{"type": "note", "lines": ["read me"]}, chart]
    kit_page.evaluate(DRAW, [{"picture": {"parts": [{"type": "stack", "parts": parts}], "words": ""}}, ""])
    assert kit_page.locator(".lab-parts").inner_text() == "read me"
    assert kit_page.locator("svg").count() == 0


def test_a_finger_on_a_handle_drags_it_and_scrolls_nothing(drag):
    page, selector, _ = drag
    touch = """(it) => {
      const on = (target) => new Touch({ identifier: 1, target });
      const event = new TouchEvent("touchstart", { bubbles: true, cancelable: true, touches: [on(it)] });
      return it.dispatchEvent(event); // false if the page mustn't scroll
    }"""
    assert page.locator(selector).first.evaluate(touch) is False
    assert page.locator("main figure").first.evaluate(touch) is True
