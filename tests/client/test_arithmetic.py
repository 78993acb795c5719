"""Denormal numbers are zero within a run, and nowhere else.

Which ones TensorFlow makes zero is recorded: tests/conformance/facts/denormals.md.
"""

import os
import sys
import threading

import numpy as np
import pytest

import minitf as tf
from minitf.client import arithmetic
from minitf.client.arithmetic import calculate
from minitf.client.session import program_of
from tests.client.runs import in_threads
from tests.support import initialized_session

SMALL = np.float32(1e-20)


def denormals():
    """Results that are too small for a normal number."""
    yield SMALL * SMALL
    yield 1e-300 * 1e-10
    yield np.exp(np.float32(-90))
    yield np.float32(1e-40) * 2


def is_flushing():
    return not any(denormals())


def is_usual():
    return all(denormals())


def calling(function):
    """Return a tensor of whether a run flushed after it called this function."""
    called = tf.py_func(lambda: [function(), 0.0][1], [], tf.double)
    with tf.control_dependencies([called]):
        return tf.py_func(is_flushing, [], tf.bool)


def test_this_system_has_a_switch():
    known = sys.platform == "win32" or (sys.platform, os.uname().machine) in arithmetic._POSITIONS
    assert known == (arithmetic.SWITCH is not None)


def test_only_a_run_flushes():
    flushing = calling(is_flushing)
    assert is_usual() and initialized_session().run(flushing) and is_usual()


class Interrupt(BaseException):
    """Like KeyboardInterrupt."""


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, Interrupt, SystemExit])
def test_a_run_that_stops_in_the_middle_leaves_nothing_behind(kind):
    def stop():
        raise kind

    failing = calling(stop)
    with pytest.raises((kind, tf.errors.OpError)):
        initialized_session().run(failing)
    assert is_usual()


def test_a_run_within_a_run_does_not_end_flushing():
    session, inner = tf.Session(), tf.constant(1.0) + tf.random_uniform([])
    assert session.run(calling(lambda: session.run(inner)))
    assert is_usual()


def test_other_threads_go_on_as_usual():
    asked, answered, found = threading.Event(), threading.Event(), []

    def watch():
        asked.wait(10)
        found.append(is_usual())
        answered.set()

    thread = threading.Thread(target=watch)
    thread.start()  # before the run: a thread begins as the one that starts it
    assert tf.Session().run(calling(lambda: [asked.set(), answered.wait(10)]))
    thread.join()
    assert found == [True]


def test_each_thread_that_runs_flushes():
    session, flushing = tf.Session(), calling(is_flushing)
    assert in_threads(lambda: (session.run(flushing), is_usual()), 4) == [(True, True)] * 4


def test_a_trace_flushes_within_its_steps_only():
    x = tf.placeholder(tf.float32, [])
    program = program_of([tf.exp(x), tf.square(x), calling(is_flushing)])
    for _, _, value in program.trace({}, {x: np.float32(-90)}):
        assert is_usual()
        assert value in (0, 8100, 1)  # 1 is True


def test_constants_are_folded_with_flushing_and_kept_without():
    small = tf.constant(1e-20)
    assert "exp" not in str(program_of(tf.exp(tf.constant(-90.0))))
    assert tf.Session().run([small * small, tf.constant(1e-40)]) == [0, np.float32(1e-40)]
    assert is_usual()


def test_a_run_does_not_warn():
    x = tf.placeholder(tf.float32, [3])
    assert np.isnan(tf.Session().run(tf.log(x), {x: [-1.0, -2.0, -3.0]})).all()


# Systems without a switch.


def test_without_a_switch_denormal_numbers_stay(monkeypatch):
    monkeypatch.setattr(arithmetic, "SWITCH", None)
    assert calculate(is_usual)


def test_an_unknown_system_has_none(monkeypatch):
    monkeypatch.setattr(sys, "platform", "another")
    assert arithmetic._find_switch() is None


def test_a_switch_that_does_not_work_is_not_used(monkeypatch):
    idle = arithmetic.Switch(lambda *state: None, (), ())
    for system in ("_posix_switch", "_windows_switch"):
        monkeypatch.setattr(arithmetic, system, lambda: idle)
    assert arithmetic._find_switch() is None
