"""A button that opens TensorBoard, on the event files that a lesson has just written."""

from __future__ import annotations

import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from html import escape
from pathlib import Path

import ipywidgets as widgets

from lab.shown import Shown
from lab.view import View

SERVER = Path(__file__).parent / "tensorboard_server.py"
PATIENCE = 60.0  # seconds; a first start on a slow machine takes long


class TensorBoard(Shown):
    """A button; once pressed, a link to TensorBoard and its page. Nothing is started before that.

    It keeps the event files as they are now: their folder may be gone when the button is pressed.
    """

    def __init__(self, folder: str | os.PathLike):
        """Keep the event files of `folder`, and of the folders in it: each of these is a run."""
        self.address = ""  # of the server, while it runs
        self._server: subprocess.Popen | None = None
        self._home = ""  # the server's folder
        folder = Path(folder)
        self._files = {
            path.relative_to(folder): path.read_bytes()
            for path in sorted(folder.rglob("*tfevents*"))
        }
        self._button = widgets.Button(
            description="Open TensorBoard", layout=widgets.Layout(width="14em", height="auto")
        )
        self._button.on_click(lambda button: self.show())
        self._page = View()
        super().__init__([self._button, self._page])

    def stored_words(self) -> str:
        """Say which runs there are."""
        runs = sorted({path.parent.as_posix() for path in self._files})
        files = f"{len(self._files)} event file{'s' if len(self._files) != 1 else ''}"
        if not runs:
            return "No event file here: TensorBoard would show nothing."
        return f"A button that opens TensorBoard on {files} (runs: {', '.join(runs)})."

    def show(self) -> None:
        """Start TensorBoard unless it runs, and show its page; say so if that is not possible."""
        if self._server is None or self._server.poll() is not None:
            self._page.value = _said("TensorBoard starts. This takes a few seconds.")
            self._button.disabled = True
            try:
                self._stop()
                self._start()
            except OSError as error:
                self._stop()
                self._page.value = _said(
                    "TensorBoard cannot be opened here. The lesson has pictures of its pages.",
                    f"The reason: {error}",
                )
                return
            finally:
                self._button.disabled = False
        self._page.value = _page(self.address)

    def close(self) -> None:
        """End TensorBoard. (It also ends by itself, with the kernel.)"""
        self._stop()
        super().close()

    def _stop(self) -> None:
        server, self._server, self.address = self._server, None, ""
        if server is not None:
            server.stdin.close()  # that ends it
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
        if self._home:
            shutil.rmtree(self._home, ignore_errors=True)
            self._home = ""

    def _start(self) -> None:
        """Write the files into a folder, serve it, and wait for the address.

        Raise OSError if there is none.
        """
        self._home = home = tempfile.mkdtemp(prefix="tensorboard-")
        for path, content in self._files.items():
            place = Path(home, "logs", path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        # What TensorBoard notes of itself goes into the same folder, and goes away with it.
        own = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), home)
        self._server = subprocess.Popen(
            [sys.executable, "-P", str(SERVER), home],
            env=os.environ | own,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,  # to interrupt the kernel does not end TensorBoard
        )
        lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=_forward, args=[self._server.stdout, lines], daemon=True).start()
        self.address = _address(lines)


def _forward(stream: object, lines: queue.Queue) -> None:
    """Read all that the server prints, as long as it lives: a full pipe would stop it."""
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(None)


def _address(lines: queue.Queue) -> str:
    """Wait for the line with the address; raise OSError with the last line if there is none."""
    deadline, last = time.monotonic() + PATIENCE, "it says nothing"
    while True:
        try:
            line = lines.get(timeout=max(deadline - time.monotonic(), 0.01))
        except queue.Empty:
            raise OSError(f"no answer for {PATIENCE:.0f} seconds") from None
        if line is None:
            raise OSError(last)
        if found := re.search(r" at (http://\S+)", line):
            return found[1]
        last = line.strip() or last


def _said(*lines: str) -> str:
    return "".join(f'<p style="margin: 4px 0">{escape(line)}</p>' for line in lines)


def _page(address: str) -> str:
    link = (
        f'<a href="{address}" target="_blank" rel="noopener" '
        'style="color: var(--jp-content-link-color, #0072B2)">TensorBoard in a tab of its own</a>'
    )
    return (
        f'<p style="margin: 4px 0">{link}. It runs on this machine until the kernel stops.</p>'
        f'<iframe src="{address}" title="TensorBoard" '
        'style="width: 100%; height: 640px; border: 1px solid #767676; background: white"></iframe>'
    )
