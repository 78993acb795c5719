"""Drive JupyterLab in headless Chromium: open a lesson, run it, look at its cells.

`serving` starts a JupyterLab server on a folder, and a `Lesson` is one notebook of it, open. What a
cell printed or raised is asked of the notebook's model, for JupyterLab draws only the cells that
are in sight.
"""

from __future__ import annotations

import contextlib
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
from pathlib import Path

from playwright.sync_api import Locator, Page

HOST = "lessons.test"  # this machine by a name that is not localhost, which Chromium trusts less
CHROMIUM_ARGUMENTS = [
    f"--host-resolver-rules=MAP {HOST} 127.0.0.1",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
KERNEL_IS_IDLE = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
SHUT_DOWN = "() => { window.jupyterapp?.shell.currentWidget?.sessionContext?.shutdown() }"
SECONDS = 30.0  # what a slow machine may take for one thing; nothing waits so long without need
SECONDS_OF_A_LESSON = 120.0  # and for all cells of a lesson; lesson 13 starts processes in some of them


def find_chromium() -> str | None:
    """Return the path of Chromium: the environment's MINITF_CHROMIUM, else what PATH finds."""
    named = os.environ.get("MINITF_CHROMIUM")
    if named:
        return named
    found = map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"))
    return next(filter(None, found), None)


@contextlib.contextmanager
def serving(folder: Path, home: Path) -> Iterator[str]:
    """Serve `folder` by a JupyterLab that keeps its own files in `home`; yield its address."""
    # Our extension as it is in `folder`, not as it was installed: a change shows at once.
    shutil.copytree(folder / "lab" / "extension", home / "path" / "labextensions" / "global-step-course")
    own_folders = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_PATH": "path",
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
        *(f"--ServerApp.root_dir={folder}", "--ServerApp.allow_remote_access=True"),  # under any name
    ]
    environment = os.environ | {name: str(home / where) for name, where in own_folders.items()}
    environment.pop("LESSONS_YOURS", None)  # a reader's files are beside the lessons
    log = home / "server.log"
    with log.open("w") as output:
        server = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_until_it_answers(server, address, log)
        yield address
    finally:
        server.terminate()  # ends its kernels as well
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
        self.page.evaluate("theme => { jupyterapp.commands.execute('apputils:change-theme', {theme}) }", theme)
        self.page.wait_for_function("theme => document.body.dataset.jpThemeName === theme", arg=theme)

    def run_all(self, clear: bool = True) -> None:
        """Restart the kernel, run all cells, and wait until each has run."""
        # Forget the stored results first, or at least when they were made: what is there afterwards then comes from
        # this run. (To clear results unfolds them. A block that returns nothing: to await the restart would be to wait
        # for its dialog.)
        if clear:
            self.page.evaluate("() => { jupyterapp.commands.execute('notebook:clear-all-cell-outputs') }")
        else:
            self.page.evaluate(
                """() => {
                    for (const cell of jupyterapp.shell.currentWidget.content.model.cells)
                        if (cell.type === 'code') cell.executionCount = null;
                }"""
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
            }""",
            timeout=SECONDS_OF_A_LESSON * 1000,
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
        return (self.cell(number) for number in self.numbers(kind))

    def numbers(self, kind: str) -> list[int]:
        """Return the numbers of the cells with an output of this MIME type that isn't folded away."""
        return self.page.evaluate(
            """kind => {
                const has = cell => cell.type === 'code' && !cell.getMetadata('jupyter')?.outputs_hidden
                    && cell.outputs.toJSON().some(output => kind in (output.data ?? {}));
                return [...jupyterapp.shell.currentWidget.content.model.cells]
                    .flatMap((cell, i) => has(cell) ? [i] : []);
            }""",
            kind,
        )

    def cell(self, number: int) -> Locator:
        """Bring the cell of this number, which has an output, into sight."""
        cell = self.cell_at(number)
        cell.locator(".jp-OutputArea-output").first.wait_for()
        return cell

    def cell_at(self, number: int) -> Locator:
        """Bring the cell of this number into sight."""
        self.page.evaluate("number => { jupyterapp.shell.currentWidget.content.scrollToItem(number, 'start') }", number)
        return self.place(number)

    def place(self, number: int) -> Locator:
        """Return the cell of this number, wherever the page is scrolled to (what is far out of sight shows no text)."""
        return self.page.locator(f".jp-Notebook-cell[data-windowed-list-index='{number}']")

    def is_busy(self) -> bool:
        """Return whether Python is at work."""
        return self.page.evaluate(f"() => !({KERNEL_IS_IDLE})")
