"""The browser tests can fail: a slider without effect and a cell that raises are both noticed."""

from __future__ import annotations

import pytest
from nbformat import v4, write

from tests.browser.controls import explorers

pytestmark = pytest.mark.browser

EXPLORER = """
import ipywidgets as widgets

slider = widgets.FloatSlider(value=0.5, max=1.0, step=0.1, description="rate")
shown = widgets.HTML()

def show(change=None):
    shown.value = f"rate {slider.value:.1f}<svg><circle r='{10 * slider.value}'/></svg>"

show()
box = widgets.VBox([slider, shown])
"""
LINK = "slider.observe(show, 'value')"


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


def test_a_linked_slider_is_followed(notebook):
    lesson = notebook(EXPLORER, LINK, "box")
    assert lesson.errors() == []
    [explorer] = explorers(lesson)
    [slider] = explorer.sliders()
    assert slider.name == "rate"
    slider.press("ArrowRight")
    assert (slider.value, explorer.shown().words) == (0.6, "rate 0.6")
    slider.drag(0.2)
    assert slider.value == 0.2


def test_a_slider_without_effect_is_caught(notebook):
    lesson = notebook(EXPLORER, "box")
    [slider] = explorers(lesson)[0].sliders()
    with pytest.raises(AssertionError, match="ArrowRight on rate changes nothing in: picture and words"):
        slider.press("ArrowRight", seconds=1)
    with pytest.raises(AssertionError, match="dragging rate changes nothing in: picture and words"):
        slider.drag(0.2, seconds=1)


def test_a_cell_that_raises_is_caught(notebook):
    assert notebook("1 + 1", "1 / 0", "2").errors() == ["cell 1: ZeroDivisionError: division by zero"]
