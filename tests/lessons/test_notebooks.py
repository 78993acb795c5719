"""Every lesson keeps every rule, and every rule notices what it is there for."""

from __future__ import annotations

import copy
import re

import pytest
from nbformat import NotebookNode, v4

from tests.lessons import rules
from tests.lessons.notebooks import LESSONS, ROOT, cells, lessons, read
from tools import terms


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
def test_lesson_keeps_rule(path, rule):
    assert list(rule(path.stem, read(path))) == []


def good_lesson() -> NotebookNode:
    """Make a lesson that keeps all rules."""
    text = [v4.new_markdown_cell("## A part\nA [link](#A-part) leads there.")]
    text.append(v4.new_markdown_cell("\n\n".join(rules.PARTS)))
    shown = v4.new_output("execute_result", {"text/plain": "a plot", "image/png": "iVBORw=="})
    code = [v4.new_code_cell("plot", execution_count=n, outputs=[shown], id=f"code-{n}") for n in range(1, 17)]
    return v4.new_notebook(cells=[v4.new_markdown_cell("# The question"), *text, *code])


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_good_lesson_keeps_rule(rule):
    assert list(rule("01_good", good_lesson())) == []


def _stream(text):
    return [v4.new_output("stream", text=text)]


def _result(**data):
    return [v4.new_output("execute_result", {k.replace("_", "/"): v for k, v in data.items()})]


BREAKS = {
    "long cell": (rules.short_plain_cells, {"source": "x = 1\n" * 21}, "21 lines"),
    "semicolon": (rules.short_plain_cells, {"source": "plot;"}, "semicolon"),
    "interact": (rules.short_plain_cells, {"source": "interact(f)"}, "interact"),
    "ignored": (rules.short_plain_cells, {"source": "# NBVAL_IGNORE_OUTPUT"}, "NBVAL"),
    "magic": (rules.short_plain_cells, {"source": "%matplotlib inline"}, "not plain Python"),
    "not run": (rules.executed_in_order, {"execution_count": None}, "None"),
    "out of order": (rules.executed_in_order, {"execution_count": 9}, "execution counts"),
    "error": (rules.outputs_belong, {"outputs": [v4.new_output("error", ename="Oh")]}, "Oh"),
    "address": (rules.outputs_belong, {"outputs": _stream("<at 0x7fc63a9d6840>")}, "0x7fc"),
    "path": (rules.outputs_belong, {"outputs": _result(text_plain="/home/me/x")}, "/home/me"),
    "widget": (rules.outputs_belong, {"outputs": _result(text_plain="VBox(children=(")}, "VBox"),
}


@pytest.mark.parametrize("rule, change, words", BREAKS.values(), ids=BREAKS)
def test_rule_notices_in_a_code_cell(rule, change, words):
    notebook = good_lesson()
    notebook.cells[-2].update(copy.deepcopy(change))
    assert words in " ".join(rule("01_bad", notebook))


@pytest.mark.parametrize(
    "rule, source, words",
    [
        (rules.one_title, "# A second title", "2 H1"),
        (rules.links_resolve, "[next](99_nowhere.ipynb)", "99_nowhere"),
        (rules.links_resolve, "[below](#Nowhere)", "#Nowhere"),
        (rules.links_resolve, '<img src="no.png">', "no.png"),
        (rules.links_resolve, "[the map](00_start_here.ipynb#No-map)", "No-map"),
        (rules.links_resolve, "[lesson 03](00_start_here.ipynb)", "the link of lesson 03"),
        (rules.links_resolve, "as in lesson 99", "no lesson 99"),
    ],
)
def test_rule_notices_in_a_markdown_cell(rule, source, words):
    notebook = good_lesson()
    notebook.cells.insert(-1, v4.new_markdown_cell(source))
    assert words in " ".join(rule("01_bad", notebook))


@pytest.mark.parametrize("part", rules.PARTS)
def test_a_part_that_is_missing_is_noticed(part):
    notebook = good_lesson()
    for cell in notebook.cells:
        cell.source = cell.source.replace(part, "")
    assert f"{part!r} is missing" in " ".join(rules.has_every_part("01_bad", notebook))


def test_the_map_and_the_readme_name_every_lesson():
    overview = read(LESSONS / "00_start_here.ipynb").cells[-1].source
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for path in lessons():
        head = "\n".join(cell.source for cell in cells(read(path), "markdown")[:2])
        number = path.name[:2]
        name = path.name
        title = head.splitlines()[0].removeprefix("# ")
        minutes = re.findall(r"(\d+) minutes", head)[0]
        link = title if number == "00" else f"[{title}]({name})"
        assert re.search(rf"\| {number} \| {re.escape(link)} \| .* \| {minutes} \|", overview)
        assert f"| {number} | [{title}](lessons/{name}) |" in readme


def test_a_check_in_sight_is_noticed():
    notebook = good_lesson()
    notebook.cells[-2].metadata["tags"] = ["check"]
    assert "not folded" in " ".join(rules.no_spoiler("01_bad", notebook))
    notebook.cells[-2].metadata["jupyter"] = {"outputs_hidden": True}
    assert list(rules.no_spoiler("01_good", notebook)) == []


def test_no_word_is_used_before_its_introduction():
    assert list(terms.faults()) == []


def test_the_glossary_has_every_word():
    assert terms.GLOSSARY.read_text(encoding="utf-8") == terms.glossary()


def test_widget_states_are_noticed():
    notebook = good_lesson()
    notebook.metadata["widgets"] = {}
    assert list(rules.outputs_belong("01_bad", notebook))
