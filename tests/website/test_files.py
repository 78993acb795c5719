"""The files of the site: links lead somewhere, nothing comes from elsewhere, pages are light, words are spelled."""

import itertools
import posixpath
import re
import subprocess
import sys
import zipfile
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.lessons.notebooks import ROOT, lessons
from tests.website.pages import LESSON_PAGES, PAGES, READ, SITE, read
from tools.terms import terms
from tools.weigh import weight
from website.notebooks import host

pytestmark = pytest.mark.website

MOST = 2_000_000  # bytes of a page, with what it loads before a picture is opened
WORDS = Path(__file__).with_name("words.txt")  # that the spell checker doesn't know


def test_every_lesson_has_a_page():
    missing = [path.stem for path in lessons() if f"lessons/{path.stem}.html" not in PAGES]
    assert missing == []


@pytest.mark.parametrize("page, next_page", list(itertools.pairwise(LESSON_PAGES)))
def test_lessons_follow_each_other(page, next_page):
    ways = {"next-page": (page, next_page), "prev-page": (next_page, page)}
    for way, (here, there) in ways.items():
        text = (SITE / here).read_text(encoding="utf-8")
        assert f'<a class="{way}" href="{posixpath.basename(there)}">' in text


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    lost = []
    for link in [*read(name).links, *read(name).loads]:
        target = urlsplit(link)
        if (target.scheme in ("http", "https") and link not in read(name).loads) or link.startswith("#show:"):
            continue  # elsewhere in the world, or it moves a picture
        page = (
            posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(target.path))) if target.path else name
        )
        is_lost = target.scheme or target.netloc or page.startswith("..") or not (SITE / page).is_file()
        if is_lost or target.fragment and unquote(target.fragment) not in read(page).names:
            lost.append(link)
    assert lost == []


@pytest.mark.parametrize("name", READ)
def test_a_page_says_what_it_is(name):
    text = (SITE / name).read_text(encoding="utf-8")
    [title] = re.findall("<title>(.*)</title>\n<", text)
    [description] = re.findall('<meta name="description" content="(.*)">', text)
    assert "TensorFlow" in title and "global_step" in title
    assert 20 < len(unescape(description)) <= 230
    assert f'<meta property="og:description" content="{description}">' in text
    assert '<meta name="twitter:card"' in text


def test_descriptions_differ():
    texts = [(SITE / name).read_text(encoding="utf-8") for name in READ]
    descriptions = [re.search('<meta name="description" content="(.*)">', text)[1] for text in texts]
    assert len(set(descriptions)) == len(descriptions)


def test_the_first_page_gives_nothing_away():
    text = (SITE / "index.html").read_text(encoding="utf-8")
    for words in ("+= 1", "--allow-root", "226 minutes", "step-counted-twice", "fit_wave"):
        assert words not in text


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_light(name):
    assert weight(name) < MOST


def test_views_and_names_cannot_break_their_pages():
    assert host({"text": "</script>"}, "").count("</script>") == 1
    assert " at 0x" not in (SITE / "minitf" / "names.html").read_text(encoding="utf-8")


def test_everyday_words_are_terms():
    from website.terms import EVERYDAY  # needs Sphinx

    assert {term.word for term in terms()} >= EVERYDAY


@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
def test_terms_are_linked_once_and_not_before_their_lesson(path):
    page = (SITE / "lessons" / f"{path.stem}.html").read_text(encoding="utf-8")
    linked = re.findall(r'class="term[^"]*" href="glossary\.html#term-([^"]+)"', page)
    met = {term.word.replace(" ", "-") for term in terms() if term.lesson.stem <= path.stem}
    assert linked and len(linked) == len(set(linked)) and set(linked) <= met


def test_the_course_that_is_downloaded_is_complete():
    with zipfile.ZipFile(SITE / "global-step-course.zip") as archive:
        packed = {name.removeprefix("global-step-course/") for name in archive.namelist() if not name.endswith("/")}
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert packed == {name for name in tracked if not name.startswith(".")}


@pytest.fixture(scope="module")
def checker():
    """Return the spell checker, which knows the course's words as well."""
    from spellchecker import SpellChecker  # of website/requirements.txt

    checker = SpellChecker()
    checker.word_frequency.load_words(WORDS.read_text(encoding="utf-8").split())
    return checker


@pytest.mark.parametrize("name", READ)
def test_words_are_spelled_right(checker, name):
    unknown = checker.unknown(words(" ".join(read(name).words)))
    assert unknown == set(), f"misspelled, or to be added to {WORDS.name}"


def words(text):
    """Return the English words of a text: no numbers, and no names such as a.b, a_b, aB and AB."""
    plain = re.sub(r"[\w.]*\w[._/=(]+\w[\w.()]*|\S*[0-9_@]\S*|\b\w+[A-Z]\w*", " ", text.replace("’", "'"))
    found = re.findall(r"[A-Za-z]+(?:'[a-z]+)?", plain)
    return {re.sub(r"'(s|re|ve|ll|d)$", "", word).lower() for word in found if len(word) > 1}


def test_the_word_list_is_in_order():
    listed = WORDS.read_text(encoding="utf-8").split()
    assert listed == sorted(set(listed))


def test_workflows_follow_githubs_schema():
    files = [str(path) for path in (ROOT / ".github" / "workflows").glob("*.yml")]
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", *files]
    assert len(files) == 2
    assert subprocess.run(command, check=False).returncode == 0
