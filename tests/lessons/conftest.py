"""What tests of lessons share."""

from __future__ import annotations

import subprocess
import sys

import google_crc32c
import pytest
from tensorboard.compat.tensorflow_stub import pywrap_tensorflow

from tests.lessons.notebooks import LESSONS

pywrap_tensorflow.crc32c = google_crc32c.value  # TensorBoard's own is Python, and takes a quarter of a script's time


@pytest.fixture
def by_tensorflow(tmp_path):
    """Run a script by TensorFlow, in a folder of its own unless one is given; return how that ended."""
    pytest.importorskip("tensorflow")
    file = tmp_path / "scripts" / "script.py"
    file.parent.mkdir()
    (tmp_path / "data").symlink_to(LESSONS / "data")

    def run(script, folder=tmp_path / "run"):
        file.write_text(script, encoding="utf-8")
        return subprocess.run([sys.executable, str(file), str(folder)], capture_output=True, text=True)

    return run
