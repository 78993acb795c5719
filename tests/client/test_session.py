"""What a read, an update and a fetch see; what a run returns belongs to the caller alone."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.client.runs import in_threads
from tests.support import assert_same, examples, in_new_graph, initialized_session

ROOT = Path(__file__).resolve().parents[2]
X = np.arange(6, dtype=np.float64).reshape(2, 3)

# Reads and updates.


VIEWS = [tf.transpose, lambda t: tf.reshape(t, [3, 2]), lambda t: t[:2], lambda t: t * 1.0]


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_made_before_an_update_and_used_after_it_stays(view):
    v = tf.Variable(X)
    seen = view(v)
    with tf.control_dependencies([tf.assign_add(v, X)]):
        used = seen + 0.0
    value, used_value = initialized_session().run([seen, used])
    assert_same(value, used_value)
    assert value.sum() == X.sum()


def test_a_fed_update_still_runs_where_it_is_waited_for():
    v = tf.Variable(1.0)
    update = tf.assign_add(v, 1.0)
    with tf.control_dependencies([update]):
        after = tf.constant(2.0) * 3.0
    session = initialized_session()
    for fetch, held in [(after, 2.0), (update.op, 3.0), (update, 3.0)]:
        session.run(fetch, {update: 7.0})
        assert session.run(v) == held


# Memory.


IDLE = [
    tf.identity,
    tf.stop_gradient,
    lambda t: tf.tuple([t])[0],
    lambda t: tf.reshape(t, [3, 2]),
    lambda t: tf.reshape(t, [-1]),
    lambda t: tf.reshape(t, [2, 3]),
    lambda t: tf.broadcast_to(t, [2, 3]),
    lambda t: tf.broadcast_to(t, [4, 2, 3]),
    lambda t: tf.add_n([t]),
    lambda t: t * 1.0,
    lambda t: t + 0.0,
    lambda t: tf.reduce_sum(t, axis=[]),
    lambda t: tf.cast(t, tf.float64),
]


def everything():
    """A variable, a placeholder, and all sorts of things that a run may return of them."""
    v = tf.Variable(X)
    p = tf.placeholder(tf.float64, [None, 3])
    c = tf.constant(X)
    found = [v.value(), v.read_value()]
    for t in (v, p, c, p * 2.0):
        found += [t, t, *(function(t) for function in IDLE)]
        found += tf.gradients(t, t) + tf.gradients(tf.reduce_sum(t), t)
    return v, p, found


def check_ownership(fetches, p):
    """No array that is returned shares memory with another, with the state, with a constant or with what was fed."""
    session, fed = initialized_session(), X.copy()
    values = [v for v in session.run(fetches, {p: fed}) if isinstance(v, np.ndarray)]
    constants = [op.attrs["value"] for op in session.graph.get_operations() if op.type == "Const"]
    others = [*session.state.values(), *constants, fed]
    for value in values:
        assert value.flags.writeable
        assert not any(np.shares_memory(value, other) for other in others)
        others.append(value)


def test_a_single_fetch_belongs_to_the_caller_too():
    _, p, found = everything()
    for fetch in found:
        check_ownership([fetch], p)


@examples(30)
@given(st.data())
@in_new_graph
def test_no_few_things_that_are_returned_share_memory_with_anything(data):
    v, p, found = everything()
    fitting = [t for t in found if t.shape.is_compatible_with([2, 3])]
    assigned = data.draw(st.lists(st.sampled_from(fitting), max_size=2))
    updates = [tf.assign_add(v, X), *(tf.assign(v, t) for t in [p, v, *assigned])]
    check_ownership(data.draw(st.lists(st.sampled_from(found + updates), min_size=1, max_size=4)), p)


def test_writing_into_what_was_returned_changes_no_later_run():
    _, p, found = everything()
    session = initialized_session()
    first = session.run(found, {p: X})
    kept = [np.array(value) for value in first]
    for value in first:
        value[...] = 99
    for value, before in zip(session.run(found, {p: X}), kept, strict=True):
        assert_same(value, before)


@pytest.mark.parametrize("through", IDLE)
def test_an_array_fed_to_an_assignment_may_change_afterwards(through):
    v, p = tf.Variable(X), tf.placeholder(tf.float64, [2, 3])
    update = tf.assign(v, through(p), validate_shape=False)
    session = initialized_session()
    fed = X + 1
    session.run(update, {p: fed})
    held = session.run(v)
    fed[...] = 99
    assert_same(session.run(v), held)


def test_an_assigned_variable_is_no_alias_of_the_one_it_was_assigned_from():
    v, w = tf.Variable(X), tf.Variable(X * 0)
    assign, add = tf.assign(w, v), tf.assign_add(v, X)
    session = initialized_session()
    session.run(assign)
    session.run(add)
    assert_same(session.run(w), X)
    session.run([assign, add])  # a copy reads what the other updates have left
    session.run(add)
    assert_same(session.run(w), 3 * X)


def test_a_constant_that_initializes_two_variables_is_copied_for_each():
    c = tf.constant(X)
    v, w = tf.Variable(c), tf.Variable(c)
    session = initialized_session()
    session.run(tf.assign_add(v, X))
    for value in session.run([w, c]):
        assert_same(value, X)


def test_feeds_are_never_changed():
    v, p = tf.Variable(X), tf.placeholder(tf.float64, [2, 3])
    with tf.control_dependencies([tf.assign(v, p)]):
        more = tf.assign_add(v, p)
    fed = X.copy()
    fed.flags.writeable = False
    assert_same(initialized_session().run(more, {p: fed}), 2 * X)


def test_load_copies_what_it_is_given():
    v = tf.Variable(X)
    session, loaded = initialized_session(), X + 1
    v.load(loaded, session)
    loaded[...] = 99
    assert_same(session.run(v), X + 1)


def test_a_scalar_comes_back_as_a_numpy_scalar():
    p = tf.placeholder(tf.float32)
    fetches = [p * 1.0, tf.identity(p), tf.constant(2.0), tf.reduce_sum(p), tf.Variable(1.0)]
    for value in initialized_session().run(fetches, {p: np.array(2.0, np.float32)}):
        assert isinstance(value, np.float32)


# Threads.


@pytest.fixture
def frequent_switches():
    """Let threads take turns as often as possible."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def slowly_incremented(v):
    """Read the variable, call many functions, assign: without a lock, other runs come in between."""
    value = v + 1
    for _ in range(10):
        value = tf.reduce_sum(value, axis=[])
    return tf.assign(v, value)


