"""A learner's way through a lesson, the same for each: look, run all, move every control both ways."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

from nbformat import NotebookNode

from tests.browser.controls import explorers
from tests.browser.jupyterlab import Lesson
from tests.lessons.notebooks import VIEW, cells, read

# What is wrong with the views in a cell: nothing drawn, letters too small, wider than the page. (A drawing that scrolls
# may be wider; what only a screen reader reads is no drawing.)
FAULTS = """cell => {
    const faults = [];
    for (const view of cell.querySelectorAll('.lab-view')) {
        const box = view.getBoundingClientRect();
        if (box.height < 20 || !view.innerText.trim()) faults.push('nothing is drawn');
        if (box.right > cell.getBoundingClientRect().right + 1) faults.push('it is wider than the page');
        for (const part of view.querySelectorAll('svg text, p, span, label, td, th, code, output, button')) {
            const size = parseFloat(getComputedStyle(part).fontSize);
            if (part.textContent.trim() && size < 12) faults.push(`${part.textContent}: ${size} px`);
        }
        for (const figure of view.querySelectorAll('.lab-parts > figure'))
            if (!figure.querySelector('svg, table, code, p, img, iframe, .lab-note')) faults.push('a part is empty');
        const drawn = [...view.querySelectorAll('svg')].map(svg => svg.outerHTML).join();
        const isMissing = /Infinity|undefined/.test(view.innerHTML) || drawn.includes('NaN');  // 09 speaks of NaN
        if (isMissing) faults.push('a number is missing');
    }
    if (!cell.querySelector('.lab-view')) faults.push('there is no view');
    return faults;
}"""

# How far below a notebook's start its outputs and quoted lines begin, and its pictures; how high the window on it is.
TOPS = """() => {
    const outer = document.querySelector('.jp-NotebookPanel .jp-WindowedPanel-outer');
    const tops = parts => [...outer.querySelectorAll(parts)].map(
        part => part.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop);
    const pictures = tops('.lab-parts > figure, .jp-RenderedImage');
    return [tops('.jp-OutputArea-output, .jp-RenderedMarkdown pre'), pictures, [outer.clientHeight]];
}"""


def opens_on_the_failing_thing(lesson: Lesson, path: Path) -> None:
    """See that a result or lines of code begin on the first screen, and a picture on the second at the latest.

    A picture that stays folded until its prediction is made counts as well.
    """
    outputs, pictures = [], []
    for screen in range(2):
        outer = lesson.page.locator(".jp-NotebookPanel .jp-WindowedPanel-outer")
        outer.evaluate("(outer, screen) => { outer.scrollTop = screen * outer.clientHeight }", screen)
        lesson.page.wait_for_timeout(300)  # cells are drawn as they come into sight
        tops, drawn, [height] = lesson.page.evaluate(TOPS)
        outputs, pictures = outputs + tops, pictures + drawn
    for number in folded_pictures(path):
        cell, outer = lesson.cell_at(number), lesson.page.locator(".jp-NotebookPanel .jp-WindowedPanel-outer")
        pictures.append(cell.bounding_box()["y"] - outer.bounding_box()["y"] + outer.evaluate("it => it.scrollTop"))
    assert min(outputs) < height
    assert min(pictures) < 2 * height


def views_drawn(lesson: Lesson) -> int:
    """See that every view of the notebook is drawn as it should be; count them."""
    count = 0
    for cell in lesson.cells_with(VIEW):
        cell.locator(".lab-view > *").first.wait_for(state="attached")
        deadline = time.monotonic() + 5  # a view is drawn when it comes into sight
        while (faults := cell.evaluate(FAULTS)) and time.monotonic() < deadline:
            lesson.page.wait_for_timeout(50)
        assert not faults, faults
        count += 1
    assert lesson.errors() == []
    return count


def views_of(path: Path, folded: bool = True) -> list[dict]:
    """Return the data of the views that are stored in a notebook, `folded` away or not."""
    seen = [cell for cell in cells(read(path), "code") if folded or not is_folded(cell)]
    outputs = [output.get("data", {}) for cell in seen for output in cell.outputs]
    return [json.loads(data[VIEW]) for data in outputs if VIEW in data]


def folded_pictures(path: Path) -> list[int]:
    """Return the numbers of the cells whose outputs are folded away and hold a picture."""
    folded = [(number, cell) for number, cell in enumerate(read(path).cells) if is_folded(cell)]
    return [number for number, cell in folded if any(VIEW in output.get("data", {}) for output in cell.outputs)]


def is_folded(cell: NotebookNode) -> bool:
    """Return whether a cell's outputs are stored folded away."""
    return cell.metadata.get("jupyter", {}).get("outputs_hidden", False)


def labels(view: dict) -> list[str]:
    """Return what the controls of a view are called; if some come and go with a menu, only the menu's own name."""
    moved = [control for control in view.get("controls", []) if control["kind"] != "press"]
    return [control["label"] for control in moved if not view.get("rows") or control["kind"] == "menu"]


def goes_through(open_lesson: Callable[[str], Lesson], path: Path) -> None:
    """Look at a lesson before a run; run all; move each control by keyboard and by mouse."""
    lesson = open_lesson(path.name)
    views = views_of(path)
    opens_on_the_failing_thing(lesson, path)
    assert views_drawn(lesson) == len(views_of(path, folded=False))
    lesson.run_all()
    assert views_drawn(lesson) == len(views)
    names = []
    for explorer in explorers(lesson):
        for control in explorer.controls():
            names.append(control.name)
            control.by_keyboard()
            control.by_mouse()
            explorer.reset()
    assert {label for view in views for label in labels(view)} <= set(names)
    assert lesson.errors() == []
