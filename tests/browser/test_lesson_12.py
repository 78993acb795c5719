"""A learner goes through lesson 12, and opens TensorBoard on the lesson's files."""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.request

import pytest

from tests.browser.journey import moved_controls, pictures_before_a_run
from tests.browser.jupyterlab import SECONDS
from tests.lessons.notebooks import LESSONS, read

pytestmark = pytest.mark.browser
NOTEBOOK = read(LESSONS / "12_watching.ipynb")
IDS = [cell.id for cell in NOTEBOOK.cells]


def test_a_learner_goes_through(open_lesson):
    lesson = open_lesson("12_watching.ipynb")
    assert pictures_before_a_run(lesson) == 1
    assert moved_controls(lesson) == ["smoothing", "show the points, too"]


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_tensorboard_opens_in_the_lesson(open_lesson, key):
    lesson = open_lesson("12_watching.ipynb")
    lesson.run_all()
    cell = lesson.cell(IDS.index("board"))
    assert cell.locator("iframe").count() == 0  # nothing starts by itself
    button = cell.get_by_role("button", name="Open TensorBoard")
    button.focus()
    button.press(key)
    address = cell.get_by_role("link", name="TensorBoard in a tab of its own").get_attribute("href")
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)  # this machine alone can reach it
    page = cell.frame_locator("iframe")
    card = page.locator("scalar-card", has_text="loss")
    card.scroll_into_view_if_needed()
    table = card.locator("tb-data-table")
    table.get_by_text("1.3485", exact=True).wait_for()  # the last values, as the lesson prints them
    table.get_by_text("1.2664", exact=True).wait_for()
    # TensorBoard smooths with 0.6 at first: it shows what the lesson's formula gives.
    shown = re.findall(r"(?:fast|slow)\s+([\d.]+)", table.inner_text())
    [printed] = [output.text for output in NOTEBOOK.cells[IDS.index("drive")].outputs]
    [ours] = re.findall(r"smoothing 0\.6: fast ([\d.]+), slow ([\d.]+)", printed)
    assert [f"{float(number):.3f}" for number in shown] == list(ours)
    lesson.page.evaluate("() => { jupyterapp.shell.currentWidget.sessionContext.shutdown() }")
    assert _ends(address)  # with the kernel


def _ends(address: str) -> bool:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except (urllib.error.URLError, OSError):
            return True
        time.sleep(0.2)
    return False
