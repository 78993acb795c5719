"""Lesson 00's toy computes in the page what minitf computes, and shows it to eyes, hands and screen readers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import nbformat
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

import lab
import minitf as tf
from tests.browser.bare import show
from tests.lessons.notebooks import printed
from tools.execute import METADATA

pytestmark = pytest.mark.browser
UNITS = {"": 1, "million": 1e6, "billion": 1e9}


def opened(browser: Browser, width: int = 800, **look) -> Page:
    """Open a bare page with the toy; if things may move, time stands still in it until a test lets it pass."""
    page = browser.new_page(viewport={"width": width, "height": 800}, **look)
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda message: message.type == "error" and page.errors.append(message.text))
    if "reduced_motion" not in look:
        page.clock.install(time=0)
        page.clock.pause_at(1)
    show(page, lab.Toy())
    return page


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = opened(browser)
    yield page
    assert page.errors == []
    page.close()


@pytest.fixture
def still(browser: Browser) -> Iterator[Page]:
    """A page for a reader who wants nothing to move."""
    page = opened(browser, reduced_motion="reduce")
    yield page
    assert page.errors == []
    page.close()


def passes(page: Page, milliseconds: int = 7000) -> None:
    """Let time pass, in frames; by default as much as a run takes."""
    for _ in range(milliseconds // 50):
        page.clock.run_for(50)


def lines(page: Page) -> list[str]:
    """Return the lines that the toy has printed."""
    return [" ".join(line.split()) for line in page.locator("#lines").inner_text().splitlines()]


def weight(page: Page) -> float:
    """Return `w` as the toy shows it."""
    sign, size, unit = re.fullmatch(r"w = (−?)([\d.,]+)\s?(\w*)", page.locator("#w").inner_text()).groups()
    return (-1 if sign else 1) * float(size.replace(",", "")) * UNITS[unit]


def trained(first: float, passed: bool) -> tuple[list[str], float]:
    """Return the ten lines that the post's script prints on minitf with another first rate, and its `w`."""
    data = np.linspace(1, 2, 10).reshape(10, 1)
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 1])
        w = tf.Variable(0.0)
        step = tf.Variable(0, trainable=False)
        rate = tf.train.exponential_decay(first, step, decay_steps=10, decay_rate=2)
        optimizer = tf.train.GradientDescentOptimizer(rate)
        train_op = optimizer.minimize((w * x - x) ** 2, global_step=step if passed else None)
        sess.run(tf.global_variables_initializer())
        printed = []
        for _ in range(10):
            sess.run(train_op, {x: data})
            printed.append(f"{sess.run(rate):.6g} {sess.run(step)}")
        return printed, sess.run(w).item()


def test_w_is_covered_until_the_reader_asks_for_it(page):
    passes(page)
    assert lines(page) == [line for line in printed("00", "ten-lines") if "=" not in line]
    expect(page.locator("#cover")).to_be_visible()
    expect(page.get_by_label("starting rate")).to_be_hidden()
    page.get_by_role("button", name="Show w").press("Enter")
    passes(page, 1300)
    assert len(lines(page)) == 1
    expect(page.locator("#found")).to_be_empty()
    passes(page)
    expect(page.locator("#w")).to_have_text("w = −21.15 million")
    expect(page.locator("#zoomed")).to_have_text("zoomed out 10,000,000 times")
    expect(page.locator("#cover")).to_be_hidden()
    expect(page.locator("#found[aria-live]")).to_contain_text("After step 10, w is −21.15 million.")


def test_left_out_the_counter_stands_still_and_w_does_not(page):
    page.get_by_role("button", name="Show w").click()
    page.get_by_label("left out").check()
    passes(page)
    assert lines(page) == [line for line in printed("00", "left-out") if "=" not in line]
    expect(page.locator("#count")).to_have_text("0")
    expect(page.locator("#w")).to_have_text("w = −0.49 million")
    assert page.evaluate("model.values.passed") is False


def test_the_keyboard_reaches_everything(page):
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Replay")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Home")
    assert page.evaluate("model.values.rate") == 0.005
    expect(page.locator("#found")).to_contain_text("It's home")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("model.values.rate") == 0.00512
    expect(page.get_by_label("starting rate")).to_have_attribute("aria-valuetext", "0.00512")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("model.values.passed") is False
    page.get_by_role("button", name="Reset").press("Enter")
    assert page.evaluate("[model.values.passed, model.values.rate]") == [True, 0.1]


def test_a_drag_shows_where_the_run_leads_and_letting_go_shows_how(page):
    page.get_by_role("button", name="Show w").click()
    box = page.get_by_label("starting rate").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 5)
    page.mouse.down()
    passes(page, 500)
    assert len(lines(page)) == 10
    page.mouse.move(box["x"] + box["width"] / 4, box["y"] + 300)
    assert page.evaluate("model.values.rate") == pytest.approx(0.0126, rel=0.05)
    assert len(lines(page)) == 10
    page.mouse.up()
    passes(page, 1300)
    assert len(lines(page)) == 2


