"""What a reader does on a page, by keyboard and by mouse."""

import re
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.website.pages import FROM_DISK, LESSON_PAGES

pytestmark = [pytest.mark.website, FROM_DISK]

START = "lessons/00_start_here.html"
EXPERIMENT = "lessons/03_the_experiment.html"


@pytest.mark.parametrize("name", LESSON_PAGES)
def test_explorers_have_a_picture_whatever_is_chosen(open_page, name):
    page = open_page(name).page
    for explorer in page.locator(".explorer").all():
        picture = explorer.locator("img")
        for control in explorer.locator("input, select").all():
            assert control.evaluate("control => control.labels[0].textContent.trim()")
            control.press("Space" if control.get_attribute("type") == "checkbox" else "End")
            assert picture.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 0
            assert picture.get_attribute("alt")


def test_an_explorer_shows_the_frame_that_its_controls_choose(open_page):
    page = open_page(EXPERIMENT).page
    explorer = page.locator(".explorer")
    picture = explorer.get_by_role("img")
    expect(picture).to_have_attribute("alt", re.compile(r"^exponential_decay\(0\.1, step, 10, 2, False\)"))
    explorer.get_by_role("slider", name="decay_rate").press("Home")
    explorer.get_by_role("checkbox", name="staircase").check()
    expect(explorer.locator("output").last).to_have_text("0.1")
    expect(picture).to_have_attribute("alt", re.compile(r"^exponential_decay\(0\.1, step, 10, 0\.1, True\)"))
    explorer.get_by_role("slider", name="learning_rate").press("End")
    expect(picture).to_have_attribute("alt", re.compile(r"^exponential_decay\(0\.5, step, 10, 0\.1, True\)"))


def test_pictures_follow_the_page_s_theme(open_page):
    page = open_page(EXPERIMENT, theme="light").page
    figures = page.locator("img").all()
    assert len(figures) == 2
    assert [corner(figure) for figure in figures] == [(255, 255, 255)] * 2
    page.locator(".theme-toggle").locator("visible=true").first.press("Enter")  # to the theme that isn't the system's
    assert [corner(figure) for figure in figures] == [(17, 17, 17)] * 2
    page.emulate_media(media="print")
    assert corner(figures[0]) == (255, 255, 255)


def corner(figure):
    """Return the colour of a picture's corner."""
    with Image.open(BytesIO(figure.screenshot())) as image:
        return image.convert("RGB").getpixel((4, 4))


def test_a_result_and_the_replies_are_folded(open_page):
    page = open_page(EXPERIMENT).page
    fold = page.locator("details.hide.below-input").first
    expect(fold.locator("pre")).not_to_be_visible()
    fold.locator("summary").press("Enter")
    expect(fold.locator("pre")).to_contain_text('+     state["global_step"] += 1')
    answer = page.locator("details", has=page.locator("summary", has_text="At the end, after the update"))
    expect(answer).not_to_contain_text("Right.", use_inner_text=True)
    answer.locator("summary").click()
    expect(answer).to_contain_text("Right.", use_inner_text=True)


def test_the_toy_plays(open_page):
    page = open_page("index.html").page
    page.get_by_role("button", name="Show w").press("Enter")
    expect(page.locator(".widget")).to_contain_text("21.15 million")


def test_cards_count(open_page):
    page = open_page("lessons/07_before_or_after.html").page
    widget = page.locator(".widget").first
    widget.get_by_role("button", name="Run 100").click()
    expect(widget.get_by_role("status")).to_contain_text("In run 100")


@pytest.mark.parametrize("width", [1400, 400])
def test_the_first_page_begins_with_the_toy_and_has_a_card_for_each_lesson(open_page, width):
    page = open_page("index.html", width=width).page
    assert page.locator(".widget").bounding_box()["y"] < 400
    links = page.locator(".sd-card a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert links == LESSON_PAGES


def test_a_term_says_its_meaning_and_leads_to_the_glossary(open_page):
    page = open_page("lessons/01_a_graph_is_not_a_run.html").page
    term = page.locator("a.term").locator("visible=true").first
    assert len(term.get_attribute("title")) > 30
    term.click()
    expect(page.locator("tr:target")).to_be_visible()


SOUGHT = {
    "control dependency": "07_",
    "constant waits": "04_",
    "race condition": "07_",
    "learning rate doesn't change": "03_",
    "increments by 2": "04_",
    "steps per epoch": "05_",
    "loss nan": "09_",
    "global_step not updating": "09_",
    "resume training wrong step": "10_",
    "estimator global step": "field_guide",
    "uninitialized variable": "02_",
    "lr schedule": "05_",
    "exploding loss": "06_",
    "get_global_step None": "08_",
    "training never stops": "11_",
    "tensorboard curves don't line up": "12_",
    "parameter server": "13_",
    "pytorch": "14_",
    "autograd from scratch": "16_",
    "I restored my model and the step is 0": "10_",
    "why is my step counted twice by two optimizers": "04_",
    "my global step starts at 0 again when I restart training": "10_",
    "what happens if I forget global_step in minimize": "03_",
}


@pytest.mark.parametrize("words, page", SOUGHT.items())
def test_the_search_finds(open_page, words, page):
    here = open_page("index.html").page
    here.get_by_role("textbox", name="Search").locator("visible=true").fill(words)
    here.keyboard.press("Enter")
    expect(here.locator("#search-results li > a").first).to_have_attribute("href", re.compile(f"^lessons/{page}"))


def test_the_search_quotes_what_it_finds(open_page):
    page = open_page("search.html?q=race+condition").page
    quoted = page.locator("#search-results li .context")
    expect(quoted).to_have_count(0 if page.url.startswith("file:") else 2)


def test_the_theme_is_remembered(open_page):
    page = open_page("index.html", theme="light").page
    page.locator(".theme-toggle").locator("visible=true").first.press("Enter")
    expect(page.locator("body")).to_have_attribute("data-theme", "dark")
    page.locator(".sd-btn").click()
    expect(page.locator("h1")).to_have_text("00 Start here")
    expect(page.locator("body")).to_have_attribute("data-theme", "dark")
