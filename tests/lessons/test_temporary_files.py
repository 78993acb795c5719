"""A lesson's folder goes when Python ends, and what is logged goes into a list."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import minitf as tf
from lab import logged
from tests.lessons.notebooks import LESSONS

FOLDER = "import lab; folder = lab.temporary_folder(); open(f'{folder}/a', 'w').close(); print(folder, flush=True)"


def test_a_lessons_folder_goes_when_python_ends():
    folder = subprocess.check_output([sys.executable, "-c", FOLDER], cwd=LESSONS, text=True).strip()
    assert "lesson-" in folder
    assert not os.path.exists(folder)


def test_a_lessons_folder_goes_when_python_is_killed():
    command = [sys.executable, "-c", f"{FOLDER}; input()"]
    with subprocess.Popen(command, cwd=LESSONS, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as python:
        folder = python.stdout.readline().strip()
        assert os.path.exists(f"{folder}/a")
        python.kill()
    deadline = time.monotonic() + 30
    while os.path.exists(folder) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not os.path.exists(folder)


def test_lines_are_counted_anew_in_each_with():
    found = []
    for _ in range(2):
        with logged() as lines:
            for number in range(4):
                tf.logging.log_first_n(tf.logging.WARN, "line %d", 2, number)
        found.append(lines)
    assert found == [["WARNING:tensorflow:line 0", "WARNING:tensorflow:line 1"]] * 2
