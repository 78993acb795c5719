"""A view is plain data, drawn by the same modules in notebooks, run or not, and exported HTML."""

import base64
import functools
import gzip
import json
import re
import uuid
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from lab.page.plain import plain

PAGE = Path(__file__).parent
OURS = "application/vnd.global-step-course"  # what JupyterLab's extension (jupyterlab.js) draws


def kit() -> str:
    """Return the page's modules as one, because a widget, a file and a web page load only one.

    Each module becomes a function, called once, and `modules` has what it exports.
    """
    return "\n".join(["const modules = {};", *_bundled(PAGE / "anywidget.js", set())])


def _bundled(path: Path, done: set[Path]) -> Iterator[str]:
    """Yield what a module imports, each once, and then the module."""
    if path in done:
        return
    if any(path.stem == other.stem for other in done):
        raise ValueError(f"two modules are called {path.name}")
    done.add(path)
    text = path.read_text(encoding="utf-8")
    for other in _IMPORT.findall(text):
        yield from _bundled((path.parent / other[1]).resolve(), done)
    text = _IMPORT.sub(
        lambda found: f"const {{ {found[1]} }} = modules.{Path(found[2]).stem};", text
    )
    names = ", ".join(
        re.findall(r"^export (?:function|const|class) (\w+)", text, flags=re.MULTILINE)
    )
    text = re.sub(r"^export default", "modules.widget =", text, flags=re.MULTILINE)
    text = re.sub(r"^export ", "", text, flags=re.MULTILINE)
    yield f"modules.{path.stem} = (() => {{\n{text}\nreturn {{ {names} }};\n}})();"


_IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "([^"]+)";$', flags=re.MULTILINE)


def style() -> str:
    """Return the style sheet."""
    return (PAGE / "kit.css").read_text(encoding="utf-8")


class View:
    """Data for the page, and the words that say what it shows."""

    def __init__(self, data: dict, words: str):
        """Show `data` (a picture, a question, a verdict), or `words` where nothing can be drawn."""
        self.data, self.words = plain(data), words

    def _repr_mimebundle_(self, **kwargs: Any) -> dict:
        return {
            OURS: json.dumps(self.data, ensure_ascii=False, separators=(",", ":")),
            "text/html": alone(self.data, self.words),
            "text/plain": self.words,
        }


class Widget(anywidget.AnyWidget):
    """A view whose values Python can read and set."""

    _esm, _css = f"{kit()}\nexport default modules.widget;", style()
    data = traitlets.Dict().tag(sync=True)
    words = traitlets.Unicode().tag(sync=True)
    mark = traitlets.Unicode().tag(sync=True)  # the model's id, by which the extension finds it

    def __init__(self, view: View, **values: Any):
        """Show `view`; `values` are those of the traits."""
        name = uuid.uuid4().hex
        super().__init__(model_id=name, mark=name, data=view.data, words=view.words, **values)
        self._view = view

    def _repr_mimebundle_(self, **kwargs: Any) -> dict:
        return {**super()._repr_mimebundle_()[0], **self._view._repr_mimebundle_()}


@functools.cache
def _packed() -> str:
    both = json.dumps(
        {"module": f"{kit()}\nexport const {{ mount }} = modules.view;", "style": style()}
    )
    return base64.b64encode(gzip.compress(both.encode(), mtime=0)).decode()


ALONE = """<div id="{id}"><p style="white-space: pre-line">{words}</p></div>
<script>
(async () => {{
  window.globalStepKit ??= (async () => {{
    const packed = Uint8Array.from(atob("{packed}"), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const {{ module, style }} = await new Response(stream).json();
    document.head.append(Object.assign(document.createElement("style"), {{ textContent: style }}));
    return import(URL.createObjectURL(new Blob([module], {{ type: "text/javascript" }})));
  }})();
  const {{ mount }} = await window.globalStepKit;
  const host = document.getElementById("{id}");
  const data = {data};
  const words = host.textContent;
  host.replaceChildren();
  mount(host, data, words);
}})();
</script>"""


def alone(data: dict, words: str) -> str:
    """Return HTML that draws itself without a server, for exported notebooks."""
    script = json.dumps(data).replace("<", "\\u003c")
    return ALONE.format(
        id=f"lab-{uuid.uuid4().hex}", words=escape(words), packed=_packed(), data=script
    )
