"""What a reader does on a page, by keyboard and by mouse."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.controls import explorers
from tests.browser.journey import FAULTS, labels, views_of
from tests.lessons.notebooks import LESSONS
from tests.website.pages import FROM_DISK, LESSON_PAGES
from tools.terms import terms

pytestmark = [pytest.mark.website, FROM_DISK]

QUICK = "lessons/04_who_adds_one.html"
VIEWS = [pytest.param(name, marks=[] if name == QUICK else pytest.mark.long) for name in LESSON_PAGES]
FOLD = "details.hide:not(.above-input)"  # a result; above the input, it is the code
START = "lessons/00_start_here.html"


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_moves_by_keyboard_and_by_mouse(open_page, name):
    page = open_page(name)
    page.unfold()
    stored = views_of(LESSONS / name.removeprefix("lessons/").replace(".html", ".ipynb"))
    stored = [view for view in stored if view["kind"] != "verdict"]  # of an exercise that isn't solved
    assert page.page.locator(".lab-view").count() == len(stored)
    for number in page.numbers():
        assert page.cell(number).evaluate(FAULTS) == []
    names = []
    for explorer in explorers(page):
        for control in explorer.controls():
            names.append(control.name)
            control.by_keyboard()
            control.by_mouse()
            explorer.reset()
    assert {label for view in stored for label in labels(view)} <= set(names)


MIDDLE = "link => scrollTo({ top: scrollY + link.getBoundingClientRect().top - innerHeight / 3, behavior: 'instant' })"


def test_the_text_moves_the_picture_beside_it(open_page):
    page = open_page(QUICK).page
    cell = page.locator(".cell.tag_pinned")
    moment = cell.locator(".lab-controls output")
    expect(moment).to_have_text("0 of 20")
    page.locator("a", has_text="the constant that waits").evaluate(MIDDLE)
    expect(moment).to_have_text("9 of 20")
    expect(cell.locator(".inside .node")).to_have_count(3)
    box, text = cell.bounding_box(), page.locator("a", has_text="the constant that waits").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= 900  # all of it, beside the text
    assert text["x"] + text["width"] < box["x"]
    cell.get_by_role("button", name="Back").click()  # now the reader has it, for a while
    page.locator("a", has_text="does the step tick").evaluate(MIDDLE)
    page.wait_for_timeout(300)
    expect(moment).to_have_text("8 of 20")
    page.locator("h2", has_text="Check yourself").evaluate(MIDDLE)
    assert cell.bounding_box()["y"] < -300  # it stays behind


@pytest.mark.parametrize("width", [1400, 400])
def test_a_step_brings_the_whole_picture_into_sight(open_page, width):
    page = open_page(QUICK, width=width).page
    view = page.locator(".cell.tag_pinned .lab-view")
    step = view.get_by_role("button", name="Step")
    step.evaluate("button => scrollBy(0, button.getBoundingClientRect().bottom - innerHeight + 20)")
    step.press("Enter")
    page.wait_for_function(
        """view => { const {top, bottom} = view.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; }""",
        arg=view.element_handle(),
    )
    buttons = view.locator(".lab-controls button").all()
    assert len({button.bounding_box()["y"] for button in buttons}) == 1  # in one row


def test_on_a_narrow_page_only_a_click_moves_the_picture_above(open_page):
    page = open_page(QUICK, width=400).page
    moment = page.locator(".cell.tag_pinned .lab-controls output")
    link = page.locator("a", has_text="does the step tick")
    link.evaluate(MIDDLE)
    page.wait_for_timeout(300)
    expect(moment).to_have_text("0 of 20")
    place = page.evaluate("[scrollY, location.hash]")
    link.click()
    expect(moment).to_have_text("10 of 20")
    assert page.evaluate("[scrollY, location.hash]") == place


def test_what_needs_python_says_so(open_page):
    page = open_page("lessons/12_watching.html").page
    button = page.get_by_role("button", name="Open TensorBoard")
    button.click()
    expect(page.locator(".lab-host").filter(has=button).locator(".lab-hint")).to_contain_text("on your computer")
    assert page.locator("iframe").count() == 0


def test_a_prediction_comes_before_the_answer(open_page):
    page = open_page(START).page
    expect(page.locator("article")).to_contain_text("On this page, no cell runs")
    question, fold = page.locator(".lab-question").first, page.locator(FOLD).first
    expect(fold).not_to_have_attribute("open", "")
    expect(fold.locator(".cell_output")).not_to_be_visible()
    question.locator("input").first.press("Space")
    expect(question).to_contain_text("Now press Compare, and the result opens below.")
    expect(fold.locator(".cell_output")).not_to_be_visible()
    question.get_by_role("button", name="Compare").press("Enter")
    expect(question).to_contain_text(re.compile("Not this time|You saw it coming"))
    expect(fold.locator(".cell_output")).to_be_visible()
    fold.locator("summary").click()
    expect(fold.locator(".cell_output")).not_to_be_visible()


def test_a_quiz_answers(open_page):
    page = open_page(START).page
    question = page.locator(".lab-question").last
    for option in question.locator("label").all():
        option.click()
        question.get_by_role("button", name="Check").click()
        expect(question.locator(".lab-verdict")).to_contain_text(re.compile("Not yet|Right!"))
    assert page.locator(".lab-verdict.wrong, .lab-verdict.right").count() == 1


def test_an_exercise_says_how_to_run_it_and_keeps_its_solution_folded(open_page):
    page = open_page("lessons/05_the_rate_reads_the_clock.html").page
    summaries = (page.locator("summary", has_text=re.compile(words)) for words in ("on your computer", "^Solution$"))
    how, solution = (page.locator("details").filter(has=summary) for summary in summaries)
    for fold in (how, solution):
        expect(fold.locator(":scope > :not(summary)").first).not_to_be_visible()
        fold.locator("summary").press("Enter")
        expect(fold.locator(":scope > :not(summary)").first).to_be_visible()
    commands = how.locator("pre").all_inner_texts()
    assert len(commands) == 2
    assert commands[0].startswith("python3 -m zipfile ") and commands[1].endswith("/05_the_rate_reads_the_clock.ipynb")
    with page.expect_download() as download:
        how.get_by_role("link", name="Download the course").click()
    assert download.value.suggested_filename in commands[0]
    assert page.get_by_text("Not yet.").count() == 0


def test_answers_are_remembered_and_open_results(open_page):
    opened = open_page("lessons/06_the_run_nobody_watched.html")
    page = opened.page
    tally = page.locator(".lab-tally").last.locator("xpath=..")
    expect(tally).to_contain_text("hasn't seen you compare any of the 14 predictions")
    questions = page.locator(".lab-question:not(.lab-case)")
    asked, quiz = questions.first, questions.last
    asked.locator("label").last.click()
    page.reload()
    expect(asked.locator("input").last).to_be_checked()
    expect(page.locator(FOLD).first).not_to_have_attribute("open", "")
    for question, name in [(asked, "Compare"), (quiz, "Check")]:
        question.locator("input").first.check()
        question.get_by_role("button", name=name).click()
    page.reload()
    for question in (asked, quiz):
        expect(question.locator("input").first).to_be_checked()
        expect(question.locator(".lab-verdict")).to_contain_text(re.compile("[✓✗]"))
    expect(page.locator(FOLD).first).to_have_attribute("open", "")
    expect(page.locator(FOLD).nth(1)).not_to_have_attribute("open", "")
    expect(tally).to_contain_text(re.compile("You saw [01] of 1 coming. 13 of the 14 are still waiting"))
    asked.get_by_role("button", name="Answer again").click()
    expect(asked.locator("input:checked")).to_have_count(0)
    expect(tally).to_contain_text("hasn't seen you compare any")


SOUGHT = {
    "control dependency": "07_",
    "constant waits": "04_",
    "race condition": "07_",
    "learning rate doesn't change": "03_",
    "learning rate decay not working": "03_",
    "increments by 2": "04_",
    "steps per epoch": "05_",
    "loss nan": "09_",
    "global_step not updating": "09_",
    "resume training wrong step": "10_",
    "estimator global step": "field_guide",
    "step starts at 0 again": "10_",
    "uninitialized variable": "02_",
    "lr schedule": "05_",
    "exploding loss": "06_",
    "counts twice": "04_",
    "get_global_step None": "08_",
    "global_step stays 0": "09_",
    "training never stops": "11_",
    "tensorboard curves don't line up": "12_",
    "parameter server": "13_",
    "pytorch": "14_",
    "autograd from scratch": "16_",
    "when I resume from checkpoint": "10_",
    "I restored my model and the step is 0": "10_",
    "why is my step counted twice by two optimizers": "04_",
    "my global step starts at 0 again when I restart training": "10_",
    "how do I stop training after 1000 steps": "11_",
    "what happens if I forget global_step in minimize": "03_",
}


@pytest.mark.parametrize("words, page", SOUGHT.items())
def test_the_search_finds(open_page, words, page):
    here = open_page("index.html").page
    here.get_by_role("searchbox", name="Search").locator("visible=true").fill(words)
    here.keyboard.press("Enter")
    first = here.locator("#search-results li").first
    expect(first.locator("a")).to_have_attribute("href", re.compile(f"^lessons/{page}"))
    expect(first.locator("a")).to_contain_text(re.compile(page[:2], re.IGNORECASE))
    expect(first.locator(".context")).not_to_be_empty()


def test_the_search_finds_each_lesson_about_races(open_page):
    page = open_page("search.html?q=race+condition").page
    links = page.locator("#search-results li > a")
    expect(links).to_have_text([re.compile("^07"), re.compile("^13")])


def test_only_a_result_of_the_search_marks_its_words(open_page):
    page = open_page("search.html?q=control+edge").page
    page.locator("#search-results li a").first.click()
    expect(page.locator(".highlighted").locator("visible=true").first).to_be_visible()
    page.go_back()
    page.locator(".sidebar-tree a", has_text="07 The log").click()
    expect(page.locator("h1")).to_have_text("07 The log is one step off")
    page.wait_for_timeout(100)  # the words would be marked a moment later
    expect(page.locator(".highlighted")).to_have_count(0)


@pytest.mark.parametrize("width, below", [(1400, 600), (400, 500)])
def test_the_first_page_begins_with_a_picture_that_moves(open_page, width, below):
    page = open_page("index.html", width=width).page
    toy = page.locator(".face-toy .lab-view")
    expect(toy.locator("button").first).to_be_visible()
    assert toy.locator("figure").first.bounding_box()["y"] < below
    assert page.locator(".face-button").get_attribute("href") == START


def test_every_lesson_has_a_card_with_a_picture(open_page):
    page = open_page("index.html").page
    page.get_by_role("button", name="Show w").press("Enter")
    expect(page.locator(".reading")).to_contain_text("w = −21.15 million")
    cards = page.locator(".card")
    assert [*cards.locator("a").evaluate_all("links => links.map(link => link.getAttribute('href'))")] == LESSON_PAGES
    for card in cards.all():
        if picture := next(iter(card.locator(".card-picture img").all()), None):
            assert picture.get_attribute("alt") and picture.get_attribute("loading") == "lazy"
            picture.scroll_into_view_if_needed()
            page.wait_for_function("picture => picture.naturalWidth > 0", arg=picture.element_handle())
            assert picture.bounding_box()["width"] > 0.75 * int(picture.get_attribute("width"))  # its text is legible
        else:
            expect(card.locator(".card-code")).to_be_visible()


def test_the_names_of_minitf_are_filtered(open_page):
    page = open_page("minitf/names.html").page
    entries = page.locator("dl.py:not(dl.py dl.py)").locator("visible=true")
    every = entries.count()
    page.get_by_role("searchbox", name="Show only names").fill("DECAY train")
    expect(page.locator(".name-filter output")).to_have_text(f"{entries.count()} of {every}")
    names = entries.evaluate_all("entries => entries.map(entry => entry.querySelector('dt').id)")
    assert "tf.train.exponential_decay" in names and len(names) < every
    assert all("decay" in name and "train" in name for name in names)
    page.get_by_role("searchbox", name="Show only names").fill("apply_gradients")
    expect(page.locator("article h2").locator("visible=true")).to_have_text(["tf.train"])
    page.get_by_role("searchbox", name="Show only names").fill("decay train")
    assert page.locator("article h2").locator("visible=true").all_inner_texts() == ["tf.train"]
    page.get_by_role("searchbox", name="Show only names").fill("")
    expect(entries).to_have_count(every)


def test_a_term_shows_its_meaning_on_hover_and_on_focus(open_page):
    page = open_page("lessons/01_a_graph_is_not_a_run.html").page
    term, tip = page.locator("a.term").first, page.get_by_role("tooltip")
    expect(tip).to_have_count(0)
    term.hover()
    name = term.get_attribute("href").partition("#term-")[2]
    [meaning] = [one.meaning for one in terms() if one.word.replace(" ", "-") == name]
    expect(tip).to_contain_text(meaning.replace("`", ""))
    page.mouse.move(0, 0)
    expect(tip).to_have_count(0)
    term.focus()
    expect(tip).to_be_visible()
    expect(term).to_have_attribute("aria-describedby", "term-tip")
    page.keyboard.press("Escape")
    expect(tip).to_have_count(0)
    term.click()
    expect(page.locator("tr:target")).to_be_visible()


def test_a_tap_shows_a_meaning_and_a_second_one_opens_the_glossary(open_page):
    page = open_page("lessons/04_who_adds_one.html", width=400, has_touch=True).page
    for term in page.locator("a.term").locator("visible=true").all()[:3]:
        term.tap()
        box = page.get_by_role("tooltip").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 400
    page.locator("article summary").first.press("Enter")  # keys still work
    expect(page.locator("article details").first).to_have_attribute("open", "")
    term.tap()
    term.tap()
    expect(page.locator("tr:target")).to_be_visible()


def test_what_is_read_is_remembered(open_page):
    opened = open_page(START)
    page = opened.page
    expect(page.locator(".read-mark")).to_have_count(0)
    expect(page.locator(".read-so-far")).to_contain_text("about")
    page.locator(".related-pages").scroll_into_view_if_needed()
    expect(page.locator(".sidebar-tree .read-mark")).to_have_count(1)
    opened.go("index.html")
    expect(page.locator(".card .read-mark")).to_have_count(1)
    expect(page.locator(".read-so-far")).to_contain_text("You've read 1 of 17 lessons")
    expect(page.locator(".face-button")).to_have_text("Continue with 01 A graph is not a run")
    page.get_by_role("button", name="Forget this").click()
    page.reload()
    expect(page.locator(".read-mark")).to_have_count(0)
    expect(page.locator(".face-button")).to_have_text("Start, 10 minutes")


def test_the_theme_is_remembered(open_page):
    opened = open_page("index.html", theme="light")
    page = opened.page
    assert page.evaluate("document.body.dataset.jpThemeLight") == "true"
    toggle = page.locator(".theme-toggle").locator("visible=true").first
    toggle.press("Enter")  # from the system's theme to the other one
    expect(page.locator("body")).to_have_attribute("data-jp-theme-light", "false")
    opened.go(START)
    expect(page.locator("body")).to_have_attribute("data-jp-theme-light", "false")


def test_a_browser_that_remembers_nothing_shows_everything(open_page):
    opened = open_page("index.html")
    refuse = "Object.defineProperty(window, 'localStorage', { configurable: true, get() { throw new Error('no') } })"
    opened.page.add_init_script(refuse)
    opened.go(START)
    opened.page.locator(".related-pages").scroll_into_view_if_needed()
    expect(opened.page.locator(".sidebar-tree .read-mark")).to_have_count(1)
    expect(opened.page.locator(".lab-view").first).to_be_visible()
