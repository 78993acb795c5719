"""A folder for the files that a lesson writes."""

from __future__ import annotations

import atexit
import shutil
import tempfile


def temporary_folder() -> str:
    """Make a new, empty folder, which is deleted when Python (the kernel) ends."""
    folder = tempfile.mkdtemp(prefix="lesson-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
