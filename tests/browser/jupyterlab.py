"""Drive JupyterLab in headless Chromium: open a lesson, run it, move its sliders, see what follows.

`serving` starts a JupyterLab server on a folder, and a `Lesson` is one notebook of it, open. What a
cell printed or raised is asked of the notebook's model, for JupyterLab draws only the cells that
are in sight.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page

CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
KERNEL_IS_IDLE = (
    "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
)
SECONDS = 30.0  # what a slow machine may take for one thing; nothing waits so long without need


def find_chromium() -> str | None:
    """Return the path of Chromium: the environment's MINITF_CHROMIUM, else what PATH finds."""
    named = os.environ.get("MINITF_CHROMIUM")
    if named:
        return named
    found = map(
        shutil.which, ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    )
    return next(filter(None, found), None)


@contextlib.contextmanager
def serving(folder: Path, home: Path) -> Iterator[str]:
    """Serve `folder` by a JupyterLab that keeps its own files in `home`; yield its address."""
    settings = home / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text(json.dumps({"fetchNews": "false"}))
    own_folders = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        *("--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0"),
        # No token: it listens on this machine alone, for the length of a test.
        *("--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True"),
        f"--ServerApp.root_dir={folder}",
    ]
    environment = os.environ | {name: str(home / where) for name, where in own_folders.items()}
    log = home / "server.log"
    with log.open("w") as output:
        server = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_until_it_answers(server, address, log)
        yield address
    finally:
        server.terminate()  # ends its kernels, too
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait_until_it_answers(server: subprocess.Popen, address: str, log: Path) -> None:
    deadline = time.monotonic() + SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(urllib.error.URLError, OSError):
            urllib.request.urlopen(f"{address}/api", timeout=5).close()
            return
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")


class Lesson:
    """A notebook, open in JupyterLab."""

    def __init__(self, page: Page, address: str, name: str):
        """Open the notebook `name` (with its ending) and wait for its kernel."""
        self.page = page
        page.goto(f"{address}/doc/workspaces/{uuid.uuid4().hex}/tree/{name}")
        page.wait_for_function(KERNEL_IS_IDLE)

    def use_theme(self, theme: str) -> None:
        """Switch to a theme of JupyterLab, "JupyterLab Light" or "JupyterLab Dark"."""
        self.page.evaluate(
            "theme => { jupyterapp.commands.execute('apputils:change-theme', {theme}) }", theme
        )
        self.page.wait_for_function(
            "theme => document.body.dataset.jpThemeName === theme", arg=theme
        )

    def run_all(self) -> None:
        """Restart the kernel, run all cells, and wait until each has run."""
        # Forget the stored results first: what is there afterwards then comes from this run.
        # (A block that returns nothing: to await the restart would be to wait for its dialog.)
        self.page.evaluate(
            "() => { jupyterapp.commands.execute('notebook:clear-all-cell-outputs') }"
        )
        self.page.evaluate("() => { jupyterapp.commands.execute('notebook:restart-run-all') }")
        self.page.locator(".jp-Dialog .jp-mod-accept").click()
        self.page.wait_for_function(
            """() => {
                const panel = jupyterapp.shell.currentWidget;
                const idle = panel.sessionContext.session.kernel.status === 'idle';
                const cells = [...panel.content.model.cells].filter(cell => cell.type === 'code');
                const ran = cell => cell.executionCount && cell.executionState === 'idle';
                const mayRaise = cell => cell.getMetadata('tags')?.includes('raises-exception');
                const raised = cell =>
                    cell.outputs.toJSON().some(output => output.output_type === 'error');
                return idle && (
                    cells.every(ran) || cells.some(cell => raised(cell) && !mayRaise(cell)));
            }"""
        )

    def errors(self) -> list[str]:
        """Return what went wrong: cells that raised without leave, widgets that cannot be shown."""
        raised = self.page.evaluate(
            """() => [...jupyterapp.shell.currentWidget.content.model.cells].flatMap((cell, i) => {
                const mayRaise = cell.getMetadata('tags')?.includes('raises-exception');
                const outputs = cell.type === 'code' && !mayRaise ? cell.outputs.toJSON() : [];
                return outputs.filter(output => output.output_type === 'error')
                    .map(output => `cell ${i}: ${output.ename}: ${output.evalue}`);
            })"""
        )
        return raised + self.page.get_by_text("Error displaying widget").all_inner_texts()

    def cells_with(self, kind: str) -> Iterator[Locator]:
        """Bring into sight, one after the other, the cells with an output of this MIME type."""
        return (self._cell(number) for number in self._numbers(kind))

    def _numbers(self, kind: str) -> list[int]:
        return self.page.evaluate(
            """kind => {
                const has = cell => cell.type === 'code'
                    && cell.outputs.toJSON().some(output => kind in (output.data ?? {}));
                return [...jupyterapp.shell.currentWidget.content.model.cells]
                    .flatMap((cell, i) => has(cell) ? [i] : []);
            }""",
            kind,
        )

    def _cell(self, number: int) -> Locator:
        self.page.evaluate(
            "number => { jupyterapp.shell.currentWidget.content.scrollToItem(number, 'start') }",
            number,
        )
        cell = self.page.locator(f".jp-Notebook-cell[data-windowed-list-index='{number}']")
        cell.locator(".jp-OutputArea-output").first.wait_for()
        return cell

    def explorers(self) -> list[Explorer]:
        """Return what has sliders, after a run."""
        explorers = []
        for number in self._numbers("application/vnd.jupyter.widget-view+json"):
            cell = self._cell(number)
            cell.locator(".jp-OutputArea-output .jupyter-widgets").first.wait_for()
            if cell.locator(".widget-slider").count():
                explorers.append(Explorer(self, number))
        return explorers


