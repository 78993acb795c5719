"""Lesson 07's cards: the page's orders are those that minitf's graph allows, and fetch what it fetches."""

from __future__ import annotations

import os
import random

import pytest
import traitlets
from playwright.sync_api import Page, expect

from lab import OrderShuffler
from lab.experiments.read_and_update import MISSED, NO_EDGE, READ_WAITS, UPDATE_WAITS, build
from lab.explorers.order_shuffler import MOST, text_of
from tests.browser.jupyterlab import SECONDS

pytestmark = pytest.mark.browser
CHOICES = [NO_EDGE, READ_WAITS, UPDATE_WAITS, MISSED]
CARDS = "(settings) => settings.map(([state, data]) => modules.orders.orders(state, data).parts[0])"
AT_REST = """(names) => {
    const places = [...document.querySelectorAll(".lab-cards .slider .card")].map((card) => {
        const [x, y] = card.getAttribute("transform").match(/[-.\\d]+/g).map(Number);
        return { name: card.querySelector("text").textContent, x, y };
    });
    const [first] = places;
    return places.every(({ name, x, y }) => x === first.x && y === 8 + 52 * names.indexOf(name));
}"""
FALLEN = (
    "[...document.querySelectorAll('.lab-cards .balls')].map((path) => path.getAttribute('d').split('h0').length - 1)"
)


@pytest.fixture
def page(kit_page: Page) -> Page:
    return kit_page


def data_of(choice):
    explorer = OrderShuffler(missed=choice == MISSED)
    return explorer.data["data"]


def shown(page, explorer=None):
    """Draw an explorer, and return its cards, from top to bottom, as a locator."""
    explorer = explorer or OrderShuffler()
    page.evaluate(
        """([data, words]) => {
            globalThis.view?.dispose();
            const host = document.createElement("div");
            document.querySelector("main").replaceChildren(host);
            globalThis.view = modules.view.mount(host, data, words);
        }""",
        [explorer.data, explorer.words],
    )
    return page.locator(".lab-cards .slider")


def counts(page):
    return [int(text.split()[0]) for text in page.locator(".lab-cards .name").all_text_contents()]


@pytest.fixture(params=["no-preference", "reduce"])
def motion(page, request):
    page.emulate_media(reduced_motion=request.param)
    yield request.param
    page.emulate_media(reduced_motion="no-preference")


def test_each_order_of_the_page_is_one_that_the_graph_allows(page):
    chosen = random.Random(int(os.environ["MINITF_SEED"]))
    built = {choice: build(choice) for choice in CHOICES}
    settings = [(chosen.choice(CHOICES), chosen.randint(0, MOST)) for _ in range(200)]
    known = {choice: data_of(choice) for choice in CHOICES}
    asked = [[{"edge": choice, "runs": runs, "order": ""}, known[choice]] for choice, runs in settings]
    for (choice, runs), part in zip(settings, page.evaluate(CARDS, asked), strict=True):
        names = [card["name"] for card in part["cards"]]
        orders = [", ".join(names[op] for op in order) for order in part["orders"]]
        allowed = {text_of(order): built[choice].fetches(order) for order in built[choice].orders}
        assert list(allowed) == orders  # minitf's first
        assert list(allowed.values()) == part["values"]
        assert len(part["taken"]) == runs + 1
        assert set(part["taken"]) <= set(range(len(orders)))


@pytest.mark.parametrize("choice", CHOICES)
def test_orders_are_taken_equally_often_and_never_twice_in_a_row(page, choice):
    count = len(build(choice).orders)
    [part] = page.evaluate(CARDS, [[{"edge": choice, "runs": 600, "order": ""}, data_of(choice)]])
    taken = part["taken"]
    assert all(a != b for a, b in zip(taken, taken[1:], strict=False))
    for order in range(count):
        assert taken.count(order) == pytest.approx(600 / count, rel=0.3)
    if len(set(part["values"])) == 2:
        assert {part["values"][order] for order in taken[1:4]} == {0, 1}  # a race shows at once


@pytest.mark.parametrize("runs, drawn", [(-3, 0), (1e9, MOST), (2.5, 2)])
def test_the_number_of_runs_has_limits(page, runs, drawn):
    [part] = page.evaluate(CARDS, [[{"edge": NO_EDGE, "runs": runs, "order": "x"}, data_of(NO_EDGE)]])
    assert len(part["taken"]) == drawn + 1


