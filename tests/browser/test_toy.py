"""The toy computes in the page what minitf computes, and shows it without moving anything around it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

import minitf as tf
from lab import Toy
from lab.page.view import kit, style
from tests.lessons.notebooks import printed

pytestmark = pytest.mark.browser
PAGE = "<!DOCTYPE html><style>{}</style><main></main><p>below</p><script type=module>{}\n{}</script>"
DRAW = """
globalThis.draw = (data, words) => {
  const host = document.createElement("div");
  document.querySelector("main").append(host);
  return modules.view.mount(host, data, words);
};
globalThis.tenSteps = modules.posts.tenSteps;
globalThis.printed = modules.posts.printed;
"""
MODEL = """() => {
  globalThis.values = { rate: 0.1, way: "passed" };
  view.connect({
    get: (name) => values[name], save_changes() {}, off() {},
    set: (name, value) => { values[name] = value; follow(); },
    on: (_, follow) => (globalThis.follow = follow),
  });
}"""
PLACES = """[...document.querySelectorAll('figure, .under, main + p')].map(
    it => JSON.stringify(it.getBoundingClientRect()))"""
SETTINGS = 100  # for each way
WAYS = {"passed": True, "left out": False}


def opened(browser: Browser, width: int = 900, **look) -> Page:
    """Open a page that has the drawing code and nothing else."""
    page = browser.new_page(viewport={"width": width, "height": 800}, **look)
    page.clock.install(time=0)
    page.clock.pause_at(1)
    page.set_content(PAGE.format(style(), kit(), DRAW))
    page.wait_for_function("'draw' in globalThis")
    return page


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in which time stands still until a test lets it pass."""
    page = opened(browser)
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda message: message.type == "error" and page.errors.append(message.text))
    yield page
    assert page.errors == []
    page.close()


def draw(page: Page) -> None:
    view = Toy()._view
    page.evaluate("([data, words]) => { globalThis.view = draw(data, words); }", [view.data, view.words])


def passes(page: Page, milliseconds: int) -> None:
    """Let time pass, in frames."""
    for _ in range(milliseconds // 50):
        page.clock.run_for(50)


def trained(rates: list[float], counted: bool) -> list[list[tuple[float, float, int]]]:
    """Return, for each rate, `w`, the learning rate and the step after each of minitf's ten steps."""
    data = np.linspace(1, 2, 10).reshape(10, 1)
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 1])
        start = tf.placeholder(tf.float32, [])
        w = tf.Variable(0.0)
        step = tf.Variable(0, trainable=False)
        rate = tf.train.exponential_decay(start, step, decay_steps=10, decay_rate=2)
        optimizer = tf.train.GradientDescentOptimizer(rate)
        train_op = optimizer.minimize((w * x - x) ** 2, global_step=step if counted else None)
        initialize = tf.global_variables_initializer()
        runs = []
        for first in rates:
            sess.run(initialize)
            runs.append([])
            for _ in range(10):
                sess.run(train_op, {x: data, start: first})
                runs[-1].append(tuple(one.item() for one in sess.run([w, rate, step], {start: first})))
        return runs


@pytest.mark.parametrize("counted", WAYS.values(), ids=WAYS)
def test_the_page_takes_the_steps_that_minitf_takes(page, counted):
    draws = random.Random(f"toy {counted}")
    rates = [0.1, 0.0425, 0.03, *(10 ** draws.uniform(-2.3, -0.7) for _ in range(SETTINGS - 3))]
    runs = page.evaluate("([rates, counted]) => rates.map((rate) => tenSteps(rate, counted))", [rates, counted])
    for run, known in zip(runs, trained(rates, counted), strict=True):
        assert [one["count"] for one in run[1:]] == [step for _, _, step in known]
        np.testing.assert_allclose([one["rate"] for one in run[1:]], [rate for _, rate, _ in known], rtol=1e-6)
        np.testing.assert_allclose([one["w"] for one in run[1:]], [w for w, _, _ in known], rtol=1e-4)


def test_the_lines_are_the_posts(page):
    for cell, counted in [("ten-lines", True), ("left-out", False)]:
        lines = page.evaluate(
            "counted => tenSteps(0.1, counted).slice(1).map((one) => printed(one).join(' '))", counted
        )
        assert lines == [line for line in printed("00", cell) if "=" not in line]


