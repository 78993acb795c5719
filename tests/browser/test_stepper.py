"""The stepper: causes come before effects, it fits its screen, and links in the text move it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from lab.page.view import kit, style
from tests.browser.jupyterlab import Lesson
from tests.lessons.notebooks import LESSONS, VIEW, read

pytestmark = pytest.mark.browser
PAGE = "<!DOCTYPE html><style>{}</style><main></main><script type=module>{}\n{}</script>"
DRAW = """
const host = document.createElement("div");
document.querySelector("main").append(host);
const text = document.createElement("article");
text.innerHTML = `LINKS`;
document.querySelector("main").append(text);
modules.view.mount(host, DATA, "words");
"""
LINKS = """<p><a href="#show:at=9&light=w-=,global_step+=&open=global_step+=">the constant waits</a>
<a href="#show:at=5&light=rate">the rate</a> <a href="#show:at=1e99&open=%&light=">far</a></p>
<div style="height: 900px"></div>"""
LAPTOP, PHONE = {"width": 1366, "height": 800}, {"width": 400, "height": 800}

# What each frame after a press of Step shows: milliseconds, w's row, whether its box has run, the line, what flies.
WATCHED = """() => new Promise(done => {
    const [all, start] = [[], performance.now()];
    const look = () => {
        const row = document.querySelector('.lab-table td:last-child').textContent;
        const node = [...document.querySelectorAll('.node')].find(({ textContent }) => textContent.startsWith('w -='));
        const line = document.querySelector('.line.k-now code').textContent.trim();
        const flies = document.querySelectorAll('.flow').length;
        const time = performance.now() - start;
        all.push([time, row, node.classList.contains('k-now'), line, flies]);
        if (time > 1500) done(all); else requestAnimationFrame(look);
    };
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Step').click();
    look();
})"""
LINE = 'state["w"] -= rate * d_w'


@pytest.fixture
def draw(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Draw lesson 04's stepper above a text with links, on a page that has nothing else."""
    [cell] = [cell for cell in read(LESSONS / "04_who_adds_one.ipynb").cells if "lab.Stepper(" in cell.source]
    pages = []

    def drawn(viewport: dict = LAPTOP, **look: str) -> Page:
        page = browser.new_page(viewport=viewport, **look)
        page.on("pageerror", lambda error: pages.append(error))
        script = DRAW.replace("LINKS", LINKS).replace("DATA", cell.outputs[0].data[VIEW])
        page.set_content(PAGE.format(style(), kit(), script))
        page.locator(".lab-graph").wait_for()
        pages.append(page)
        return page

    yield drawn
    for page in pages:
        assert isinstance(page, Page), page  # not an error
        page.close()


def step(page: Page, times: int = 1) -> None:
    """Press Step so often, faster than anything moves."""
    for _ in range(times):
        page.get_by_role("button", name="Step").click()


def moment(page: Page) -> str:
    """Return which moment the stepper shows."""
    return page.locator(".lab-controls output").inner_text()


def test_the_value_lands_before_the_box_fills_and_the_row_ticks_last(draw):
    page = draw()
    step(page, 8)
    page.wait_for_timeout(1000)
    seen = page.evaluate(WATCHED)
    assert {line for *_, line, _ in seen} == {LINE}  # from the first frame on
    early = [one for one in seen if one[0] < 300]
    assert early
    assert all((row, box, flies) == ("0", False, 3) for _, row, box, _, flies in early)
    filled = min(time for time, _, box, *_ in seen if box)
    ticked = min(time for time, row, *_ in seen if row != "0")
    assert 400 < filled < ticked < 1200
    assert seen[-1][1:] == ["4.704", True, LINE, 0]


def test_another_step_finishes_the_one_before_at_once(draw):
    page = draw()
    step(page, 10)
    assert moment(page) == "10 of 20"
    rows = page.locator(".lab-table td:last-child")
    assert rows.all_inner_texts() == ["4.704", "0"]  # w has changed, and the step is about to
    expect(rows.nth(1)).to_have_text("1")


