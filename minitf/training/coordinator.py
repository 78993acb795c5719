"""A Coordinator makes threads stop together: any of them asks, all check, and errors are passed on.

    coord = tf.train.Coordinator()
    threads = [threading.Thread(target=work, args=(coord,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    coord.join(threads)

Mirrors tensorflow/python/training/coordinator.py.
"""

import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from minitf.framework import errors, tf_logging

LOOK_EVERY_SECS = 0.05


class Coordinator:
    """Tells threads when to stop, and passes on the error that one of them reports.

    `join` raises that error, unless it has one of the types `clean_stop_exception_types` (by
    default only OutOfRangeError), which just end the work.
    """

    def __init__(self, clean_stop_exception_types: Iterable[type] | None = None):
        clean = clean_stop_exception_types
        self._clean_stop = (errors.OutOfRangeError,) if clean is None else tuple(clean)
        self._lock, self._stop = threading.Lock(), threading.Event()
        self.error: BaseException | None = None
        self._threads: set[threading.Thread] = set()
        self.joined = False  # whether `join` is over

    def request_stop(self, ex=None) -> None:
        """Ask all threads to stop. `ex` is the reason, if any: an exception, or `sys.exc_info()`.

        `join` raises the first such exception. After `join`, this method raises it immediately.
        """
        error = ex[1] if isinstance(ex, tuple) else ex
        if isinstance(error, self._clean_stop):
            error = None
        with self._lock:
            if self.joined and error is not None:
                raise error
            if error is not None and not self._stop.is_set():
                kind = "" if isinstance(ex, tuple) else f"{type(ex)}, "
                tf_logging.info("Error reported to Coordinator: %s%s", kind, error)
                self.error = error
            self._stop.set()

    def clear_stop(self) -> None:
        """Forget that a stop was requested."""
        with self._lock:
            self.joined, self.error = False, None
            self._stop.clear()

    def should_stop(self) -> bool:
        """Return whether a stop has been requested."""
        return self._stop.is_set()

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Wait up to `timeout` seconds for a stop, and return whether one has been requested."""
        return self._stop.wait(timeout)

    @contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """Pass an exception raised inside the `with` to `request_stop` instead of raising it."""
        try:
            yield
        except BaseException:
            self.request_stop(sys.exc_info())

    def register_thread(self, thread: threading.Thread) -> None:
        """Make `join` wait for this thread as well."""
        with self._lock:
            self._threads.add(thread)

    def join(self, threads=None, stop_grace_period_secs=120, ignore_live_threads=False) -> None:
        """Wait for these and the registered threads, then raise the exception reported, if any.

        After a stop is requested, they have `stop_grace_period_secs` to end. If some are still
        running then, raises RuntimeError with their names unless `ignore_live_threads`.
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
        self.joined, self._threads = True, set()
        self.raise_requested_exception()
        if left and not ignore_live_threads:
            raise RuntimeError(f"Coordinator stopped with threads still running: {left}")
        if left:
            tf_logging.info("Coordinator stopped with threads still running: %s", left)

    def raise_requested_exception(self) -> None:
        """Raise the exception that was reported, if there is one."""
        if self.error is not None:
            raise self.error
