"""JupyterLab draws the course's views from their stored data, and only to open a notebook changes nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from nbformat import v4, write
from playwright.sync_api import expect

from tests.lessons.notebooks import LESSONS

OURS = "application/vnd.global-step-course"
WIDGET = "application/vnd.jupyter.widget-view+json"
PAGE = LESSONS / "lab" / "page"
SHARE = Path(sys.prefix) / "share" / "jupyter"
INSTALLED = SHARE / "labextensions" / "global-step-course"

VIEW = {
    OURS: '{"kind": "picture", "picture": {"parts": []}}',
    WIDGET: {"model_id": "none", "version_major": 2, "version_minor": 0},
    "text/html": "<b>a page of its own</b>",
    "text/plain": "A picture in words.",
}
SETTLED = 3000  # milliseconds after which nothing more is to be expected of a notebook that was opened
MODEL = "jupyterapp.shell.currentWidget.context.model"


@pytest.fixture(scope="module")
def notebook(folder) -> Path:
    """Write a notebook with a stored view; nobody has trusted it yet."""
    output = v4.new_output("display_data", VIEW)
    cells = [v4.new_markdown_cell("Words."), v4.new_code_cell("1 + 1", outputs=[output], execution_count=1)]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    path = folder / "extension.ipynb"
    write(v4.new_notebook(cells=cells, metadata=metadata), path)
    return path


def test_what_is_installed_is_what_stands_here():
    def contents(folder):
        files = (file for file in folder.iterdir() if file.suffix in (".js", ".css", ".json"))
        return {file.name: file.read_bytes() for file in files}

    refresh = "Run `.venv/bin/python -m pip install --no-deps -e .` to install lessons/lab/page again."
    assert contents(INSTALLED) == contents(PAGE), refresh
    settings = SHARE / "lab" / "settings" / "overrides.d" / "global-step-course.json"
    assert settings.read_bytes() == (PAGE / "settings.json").read_bytes(), refresh


@pytest.mark.browser
def test_to_open_is_not_to_change(notebook, open_lesson):
    stored = notebook.read_bytes()
    page = open_lesson(notebook.name).page
    output = page.locator(".jp-OutputArea-output")
    expect(output).not_to_be_empty()
    assert page.evaluate(f"[...{MODEL}.cells][1].trusted") is False
    for other in ("a page of its own", "Error displaying widget"):
        expect(output).not_to_contain_text(other)
    # Where it is trusted, the first of all drawers draws.
    ranks = page.evaluate(
        "kinds => kinds.map(kind => jupyterapp.shell.currentWidget.content.rendermime.getRank(kind))", [OURS, WIDGET]
    )
    assert ranks == [-20, -10]

    page.wait_for_timeout(SETTLED)
    assert "version" in page.evaluate(f"{MODEL}.getMetadata('language_info')")  # as the kernel gave it
    assert not page.evaluate(f"{MODEL}.dirty")
    assert notebook.read_bytes() == stored
    expect(page.locator(".Toastify__toast")).to_have_count(0)  # no news


@pytest.mark.browser
def test_an_edit_is_a_change(notebook, open_lesson):
    page = open_lesson(notebook.name).page
    page.wait_for_function(f"'version' in {MODEL}.getMetadata('language_info') && !{MODEL}.dirty")
    page.locator(".jp-CodeCell .cm-content").click()
    page.keyboard.press("1")
    assert page.evaluate(f"{MODEL}.dirty")
    page.evaluate(f"{MODEL}.setMetadata('language_info', {{name: 'python'}})")  # as a kernel does that starts late
    page.wait_for_timeout(SETTLED)
    assert page.evaluate(f"{MODEL}.dirty")
