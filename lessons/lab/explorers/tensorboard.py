"""A button that opens TensorBoard on the event files that a lesson has just written."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import traitlets

from lab.controls.controls import press
from lab.controls.explorer import Explorer
from lab.drawing.parts import NOW, Picture, frame, note
from lab.files.temporary_folder import temporary_folder

SERVER = Path(__file__).parent / "tensorboard_server.py"
PATIENCE = 60  # seconds; the first start on a slow machine takes long


class TensorBoard(Explorer):
    """A button that starts TensorBoard, and then shows a link to it and its page.

    The event files are copied right away, because they may be gone when you press the button.
    """

    rule = "stored"
    controls = (press("pressed", "Open TensorBoard"),)
    answer = traitlets.Dict().tag(sync=True)  # a picture that only Python has
    hint = "Run this cell to open TensorBoard."

    def __init__(self, folder: str | os.PathLike):
        """Copy `folder`: each folder in it that holds event files is a run."""
        self._server: subprocess.Popen | None = None
        self._home = Path(temporary_folder())
        logs = shutil.copytree(folder, self._home / "logs")
        runs = {path.parent.relative_to(logs).as_posix() for path in logs.rglob("*tfevents*")}
        names = ", ".join(sorted(runs)) or "none"
        about = f"A button that opens TensorBoard (runs: {names})."
        nothing = {
            "base": {"parts": [], "words": about},
            "held": {},
        }  # without Python, there's nothing to show
        super().__init__(about, **nothing)
        self.observe(self._open, "pressed")

    def _open(self, change: object) -> None:
        """Start TensorBoard unless it is running, and show its page, or say why that failed."""
        if not self._runs():
            self.answer = _said("Starting TensorBoard. This takes a few seconds.").data()
        self.answer = self._page().data()

    def _page(self) -> Picture:
        try:
            page = frame(self.address(), "TensorBoard", "TensorBoard in its own tab")
        except OSError as error:
            failed = "TensorBoard can't be opened here, but the lesson has pictures of its pages."
            return _said(f"{failed}\nThe reason: {error}", kind=NOW)
        return _said("TensorBoard runs on this machine until the kernel stops.", page)

    def _runs(self) -> bool:
        return self._server is not None and self._server.poll() is None

    def close_server(self) -> None:
        """Stop TensorBoard. (It also stops by itself when the kernel does.)"""
        if self._server:
            self._server.communicate()  # closes its input, which stops it

    def address(self) -> str:
        """Start TensorBoard unless it is running, and return its address, or raise OSError."""
        log = self._home / "log"
        if not self._runs():
            command = [sys.executable, "-P", SERVER, self._home / "logs"]
            # Its temporary files go into the same folder, and are deleted with it.
            home = os.environ | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(self._home))
            with log.open("w") as output:
                pipes = {"stdin": subprocess.PIPE, "stdout": output, "stderr": output}
                # In its own session, interrupting the kernel doesn't stop it.
                self._server = subprocess.Popen(command, env=home, start_new_session=True, **pipes)
        deadline = time.monotonic() + PATIENCE
        while self._runs() and time.monotonic() < deadline:
            if found := re.search(r" at (http://\S+/)", log.read_text(errors="replace")):
                return found[1]
            time.sleep(0.05)
        last = log.read_text(errors="replace").strip().split("\n")[-1]
        reason = f"no answer for {PATIENCE} seconds" if self._runs() else last
        self.close_server()
        raise OSError(reason)


def _said(words: str, *parts: dict, **look: str) -> Picture:
    return Picture([note(*words.split("\n"), **look), *parts], words)
