"""Monitored sessions: resumed and recovered training goes on bit for bit, and the inside can be had."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import examples

OPTIMIZERS = {
    "descent": lambda: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "adam": lambda: tf.train.AdamOptimizer(0.01),
    "adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "rmsprop": lambda: tf.train.RMSPropOptimizer(0.01, momentum=0.5, centered=True),
}


class FailsAt(tf.train.SessionRunHook):
    """Loses the session in the runs of these numbers, before or after them."""

    def __init__(self, numbers, before):
        self.numbers, self.before, self.run = set(numbers), before, 0

    def _fail(self):
        if self.run in self.numbers:
            self.numbers.remove(self.run)
            raise tf.errors.AbortedError(None, None, "lost")

    def before_run(self, run_context):
        self.run += 1
        if self.before:
            self._fail()

    def after_run(self, run_context, run_values):
        if not self.before:
            self._fail()


def model(optimizer):
    """A train op with a rate that reads the step, slots, and an average."""
    step = tf.train.get_or_create_global_step()
    x = tf.get_variable("x", initializer=np.linspace(-1, 1, 5, dtype=np.float32))
    w = tf.get_variable("w", initializer=np.float64(0.3))
    rate = tf.train.exponential_decay(1.0, step, 3, 0.5)
    loss = tf.reduce_sum(tf.square(x * tf.cast(w, tf.float32) - 0.5)) * rate
    update = OPTIMIZERS[optimizer]().minimize(loss, global_step=step)
    with tf.control_dependencies([update]):
        return tf.train.ExponentialMovingAverage(0.9, step).apply([x])


def trained(optimizer, parts, directory=None, hooks=()):
    """The bits of all variables after training in parts of so many steps, each in a new graph and session."""
    for steps in parts:
        with tf.Graph().as_default():
            train_op = model(optimizer)
            training = {"checkpoint_dir": directory, "save_checkpoint_steps": 1, "log_step_count_steps": None}
            stop = tf.train.StopAtStepHook(num_steps=steps)
            with tf.train.MonitoredTrainingSession(hooks=[stop, *hooks], **training) as session:
                while not session.should_stop():
                    session.run(train_op)
                values = session._tf_sess().run({v.op.name: v for v in tf.global_variables()})
        tf.summary.FileWriterCache.clear()
    return {name: (value.dtype, value.tobytes()) for name, value in values.items()}


@examples(8)
@given(st.sampled_from(sorted(OPTIMIZERS)), st.lists(st.integers(1, 5), min_size=2, max_size=3))
def test_training_that_is_stopped_and_resumed_gives_the_same_bits(tmp_path_factory, optimizer, parts):
    directory = str(tmp_path_factory.mktemp("parts"))
    assert trained(optimizer, parts, directory) == trained(optimizer, [sum(parts)])


@examples(5)
@given(st.sampled_from(sorted(OPTIMIZERS)), st.sets(st.integers(1, 6), max_size=3), st.booleans())
def test_training_whose_session_is_lost_gives_the_same_bits(tmp_path_factory, optimizer, lost, before):
    # Its own hook comes after the one that saves: what a lost run has done is in the checkpoint already.
    directory = str(tmp_path_factory.mktemp("lost"))
    assert trained(optimizer, [7], directory, [FailsAt(lost, before)]) == trained(optimizer, [7])


def test_the_session_inside_can_be_had_by_the_ways_that_people_use():
    x = tf.constant(1)
    with tf.train.MonitoredSession() as session:
        inside = session._tf_sess()
        assert inside.run(x) == 1
        assert session._sess._sess._sess._sess is inside


def test_a_worker_does_not_wait_for_values_that_nobody_can_give():
    tf.get_variable("v", [])
    with pytest.raises(tf.errors.DeadlineExceededError, match="Session was not ready after waiting 7200 secs"):
        tf.train.MonitoredTrainingSession(is_chief=False)


def test_a_run_is_compiled_once_whatever_the_hooks_ask_for_now_and_then():
    step = tf.train.get_or_create_global_step()
    add = tf.assign_add(step, 1)
    hooks = [tf.train.LoggingTensorHook([step], every_n_iter=3), tf.train.StopAtStepHook(100)]
    with tf.train.MonitoredSession(hooks=hooks) as session:
        plans = []
        for _ in range(30):
            session.run(add)
            plans.append(len(session._tf_sess()._plans))
    assert plans[8] == plans[-1]
