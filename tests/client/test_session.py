"""What a read, an update and a fetch see; what a run returns belongs to the caller alone."""

import os
import subprocess
import sys
import threading
from collections import OrderedDict, namedtuple
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from tests.support import assert_same, examples, in_new_graph, initialized_session

ROOT = Path(__file__).resolve().parents[2]

# Reads and updates.


def test_a_variable_fetched_with_its_update_has_the_new_value_in_either_order():
    v = tf.Variable(1.0)
    update = tf.assign_add(v, 1.0)
    session = initialized_session()
    assert session.run([update.op, v]) == [None, 2.0]
    assert session.run([v, update.op]) == [3.0, None]


@examples(30)
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=6))
@in_new_graph
def test_several_updates_in_one_run_each_apply(amounts):
    v = tf.Variable(10)
    updates = [tf.assign_add(v, a) for a in amounts]
    session = initialized_session()
    total = 10 + sum(amounts)
    assert session.run([v, *updates]) == [total] * (len(amounts) + 1)


def test_ordered_assigns_fetched_with_the_variable_all_give_the_last_value():
    v = tf.Variable(0.0)
    first = tf.assign(v, 1.0)
    with tf.control_dependencies([first]):
        second = tf.assign(v, 2.0)
    assert initialized_session().run([first, second, v]) == [2.0, 2.0, 2.0]


def test_an_op_after_an_update_sees_the_new_value_and_one_before_it_the_old():
    v = tf.Variable(np.array([1.0, 2.0]))
    before = [v + 0.0, v.read_value() * 1.0, tf.reshape(v, [2, 1]), tf.add_n([v, np.zeros(2)])]
    with tf.control_dependencies([tf.assign_add(v, [10.0, 10.0])]):
        after = [v + 0.0, tf.identity(v), v.read_value() * 1.0, tf.reshape(v, [2, 1]), tf.add_n([v, np.zeros(2)])]
    session = initialized_session()
    old, new = session.run([before, after])
    for values, expected in ((old, [1.0, 2.0]), (new, [11.0, 12.0])):
        for value in values:
            assert_same(np.ravel(value), np.array(expected))


def test_the_shared_read_op_passes_the_current_value_on():
    v = tf.Variable(1.0)
    early = v.value() * 1.0
    with tf.control_dependencies([tf.assign(v, 5.0)]):
        late = v.value() * 2.0
    assert initialized_session().run([v.value(), early, late]) == [5.0, 1.0, 10.0]


def test_a_value_computed_from_a_variable_before_an_update_stays():
    v = tf.Variable(np.array([1.0, 2.0]))
    with tf.control_dependencies(None):
        outside = v * 1.0
    with tf.control_dependencies([tf.assign_add(v, [1.0, 1.0])]):
        inside = outside + 0.0
    assert_same(initialized_session().run(inside), np.array([1.0, 2.0]))


@pytest.mark.parametrize("view", [tf.transpose, lambda t: tf.reshape(t, [2, 1]), lambda t: t[:2]])
def test_a_view_made_before_an_update_and_used_after_it_stays(view):
    v = tf.Variable(np.array([1.0, 2.0]))
    seen = view(v)
    with tf.control_dependencies([tf.assign_add(v, [1.0, 1.0])]):
        used = seen * 1.0
    value, used_value = initialized_session().run([seen, used])
    assert_same(np.ravel(value), np.array([1.0, 2.0]))
    assert_same(np.ravel(used_value), np.array([1.0, 2.0]))


def test_an_update_sees_the_updates_made_before_it():
    v, w = tf.Variable(1.0), tf.Variable(0.0)
    first = tf.assign_add(v, 1.0)
    second = tf.assign(w, v)
    third = tf.assign_add(v, w)
    session = initialized_session()
    session.run([third.op, first.op, second.op])
    assert session.run([v, w]) == [4.0, 2.0]


