"""The cards of lesson 07 by mouse, by finger and by keys: on a bare page, and in a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from nbformat import v4, write
from playwright.sync_api import Browser, Locator, Page, expect

from lab import OrderShuffler
from lab.experiments.read_and_update import NO_EDGE, READ_WAITS, UPDATE_WAITS
from tests.browser.jupyterlab import Lesson

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><html lang="en"><title>Cards</title><main></main>
<style>:root { color-scheme: light dark } body { background: light-dark(white, #111) }</style>"""
RENDER = """async ([module, state]) => {
    const blob = new Blob([module], { type: "text/javascript" });
    const { default: widget } = await import(URL.createObjectURL(blob));
    globalThis.state = state;
    const nothing = () => {};
    const set = (name, value) => { state[name] = value; };
    const model = { get: (name) => state[name], set, save_changes: nothing, on: nothing, off: nothing };
    globalThis.cleanup = widget.render({ model, el: document.querySelector("main") });
}"""
METADATA = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
PRINTED = """async (code) => {
    const future = jupyterapp.shell.currentWidget.sessionContext.session.kernel.requestExecute({ code });
    let text = "";
    future.onIOPub = ({ content }) => { text += content.text ?? ""; };
    await future.done;
    return text.trim();
}"""
TRAITS = ["graphs", "edge", "order", "old", "new"]
START = ["step/read", "seen", "update_w", "add_one"]


