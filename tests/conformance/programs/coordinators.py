"""`tf.train.Coordinator`: threads that end together."""

import sys
import threading
import time

from tests.conformance.outcomes import raises
from tests.conformance.watching import attempt, logged


def _threads(count, work):
    threads = [threading.Thread(target=work, args=(index,), name=f"worker {index}") for index in range(count)]
    for thread in threads:
        thread.daemon = True
        thread.start()
    return threads


def a_stop_for_all(tf, np):
    """One thread asks, all end."""
    coord, done = tf.train.Coordinator(), []

    def work(index):
        while not coord.should_stop():
            if index == 2:
                coord.request_stop()
            time.sleep(0.001)
        done.append(index)

    found = [coord.should_stop(), coord.joined]
    coord.join(_threads(4, work))
    return [*found, sorted(done), coord.should_stop(), coord.joined]


def an_error_in_a_thread(tf, np):
    """What a thread reports is raised where all are waited for; the first report counts."""
    coord = tf.train.Coordinator()

    def work(index):
        try:
            coord.wait_for_stop(0.02 * index)
            raise ValueError(f"of thread {index}")
        except ValueError as error:
            coord.request_stop(error)

    with logged(tf) as lines:
        return [raises(lambda: coord.join(_threads(3, work))), lines, coord.should_stop()]


def stop_on_exception(tf, np):
    """What is raised inside goes to the coordinator."""
    coord = tf.train.Coordinator()
    with logged(tf) as lines:
        with coord.stop_on_exception():
            raise KeyError("inside")
        found = [coord.should_stop(), attempt(coord.raise_requested_exception), attempt(coord.join)]
        with coord.stop_on_exception():
            found.append("nothing happens")
    return [*found, lines]


def after_joining(tf, np):
    """After `join` an error is raised at once."""
    coord = tf.train.Coordinator()
    coord.request_stop()
    coord.join()

    def again():
        with coord.stop_on_exception():
            raise ValueError("late")

    return [coord.joined, attempt(again), coord.request_stop(), attempt(coord.join)]


def clean_stops(tf, np):
    """OutOfRangeError only ends the work, or what is told to."""
    found = []
    for kinds in (None, [], (StopIteration, KeyError), [ValueError]):
        for error in (tf.errors.OutOfRangeError(None, None, "end"), StopIteration("end"), ValueError("end")):
            coord = (
                tf.train.Coordinator(clean_stop_exception_types=kinds) if kinds is not None else tf.train.Coordinator()
            )
            with coord.stop_on_exception():
                raise error
            found.append([coord.should_stop(), attempt(coord.join)])
    return found


def clearing(tf, np):
    """A cleared coordinator can be used again."""
    coord = tf.train.Coordinator()
    with coord.stop_on_exception():
        raise ValueError("once")
    found = [coord.should_stop(), coord.clear_stop(), coord.should_stop(), coord.join(), coord.joined]
    coord.clear_stop()
    return [*found, coord.joined, coord.wait_for_stop(0.01), coord.request_stop(), coord.wait_for_stop(5)]


def threads_that_live_on(tf, np):
    """Those that don't end in time are named, or let be."""
    coord, end = tf.train.Coordinator(), threading.Event()
    threads = _threads(2, lambda index: end.wait())
    coord.request_stop()
    found = [attempt(lambda: coord.join(threads, stop_grace_period_secs=0.05))[0]]
    coord.clear_stop()
    coord.request_stop()
    found.append(attempt(lambda: coord.join(threads[:1], stop_grace_period_secs=0.05)))
    coord.clear_stop()
    coord.request_stop()
    with logged(tf) as lines:
        found.append(coord.join(threads[1:], stop_grace_period_secs=0.05, ignore_live_threads=True))
    end.set()
    return [*found, lines]


def registered_threads(tf, np):
    """Registered threads are waited for without being named."""
    coord, done = tf.train.Coordinator(), []

    def work(index):
        time.sleep(0.05)
        done.append(index)

    threads = _threads(3, work)
    for thread in threads[:2]:
        coord.register_thread(thread)
    coord.join(threads[2:])
    return [sorted(done), coord.should_stop()]


def reports_of_other_kinds(tf, np):
    """An exception, or a triple as of `sys.exc_info()`."""
    found = []
    for report in ("triple", "exception"):
        coord = tf.train.Coordinator()
        with logged(tf) as lines:
            try:
                raise KeyError("k")
            except KeyError as error:
                coord.request_stop(sys.exc_info() if report == "triple" else error)
        found.append([attempt(coord.join), lines])
    return found


def counting_together(tf, np):
    """Threads that share a session add up."""
    v = tf.get_variable("v", [], tf.int32, tf.zeros_initializer())
    add, coord = tf.assign_add(v, 1, use_locking=True), tf.train.Coordinator()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())

        def work(index):
            with coord.stop_on_exception():
                for _ in range(50):
                    sess.run(add)

        coord.join(_threads(4, work))
        return sess.run(v)


def looper_threads(tf, np):
    """Threads that call until the coordinator, or an error, stops them; `join` waits for them unasked."""
    events = []

    def count(coord, most):
        events.append("called")
        if events.count("called") % most == 0:
            coord.request_stop()

    class Looper(tf.train.LooperThread):
        def start_loop(self):
            events.append("start")

        def run_loop(self):
            events.append("run")
            if len(events) > 3:
                raise KeyError("in a loop")

        def stop_loop(self):
            events.append("stop")

    for seconds, most in [(0, 3), (None, 1), (0.001, 2)]:
        coord = tf.train.Coordinator()
        thread = tf.train.LooperThread.loop(coord, seconds, count, (coord,), {"most": most})
        events.append([thread.daemon, coord.join(), thread.is_alive(), coord.should_stop()])
    found, coord = list(events), tf.train.Coordinator()
    events.clear()
    Looper(coord, 0).start()
    found += [attempt(coord.join), *events]
    return [*found, attempt(lambda: tf.train.LooperThread(None, 1))]


def no_queues(tf, np):
    """Who starts queue runners where there are none gets no threads, and is told so."""
    found = [attempt(tf.train.start_queue_runners)]
    with logged(tf) as lines, tf.Session() as sess:
        coord = tf.train.Coordinator()
        for arguments in ({"sess": sess, "coord": coord}, {}):
            threads = tf.train.start_queue_runners(**arguments)
            found.append([threads, coord.request_stop(), coord.join(threads)])
    return [found, lines]