def test_the_rate_fetched_with_the_training_op_is_the_one_that_the_step_used():
    v, step = tf.Variable(0.0), tf.train.create_global_step()
    rate = tf.train.exponential_decay(1.0, step, 1, 0.5)
    train = tf.train.GradientDescentOptimizer(rate).minimize(v * 1.0, global_step=step)
    session = initialized_session()
    assert [session.run([train, rate])[1] for _ in range(3)] == [1.0, 0.5, 0.25]
    assert session.run(v) == -1.75


def test_a_fed_variable_is_read_as_fed_and_keeps_its_value():
    v = tf.Variable(1.0)
    session = initialized_session()
    assert session.run([v * 2.0, v], {v: 5.0}) == [10.0, 5.0]
    assert session.run([v.value() * 2.0, v], {v.value(): 5.0}) == [10.0, 1.0]
    assert session.run(v) == 1.0


def test_a_fed_update_still_runs_where_it_is_waited_for():
    v = tf.Variable(1.0)
    update = tf.assign_add(v, 1.0)
    with tf.control_dependencies([update]):
        after = tf.constant(2.0) * 3.0
    session = initialized_session()
    session.run(after, {update: 7.0})
    assert session.run(v) == 2.0
    session.run(update.op, {update: 7.0})
    assert session.run(v) == 3.0
    assert session.run(update, {update: 7.0}) == 7.0
    assert session.run(v) == 3.0


def test_assign_compares_with_the_shape_that_the_variable_has_now():
    v = tf.Variable(np.ones(3))
    grow = tf.assign(v, np.ones((2, 3)), validate_shape=False)
    back = tf.assign(v, np.ones(3))
    session = initialized_session()
    session.run(grow)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Assign requires shapes of both"):
        session.run(back)
    assert session.run(v).shape == (2, 3)


def test_two_sessions_have_values_of_their_own():
    v = tf.Variable(1.0)
    one, two = initialized_session(), initialized_session()
    one.run(tf.assign(v, 7.0))
    assert (one.run(v), two.run(v)) == (7.0, 1.0)
    with pytest.raises(tf.errors.FailedPreconditionError):
        tf.Session().run(v)


# Memory.

X = np.arange(6, dtype=np.float64).reshape(2, 3)


def everything():
    """A variable, a placeholder, and all sorts of things that a run may return of them."""
    v = tf.Variable(X)
    p = tf.placeholder(tf.float64, [None, 3], name="p")
    c = tf.constant(X)
    y = p * 2.0
    found = []
    for t in (v, p, c, y):
        found += [t, t, tf.identity(t), tf.reshape(t, [3, 2]), tf.reshape(t, [-1]), tf.add_n([t])]
        found += [tf.broadcast_to(t, [2, 3]), tf.broadcast_to(t, [4, 2, 3]), t * 1.0, t + 0.0]
        found += [tf.reduce_sum(t, axis=[]), tf.cast(t, tf.float64), tf.stop_gradient(t)]
        found += tf.gradients(t, t) + tf.gradients(tf.reduce_sum(t), t) + tf.tuple([t])
    found += [v.value(), v.initial_value, v.read_value()]
    return v, p, found


def memory_of(session):
    constants = [op.attrs["value"] for op in session.graph.get_operations() if op.type == "Const"]
    return [*session.state.values(), *constants]


def check_ownership(session, fetches, feeds):
    values = [v for v in session.run(fetches, feeds) if isinstance(v, np.ndarray)]
    for i, value in enumerate(values):
        for other in [*values[:i], *memory_of(session), *feeds.values()]:
            assert not np.shares_memory(value, other)
        assert value.flags.writeable


def test_nothing_that_is_returned_shares_memory_with_anything():
    _, p, found = everything()
    check_ownership(initialized_session(), found, {p: X.copy()})


@examples(60)
@given(st.data())
@in_new_graph
def test_no_few_things_that_are_returned_share_memory_with_anything(data):
    v, p, found = everything()
    updates = [tf.assign(v, p), tf.assign(v, found[-2]), tf.assign_add(v, X), tf.assign(v, v)]
    updates += [
        tf.assign(v, t)
        for t in data.draw(st.lists(st.sampled_from(found), max_size=2))
        if t.shape.is_compatible_with([2, 3])
    ]
    some = st.lists(st.sampled_from(found + updates), min_size=1, max_size=4)
    check_ownership(initialized_session(), data.draw(some), {p: X.copy()})