def test_a_ball_drops_at_the_end_of_each_run(page, motion):
    shown(page)
    assert counts(page) == [0, 0]
    for run in range(1, 5):
        page.get_by_role("button", name="Shuffle").click()
        page.wait_for_function(f"{FALLEN}.reduce((a, b) => a + b) === {run}", timeout=SECONDS * 1000)
        assert sum(counts(page)) == run
    assert min(counts(page)) > 0


@pytest.mark.parametrize("edge, pile", [(READ_WAITS, 1), (UPDATE_WAITS, 0)])
def test_an_edge_stops_one_pile_and_empties_both(page, motion, edge, pile):
    shown(page)
    page.get_by_role("button", name="Run 100").click()
    page.wait_for_function(f"{FALLEN}.reduce((a, b) => a + b) === 100")
    assert min(counts(page)) > 30
    page.locator("select").select_option(edge)
    page.wait_for_function(f"{FALLEN}.every((count) => count === 0)")
    page.get_by_role("button", name="Run 100").click()
    page.wait_for_function(f"{FALLEN}.reduce((a, b) => a + b) === 100")
    assert counts(page)[pile] == 100
    page.get_by_role("button", name="Clear").click()
    page.wait_for_function(f"{FALLEN}.every((count) => count === 0)")
    assert page.locator("select").input_value() == edge


def test_the_tally_never_begins_again_by_itself(page):
    page.emulate_media(reduced_motion="reduce")
    shown(page)
    many = page.get_by_role("button", name="Run 100")
    for _ in range(MOST // 100):
        many.click()
    assert sum(counts(page)) == MOST
    many.click(force=True)
    page.get_by_role("button", name="Shuffle").click(force=True)
    assert sum(counts(page)) == MOST
    expect(page.locator(".lab-cards")).to_contain_text("Clear begins again")
    page.emulate_media(reduced_motion="no-preference")


def test_a_card_moves_by_keys_unless_an_arrow_holds_it(page, motion):
    cards = shown(page)
    cards.filter(has_text="seen").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".lab-words")).to_contain_text("Your order: step/read, update_w, add_one, seen. It fetches 1")
    expect(page.locator(":focus")).to_have_attribute("aria-label", "seen, 4 of 4: reads 1. Arrow keys move it.")
    assert counts(page) == [0, 0]
    cards.filter(has_text="add_one").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".lab-cards")).to_contain_text("add_one has to wait for update_w")
    expect(page.locator(".lab-words")).to_have_text("add_one has to wait for update_w.")
    expect(page.locator(".strained")).to_have_count(0 if motion == "no-preference" else 1)


def test_a_dragged_card_stays_or_bounces_back(page, motion):
    cards = shown(page)
    pulled(page, cards.filter(has_text="seen"), 120)
    expect(page.locator(".lab-words")).to_contain_text("step/read, update_w, add_one, seen. It fetches 1")
    page.wait_for_function(AT_REST, arg=["step/read", "update_w", "add_one", "seen"])
    page.locator("select").select_option(READ_WAITS)
    pulled(page, cards.filter(has_text="seen"), -120)
    expect(page.locator(".lab-words")).to_have_text("seen has to wait for add_one.")
    page.wait_for_function(AT_REST, arg=["step/read", "update_w", "add_one", "seen"])


def pulled(page, card, far):
    """Drag a card down or up by some pixels."""
    box = card.bounding_box()
    x, y = box["x"] + 30, box["y"] + 20
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + far / 2)
    page.mouse.move(x, y + far)
    page.mouse.up()


def test_python_has_the_same_values():
    explorer = OrderShuffler()
    explorer.runs = 5000
    assert explorer.state == {"edge": NO_EDGE, "runs": MOST, "order": ""}
    explorer.order = text_of(build(NO_EDGE).orders[2])
    with pytest.raises(traitlets.TraitError):
        explorer.order = "seen, seen"
    assert list(OrderShuffler(missed=True).state) == ["runs", "order"]


def test_the_words_count_the_orders():
    assert "Of 6" not in OrderShuffler().words
    assert "No further edge: of 6 valid orders, 3 give the old value and 3 the new one." in OrderShuffler().words
    assert "of 6 valid orders, 3 give the old" in OrderShuffler(missed=True).words
