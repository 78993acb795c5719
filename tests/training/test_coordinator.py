"""Coordinators: an error in one thread ends all of them, and arrives."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import examples


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

    threads = [threading.Thread(target=work, args=(index,), daemon=True) for index in range(count)]
    for thread in threads:
        thread.start()
    with pytest.raises(ValueError, match=f"of {failing}"):
        coord.join(threads)
    assert sorted([*ended, failing]) == list(range(count))
    assert coord.joined