def test_a_single_fetch_belongs_to_the_caller_too():
    _, p, found = everything()
    session = initialized_session()
    for fetch in found:
        fed = X.copy()
        value = session.run(fetch, {p: fed})
        assert not any(np.shares_memory(value, other) for other in [*memory_of(session), fed])


def test_writing_into_what_was_returned_changes_no_later_run():
    _, p, found = everything()
    session = initialized_session()
    first = session.run(found, {p: X.copy()})
    kept = [np.array(value) for value in first]
    for value in first:
        value[...] = 99
    for value, before in zip(session.run(found, {p: X.copy()}), kept, strict=True):
        assert_same(value, before)


@pytest.mark.parametrize(
    "through",
    [
        lambda p: p,
        tf.identity,
        lambda p: tf.reshape(p, [2, 3]),
        lambda p: tf.add_n([p]),
        lambda p: p * 1.0,
        lambda p: tf.broadcast_to(p, [2, 3]),
    ],
)
def test_an_array_fed_to_an_assignment_may_change_afterwards(through):
    v, p = tf.Variable(X), tf.placeholder(tf.float64, [2, 3])
    update = tf.assign(v, through(p))
    session = initialized_session()
    fed = X + 1
    session.run(update, {p: fed})
    fed[...] = 99
    assert_same(session.run(v), X + 1)


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
    assert_same(session.run([w, c])[0], X)
    assert_same(session.run(c), X)


def test_feeds_are_never_changed():
    v, p = tf.Variable(X), tf.placeholder(tf.float64, [2, 3])
    update = tf.assign(v, p)
    with tf.control_dependencies([update]):
        more = tf.assign_add(v, p)
    fed = X.copy()
    fed.flags.writeable = False
    session = initialized_session()
    assert_same(session.run(more, {p: fed}), 2 * X)
    assert_same(fed, X)


def test_load_copies_what_it_is_given():
    v = tf.Variable(X)
    session = initialized_session()
    given_array = X + 1
    v.load(given_array, session)
    given_array[...] = 99
    assert_same(session.run(v), X + 1)
    assert len(session.graph.get_operations()) == len(v.graph.get_operations())


# Forms of fetches.

Pair = namedtuple("Pair", "a b")


@pytest.mark.parametrize(
    "make",
    [
        lambda a, b: [a, b],
        lambda a, b: (a, [b, a]),
        lambda a, b: {"x": a, "y": (b,)},
        lambda a, b: Pair(a, [b]),
        lambda a, b: OrderedDict([("z", a), ("a", {"q": b})]),
        lambda a, b: [],
        lambda a, b: {"n": [], "a": a},
    ],
)
def test_values_come_back_in_the_form_of_the_fetches(make):
    fetches = make(tf.constant(1.0), tf.constant(2.0))
    expected = make(np.float32(1), np.float32(2))
    found = tf.Session().run(fetches)
    assert found == expected
    assert type(found) is type(expected)


def test_an_op_gives_none_and_a_name_what_it_names():
    v = tf.Variable(3.0, name="v")
    session = initialized_session()
    assert session.run([v.initializer, "v:0", "v/read:0", v, "v/Assign"]) == [None, 3, 3, 3, None]


def test_the_same_tensor_may_be_fetched_many_times():
    x = tf.constant([1.0, 2.0])
    for value in tf.Session().run([x, x, {"again": x}["again"]]):
        assert_same(value, np.array([1, 2], np.float32))


def test_a_scalar_comes_back_as_a_numpy_scalar():
    p = tf.placeholder(tf.float32)
    for fetch in (p * 1.0, tf.identity(p), tf.constant(2.0), tf.reduce_sum(p), tf.Variable(1.0)):
        value = initialized_session().run(fetch, {p: np.array(2.0, np.float32)})
        assert isinstance(value, np.float32)


