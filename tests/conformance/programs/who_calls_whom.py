"""Who calls whom in a monitored session, in the words and numbers that the lesson shows."""

import contextlib
import logging
import os
import sys
import tempfile

from tests.conformance.watching import attempt, caught, watcher, whole_line


def _model(tf):
    step = tf.train.get_or_create_global_step()
    loss = tf.square(tf.Variable(5.0, name="w"), name="loss")
    return tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step), step


def _names(tf, folder):
    """The checkpoints that a directory's list has; the writers of events are closed."""
    tf.summary.FileWriterCache.clear()
    return [os.path.basename(path) for path in tf.train.get_checkpoint_state(folder).all_model_checkpoint_paths]


def calls_of_a_training(tf, np):
    """A session without an initializer, stopped at step 2: the calls, with the step where there is a session."""
    train_op, step = _model(tf)
    events = []

    class Teller(tf.train.SessionRunHook):
        def begin(self):
            events.append("begin")

        def after_create_session(self, session, coord):
            events.append(f"after_create_session: step {session.run(step)}")

        def before_run(self, run_context):
            events.append("before_run")
            return tf.train.SessionRunArgs("loss:0")

        def after_run(self, run_context, run_values):
            events.append("after_run")

        def end(self, session):
            events.append(f"end: step {session.run(step)}")

    with tf.train.MonitoredTrainingSession(hooks=[Teller(), tf.train.StopAtStepHook(last_step=2)]) as sess:
        while not sess.should_stop():
            sess.run(train_op)
    return events


def two_mistakes(tf, np):
    """No run after a stop, and no op can be made in a monitored session."""
    train_op, _ = _model(tf)
    with tf.train.MonitoredTrainingSession(hooks=[tf.train.StopAtStepHook(last_step=1)]) as sess:
        sess.run(train_op)
        return [attempt(lambda: sess.run(train_op)), attempt(lambda: tf.square(3.0))]


def a_directory_and_no_step(tf, np):
    """The directory is an argument of MonitoredTrainingSession alone; with it a global step is needed, and one only."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in (tf.train.MonitoredSession, tf.train.MonitoredTrainingSession):
            raised, words = attempt(lambda kind=kind: kind(checkpoint_dir=folder))
            found.append([raised, words.removeprefix("MonitoredSession.")])  # Python 3.10 puts the class before
        for _ in range(2):
            tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, tf.Variable(0, trainable=False))
        with caught(logging.FATAL, str):
            found.append(attempt(lambda: tf.train.MonitoredTrainingSession(checkpoint_dir=folder)))
        tf.summary.FileWriterCache.clear()
    return found


def _begin_counting_lines(tf):
    """Let `log_first_n`, which counts as long as Python runs, begin anew."""
    hooks = sys.modules[tf.train.StepCounterHook.__module__]
    (getattr(hooks, "logging", None) or hooks.tf_logging).__dict__.get("_log_counter_per_token", {}).clear()
    getattr(getattr(hooks, "tf_logging", None), "_calls", {}).clear()


def _first_sentence(record):
    return whole_line(record).partition(" Current")[0]


def a_step_that_nobody_moves(tf, np):
    """A train op made by hand adds nothing to the step: the counting hook warns five times. Grouped with + 1 it counts.

    It may warn even then, if it reads the step after the update in one run and before it in the next.
    """
    step = tf.train.get_or_create_global_step()
    w = tf.Variable(5.0, name="w")
    by_hand = tf.assign(w, 0.8 * w)
    counted = tf.group(by_hand, tf.assign_add(step, 1))
    found = []
    for train_op in (by_hand, counted):
        _begin_counting_lines(tf)
        session = tf.train.MonitoredTrainingSession(hooks=[tf.train.StepCounterHook()])
        with caught(logging.WARNING, _first_sentence) as lines, session as sess:
            for _ in range(8):
                sess.run(train_op)
            found.append([lines if train_op is by_hand else [], sess._tf_sess().run(step)])
    return found


def runs_that_do_not_train(tf, np):
    """The step moves, and is read in another run after each update: the counting hook warns all the same."""
    train_op, step = _model(tf)
    _begin_counting_lines(tf)
    session = tf.train.MonitoredTrainingSession(hooks=[tf.train.StepCounterHook()])
    with caught(logging.WARNING, _first_sentence) as lines, session as sess:
        for _ in range(8):
            sess.run(train_op)
            sess.run(step)
    return lines


def runs_between_the_updates(tf, np):
    """Twenty runs that only read, after update 50 and each 100th from there: they set off warnings, and end nothing."""
    train_op, _ = _model(tf)
    _begin_counting_lines(tf)
    updates = 0
    with tempfile.TemporaryDirectory() as folder, caught(logging.WARNING, _first_sentence) as lines:
        stop = tf.train.StopAtStepHook(last_step=1000)
        with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, hooks=[stop]) as sess:
            while not sess.should_stop():
                sess.run(train_op)
                updates += 1
                for _ in range(20 if updates % 100 == 50 else 0):
                    sess.run("w:0")
    return [updates, lines]


def killed_in_the_loop(tf, np):
    """A KeyboardInterrupt after run 3 skips `end`, as any error does: the checkpoints, and those after a next run."""
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for last_step, error in ((5, KeyboardInterrupt()), (6, None)):
            with contextlib.suppress(KeyboardInterrupt):
                _trained(tf, folder, last_step, error)
            found.append(_names(tf, folder))
        return found


def _trained(tf, folder, last_step, error=None):
    """Train to a step, save every two; with an error after run 3. The step at the start, and the checkpoints."""
    tf.reset_default_graph()
    train_op, step = _model(tf)
    starts, runs = [], 0
    look = watcher(tf, [], after_create_session=lambda session, coord: starts.append(int(session.run(step))))
    hooks = [tf.train.StopAtStepHook(last_step=last_step), look]

    def work():
        nonlocal runs
        with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, save_checkpoint_steps=2, hooks=hooks) as sess:
            while not sess.should_stop():
                sess.run(train_op)
                runs += 1
                if error is not None and runs == 3:
                    raise error

    raised = attempt(work)
    return [starts[0], runs, raised and raised[0], _names(tf, folder)]


def ends_by_an_error(tf, np):
    """After an error the last step is not saved; the end of the data, which two errors mean, is none."""
    found = []
    ends = [tf.errors.OutOfRangeError(None, None, "the data end"), StopIteration("the data end")]
    for error in (None, ValueError("a mistake"), *ends):
        with tempfile.TemporaryDirectory() as folder:
            found.append(_trained(tf, folder, 4, error))
    return found


def stopped_and_resumed(tf, np):
    """Three training runs in one directory: each goes on at the stored step, and runs at least once."""
    with tempfile.TemporaryDirectory() as folder:
        return [_trained(tf, folder, last_step) for last_step in (5, 8, 8)]


def a_hook_that_stops(tf, np):
    """A hook that asks for the loss in the same run, and stops when it is small."""
    step = tf.train.get_or_create_global_step()
    loss = tf.placeholder(tf.float32, [])
    count, seen = tf.assign_add(step, 1), []

    class StopWhenSmall(tf.train.SessionRunHook):
        def before_run(self, run_context):
            return tf.train.SessionRunArgs(loss)

        def after_run(self, run_context, run_values):
            seen.append(run_values.results)
            if run_values.results < 0.5:
                run_context.request_stop()

    losses = iter([5.0, 0.9, 0.4, 2.0, 0.1])
    with tf.train.MonitoredTrainingSession(hooks=[StopWhenSmall()]) as sess:
        while not sess.should_stop():
            sess.run(count, {loss: next(losses)})
    return seen
