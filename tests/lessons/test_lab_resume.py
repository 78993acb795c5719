"""The checkpoint timeline draws what real runs did, and a lesson's folder goes when Python ends."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance.transcripts import encoded_answers
from tests.lessons.notebooks import LESSONS
from tests.lessons.resuming import LAST, stop_and_resume

EVERY = st.integers(1, 12)
KEEP = st.integers(1, 6)
KILLED = st.integers(1, LAST - 1)


@settings(max_examples=15, deadline=None)
@given(EVERY, KEEP, KILLED)
def test_the_second_run_starts_at_the_newest_checkpoint(every, keep, killed):
    first, second = stop_and_resume(every, keep, killed)
    assert first.start == 0
    assert first.end == killed
    assert first.saved == [*range(every, killed + 1, every)]
    assert first.kept == first.found == first.saved[-keep:]
    assert second.start == killed - killed % every
    assert second.end == LAST


@settings(max_examples=15, deadline=None)
@given(EVERY, KEEP, KILLED)
def test_a_new_saver_deletes_only_its_own(every, keep, killed):
    first, second = stop_and_resume(every, keep, killed)
    assert second.kept == second.saved[-keep:]
    assert second.found == first.kept + second.kept


def test_tensorflow_leaves_the_same_checkpoints():
    theirs = encoded_answers("resuming", "killed_and_resumed")
    for half, (start, kept, files) in zip(stop_and_resume(4, 2, 18), theirs, strict=True):
        assert half.start == start
        assert [f"model-{step}" for step in half.kept] == kept
        assert {f"model-{step}.index" for step in half.found} == {name for name in files if name.endswith(".index")}


def test_no_file_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    stop_and_resume.cache_clear()
    stop_and_resume(4, 2, 18)
    assert list(tmp_path.iterdir()) == []


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