@pytest.fixture
def show(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Show cards on a bare page, whose model is no more than what the web site has."""
    pages, errors = [], []

    def shown(late: bool = False, width: int = 784, runs: tuple[int, int] = (0, 0), **look) -> Page:
        page = browser.new_page(viewport={"width": width, "height": 800}, **look)
        pages.append(page)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: message.type == "error" and errors.append(message.text))
        page.set_content(PAGE)
        cards = OrderShuffler(late=late)
        cards.old, cards.new = runs
        page.evaluate(RENDER, [str(cards._esm), {name: getattr(cards, name) for name in TRAITS}])
        page.locator(".card[aria-valuenow]").first.wait_for()
        return page

    yield shown
    for page in pages:
        page.close()
    assert errors == []


def card(page: Page, name: str) -> Locator:
    return page.get_by_role("slider", name=name, exact=True)


def drag(page: Page, name: str, x: float, y: float = 0) -> None:
    """Drag a card by so many pixels, as a hand does: little by little."""
    box = card(page, name).bounding_box()
    start = box["x"] + 30, box["y"] + 20
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + x, start[1] + y, steps=10)
    page.mouse.up()


def expect_order(page: Page, *names: str) -> None:
    """See that the ops are in this order, and their cards, too, once nothing moves any more."""
    page.wait_for_function("(names) => state.order.join() === names.join()", arg=names)
    page.wait_for_function("document.querySelector('main > div').shadowRoot.getAnimations().length === 0")
    places = [card(page, name).bounding_box() for name in names]
    assert places == sorted(places, key=lambda box: (box["x"], box["y"]))


def test_a_dragged_card_passes_others_as_far_as_the_edges_allow(show):
    page = show()
    drag(page, "seen", 500)
    expect_order(page, "step/read", "update_w", "add_one", "seen")
    expect(page.get_by_role("status")).to_contain_text("seen reads 1, the new value")
    drag(page, "seen", -700)
    expect_order(page, *START)
    expect(page.get_by_role("status")).to_have_text("seen has to wait for step/read, whose value it uses.")
    expect(page.locator("g.strained")).to_have_count(1)
    drag(page, "add_one", -700)
    expect_order(page, *START)
    expect(page.get_by_role("status")).to_have_text("add_one has to wait for update_w: there's a control edge.")


def test_a_finger_drags_in_a_column_on_a_phone(show):
    page = show(width=360, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    box = card(page, "seen").bounding_box()
    x, y = box["x"] + 60, box["y"] + 20
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for far in range(20, 140, 20):
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y + far}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect_order(page, "step/read", "update_w", "add_one", "seen")


def test_the_keyboard_can_do_everything(show):
    page = show()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("state.edge") == READ_WAITS
    for button, runs in [("Shuffle", 1), ("Run 100", 101)]:
        page.keyboard.press("Tab")
        expect(page.get_by_role("button", name=button)).to_be_focused()
        page.keyboard.press("Enter")
        assert page.evaluate("[state.old, state.new]") == [0, runs]
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("[state.old, state.new]") == [0, 0]
    expect_order(page, "step/read", "update_w", "add_one", "seen")
    page.keyboard.press("Tab")
    expect(card(page, "step/read")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect_order(page, "update_w", "step/read", "add_one", "seen")
    expect(card(page, "step/read")).to_have_attribute("aria-valuetext", "2 of 4, passes the step on")
    page.keyboard.press("End")
    expect_order(page, "update_w", "add_one", "step/read", "seen")
    expect(page.get_by_role("status")).to_have_text("seen has to wait for step/read, whose value it uses.")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_an_edge_leaves_one_of_the_two_values(show, motion):
    page = show(reduced_motion=motion)
    page.get_by_role("button", name="Run 100").click()
    old, new = page.evaluate("[state.old, state.new]")
    assert old + new == 100
    assert min(old, new) > 20
    for count in (f"{old} old", f"{new} new"):
        expect(page.get_by_text(count, exact=True)).to_be_visible()
    for edge, counts in [(READ_WAITS, [0, 100]), (UPDATE_WAITS, [100, 0])]:
        page.get_by_label("control edge").select_option(edge)
        assert page.evaluate("[state.old, state.new]") == [0, 0]
        page.get_by_role("button", name="Run 100").click()
        assert page.evaluate("[state.old, state.new]") == counts


@pytest.mark.parametrize("old, new", [(0, 1), (2, 0), (46, 54), (333, 1000), (9000, 7000)])
def test_there_is_a_ball_for_each_run_and_all_are_inside_their_bin(show, old, new):
    page = show(runs=(old, new))
    for pile, count in zip(page.locator(".pile").all(), (old, new), strict=True):
        balls = pile.locator("path").evaluate_all(
            """(paths) => paths.flatMap((path) => path.getAttribute("d").split("h0").slice(0, -1))
                .map((spot) => spot.slice(1).split(",").map(Number))"""
        )
        radius = pile.evaluate("(pile) => parseFloat(pile.style.strokeWidth) / 2")
        assert len(balls) == len({(round(x, 1), round(y, 1)) for x, y in balls}) == count
        assert all(radius <= x <= 136 - radius and radius <= y <= 94 - radius for x, y in balls)


def test_the_edge_that_misses_the_read_leaves_both_values(show):
    page = show(late=True)
    expect(page.locator(".here")).to_have_count(0)  # nothing has been read yet
    expect(page.get_by_label("control edge")).to_be_hidden()
    expect(page.get_by_text("an op that reads nothing")).to_be_visible()
    page.get_by_role("button", name="Run 100").click()
    assert min(page.evaluate("[state.old, state.new]")) > 20
    expect(page.locator(".here")).to_have_count(1)
    assert page.evaluate("state.order.at(-1)") == "late"


@pytest.mark.parametrize("width", [360, 560, 784])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_all_text_fits(show, scheme, width):
    page = show(width=width, color_scheme=scheme, reduced_motion="reduce")
    page.get_by_role("button", name="Run 100").click()
    assert Axe().run(page, "main", {"resultTypes": ["violations"]}).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for name in START:
        assert card(page, name).evaluate("(card) => card.scrollWidth <= card.clientWidth")


@pytest.mark.parametrize(
    "attribute, value, scheme",
    [
        ("jp-theme-light", "false", "dark"),
        ("jp-theme-light", "true", "light"),
        ("theme", "dark", "dark"),
        ("theme", "auto", "light dark"),
    ],
)
def test_the_colours_follow_the_page(show, attribute, value, scheme):
    page = show()
    page.evaluate("([name, value]) => { document.body.setAttribute(`data-${name}`, value); }", [attribute, value])
    expect(page.locator("main > div")).to_have_css("color-scheme", scheme)


def test_nothing_is_left_when_the_view_goes(show):
    page = show()
    page.get_by_role("button", name="Shuffle").click()
    page.evaluate("cleanup()")
    assert page.locator("main > *").count() == 0
    page.set_viewport_size({"width": 500, "height": 500})  # and nobody listens


def printed(lesson: Lesson, source: str) -> str:
    """Run one more line in the notebook's kernel, and return what it prints."""
    return lesson.page.evaluate(PRINTED, source)


def test_in_a_notebook_python_and_the_page_have_the_same_values(folder, open_lesson):
    cells = [v4.new_code_cell("import lab\ncards = lab.OrderShuffler()\ncards")]
    write(v4.new_notebook(cells=cells, metadata=METADATA), folder / "cards.ipynb")
    lesson = open_lesson("cards.ipynb")
    lesson.run_all()
    page = lesson.page
    value = "print(cards.edge, cards.order, cards.old, cards.new, sep='; ')"
    card(page, "seen").press("ArrowRight")
    expect(page.get_by_role("status").filter(has_text="In your order")).to_be_visible()
    assert printed(lesson, value) == f"{NO_EDGE}; ['step/read', 'update_w', 'seen', 'add_one']; 0; 0"
    page.get_by_label("control edge").select_option(READ_WAITS)
    page.get_by_role("button", name="Run 100").click()
    expect(page.get_by_text("100 new", exact=True)).to_be_visible()
    assert printed(lesson, value).startswith(f"{READ_WAITS}; ")
    assert printed(lesson, value).endswith("; 0; 100")
    printed(lesson, f"cards.edge = {UPDATE_WAITS!r}\ncards.old = 7")
    expect(page.get_by_text("7 old", exact=True)).to_be_visible()
    expect(page.get_by_label("control edge")).to_have_value(UPDATE_WAITS)
    expect(page.get_by_text("from the read to the update")).to_be_visible()
    assert lesson.errors() == []