@dataclass(frozen=True)
class Shown:
    """What an explorer shows: its pictures (their data) and its words."""

    pictures: str
    words: str


@dataclass(frozen=True)
class Explorer:
    """Sliders, and the picture and the words that follow them, in the output of one cell."""

    lesson: Lesson
    number: int  # of the cell

    @property
    def cell(self) -> Locator:
        """The cell, wherever the page is scrolled to (what is far out of sight shows no text)."""
        return self.lesson.page.locator(
            f".jp-Notebook-cell[data-windowed-list-index='{self.number}']"
        )

    def sliders(self) -> list[Slider]:
        """Bring the explorer into sight and return its sliders, from top to bottom."""
        self.lesson._cell(self.number)
        return [Slider(self, slider) for slider in self.cell.locator(".widget-slider").all()]

    def shown(self) -> Shown:
        """Return what is to be seen now."""
        pictures, words = self.cell.locator(".jp-Cell-outputArea").evaluate(
            """async area => {
                const bytes = async image => {
                    const answer = await fetch(image.src);
                    return String(new Uint8Array(await answer.arrayBuffer()));
                };
                const pictures = await Promise.all([...area.querySelectorAll('img')].map(bytes));
                const drawings = [...area.querySelectorAll('svg')].map(svg => svg.outerHTML);
                const words = area.cloneNode(true);
                words.querySelectorAll('.jp-OutputPrompt, .widget-slider, svg, style, script')
                    .forEach(part => part.remove());
                return [[...pictures, ...drawings].join(), words.textContent.trim()];
            }"""
        )
        return Shown(pictures, words)

    def settled(self) -> Shown:
        """Return what is to be seen once it rests: a drag sends many values, the pictures lag."""
        shown, since = self.shown(), time.monotonic()
        while time.monotonic() < since + 0.3:
            self.cell.page.wait_for_timeout(30)
            now = self.shown()
            if now != shown or self.cell.page.evaluate(f"() => !({KERNEL_IS_IDLE})"):
                shown, since = now, time.monotonic()
        return shown


@dataclass(frozen=True)
class Slider:
    """One slider of an explorer."""

    explorer: Explorer
    place: Locator

    @property
    def name(self) -> str:
        """Return the words that stand before the slider."""
        return self.place.locator(".widget-label").inner_text()

    @property
    def value(self) -> float:
        """Return the number that stands after the slider."""
        return float(self.place.locator(".widget-readout").inner_text())

    def press(self, key: str, seconds: float = SECONDS) -> None:
        """Press "ArrowLeft" or "ArrowRight" on the slider, and see that the explorer follows."""
        with self._followed(f"{key} on {self.name}", seconds):
            self._handle.focus()
            self._handle.press(key)

    def drag(self, share: float, seconds: float = SECONDS) -> None:
        """Drag the slider to this share of its length, and see that the explorer follows."""
        with self._followed(f"dragging {self.name}", seconds):
            self._handle.scroll_into_view_if_needed()
            handle = self._handle.bounding_box()
            track = self.place.locator(".noUi-base").bounding_box()
            mouse = self.place.page.mouse
            mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
            mouse.down()
            mouse.move(
                track["x"] + share * track["width"], track["y"] + track["height"] / 2, steps=5
            )
            mouse.up()

    @property
    def _handle(self) -> Locator:
        return self.place.locator(".noUi-handle")

    @contextlib.contextmanager
    def _followed(self, act: str, seconds: float) -> Iterator[None]:
        """Do what stands inside, then wait until the value, the pictures and the words differ."""
        before, value = self.explorer.settled(), self.value
        yield
        deadline = time.monotonic() + seconds
        while True:
            after = self.explorer.settled()
            same = {
                "value": self.value == value,
                "picture": after.pictures == before.pictures,
                "words": after.words == before.words,
            }
            if not any(same.values()):
                return
            if time.monotonic() > deadline:
                unchanged = " and ".join(name for name, is_same in same.items() if is_same)
                raise AssertionError(f"{act} changes nothing in: {unchanged}")