@pytest.mark.parametrize("way", ["slider", "back", "quiet"])
def test_nothing_travels_but_on_a_step(draw, way):
    page = draw(reduced_motion="reduce" if way == "quiet" else "no-preference")
    slider = page.locator("input[type=range]")
    slider.fill("10" if way == "back" else "9" if way == "slider" else "8")
    if way == "back":
        page.get_by_role("button", name="Back").click()
    if way == "quiet":
        step(page)
    assert moment(page) == "9 of 20"
    assert page.locator(".lab-table td:last-child").first.inner_text() == "4.704"
    assert page.locator(".flow").count() == 0


@pytest.mark.parametrize("name", ["01", "04"])
def test_it_fits_a_laptop(browser, name):
    [path] = LESSONS.glob(f"{name}_*.ipynb")
    [cell] = [cell for cell in read(path).cells if "lab.Stepper(" in cell.source]
    page = browser.new_page(viewport=LAPTOP)
    script = DRAW.replace("LINKS", "").replace("DATA", cell.outputs[0].data[VIEW])
    page.set_content(PAGE.format(style(), kit(), script).replace("width: 900px", ""))
    page.locator(".lab-graph").wait_for()
    assert page.locator(".lab-view").bounding_box()["height"] <= 620
    page.close()


def test_on_a_phone_what_runs_stays_in_sight(draw):
    page = draw(PHONE)
    inside = """() => {
        const [node] = document.querySelectorAll('.node.k-now');
        const [a, b] = [node, node.closest('.scroll')].map(it => it.getBoundingClientRect());
        return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
    }"""
    for at in range(1, 21):
        step(page)
        page.wait_for_timeout(1000)
        assert page.evaluate(inside), f"{at} of 20"
    assert page.evaluate("scrollY") == 0  # only the figure scrolls
    assert page.locator(".scroll.graph").get_attribute("data-more") == "left top"


def test_a_link_moves_it_lights_boxes_up_and_opens_one(draw):
    page = draw()
    page.get_by_text("the constant waits").evaluate("link => link.click()")
    assert moment(page) == "9 of 20"
    assert page.locator(".inside .node").all_inner_texts() != []
    bright = page.locator(".lab-graph .node:not(.dim, .inside *)")
    assert [text.split()[0] for text in bright.all_text_contents() if text] == ["w"]
    assert page.locator(".inside text.code").all_text_contents() == ["update", "1", "global_step +="]
    assert page.evaluate("[scrollY, location.hash]") == [0, ""]
    page.get_by_text("the rate").evaluate("link => link.click()")
    assert moment(page) == "5 of 20"
    assert page.locator(".inside").count() == 0
    step(page)
    assert page.locator(".dim").count() == 0  # the reader has taken over


def test_where_the_stepper_is_out_of_sight_a_link_shows_a_copy_of_it(draw):
    page = draw(PHONE)
    page.get_by_text("the rate").evaluate("link => link.scrollIntoView()")
    place = page.evaluate("scrollY")
    page.get_by_text("the rate").click()
    expect(page.locator(".lab-peek .node.k-now")).to_be_in_viewport()
    assert page.evaluate("scrollY") == place > 300
    page.keyboard.press("Escape")
    assert page.locator(".lab-peek").count() == 0


def test_a_link_from_a_stranger_does_no_harm(draw):
    page = draw()
    page.get_by_text("far").evaluate("link => link.click()")
    assert moment(page) == "20 of 20"
    assert page.locator(".inside").count() == 0


def test_in_jupyterlab_a_link_moves_the_stepper_above(open_lesson):
    lesson: Lesson = open_lesson("04_who_adds_one.ipynb")
    outer = lesson.page.locator(".jp-NotebookPanel .jp-WindowedPanel-outer")
    link = lesson.page.locator("a", has_text="w moves")
    [number] = [n for n in lesson.numbers(VIEW) if lesson.cell(n).locator("button", has_text="Step").count()]
    output = lesson.place(number).locator(".lab-controls output")
    expect(output).to_have_text("0 of 20")
    link.scroll_into_view_if_needed()
    before = [outer.evaluate("outer => outer.scrollTop"), lesson.page.url]
    link.click()
    expect(output).to_have_text("9 of 20")
    assert [outer.evaluate("outer => outer.scrollTop"), lesson.page.url] == before
    lesson.page.locator("a", has_text="the constant that waits").click()  # the stepper is out of sight
    expect(lesson.place(number).locator(".inside .node")).to_have_count(3)
