"""Let a lesson's pictures do without Python: the site's lessons import this before they run.

A figure becomes an SVG. An explorer is drawn for a grid of its controls' values, and static/site.js shows the frame the
reader chooses. A widget's module draws itself, with a few lines of JavaScript in place of the model in Python.
"""

from __future__ import annotations

import base64
import json
import sys
import zlib
from collections.abc import Callable
from html import escape
from itertools import product
from math import prod

import ipywidgets
import numpy as np
from anywidget import AnyWidget
from IPython import get_ipython
from IPython.display import HTML, display
from matplotlib.figure import Figure

import lab
from lab.explore import _drawn, _values
from lab.figures import svg, words
from lab.files.edited import EditedFile

MOST, EACH = 256, 30  # frames of an explorer, and values of a slider

WIDGET = """<div class="widget"><script>
(() => {
  const values = VALUES;
  const acts = new Map();
  const model = {
    get: (name) => values[name],
    set(name, value) {
      values[name] = value;
      for (const act of acts.get(`change:${name}`) ?? []) act();
    },
    on: (event, act) => acts.set(event, [...(acts.get(event) ?? []), act]),
    off: (event) => acts.delete(event),
    save_changes() {},
  };
  const widget = (() => { MODULE })();
  widget.render({ model, el: document.currentScript.parentElement });
})();
</script></div>"""


def explore(**choices: object) -> Callable:
    """Draw all frames of an explorer, where `lab.explore` would draw one after the other."""

    def show(draw: Callable) -> Callable:
        *built, _, _ = ipywidgets.interactive(draw, {"manual": True}, **choices).children
        draw.controls = {control.description: control for control in built}
        most = next(n for n in range(EACH, 2, -1) if prod(len(values(each, n)) for each in built) <= MOST)
        grid = [values(each, most) for each in built]
        frames = [frame(draw, dict(zip(draw.controls, chosen, strict=True))) for chosen in product(*grid)]
        first = frame(draw, _values(draw.controls))
        packed = base64.b64encode(zlib.compress(json.dumps(frames).encode(), 9)).decode()
        parts = [
            *map(control, built, grid),
            image(first["svg"], first["words"]),
            f'<pre aria-live="polite">{escape(first["text"])}</pre>',
            f'<script type="text/plain">{packed}</script>',
        ]
        display(HTML(f'<div class="explorer">{"".join(parts)}</div>'))
        return draw

    return show


def values(control: ipywidgets.Widget, most: int) -> list:
    """Return what a control can be set to: of a slider, up to `most` values, both ends and the first one among them."""
    if isinstance(control, ipywidgets.Checkbox):
        return [False, True]
    if hasattr(control, "options"):
        return [value for _, value in control._options_full]
    every = np.arange(control.min, control.max + control.step / 2, control.step)
    if isinstance(control, ipywidgets.FloatLogSlider):
        every = control.base**every
    first = np.abs(every - control.value).argmin()
    places = np.linspace(0, len(every) - 1, min(most, len(every))).round().astype(int)
    if first not in places:
        places[1 + np.abs(places[1:-1] - first).argmin()] = first
    return [type(control.value)(round(every[place], 9) + 0) for place in places]


def control(of: ipywidgets.Widget, offered: list) -> str:
    """Return a control of an explorer as HTML."""
    if isinstance(of, ipywidgets.Checkbox):
        control = f'<input type="checkbox"{" checked" * of.value}>'
    elif hasattr(of, "options"):
        options = [f"<option{' selected' * (value == of.value)}>{escape(name)}" for name, value in of._options_full]
        control = f"<select>{''.join(options)}</select>"
    else:
        names = [f"{value:g}" for value in offered]
        at = np.abs(np.array(offered) - of.value).argmin()
        data = escape(json.dumps(names))
        control = f'<input type="range" max="{len(offered) - 1}" value="{at}" data-values="{data}">'
        control += f"<output>{names[at]}</output>"
    return f"<label><code>{of.description}</code> {control}</label>"


def frame(draw: Callable, chosen: dict) -> dict[str, str]:
    """Return what is shown for the chosen values."""
    figure, text = _drawn(draw, chosen)
    return {"svg": svg(figure), "words": words(figure), "text": text}


def image(drawn: str, said: str) -> str:
    """Return a figure as HTML."""
    data = base64.b64encode(drawn.encode()).decode()
    return f'<div class="figure"><img src="data:image/svg+xml;base64,{data}" alt="{escape(said)}"></div>'


def widget(shown: AnyWidget) -> str:
    """Return a widget as HTML: its module, as a classic script, because browsers load no module from disk."""
    ours = {name: getattr(shown, name) for name in shown.keys if not name.startswith("_")}
    for name in ("layout", "tabbable", "tooltip"):
        del ours[name]
    module = shown._esm.replace("export default", "return")
    return WIDGET.replace("VALUES", json.dumps(ours)).replace("MODULE", module)


lab.explore = sys.modules["lab.explore"].explore = explore
formatters = get_ipython().display_formatter.formatters
formatters["text/html"].for_type(Figure, lambda figure: image(svg(figure), words(figure)))
for kind in ("image/png", "image/svg+xml"):
    formatters[kind].pop(Figure)
bundles = get_ipython().display_formatter.mimebundle_formatter
bundles.for_type(AnyWidget, lambda shown: {"text/html": widget(shown)})
bundles.for_type(EditedFile, lambda file: {"text/plain": repr(file)})  # a reader of the site has none to edit
