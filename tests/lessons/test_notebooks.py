"""Every lesson keeps every rule, and every rule notices what it is there for."""

from __future__ import annotations

import copy

import pytest
from nbformat import NotebookNode, v4

from tests.lessons import rules
from tests.lessons.notebooks import lessons, read


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
def test_lesson_keeps_rule(path, rule):
    assert list(rule(path.stem, read(path))) == []


def good_lesson() -> NotebookNode:
    """Make a lesson that keeps all rules."""
    words = "A [link](#A-part) leads there. " * 35
    text = [v4.new_markdown_cell(f"## A part\n{words}") for _ in range(5)]
    shown = v4.new_output("execute_result", {"text/plain": "a plot", "image/png": "iVBORw=="})
    code = [
        v4.new_code_cell("plot", execution_count=n, outputs=[shown], id=f"code-{n}")
        for n in range(1, 16)
    ]
    return v4.new_notebook(cells=[v4.new_markdown_cell("# The question"), *text, *code])


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_good_lesson_keeps_rule(rule):
    assert list(rule("01_good", good_lesson())) == []


def _stream(text):
    return [v4.new_output("stream", text=text)]


def _result(**data):
    return [v4.new_output("execute_result", {k.replace("_", "/"): v for k, v in data.items()})]


BREAKS = {
    "long cell": (rules.short_plain_cells, {"source": "x = 1\n" * 11}, "11 lines"),
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
        (rules.size, "# A second title", "2 H1"),
        (rules.size, "word " * 900, "words, not"),
        (rules.size, "## More\n" * 5, "10 H2"),
        (rules.links_resolve, "[next](99_nowhere.ipynb)", "99_nowhere"),
        (rules.links_resolve, "[below](#Nowhere)", "#Nowhere"),
        (rules.links_resolve, '<img src="no.png">', "no.png"),
    ],
)
def test_rule_notices_in_a_markdown_cell(rule, source, words):
    notebook = good_lesson()
    notebook.cells.insert(-1, v4.new_markdown_cell(source))
    assert words in " ".join(rule("01_bad", notebook))


def test_widget_states_are_noticed():
    notebook = good_lesson()
    notebook.metadata["widgets"] = {}
    assert list(rules.outputs_belong("01_bad", notebook))
