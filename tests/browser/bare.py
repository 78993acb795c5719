"""Draw one of the lessons' widgets in a page that has nothing else, neither JupyterLab nor Python."""

from __future__ import annotations

from anywidget import AnyWidget
from playwright.sync_api import Page

PAGE = """<!doctype html>
<html lang=en><title>A widget</title>
<style>:root {{ color-scheme: light dark }} body {{ background: Canvas }} {}</style>
<main></main>"""
SHOW = """async (values) => {
  const source = new Blob([values._esm], { type: "text/javascript" });
  const { default: widget } = await import(URL.createObjectURL(source));
  globalThis.model = {
    values,
    get: (name) => values[name],
    set: (name, value) => (values[name] = value),
    on: (_, heard) => (model.heard = heard),
    off: () => (model.heard = null),
    save_changes() {},
  };
  globalThis.leave = widget.render({ model, el: document.querySelector("main") });
}"""


def show(page: Page, widget: AnyWidget, style: str = "") -> None:
    """Draw a widget; a plain object, `model`, stands in for the model that Python and the page would share."""
    page.set_content(PAGE.format(style))
    page.evaluate(SHOW, widget.get_state())
