"""Hooks and threads that few training programs use.

Mirrors parts of tensorflow/python/training/basic_session_run_hooks.py, coordinator.py and
queue_runner_impl.py.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial

from minitf.framework import tf_logging
from minitf.framework.graph import get_default_session
from minitf.training.coordinator import Coordinator
from minitf.training.session_run_hook import SessionRunArgs, SessionRunHook, StepHook


class GlobalStepWaiterHook(StepHook):
    """Makes the first run wait until other threads have reached the step `wait_until_step`."""

    _hook_name = "GlobalStepWaiterHook"

    def __init__(self, wait_until_step: int):
        self._waited_for = wait_until_step

    def before_run(self, run_context):
        if self._waited_for > 0:
            words = "Waiting for global step %d before starting training."
            tf_logging.info(words, self._waited_for)
            while run_context.session.run(self._global_step_tensor) < self._waited_for:
                time.sleep(0.5)
        self._waited_for = 0


class FinalOpsHook(SessionRunHook):
    """Runs `final_ops` at the end and keeps their values in `final_ops_values`."""

    def __init__(self, final_ops, final_ops_feed_dict: dict | None = None):
        self._fetches, self._feeds, self.final_ops_values = final_ops, final_ops_feed_dict, None

    def end(self, session):
        if self._fetches is not None:
            self.final_ops_values = session.run(self._fetches, feed_dict=self._feeds)


class FeedFnHook(SessionRunHook):
    """Adds the dict that `feed_fn()` returns to the feeds of each run."""

    def __init__(self, feed_fn: Callable[[], dict]):
        self.feed_fn = feed_fn

    def before_run(self, run_context):
        return SessionRunArgs(None, self.feed_fn())


class LooperThread(threading.Thread):
    """A thread that calls `target` every `timer_interval_secs` until the coordinator says stop.

    If that is None, it calls it again and again without a pause. The coordinator's `join` waits for
    the thread. A subclass may define `run_loop` instead of passing a target, and `start_loop` and
    `stop_loop`, which are called before and after the loop. Raises ValueError unless `coord` is a
    Coordinator.
    """

    def __init__(self, coord, timer_interval_secs, target=None, args=None, kwargs=None):
        if not isinstance(coord, Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        super().__init__(daemon=True)
        self._coord, self._interval = coord, timer_interval_secs or 0
        self._work = partial(target, *(args or ()), **(kwargs or {})) if target else lambda: None
        coord.register_thread(self)

    @staticmethod
    def loop(coord, timer_interval_secs, target, args=None, kwargs=None) -> LooperThread:
        """Create a LooperThread, start it, and return it."""
        thread = LooperThread(coord, timer_interval_secs, target, args, kwargs)
        thread.start()
        return thread

    def run(self) -> None:
        """Do the thread's work. An error ends it and is reported to the coordinator."""
        with self._coord.stop_on_exception():
            self.start_loop()
            due = time.monotonic()
            while not self._coord.wait_for_stop(due - time.monotonic()):
                due += self._interval
                self.run_loop()
            self.stop_loop()

    def start_loop(self) -> None:
        """Called once, before the loop."""

    def stop_loop(self) -> None:
        """Called once, after the loop, unless there was an error."""

    def run_loop(self) -> None:
        """Called in each turn of the loop."""
        self._work()


def start_queue_runners(
    sess=None, coord=None, daemon=True, start=True, collection="queue_runners"
) -> list:
    """Log a warning and return no threads. There are no queues here, but many programs call this.

    Raises ValueError if there is no session.
    """
    if not (sess or get_default_session()):
        raise ValueError(
            "Cannot start queue runners: No default session is registered. Use `with "
            "sess.as_default()` or pass an explicit session to tf.start_queue_runners(sess=sess)"
        )
    words = "`tf.train.start_queue_runners()` was called when no queue runners were defined."
    tf_logging.warning(f"{words} You can safely remove the call to this deprecated function.")
    return []
