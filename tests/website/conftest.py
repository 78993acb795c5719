"""Give each test the built site, and its pages in a browser, from disk or from a server."""

import sys

import pytest

from tests.browser.conftest import browser, playwright  # noqa: F401
from tests.lessons.notebooks import LESSONS
from tests.website.pages import SITE, Page, serving, sources

sys.path.insert(0, str(LESSONS))


@pytest.fixture(scope="session", autouse=True)
def built():
    """Return the folder of the site, which must be as new as what it's made from."""
    if not (SITE / "index.html").exists():
        pytest.fail("there is no site: build it with python -m website")
    newest = max(sources(), key=lambda path: path.stat().st_mtime)
    if newest.stat().st_mtime > (SITE / "index.html").stat().st_mtime:
        pytest.fail(f"{newest} is newer than the site: build it again with python -m website")
    return SITE


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Serve the site under a path prefix, as GitHub Pages serves a project."""
    with serving(SITE, tmp_path_factory.mktemp("www"), "some/course") as address:
        yield address


@pytest.fixture
def address(request):
    """Return where the site is, on disk or on a server."""
    return SITE.as_uri() if request.param == "disk" else request.getfixturevalue("server")


@pytest.fixture
def open_page(browser, address):  # noqa: F811
    """Open a page of the site by its path; and check at the end that nothing went wrong."""
    opened = []

    def open_one(name, **look):
        opened.append(Page(browser, address, name, **look))
        return opened[-1]

    yield open_one
    wrong = [fault for page in opened for fault in page.close()]
    assert wrong == []
