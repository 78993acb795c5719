"""When a timer is due, which step a hook reads, and how often a step that stands still is warned of."""

import logging
import time
from collections import Counter
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.framework import tf_logging
from minitf.training.session_run_hook import StepHook
from tests.support import examples
from tests.training.hooked import run


@pytest.mark.parametrize("unit", ["every_secs", "every_steps"])
@examples(100)
@given(moments=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2))), every=st.integers(1, 4))
def test_a_timer_is_due_at_another_step_when_enough_has_passed(unit, moments, every):
    timer, now, step, last = tf.train.SecondOrStepTimer(**{unit: every}), 0, 0, None
    with mock.patch.object(time, "time", side_effect=lambda: now):
        for seconds, steps in moments:
            now, step = now + seconds, step + steps
            since = (now - last[0], step - last[1]) if last else (None, None)
            waited = since[0] if unit == "every_secs" else since[1]
            due = last is None or (since[1] > 0 and waited >= every)
            assert timer.should_trigger_for_step(step) is due
            if due:
                assert timer.update_last_triggered_step(step) == since
                last = now, step
            assert timer.last_triggered_step() == last[1]


def test_the_step_is_read_before_the_update_and_only_once():
    add = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    seen = []

    class Reader(StepHook):
        def after_run(self, run_context, run_values):
            seen.append(int(run_values.results))

    run([Reader(), Reader()], add, 3)
    assert seen == [0, 0, 1, 1, 2, 2]
    reads = [op.name for op in tf.get_default_graph().get_operations() if op.name.endswith("global_step/add")]
    assert reads == ["global_step/add"]


def test_a_step_that_stands_still_is_warned_of_at_most_five_times(caplog, monkeypatch):
    monkeypatch.setattr(tf_logging, "_calls", Counter())  # no line has logged yet
    caplog.set_level(logging.WARNING, "tensorflow")
    tf.train.get_or_create_global_step()
    run([tf.train.StepCounterHook(every_n_steps=1)], tf.no_op(), 20)
    assert caplog.text.count("has not been increased") == 5
