"""When a timer is due, and which step a hook reads."""

import time
from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.training.session_run_hook import StepHook
from tests.support import examples
from tests.training.hooked import run


@examples(100)
@given(st.lists(st.integers(0, 9)), st.integers(1, 4))
def test_a_timer_by_steps_is_due_when_enough_steps_have_passed(steps, every):
    timer, last = tf.train.SecondOrStepTimer(every_steps=every), None
    for step in steps:
        expected = last is None or (step != last and step >= last + every)
        assert timer.should_trigger_for_step(step) is expected
        if expected:
            passed = timer.update_last_triggered_step(step)
            assert passed[1] == (None if last is None else step - last)
            last = step
        assert timer.last_triggered_step() == last


@examples(100)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2))), st.integers(1, 4))
def test_a_timer_by_seconds_is_due_at_another_step_when_enough_time_has_passed(moments, every):
    timer, last, now, step = tf.train.SecondOrStepTimer(every_secs=every), None, 0, 0
    with mock.patch.object(time, "time", side_effect=lambda: now):
        for seconds, more in moments:
            now, step = now + seconds, step + more
            expected = last is None or (step != last[1] and now >= last[0] + every)
            assert timer.should_trigger_for_step(step) is expected
            if expected:
                assert timer.update_last_triggered_step(step)[0] == (None if last is None else now - last[0])
                last = now, step


def test_the_step_is_read_before_the_update_and_only_once():
    step = tf.train.get_or_create_global_step()
    add = tf.assign_add(step, 1)
    seen = []

    class Reader(StepHook):
        def after_run(self, run_context, run_values):
            seen.append(int(run_values.results))

    run([Reader(), Reader()], add, 3)
    assert seen == [0, 0, 1, 1, 2, 2]
    assert [op.name for op in tf.get_default_graph().get_operations() if op.name.endswith("global_step/add")] == [
        "global_step/add"
    ]
