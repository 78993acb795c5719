"""The browser tests can fail: a slider without effect and a cell that raises are both noticed."""

from __future__ import annotations

import pytest
from nbformat import v4, write

from tests.browser.controls import explorers

pytestmark = pytest.mark.browser

EXPLORER = """
from lab.controls.controls import slider
from lab.controls.explorer import Stored
from lab.drawing.parts import Picture, note

class Shown(Stored):
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