# Threads.


def slowly_incremented(v):
    """Read the variable, call many functions, assign: without a lock, other runs come in between."""
    value = v + 1
    for _ in range(10):
        value = tf.reduce_sum(value, axis=[])
    return tf.assign(v, value)


@pytest.fixture
def frequent_switches():
    """Let threads take turns as often as possible."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("frequent_switches")
@pytest.mark.parametrize("increment", [lambda v: tf.assign_add(v, 1), slowly_incremented])
def test_no_update_of_many_threads_is_lost(increment):
    v = tf.Variable(0)
    update = increment(v)
    session = initialized_session()
    seen = [[] for _ in range(8)]

    def work(mine):
        for _ in range(500):
            mine.append(int(session.run(update)))

    threads = [threading.Thread(target=work, args=(mine,)) for mine in seen]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert session.run(v) == 4000
    assert sorted(value for mine in seen for value in mine) == list(range(1, 4001))


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


@pytest.mark.usefixtures("frequent_switches")
def test_no_run_sees_a_part_of_another():
    v, w = tf.Variable(np.zeros(100)), tf.Variable(0)
    with tf.control_dependencies([tf.assign_add(v, np.ones(100))]):
        both = slowly_incremented(w)
    session = initialized_session()
    writer = threading.Thread(target=lambda: [session.run(both.op) for _ in range(300)])
    writer.start()
    try:
        while writer.is_alive():
            array, number = session.run([v, w])
            assert set(array.tolist()) == {float(number)}
    finally:
        writer.join()


# Sessions as context, defaults, callables.


def test_inside_with_the_session_and_its_graph_are_the_defaults():
    graph = tf.Graph()
    with tf.Session(graph=graph) as session:
        assert tf.get_default_session() is session
        assert tf.get_default_graph() is graph
        assert tf.constant(2.0).eval() == 2.0
    assert tf.get_default_session() is None


def test_as_default_does_not_close_the_session():
    session = tf.Session()
    c = tf.constant(1.0)
    with session.as_default():
        assert c.eval() == 1.0
    assert session.run(c) == 1.0


def test_eval_without_a_session_says_what_is_missing():
    with pytest.raises(ValueError, match="No default session is registered"):
        tf.constant(1.0).eval()
    with pytest.raises(ValueError, match="No default session is registered"):
        tf.no_op().run()


def test_an_interactive_session_is_the_default_until_it_is_closed():
    c = tf.constant(3.0)
    session = tf.InteractiveSession()
    try:
        assert c.eval() == 3.0
    finally:
        session.close()
    assert tf.get_default_session() is None


def test_make_callable_runs_the_fetches_with_the_values_it_is_given():
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    divide = tf.Session().make_callable(x / y, [x, y])
    assert divide(6.0, 3.0) == 2.0
    with pytest.raises(tf.errors.InvalidArgumentError):
        divide(6.0)


def test_more_plans_than_are_kept_still_give_right_answers():
    c = [tf.constant(i) for i in range(150)]
    session = tf.Session()
    for _ in range(2):
        assert [session.run(t) for t in c] == list(range(150))


@pytest.mark.usefixtures("frequent_switches")
def test_a_fetched_array_holds_one_moment():
    v = tf.Variable(np.zeros(200_000))
    more = tf.assign_add(v, np.ones(200_000)).op
    session = initialized_session()
    done = threading.Event()

    def work():
        while not done.is_set():
            session.run(more)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(200):
            value = session.run(v)
            assert value.min() == value.max()
    finally:
        done.set()
        thread.join()


@pytest.mark.usefixtures("frequent_switches")
def test_threads_may_run_more_programs_than_are_kept(monkeypatch):
    monkeypatch.setattr("minitf.client.session.PLANS_KEPT", 2)
    v = tf.Variable(1.0)
    products = [v * float(i) for i in range(4)]
    session = initialized_session()
    wrong = []

    def work():
        try:
            for _ in range(40):
                for i, product in enumerate(products):
                    if session.run(product) != i:
                        wrong.append(i)
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
