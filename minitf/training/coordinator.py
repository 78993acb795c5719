"""A Coordinator lets threads end together: one asks for it, the others look, and an error in one reaches who waits.

    coord = tf.train.Coordinator()
    threads = [threading.Thread(target=work, args=(coord,)) for _ in range(4)]  # each: while not coord.should_stop()
    for thread in threads:
        thread.start()
    coord.join(threads)

Mirrors tensorflow/python/training/coordinator.py.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial

from minitf.framework import errors
from minitf.framework.graph import get_default_session
from minitf.platform import tf_logging

LOOK_EVERY_SECS = 0.05


class Coordinator:
    """Tells threads when to stop. Errors of the types `clean_stop_exception_types` (at first: OutOfRangeError) only
    end the work; any other that a thread reports is raised again by `join`."""

    def __init__(self, clean_stop_exception_types: Iterable[type] | None = None):
        clean = (
            [errors.OutOfRangeError]
            if clean_stop_exception_types is None
            else clean_stop_exception_types
        )
        self._clean_stop_exception_types = tuple(clean)
        self._lock, self._stop = threading.Lock(), threading.Event()
        self.error: BaseException | None = None
        self._threads: set[threading.Thread] = set()
        self._joined = False

    joined = property(lambda self: self._joined, doc="Whether `join` is over.")

    def request_stop(self, ex=None) -> None:
        """Ask all to stop. `ex` is the reason: an exception, or `sys.exc_info()`.

        The first one is kept for `join`. After `join`, the exception is raised at once.
        """
        error = ex[1] if isinstance(ex, tuple) else ex
        if isinstance(error, self._clean_stop_exception_types):
            error = None
        with self._lock:
            if self._joined and error is not None:
                raise error
            if error is not None and not self._stop.is_set():
                kind = "" if isinstance(ex, tuple) else f"{type(ex)}, "
                tf_logging.info("Error reported to Coordinator: %s%s", kind, error)
                self.error = error
            self._stop.set()

    def clear_stop(self) -> None:
        """Begin anew: nobody has asked to stop."""
        with self._lock:
            self._joined, self.error = False, None
            self._stop.clear()

    def should_stop(self) -> bool:
        """Whether someone has asked to stop."""
        return self._stop.is_set()

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Wait until someone asks to stop, at most `timeout` seconds; whether someone did."""
        return self._stop.wait(timeout)

    @contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """What is raised inside `with` this is reported to `request_stop` and goes no further."""
        try:
            yield
        except BaseException:
            self.request_stop(sys.exc_info())

    def register_thread(self, thread: threading.Thread) -> None:
        """Let `join` wait for this thread as well."""
        with self._lock:
            self._threads.add(thread)

    def join(self, threads=None, stop_grace_period_secs=120, ignore_live_threads=False) -> None:
        """Wait for these threads and the registered ones to end, then raise what one of them has reported.

        Once a stop is asked for they have `stop_grace_period_secs` left. Raises RuntimeError that names those which
        live on, unless `ignore_live_threads`.
        """
        with self._lock:
            waited_for = [*self._threads.union(threads or ())]
        while any(thread.is_alive() for thread in waited_for) and not self.wait_for_stop(
            LOOK_EVERY_SECS
        ):
            pass
        end = time.monotonic() + stop_grace_period_secs
        for thread in waited_for:
            if thread.is_alive():
                thread.join(max(end - time.monotonic(), 0))
        left = " ".join(thread.name for thread in waited_for if thread.is_alive())
        self._joined, self._threads = True, set()
        self.raise_requested_exception()
        if left and not ignore_live_threads:
            raise RuntimeError(f"Coordinator stopped with threads still running: {left}")
        if left:
            tf_logging.info("Coordinator stopped with threads still running: %s", left)

    def raise_requested_exception(self) -> None:
        """Raise the exception that was reported, if any."""
        if self.error is not None:
            raise self.error


def start_queue_runners(
    sess=None, coord=None, daemon=True, start=True, collection="queue_runners"
) -> list:
    """No threads, because there are no queues here: programs that feed their input call this as well.

    Raises ValueError where there is no session.
    """
    if not (sess or get_default_session()):
        words = "Use `with sess.as_default()` or pass an explicit session to tf.start_queue_runners(sess=sess)"
        raise ValueError(f"Cannot start queue runners: No default session is registered. {words}")
    words = "`tf.train.start_queue_runners()` was called when no queue runners were defined. You can safely remove the"
    tf_logging.warning(f"{words} call to this deprecated function.")
    return []


class LooperThread(threading.Thread):
    """Calls `target` every `timer_interval_secs` seconds (without a pause: None) until the coordinator says stop.

    `join` of the coordinator waits for it. A subclass may have a `run_loop` instead of a target, and more around all
    calls: `start_loop` and `stop_loop`. Raises ValueError where `coord` is no Coordinator.
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
        """Such a thread, started."""
        thread = LooperThread(coord, timer_interval_secs, target, args, kwargs)
        thread.start()
        return thread

    def run(self) -> None:
        """What the thread does. An error ends it, and is reported to the coordinator."""
        with self._coord.stop_on_exception():
            self.start_loop()
            due = time.monotonic()
            while not self._coord.wait_for_stop(due - time.monotonic()):
                due += self._interval
                self.run_loop()
            self.stop_loop()

    def start_loop(self) -> None:
        """Called once before all calls."""

    def stop_loop(self) -> None:
        """Called once after all calls, unless there was an error."""

    def run_loop(self) -> None:
        """Called again and again."""
        self._work()