def test_what_python_sets_uncovers_w(page):
    page.evaluate("() => { Object.assign(model.values, { passed: false, rate: 0.02 }); model.heard(); }")
    passes(page)
    assert lines(page) == ["0.02 0"] * 10
    expect(page.locator("#cover")).to_be_hidden()
    expect(page.locator("#wild.home")).to_be_visible()
    expect(page.get_by_label("left out")).to_be_checked()
    page.evaluate("leave()")
    assert page.evaluate("model.heard === null")


@pytest.mark.parametrize("passed", [True, False])
@pytest.mark.parametrize("rate", [0.005, 0.0199, 0.034, 0.0425, 0.06, 0.1, 0.2])
def test_the_page_takes_the_steps_that_minitf_takes(still, rate, passed):
    still.evaluate(
        "values => { Object.assign(model.values, values); model.heard(); }", {"rate": rate, "passed": passed}
    )
    known, w = trained(rate, passed)
    assert lines(still) == known
    assert weight(still) == pytest.approx(w, rel=0.03, abs=1e-4)  # two decimals of a million


def test_without_motion_there_are_steps_to_take(still):
    assert len(lines(still)) == 10
    still.get_by_role("button", name="Show w").click()
    expect(still.locator("#w")).to_have_text("w = −21.15 million")
    still.get_by_role("button", name="Back").click()
    expect(still.locator("#w")).to_have_text("w = 2.72 million")
    expect(still.locator("#count")).to_have_text("9")
    for step in (10, 0, 1):
        still.get_by_role("button", name="Step").click()
        assert len(lines(still)) == step


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(browser, theme):
    page = opened(browser, color_scheme=theme, reduced_motion="reduce")
    for _ in range(2):
        found = Axe().run(page, "main").response
        assert [(one["id"], one["nodes"]) for one in found["violations"]] == []
        page.locator("#reveal").evaluate("button => button.click()")
    page.close()


@pytest.mark.parametrize("width", [360, 500, 800])
def test_nothing_moves_while_it_plays_and_nothing_is_cut_off(browser, width):
    page = opened(browser, width)
    page.get_by_role("button", name="Show w").click()
    places = "[...toy.querySelectorAll('figure, #found, #controls > *')].map(it => it.getBoundingClientRect().toJSON())"
    places = f"(toy => {places})(document.querySelector('main > div').shadowRoot)"
    before = page.evaluate(places)
    for _ in range(14):
        passes(page, 500)
        assert page.evaluate(places) == before
    assert page.evaluate("document.documentElement.scrollWidth") == width
    inner = page.locator("#w").bounding_box()
    assert inner["x"] > page.locator("#wild").bounding_box()["x"]
    page.close()


def test_in_jupyterlab(open_lesson, folder):
    cells = ["import lab\n\ntoy = lab.Toy()\ntoy", "toy.passed, toy.rate", "toy.rate = 0.0199"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells], metadata=METADATA)
    nbformat.write(notebook, folder / "toy.ipynb")
    lesson = open_lesson("toy.ipynb")
    errors = []
    lesson.page.on("console", lambda message: message.type == "error" and errors.append(message.text))
    run(lesson, 0)
    lesson.page.get_by_role("button", name="Show w").click()
    lesson.page.get_by_label("left out").check()
    slider = lesson.page.get_by_label("starting rate")
    slider.press("ArrowUp")
    expect(lesson.page.locator("#start")).to_have_text("0.102")
    slider.press("ArrowLeft")
    slider.press("ArrowLeft")
    assert lesson.page.evaluate("jupyterapp.shell.currentWidget.content.activeCellIndex") == 0
    lesson.page.wait_for_timeout(1500)  # Python hears of the slider when it has come to rest
    run(lesson, 1)
    expect(lesson.place(1)).to_contain_text("(False, 0.0979)")
    run(lesson, 2)
    expect(slider).to_have_attribute("aria-valuetext", "0.0199")
    expect(lesson.page.locator("#found")).to_contain_text("It's home")
    for theme, ink in {"Dark": "rgb(223, 226, 230)", "Light": "rgb(36, 41, 47)"}.items():
        lesson.use_theme(f"JupyterLab {theme}")
        expect(lesson.page.locator("#found")).to_have_css("color", ink)
    assert errors == lesson.errors() == []


def run(lesson, number: int) -> None:
    """Run a cell."""
    lesson.page.evaluate(
        """number => {
            jupyterapp.shell.currentWidget.content.activeCellIndex = number;
            jupyterapp.commands.execute('notebook:run-cell');
        }""",
        number,
    )
