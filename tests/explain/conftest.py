"""Runs scripts as `--explain` does, in this process or as a command."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import minitf as tf
from minitf.explain import explained
from minitf.explain.record import recording
from minitf.stand_in import standing_in

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lessons"))  # for the scripts that the lessons repair


class Explained:
    """What was found, with what follows from it, and what was asked, as the report has it."""

    def __init__(self, facts: dict):
        self.facts, self.findings, self.questions = facts, facts["findings"], facts["questions"]
        follow = [other for finding in self.findings for other in finding["follows"]]
        self.found = {finding["id"] for finding in [*self.findings, *follow]}
        self.asked = {question["id"] for question in self.questions}

    def only(self, name: str) -> dict:
        """Return the only finding with this identifier."""
        [finding] = [finding for finding in self.findings if finding["id"] == name]
        return finding


@pytest.fixture
def explain(tmp_path):
    """Explains a function, or a script with its arguments; each has its own graph."""

    def explain(script, *arguments: str) -> Explained:
        error = None
        out = contextlib.redirect_stdout(io.StringIO())
        with tf.Graph().as_default(), recording() as record, standing_in(), out:
            try:
                script(*arguments) if callable(script) else run(script, *arguments)
            except Exception as raised:
                error = raised
            finally:
                tf.summary.FileWriterCache.clear()  # closes what hooks wrote
        return Explained(explained(record, "script.py", error))

    def run(script: str, *arguments: str) -> None:
        path = tmp_path / f"script{len(list(tmp_path.glob('*.py')))}.py"
        path.write_text(textwrap.dedent(script), "utf-8")
        before, sys.argv = sys.argv, [str(path), *arguments]
        try:
            exec(compile(path.read_text("utf-8"), str(path), "exec"), {"__name__": "__main__", "__file__": str(path)})
        finally:
            sys.argv = before

    return explain


@pytest.fixture
def command(tmp_path):
    """Runs `python -m minitf` with options and the text of a script; gives the finished process."""

    def command(options: list[str], text: str, *arguments: str) -> subprocess.CompletedProcess:
        (tmp_path / "script.py").write_text(textwrap.dedent(text), "utf-8")
        words = [sys.executable, "-m", "minitf", *options, "script.py", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
        return subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, check=False)

    return command
