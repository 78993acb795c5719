"""What the reader drags is what Python reads, and what Python sets is what the reader sees."""

from __future__ import annotations

import pytest
from nbformat import v4, write
from playwright.sync_api import expect

from tests.browser.controls import Handle, explorers
from tests.browser.jupyterlab import SHUT_DOWN
from tests.browser.test_extension import METADATA
from tests.lessons.notebooks import VIEW

pytestmark = pytest.mark.browser

SHOWN = "import lab\nexplorer = lab.DecayExplorer()\nexplorer"
SET = "explorer.decay_rate = 0.5"
LINKED = """
import ipywidgets
slider, seen = ipywidgets.FloatSlider(min=0.1, max=3.0), []
ipywidgets.link((explorer, "decay_rate"), (slider, "value"))
explorer.observe(lambda change: seen.append(change.new), "decay_rate")
slider.value = 1.5
"""
READ = "print(explorer.decay_rate, slider.value, explorer.state)"


@pytest.fixture
def open_and_run(folder, open_lesson):
    """Write a notebook of these cells, open it and run it."""

    def run(*sources: str):
        cells = [v4.new_code_cell(source) for source in sources]
        write(v4.new_notebook(cells=cells, metadata=METADATA), folder / "values.ipynb")
        lesson = open_lesson("values.ipynb")
        lesson.run_all()
        assert lesson.errors() == []
        return lesson

    return run


def printed(lesson, source: str) -> str:
    """Run one more line in the notebook's kernel, and return what it prints."""
    ask = """async (code) => {
        const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
        const future = kernel.requestExecute({ code });
        let text = "";
        future.onIOPub = ({ content }) => { text += content.text ?? ""; };
        await future.done;
        return text.trim();
    }"""
    return lesson.page.evaluate(ask, source)


def test_python_moves_the_slider_and_hears_of_the_reader(open_and_run):
    lesson = open_and_run(SHOWN, SET, LINKED)
    [explorer] = explorers(lesson)
    place = explorer.cell.get_by_label("decay_rate")
    said = explorer.cell.locator(".lab-controls output").nth(2)
    expect(said).to_have_text("1.5")
    assert "multiplied by 1.5" in explorer.shown()[1]
    place.press("ArrowRight")
    expect(said).to_have_text("1.55")
    lesson.page.wait_for_timeout(300)
    assert printed(lesson, READ).startswith("1.55 1.55 {'learning_rate': 0.1, 'decay_steps': 10, 'decay_rate': 1.55")
    assert printed(lesson, "print(seen)") == "[1.5, 1.55]"
    assert printed(lesson, "explorer.decay_rate = 99; print(explorer.decay_rate)") == "3.0"
    expect(said).to_have_text("3")


def test_what_python_sets_before_showing_is_stored_and_reset_goes_to_the_start(open_and_run):
    lesson = open_and_run("import lab\nexplorer = lab.DecayExplorer()", SET, "explorer")
    [explorer] = explorers(lesson)
    said = explorer.cell.locator(".lab-controls output").nth(2)
    expect(said).to_have_text("0.5")
    stored = (
        "jupyterapp.shell.currentWidget.content.model.cells.get(2).outputs.get(0).toJSON().data[" + repr(VIEW) + "]"
    )
    assert '"decay_rate":0.5' in lesson.page.evaluate(stored)
    explorer.reset()
    expect(said).to_have_text("2")
    lesson.page.wait_for_timeout(300)
    assert printed(lesson, "print(explorer.decay_rate)") == "2.0"


def test_each_pixel_is_a_setting_and_nothing_else_moves(open_and_run):
    lesson = open_and_run("import lab\nexplorer = lab.StabilityExplorer(limit=False)\nexplorer")
    [explorer] = explorers(lesson)
    start, rate = (handle for handle in explorer.controls() if isinstance(handle, Handle))
    start.drag(40)
    held, settings = lesson.page.evaluate(READ_START), set()
    page, box = lesson.page, rate.place.locator("circle").last.bounding_box()
    page.mouse.move(box["x"] + 9, box["y"] + 9)
    page.mouse.down()
    for x in range(-120, 121):
        page.mouse.move(box["x"] + 9 + x, box["y"] + 9)
        settings.add(explorer.shown()[1])
        assert page.evaluate(READ_START) == held
    page.mouse.up()
    assert len(settings) >= 100
    assert abs(float(printed(lesson, "print(explorer.start)")) - float(held)) < 0.006


def test_what_a_pixel_covers_is_named_by_its_roundest_number(kit_page):
    pixels = {(0.692, 0.708): 0.7, (0.0697, 0.0704): 0.07, (-0.004, 0.012): 0, (0.98, 1.01): 1}
    ask = "pixels => pixels.map(([low, high]) => modules.scales.roundest(low, high))"
    assert kit_page.evaluate(ask, [*pixels]) == [*pixels.values()]
    ask = "rate => Array.from({ length: 401 }, (_, place) => modules.scales.valueAt(rate, place))"
    places = kit_page.evaluate(ask, {"min": 0.005, "max": 0.2, "log": True})
    assert places == sorted(set(places)) and len(places) == 401  # a slider never stands still
    assert {0.005, 0.01, 0.05, 0.1, 0.2} <= {*places}


READ_START = "document.querySelector('.lab-words').textContent.match(/start ([-.\\d]+)/)[1]"


def test_a_kernel_that_has_gone_is_not_missed(open_and_run):
    lesson = open_and_run(SHOWN)
    [explorer] = explorers(lesson)
    lesson.page.evaluate(SHUT_DOWN)
    lesson.page.wait_for_function("!jupyterapp.shell.currentWidget.sessionContext.session?.kernel")
    explorer.cell.get_by_label("learning_rate").press("ArrowRight")
    expect(explorer.cell.locator(".lab-controls output").first).to_have_text("0.11")
