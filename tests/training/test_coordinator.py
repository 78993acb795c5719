"""Coordinators: threads end, errors arrive, and nobody is waited for without end."""

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import examples


def started(count, work):
    threads = [threading.Thread(target=work, args=(index,), daemon=True) for index in range(count)]
    for thread in threads:
        thread.start()
    return threads


@examples(20)
@given(st.integers(1, 6), st.data())
def test_an_error_in_one_thread_ends_all_and_arrives(count, data):
    failing, coord, ended = data.draw(st.integers(0, count - 1)), tf.train.Coordinator(), []

    def work(index):
        with coord.stop_on_exception():
            if index == failing:
                raise ValueError(f"of {index}")
            coord.wait_for_stop()
            ended.append(index)

    with pytest.raises(ValueError, match=f"of {failing}"):
        coord.join(started(count, work))
    assert sorted(ended) == [index for index in range(count) if index != failing]
    assert coord.joined


def test_join_returns_after_the_last_thread():
    ended = []
    tf.train.Coordinator().join(started(3, lambda index: (time.sleep(0.02 * index), ended.append(index))))
    assert sorted(ended) == [0, 1, 2]


def test_threads_that_do_not_end_are_named_after_the_grace_period():
    coord, end = tf.train.Coordinator(), threading.Event()
    threads = started(2, lambda index: end.wait())
    coord.request_stop()
    with pytest.raises(RuntimeError, match=r"still running: Thread-\d+ .*Thread-\d+"):
        coord.join(threads, stop_grace_period_secs=0.1)
    end.set()


def test_registered_threads_are_waited_for_beside_those_given():
    coord, ended = tf.train.Coordinator(), []
    (registered,) = started(1, lambda index: (time.sleep(0.1), ended.append(index)))
    coord.register_thread(registered)
    coord.join(started(1, lambda index: None))
    assert ended == [0]


def test_after_clearing_errors_are_kept_for_join_again():
    coord = tf.train.Coordinator()
    coord.join()
    with pytest.raises(KeyError), coord.stop_on_exception():
        raise KeyError("too late")
    coord.clear_stop()
    with coord.stop_on_exception():
        raise KeyError("in time")
    with pytest.raises(KeyError, match="in time"):
        coord.join()
