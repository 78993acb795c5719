"""The browser tests can fail: a slider without effect and a cell that raises are both noticed."""

from __future__ import annotations

import pytest
from nbformat import v4, write
from playwright.sync_api import expect

from tests.browser.controls import explorers
from tests.browser.jupyterlab import SHUT_DOWN

pytestmark = pytest.mark.browser

EXPLORER = """
from lab.controls.controls import slider
from lab.controls.explorer import Explorer
from lab.drawing.parts import Picture, note

class Shown(Explorer):
    controls = (slider("rate", "rate", 0.5, 0.0, 1.0, 0.1),)

    def picture(self, rate):
        said = f"rate {FOLLOWED:.1f}"
        return Picture([note(said)], said)
"""
LINKED, UNLINKED = EXPLORER.replace("FOLLOWED", "rate"), EXPLORER.replace("FOLLOWED", "0.5")


@pytest.fixture
def notebook(folder, open_lesson):
    """Write a notebook of these cells, open it and run it."""

    def open_and_run(*sources):
        metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
        cells = [v4.new_code_cell(source) for source in sources]
        write(v4.new_notebook(cells=cells, metadata=metadata), folder / "frame.ipynb")
        lesson = open_lesson("frame.ipynb")
        lesson.run_all()
        return lesson

    return open_and_run


def test_a_slider_is_followed_if_it_has_an_effect(notebook):
    lesson = notebook(LINKED, "Shown()", UNLINKED, "Shown()", "1 / 0")
    assert lesson.errors() == ["cell 4: ZeroDivisionError: division by zero"]
    explorer, without_effect = explorers(lesson)
    [slider] = explorer.controls()
    assert slider.name == "rate"
    slider.press("ArrowRight")
    assert (slider.value, explorer.shown()[1]) == ("0.6", "rate 0.6")
    slider.by_mouse()
    [slider] = without_effect.controls()
    with pytest.raises(AssertionError, match="ArrowRight on rate changes nothing in: picture and words"):
        slider.press("ArrowRight", seconds=1)


def test_without_python_the_controls_go_to_what_is_stored(notebook):
    two = LINKED.replace(", 0.1),)", ', 0.1), slider("w", "w", 1, 0, 9))').replace("rate):", "rate, w):")
    lesson = notebook(two.replace(':.1f}"', ':.1f}, w {w}"'), "Shown()")
    [explorer] = explorers(lesson)
    rate, w = explorer.controls()
    hint = explorer.cell.get_by_text("Python doesn't answer. If it isn't busy, run this cell again.")
    rate.press("ArrowRight")
    w.press("ArrowRight")  # only settings where one slider has moved are stored
    assert explorer.shown()[1] == "rate 0.6, w 2"
    expect(hint).to_have_count(0)
    lesson.page.evaluate(SHUT_DOWN)
    lesson.page.wait_for_function("!jupyterapp.shell.currentWidget.sessionContext.session?.kernel")
    w.place.press("ArrowRight")
    expect(hint).to_be_visible()
    assert (rate.value, w.value, explorer.shown()[1]) == ("0.6", "2", "rate 0.6, w 2")  # the nearest it has seen
    explorer.cell.get_by_role("button", name="Reset").click()
    w.place.press("ArrowRight")
    expect(explorer.cell.locator(".lab-words")).to_have_text("rate 0.5, w 2")
