"""The files of the site: links lead somewhere, nothing comes from elsewhere, and pages are light."""

import base64
import itertools
import json
import posixpath
import re
import zlib
from html import unescape
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest

from tests.lessons.notebooks import lessons
from tests.website.pages import LESSON_PAGES, PAGES, READ, SITE, read
from tools.terms import terms

pytestmark = pytest.mark.website

MOST = 1_500_000  # bytes of a page, its pictures and frames included


def text(name):
    """Return a page's HTML."""
    return (SITE / name).read_text(encoding="utf-8")


def test_every_lesson_has_a_page():
    missing = [path.stem for path in lessons() if f"lessons/{path.stem}.html" not in PAGES]
    assert missing == []


@pytest.mark.parametrize("page, next_page", list(itertools.pairwise(LESSON_PAGES)))
def test_lessons_follow_each_other(page, next_page):
    ways = {"next-page": (page, next_page), "prev-page": (next_page, page)}
    for way, (here, there) in ways.items():
        assert f'<a class="{way}" href="{posixpath.basename(there)}">' in text(here)


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    lost = []
    for link in [*read(name).links, *read(name).loads]:
        target = urlsplit(link)
        if target.scheme in ("http", "https") and link not in read(name).loads:
            continue  # elsewhere in the world
        page = name
        if target.path:
            page = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(target.path)))
        is_lost = target.scheme or target.netloc or page.startswith("..") or not (SITE / page).is_file()
        if is_lost or target.fragment and unquote(target.fragment) not in read(page).names:
            lost.append(link)
    assert lost == []


def test_every_page_says_what_it_is_in_its_own_words():
    found = {}
    for name in READ:
        [description] = re.findall('<meta property="og:description" content="(.*?)"', text(name), flags=re.DOTALL)
        assert f'<meta name="description" content="{description}"' in text(name)
        assert 20 < len(unescape(description)) <= 230
        assert "<title>" in text(name) and "global_step" in text(name).partition("</title>")[0]
        found[name] = description
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_light(name):
    assert (SITE / name).stat().st_size < MOST


@pytest.mark.parametrize("name", LESSON_PAGES)
def test_every_control_of_an_explorer_changes_something(name):
    for explorer in re.findall('<div class="explorer">.*?</script>', text(name), flags=re.DOTALL):
        sizes = []
        for control in re.findall("<(input|select)(.*?)</label>", explorer):
            most = re.search(r'max="(\d+)"', control[1])
            sizes.append(int(most[1]) + 1 if most else control[1].count("<option") or 2)
        frames = json.loads(zlib.decompress(base64.b64decode(re.search(r'plain">(.*?)<', explorer)[1])))
        shown = np.array([hash((frame["svg"], frame["text"])) for frame in frames]).reshape(sizes)
        for axis in range(len(sizes)):
            assert (np.diff(shown, axis=axis) != 0).any()
        assert not any("Traceback" in frame["text"] for frame in frames)


def test_names_are_not_those_of_one_process():
    assert " at 0x" not in text("minitf/names.html")


@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
def test_terms_are_linked_once_and_not_before_their_lesson(path):
    linked = re.findall(r'class="term[^"]*" href="glossary\.html#term-([^"]+)"', text(f"lessons/{path.stem}.html"))
    met = {term.word.replace(" ", "-") for term in terms() if term.lesson.stem <= path.stem}
    assert linked and len(linked) == len(set(linked)) and set(linked) <= met


def test_checks_and_stored_verdicts_are_not_on_pages():
    for name in LESSON_PAGES:
        assert "lab.check_" not in re.sub(r"<details>.*?</details>", "", text(name), flags=re.DOTALL)
        assert "Not yet. " not in text(name)
