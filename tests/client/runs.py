"""Run a random case on a session and on the interpreter, and compare everything that can be seen; run in threads."""

import contextlib
import threading

import numpy as np

import minitf as tf
from tests.client.interpreter import Doubtful, Failed, interpret
from tests.support import assert_same

RAN_WRONG = (tf.errors.InvalidArgumentError, tf.errors.FailedPreconditionError)


def compare(case):
    """The session gives the interpreter's values and state, and shares no memory with anybody."""
    session = tf.Session(graph=case.graph)
    state = {}
    for run in case.runs:
        for _ in range(run.again):
            if not compare_run(session, state, run):
                return


def compare_run(session, state, run):
    """One run on both; whether it succeeded (on both)."""
    fetched = elements(run)
    fed = {t: v.copy() for t, v in run.feeds.items()}
    try:
        expected = interpret(state, fetched, fed)
    except Failed as failed:
        _must_fail(session, run, failed)
        return False
    except Doubtful:
        _may_fail(session, run)
        return False
    actual = session.run(run.fetches, fed)
    tolerance = 1e-4 if any(v.dtype == np.float32 for v in state.values()) else 1e-9
    for fetch, a, e in zip(run.fetches, actual, expected, strict=True):
        if e is None:
            assert a is None
        else:
            assert_same(a, e, fetch.name, tolerance)
    _compare_states(session, state, tolerance)
    for tensor, value in run.feeds.items():
        np.testing.assert_array_equal(fed[tensor], value, "a feed was changed")
    _scribble([*actual, *fed.values()])
    _compare_states(session, state, tolerance)
    return True


def elements(run):
    """The ops and tensors that are fetched."""
    return [fetch.graph.as_graph_element(fetch) for fetch in run.fetches]


def _must_fail(session, run, failed):
    try:
        got = session.run(run.fetches, run.feeds)
    except RAN_WRONG as error:
        assert error.op is not None, error
    else:
        raise AssertionError(f"{got} where an op must fail: {failed}")
    with session.graph.as_default():
        assert session.run(tf.constant(1.0)) == 1.0  # the session works on


def _may_fail(session, run):
    with contextlib.suppress(*RAN_WRONG):
        session.run(run.fetches, run.feeds)


def _compare_states(session, state, tolerance):
    assert session.state.keys() == state.keys()
    for name, value in state.items():
        assert_same(session.state[name], value, f"variable {name}", tolerance)


def _scribble(values):
    """Write into all memory that a caller may think of as its own."""
    for value in values:
        if isinstance(value, np.ndarray) and value.size:
            value[...] = 99


def in_threads(work, count):
    """Work in several threads at once; return what each returned."""
    found = []
    threads = [threading.Thread(target=lambda: found.append(work())) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == count
    return found