@pytest.mark.usefixtures("frequent_switches")
@pytest.mark.parametrize("increment", [lambda v: tf.assign_add(v, 1), slowly_incremented])
def test_no_update_of_many_threads_is_lost(increment):
    update = increment(tf.Variable(0))
    session = initialized_session()
    seen = in_threads(lambda: [int(session.run(update)) for _ in range(300)], 8)
    assert sorted(sum(seen, [])) == list(range(1, 2401))


@pytest.mark.usefixtures("frequent_switches")
def test_no_run_sees_a_part_of_another():
    v, w = tf.Variable(np.zeros(100_000)), tf.Variable(0)
    with tf.control_dependencies([tf.assign_add(v, np.ones(100_000))]):
        both = slowly_incremented(w)
    session = initialized_session()
    writer = threading.Thread(target=lambda: [session.run(both.op) for _ in range(100)])
    writer.start()
    while writer.is_alive():
        array, number = session.run([v, w])
        assert array.min() == array.max() == number
    writer.join()


@pytest.mark.usefixtures("frequent_switches")
def test_threads_may_run_more_programs_than_are_kept(monkeypatch):
    monkeypatch.setattr("minitf.client.session.PLANS_KEPT", 2)
    v = tf.Variable(1.0)
    products = [v * float(i) for i in range(4)]
    session = initialized_session()

    def work():
        return [session.run(product) for product in products * 40]

    assert in_threads(work, 4) == [[0, 1, 2, 3] * 40] * 4


FORKED = """
import os, signal, threading, warnings
import minitf as tf

warnings.simplefilter("ignore", DeprecationWarning)  # Python's, of a fork beside a thread
writers, running, over = tf.summary.FileWriterCache, threading.Event(), threading.Event()
with tf.Session() as sess:
    v = tf.Variable(1)
    sess.run(v.initializer)
    logs = writers.get("logs")

    def work():
        with sess.paused(), writers._lock, logs._lock:
            running.set()
            over.wait()

    thread = threading.Thread(target=work)
    thread.start()
    running.wait()
    child = os.fork()
    if not child:
        signal.alarm(30)  # ends it if it waits
        print(sess.run(v), len(sess.graph.as_graph_def().node) > 0, flush=True)
        writers.get("logs").add_summary(tf.Summary())
        os._exit(0)
    os.waitpid(child, 0)
    over.set()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks on Windows")
def test_a_forked_process_runs_a_session_that_a_thread_of_the_first_was_running(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", FORKED]
    found = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    assert (found.returncode, found.stdout, found.stderr) == (0, "1 True\n", "")