def test_w_is_shown_only_when_asked_for(page):
    draw(page)
    view = page.locator(".lab-view")
    passes(page, 7000)
    expect(view.locator(".said.there")).to_have_count(10)
    expect(view.get_by_text("the number nobody printed").last).to_be_visible()
    assert page.get_by_label("starting rate").is_hidden()
    page.get_by_role("button", name="Show w").press("Enter")
    passes(page, 1300)
    expect(view.locator(".said.there")).to_have_count(1)
    passes(page, 6500)
    expect(view.locator(".reading")).to_have_text("w = −21.15 millionzoomed out 10,000,000×")
    expect(view.locator(".lab-words")).to_contain_text(
        "After step 10, the post's line is 0.2 10, and w is −21.15 million."
    )


def test_leaving_the_step_out_freezes_the_counter_and_not_w(page):
    draw(page)
    page.get_by_role("button", name="Show w").click()
    page.get_by_label("left out").check(force=True)
    passes(page, 7000)
    expect(page.locator(".dial b")).to_have_text("0")
    expect(page.locator(".said.there").last).to_have_text("0.10")
    expect(page.locator(".reading output")).to_have_text("w = −485,693")


def test_what_python_sets_moves_the_toy_and_what_a_reader_sets_reaches_python(page):
    draw(page)
    page.evaluate(MODEL)
    page.evaluate("values.rate = 0.02; values.way = 'left out'; follow();")
    passes(page, 7000)
    expect(page.locator(".said.there").last).to_have_text("0.020")
    expect(page.locator(".wild")).to_have_attribute("data-mood", "home")
    page.get_by_label("passed").check(force=True)
    page.get_by_label("starting rate").fill("400")
    passes(page, 500)
    assert page.evaluate("values") == {"rate": 0.2, "way": "passed"}


def test_below_the_limit_w_comes_home_while_the_slider_moves(page):
    draw(page)
    page.get_by_role("button", name="Show w").click()
    page.get_by_label("left out").check(force=True)
    slider = page.get_by_label("starting rate")
    for place, mood in [(200, "home"), (300, "gone")]:
        slider.fill(str(place))
        passes(page, 1000)
        expect(page.locator(".wild")).to_have_attribute("data-mood", mood)


@pytest.mark.parametrize("rate", [0.03, 0.034, 0.05, 0.1])
def test_at_its_end_the_picture_reaches_about_as_far_as_w(page, rate):
    draw(page)
    page.evaluate(MODEL)
    for way, counted in WAYS.items():
        last = page.evaluate(f"tenSteps({rate}, {str(counted).lower()}).at(-1).w")
        page.evaluate(f"values.rate = {rate}; values.way = '{way}'; follow();")
        passes(page, 7000)
        zoomed = re.search("[0-9,]+", page.locator(".zoomed").text_content())
        times = int(zoomed[0].replace(",", "")) if zoomed else 1
        assert abs(last - 1) / 2.5 < 4 * times
        assert times == 1 or abs(last - 1) / 2.5 > times / 4


@pytest.mark.parametrize("width", [400, 900])
def test_the_controls_appear_below_the_pictures_and_then_nothing_moves(browser, width):
    page = opened(browser, width)
    draw(page)
    toy, below = page.locator(".lab-toy"), page.locator("main + p")
    boxes = [figure.bounding_box() for figure in toy.locator("figure").all()]
    room = below.bounding_box()["y"] - toy.bounding_box()["y"] - toy.bounding_box()["height"]
    assert room < 60  # nothing is kept free for controls that are not there
    page.get_by_role("button", name="Show w").click()
    page.wait_for_function("document.getAnimations().length === 0")
    places = page.evaluate(PLACES)
    assert [figure.bounding_box() for figure in toy.locator("figure").all()] == boxes
    assert page.locator(".lab-view").bounding_box()["height"] < 620
    for _ in range(14):
        passes(page, 500)
        assert page.evaluate(PLACES) == places
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()


def test_without_motion_there_are_steps_to_take(browser):
    page = opened(browser, reduced_motion="reduce")
    draw(page)
    expect(page.locator(".said.there")).to_have_count(10)
    page.get_by_role("button", name="Show w").click()
    expect(page.locator(".reading output")).to_have_text("w = −21.15 million")
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".reading output")).to_have_text("w = 2.72 million")
    expect(page.locator(".dial b")).to_have_text("9")
    page.close()


@pytest.mark.parametrize("state", [{"rate": 1e300}, {"rate": "1"}, {"rate": None, "way": "<b>"}, {}])
def test_whatever_a_stranger_stores_is_drawn_within_its_limits(page, state):
    view = Toy()._view
    page.evaluate("data => { draw(data, 'words'); }", {**view.data, "state": state})
    page.get_by_role("button", name="Show w").click()
    passes(page, 7000)
    ends = "−53.65 billion" if state.get("rate") == 1e300 else "−21.15 million"
    expect(page.locator(".reading output")).to_have_text(f"w = {ends}")
