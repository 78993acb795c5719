"""A folder for the files that a lesson writes: it goes when the kernel ends, even if that is killed."""

import atexit
import functools
import os
import subprocess
import sys
import tempfile

# A program that reads folders' names until nobody can write to it any more, and then deletes them.
DELETE = """
import os, shutil, sys
for name in sys.stdin.buffer.read().splitlines():
    shutil.rmtree(os.fsdecode(name), ignore_errors=True)
"""


def temporary_folder() -> str:
    """Make a new, empty folder, which is deleted when this Python (the kernel) ends in any way."""
    folder = tempfile.mkdtemp(prefix="lesson-")
    _watch().stdin.write(os.fsencode(folder) + b"\n")
    return folder


@functools.cache
def _watch() -> subprocess.Popen:
    watch = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", DELETE],
        stdin=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,  # an interrupt of the kernel is none of its business
    )
    atexit.register(watch.communicate)  # closes its input, and waits
    return watch
