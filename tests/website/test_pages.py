"""Every page, from disk and from a server: nothing fails, nothing is wider than the window, everybody can read it."""

import itertools

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.website.pages import FROM_SERVER, READ

pytestmark = [pytest.mark.website, FROM_SERVER]

QUICK = [("index.html", 400, "light"), ("lessons/04_who_adds_one.html", 1400, "dark")]
NAMES = [*READ, "search.html?q=step", "source/minitf/client/order.html"]
LOOKS = [
    pytest.param(*look, marks=[] if look in QUICK else pytest.mark.long)
    for look in itertools.product(NAMES, (400, 1400), ("light", "dark"))
]


@pytest.mark.parametrize("name, width, theme", LOOKS)
def test_a_page(open_page, name, width, theme):
    page = open_page(name, width=width, theme=theme)
    page.unfold()
    for number in page.numbers():
        page.place(number).locator(".lab-view > *").first.wait_for(state="attached")
    assert page.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    if not name.startswith("search"):  # whose page has its heading once it has found something
        assert page.page.locator("article h1").count() == 1
    if page.address.startswith("http:"):
        no_violation(page)


def no_violation(page):
    """Ask axe-core about the page: nothing serious or critical."""
    found = Axe().run(page.page, options={"resultTypes": ["violations"]}).response["violations"]
    serious = [v for v in found if v["impact"] in ("serious", "critical")]
    assert not serious, [(v["id"], len(v["nodes"]), v["nodes"][0]["html"], v["nodes"][0]["any"][:1]) for v in serious]


def comes_into_sight(photograph):
    photograph.scroll_into_view_if_needed()
    photograph.page.wait_for_function("document.querySelector('.lab-photograph').naturalWidth > 0")


def test_without_scripts_there_are_photographs_and_words(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/lessons/06_the_run_nobody_watched.html")
    pictures = page.locator(".lab-photograph")
    assert pictures.count() and all(picture.is_visible() for picture in pictures.all())
    comes_into_sight(pictures.first)
    assert page.locator(".lab-spoken").first.is_visible()
    context.close()


def test_on_paper_there_are_photographs(open_page):
    page = open_page("lessons/06_the_run_nobody_watched.html").page
    page.emulate_media(media="print")
    picture = page.locator(".lab-photograph").first
    assert picture.is_visible()
    assert not page.locator(".lab-photograph ~ .lab-view").first.is_visible()
    comes_into_sight(picture)
