"""Every page, from disk and from a server: nothing fails, nothing is wider than the window, everybody can read it."""

import itertools

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.website.pages import FROM_SERVER, READ

pytestmark = [pytest.mark.website, FROM_SERVER]

QUICK = [
    ("index.html", 400, "light"),
    ("lessons/03_the_experiment.html", 400, "dark"),
    ("lessons/04_who_adds_one.html", 1400, "dark"),
    ("lessons/07_before_or_after.html", 1400, "light"),
]
NAMES = [*READ, "search.html?q=step", "minitf/client/session.py.html"]
LOOKS = [
    pytest.param(*look, marks=[] if look in QUICK else pytest.mark.long)
    for look in itertools.product(NAMES, (400, 1400), ("light", "dark"))
]


@pytest.mark.parametrize("name, width, theme", LOOKS)
def test_a_page(open_page, name, width, theme):
    page = open_page(name, width=width, theme=theme)
    page.unfold()
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
