"""A file that the reader edits is theirs: it's copied once, judged as saved, and its changes are shown."""

from __future__ import annotations

import pytest

import lab
from lab.checks import changed
from lab.checks.changed import UNSAVED, shows_changes
from lab.checks.verdict import Verdict, judge
from lab.files.edited import changes

TEXT = "first\nsecond\nthird\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Give each test an empty folder for the reader's files."""
    monkeypatch.setenv("LESSONS_YOURS", str(tmp_path / "yours"))
    return tmp_path / "yours"


@shows_changes
@judge
def check(number: int, script: str) -> Verdict | str:
    """Accept a script that ends on the number."""
    return Verdict(True, "It does.") if script.endswith(f"{number}\n") else "It doesn't."


def test_a_file_is_copied_once_and_never_written_over():
    script = lab.yours("script.py", TEXT)
    assert script.text == TEXT
    script.path.write_text("edited")
    assert lab.yours("script.py", TEXT).text == "edited"
    script.path.unlink()
    assert lab.yours("script.py", TEXT).text == TEXT


def test_the_cell_shows_a_link_and_stores_the_same_words_everywhere():
    shown = lab.yours("script.py", TEXT)._repr_mimebundle_()
    assert '<a href="yours/script.py">' in shown["text/html"]
    assert shown["text/plain"] == "yours/script.py"


def test_in_a_read_only_folder_the_file_is_elsewhere(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LESSONS_YOURS", str(tmp_path / "file"))  # nothing can be written there
    script = lab.yours("script.py", TEXT)
    assert script.text == TEXT
    shown = script._repr_mimebundle_()
    assert str(script.path) in shown["text/html"]
    assert shown["text/plain"] == "yours/script.py"
    script.path.write_text("edited")
    assert lab.yours("script.py", TEXT).text == "edited"
    script.path.unlink()


def test_a_check_takes_a_text_or_a_file_and_shows_what_has_changed():
    script = lab.yours("script.py", TEXT)
    assert repr(check(4, TEXT)) == "Not yet. It doesn't."
    assert repr(check(4, script)) == f"Not yet. It doesn't.\n{UNSAVED}"
    script.path.write_text("first\n2\nthird\n4\n")
    verdict = check(4, script)
    assert verdict
    assert repr(verdict).splitlines() == [
        "Right! It does.",
        "Your changes:",
        "@@ line 2",
        "-second",
        "+2",
        "@@ line 4",
        "+4",
    ]
    assert not check(5, script)


def test_a_verdict_and_its_changes_are_shown_one_below_the_other(monkeypatch):
    shown = []
    monkeypatch.setattr(changed, "display", shown.append)
    script = lab.yours("script.py", TEXT)
    script.path.write_text("first\nthird\n```\n")
    check(4, script)._ipython_display_()
    verdict, below = shown
    assert repr(verdict) == "Not yet. It doesn't."
    assert below.data == "Your changes:\n\n~~~diff\n@@ line 2\n-second\n@@ line 3\n+```\n~~~"


@pytest.mark.parametrize(
    "after, expected",
    [
        (TEXT, ""),
        ("second\nthird\n", "@@ line 1\n-first"),
        ("first\nthird\n", "@@ line 2\n-second"),
        ("first\nsecond\n", "@@ line 3\n-third"),
        ("first\nsecond\nthird\nlast\n", "@@ line 4\n+last"),
        ("", "@@ line 1\n-first\n-second\n-third"),
    ],
)
def test_a_change_begins_at_a_line_of_the_readers_file(after, expected):
    assert changes(TEXT, after) == expected


@pytest.mark.parametrize("spoil", [lambda path: path.unlink(), lambda path: path.write_bytes(b"\xff")])
def test_a_file_that_cannot_be_read_has_a_way_back(spoil):
    script = lab.yours("script.py", TEXT)
    spoil(script.path)
    assert "Delete it if it's still there" in check(4, script).message


def test_an_empty_file_has_a_way_back_too():
    script = lab.yours("script.py", TEXT)
    script.path.write_text("\n")
    verdict = check(4, script)
    assert repr(verdict).startswith("Not yet. `yours/script.py` is empty. Delete it")
    assert "changes" not in repr(verdict)
    with pytest.raises(ValueError, match="is empty"):
        lab.run_inherited(script=script)


def test_a_traceback_names_the_readers_file_and_line():
    script = lab.yours("script.py", "import sys\n1 / len(sys.argv[2:])\n")
    with pytest.raises(ZeroDivisionError) as error:
        lab.run_inherited(script=script)
    last = error.traceback[-1]
    assert (str(last.path), last.lineno + 1) == (str(script.path), 2)
