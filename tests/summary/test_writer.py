"""What a FileWriter is given comes back from the file, as it was and in order."""

from __future__ import annotations

import gc
import shutil
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import examples

PROGRAM = """
import sys, threading, time, minitf as tf
writer = tf.summary.FileWriter(sys.argv[1])
threading.Thread(target=lambda writer: time.sleep(99), args=[writer], daemon=True).start()  # has it to the very end
for step in range(50):
    writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=step)]), step)
"""


def _summary(number=1.5, tag="a"):
    return tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=number)])


def _events(folder):
    return [event for path in sorted(folder.iterdir()) for event in list(tf.train.summary_iterator(path))[1:]]


def _steps(folder):
    return [event.step for event in _events(folder)]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(width=32, allow_nan=False), st.integers(0, 2**60))))
@examples(25)
def test_what_is_written_is_read(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("events")
    with tf.summary.FileWriter(folder) as writer:
        for tag, number, step in rows:
            writer.add_summary(_summary(number, tag).SerializeToString(), step)
    found = [(event.step, event.summary) for event in _events(folder)]
    assert found == [(step, _summary(number, tag)) for tag, number, step in rows]


def test_times_are_now_and_never_go_back(tmp_path):
    before = time.time()
    with tf.summary.FileWriter(tmp_path) as writer:
        for step in range(20):
            writer.add_summary(_summary(), step)
    times = [event.wall_time for event in _events(tmp_path)]
    assert times == sorted(times)
    assert before <= times[0] <= times[-1] <= time.time()


def test_flushed_events_can_be_read_while_the_writer_is_open(tmp_path):
    with tf.summary.FileWriter(tmp_path) as writer:
        for step in (1, 2, 3):
            writer.add_summary(_summary(), step)
            writer.flush()
            assert _steps(tmp_path)[-1] == step


def test_without_a_flush_the_first_event_of_every_so_many_seconds_takes_all_others_along(tmp_path):
    with tf.summary.FileWriter(tmp_path, flush_secs=0.2) as writer:
        for step in (1, 2, 3):
            writer.add_summary(_summary(), step)
        assert _steps(tmp_path) == [1]
        time.sleep(0.25)
        writer.add_summary(_summary(), 4)
        assert _steps(tmp_path) == [1, 2, 3, 4]


def test_most_events_can_be_read_before_a_flush_whatever_the_python(tmp_path):
    writer = tf.summary.FileWriter(tmp_path)
    for step in range(1000):
        writer.add_summary(_summary(tag="loss"), step)
    [path] = tmp_path.iterdir()
    assert path.stat().st_size > 30_000


def test_a_writer_outlives_its_directory(tmp_path):
    with tf.summary.FileWriter(tmp_path / "logs") as writer:
        writer.add_summary(_summary(), 1)
        shutil.rmtree(tmp_path / "logs")
        writer.add_summary(_summary(), 2)
        writer.flush()


def test_writers_of_one_second_have_files_of_their_own(tmp_path):
    for step in range(3):
        with tf.summary.FileWriter(tmp_path) as writer:
            writer.add_summary(_summary(), step)
    assert sorted(_steps(tmp_path)) == [0, 1, 2]


def test_a_program_that_closes_nothing_loses_nothing(tmp_path):
    subprocess.run([sys.executable, "-c", PROGRAM, tmp_path], check=True)
    assert _steps(tmp_path) == list(range(50))


def test_a_forgotten_writer_loses_nothing(tmp_path):
    writer = tf.summary.FileWriter(tmp_path)
    writer.add_summary(_summary(), 1)
    del writer
    gc.collect()
    assert _steps(tmp_path) == [1]


def test_threads_may_share_a_writer(tmp_path):
    cache = tf.summary.FileWriterCache

    def work(first):
        for step in range(first, first + 100):
            cache.get(str(tmp_path)).add_summary(_summary(), step)

    threads = [threading.Thread(target=work, args=(100 * i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cache.clear()
    steps = [event.step for event in _events(tmp_path) if event.HasField("summary")]
    assert sorted(steps) == list(range(400))


def test_a_place_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(tf.errors.OpError):
        tf.summary.FileWriter(tmp_path / "file" / "logs")
