"""The test of the course's words notices what it is there for."""

from __future__ import annotations

from pathlib import Path

import pytest
from nbformat import v4

from tools import terms

HEAD = "lesson,word,chinese,meaning"
LOSS, FEED = "{},loss,损失,how wrong it is", "{},to feed,喂入,to give"
GOOD = "The **loss** is small. We **feed** it. Losses fall, `loss`."


def notebook(text):
    """Make a lesson of one text."""
    return v4.new_notebook(cells=[v4.new_markdown_cell(text, id="text")])


@pytest.fixture
def course(monkeypatch, tmp_path):
    """Put notebooks in the place of the lessons, and write their table (the last one introduces both words)."""

    def of(*notebooks, rows=None):
        paths = [Path(f"{number:02}_lesson.ipynb") for number in range(len(notebooks))]
        by_path = dict(zip(paths, notebooks, strict=True))
        monkeypatch.setattr(terms, "lessons", lambda: paths)
        monkeypatch.setattr(terms, "read", by_path.__getitem__)
        last = paths[-1].stem[:2]
        table = tmp_path / "glossary.csv"
        table.write_text("\n".join([HEAD, *(rows or [LOSS.format(last), FEED.format(last)])]), encoding="utf-8")
        return table

    return of


def faults(table):
    """Return what is wrong with the words, as one text."""
    return " ".join(terms.faults(table))


def test_a_table_is_read(course):
    table = course(notebook(GOOD))
    assert [(t.word, t.chinese, t.meaning) for t in terms.terms(table)] == [
        ("loss", "损失", "how wrong it is"),
        ("to feed", "喂入", "to give"),
    ]
    assert "| loss | 损失 | how wrong it is | [00](00_lesson.ipynb) |" in terms.glossary(table)


def test_words_that_are_introduced_first_are_well(course):
    assert faults(course(v4.new_notebook(cells=[]), notebook(GOOD))) == ""


@pytest.mark.parametrize(
    "cell",
    [v4.new_markdown_cell("Here the losses fall.", id="early"), v4.new_code_cell("x = 1  # the loss", id="early")],
)
def test_a_word_that_comes_too_early_is_noticed(course, cell):
    early = v4.new_notebook(cells=[cell])
    assert "00_lesson, early: 'loss' before 01_lesson introduces it" in faults(course(early, notebook(GOOD)))


@pytest.mark.parametrize(
    "text, words",
    [
        (f"Loss first. {GOOD}", "the first use of 'loss' is not bold"),
        (GOOD.replace("**loss**", "loss"), "the first use of 'loss' is not bold"),
        ("We **feed** it.", "'loss' is a new word that the lesson does not use"),
    ],
)
def test_a_word_without_its_introduction_is_noticed(course, text, words):
    assert words in faults(course(notebook(text)))


def test_a_word_that_is_introduced_twice_is_noticed(course):
    table = course(notebook(GOOD), notebook(GOOD), rows=[LOSS.format("00"), FEED.format("00"), LOSS.format("01")])
    assert "'loss' is in the table 2 times" in faults(table)
