"""tf.train.Supervisor in one process: what it finds, starts, writes and stops."""

import os
import tempfile
import time

from tests.conformance.outcomes import raises
from tests.conformance.watching import attempt, logged

QUIET = {"save_model_secs": 0, "save_summaries_secs": 0}


def _model(tf, step=True):
    w = tf.get_variable("w", [], initializer=tf.ones_initializer())
    step = tf.train.get_or_create_global_step() if step else None
    return tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(w), step)


def _wait(ready):
    end = time.monotonic() + 10
    while not ready() and time.monotonic() < end:
        time.sleep(0.01)


def _events(tf, folder):
    """What the event files say, oldest first: the kind, the step, and tags or statuses."""
    found = []
    for name in sorted(os.listdir(folder)):
        for event in tf.train.summary_iterator(f"{folder}/{name}") if "tfevents" in name else ():
            kind = event.WhichOneof("what")
            tags = [value.tag for value in event.summary.value]
            found.append([kind, event.step, tags, event.session_log.status])
    return found


def what_it_adds(tf, np):
    """Its ops and collections, and what it keeps of them."""
    _model(tf)
    tf.summary.scalar("loss", 1.0)
    before = set(tf.get_default_graph().get_operations())
    sv = tf.train.Supervisor()
    graph = tf.get_default_graph()
    added = [op.name for op in graph.get_operations() if op not in before]
    own = ("init", "init_1", "group_deps", "report_uninitialized_variables", "Merge/MergeSummary")
    keys = ("ready_op", "ready_for_local_init_op", "init_op", "local_init_op", "summary_op", "global_step")
    held = [[item.name for item in tf.get_collection(key)] for key in keys]
    kept = [sv.ready_op, sv.ready_for_local_init_op, sv.init_op, sv.summary_op, sv.global_step]
    held += [getattr(item, "name", None) for item in kept]
    savers = [saver is sv.saver for saver in tf.get_collection("savers")]
    rest = [sv.is_chief, sv.save_path, sv.summary_writer, sv.save_model_secs, sv.save_summaries_secs]
    return [[name in added for name in own], held, savers, rest, graph.finalized, raises(lambda: tf.constant(1))]


def what_it_finds(tf, np):
    """The first item of each collection, even if there are several."""
    step = tf.Variable(0, trainable=False, name="mine")
    ops = {}
    for key in ("ready_op", "ready_for_local_init_op", "init_op", "summary_op"):
        ops[key] = tf.constant([], tf.string) if key.startswith("ready") else tf.no_op(f"my_{key}")
        tf.add_to_collection(key, ops[key])
        tf.add_to_collection(key, tf.no_op())
    tf.add_to_collection("global_step", step)
    sv = tf.train.Supervisor()
    return [*(getattr(sv, key) is op for key, op in ops.items()), sv.global_step is step]


def the_step_that_it_finds(tf, np):
    """By the collection, by its name if it counts in integers, or none."""
    found = []
    for make in (
        lambda: tf.train.create_global_step(),
        lambda: tf.Variable(0, name="global_step"),
        lambda: tf.Variable(0.0, name="global_step"),
        lambda: tf.Variable(0, name="step"),
    ):
        tf.reset_default_graph()
        made = make()
        sv = tf.train.Supervisor()
        held = tf.get_collection("global_step")
        found.append([sv.global_step is made, getattr(sv.global_step, "name", None), len(held)])
    tf.reset_default_graph()
    made = tf.train.create_global_step()
    return [*found, tf.train.Supervisor(global_step=None).global_step]


def a_managed_session(tf, np):
    """It saves at the start and writes its graph; the end saves nothing more."""
    train, found = _model(tf), []
    with tempfile.TemporaryDirectory() as folder:
        logs = f"{folder}/new"
        sv = tf.train.Supervisor(logdir=logs)
        with sv.managed_session() as sess:
            _wait(lambda: tf.train.latest_checkpoint(logs) and os.path.exists(f"{logs}/model.ckpt-0.meta"))
            found.append([sv.should_stop(), tf.get_default_session() is sess])
            for _ in range(3):
                sess.run(train)
            found.append(tf.train.global_step(sess, sv.global_step))
        found += [sv.should_stop(), attempt(lambda: sess.run(train))]
        names = sorted(name for name in os.listdir(logs) if "tfevents" not in name)
        events = [event for event in _events(tf, logs) if event[0] != "file_version"]
        return [*found, names, sorted(events, key=str), os.path.basename(sv.save_path)]


def a_session_that_goes_on(tf, np):
    """The next one restores the last checkpoint, and neither initializes nor calls init_fn."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            with tf.Graph().as_default():
                train, calls = _model(tf), []
                sv = tf.train.Supervisor(logdir=folder, init_fn=calls.append, checkpoint_basename="mine", **QUIET)
                with sv.managed_session() as sess:
                    before = sess.run([sv.global_step, "w:0"])
                    for _ in range(3):
                        sess.run(train)
                    sv.saver.save(sess, sv.save_path, global_step=sv.global_step)
                found.append([before, len(calls), os.path.basename(tf.train.latest_checkpoint(folder))])
        return found


def the_threads(tf, np):
    """Summaries with their step, the rate of the steps, and checkpoints."""
    train = _model(tf)
    tf.summary.scalar("loss", 1.0)
    with tempfile.TemporaryDirectory() as folder:
        sv = tf.train.Supervisor(logdir=folder, save_summaries_secs=0.05, save_model_secs=0.05)
        sess = sv.prepare_or_wait_for_session(start_standard_services=False)
        for _ in range(3):
            sess.run(train)
        threads = sv.start_standard_services(sess)
        time.sleep(0.3)
        sv.stop()
        events = _events(tf, folder)
        once = sorted({(str(kind), step, str(tags), status) for kind, step, tags, status in events})
        alive = [thread.is_alive() for thread in threads]
        return [alive, [list(event) for event in once], len(events) > 9, sorted(os.listdir(folder))[0]]


def the_threads_without_a_step(tf, np):
    """Summaries and checkpoints have no number then, and nobody counts steps."""
    _model(tf, step=False)
    tf.summary.scalar("loss", 1.0)
    with tempfile.TemporaryDirectory() as folder:
        sv = tf.train.Supervisor(logdir=folder)
        with sv.managed_session():
            time.sleep(0.3)
        events = sorted(event for event in _events(tf, folder) if event[0] != "file_version")
        return [sv.global_step, events, os.path.basename(tf.train.latest_checkpoint(folder))]


def services_left_out(tf, np):
    """Without seconds, a saver, summaries, a writer or a folder, the threads are fewer."""
    found = []
    for options in (
        {},
        {"save_model_secs": 0},
        {"save_summaries_secs": 0},
        {"summary_op": None},
        {"saver": None},
        {"global_step": None},
        {"summary_writer": None},
        {"logdir": None},
    ):
        with tf.Graph().as_default(), tempfile.TemporaryDirectory() as folder, logged(tf) as lines:
            _model(tf)
            tf.summary.scalar("loss", 1.0)
            sv = tf.train.Supervisor(**{"logdir": folder} | options)
            sess = sv.prepare_or_wait_for_session(start_standard_services=False)
            threads = sv.start_standard_services(sess)
            sv.stop()
            warned = [line for line in lines if line.startswith("WARN")]
            found.append([None if threads is None else len(threads), os.path.exists(f"{folder}/graph.pbtxt"), warned])
    return found


def pieces_that_are_given(tf, np):
    """Ops and functions that initialize, and what they are fed."""
    x = tf.placeholder(tf.float32, [], "x")
    v = tf.Variable(x, name="v")
    local = tf.Variable(1.0, collections=["local_variables"], name="local")
    calls = []
    sv = tf.train.Supervisor(
        init_op=v.initializer,
        init_feed_dict={x: 5.0},
        init_fn=lambda sess: calls.append(float(sess.run(v))),
        local_init_op=local.assign(7.0).op,
        global_step=None,
    )
    with sv.managed_session() as sess:
        return [sess.run([v, local]), calls, sv.init_feed_dict is not None]


def pieces_left_out(tf, np):
    """None stands for no piece: nothing is checked, initialized or restored."""
    found, none = [], {"init_op": None, "ready_op": None, "saver": None, "summary_op": None}

    def work(options):
        v = tf.Variable(1.0, name="v")
        if "init_fn" in options:
            options = {"init_fn": lambda sess: v.load(3.0, sess)}
        with tf.train.Supervisor(**none | options).managed_session() as sess:
            return float(sess.run(v))

    for options in ({}, {"init_fn": True}, {"init_fn": True, "local_init_op": None}, {"init_op": 0}):
        with tf.Graph().as_default():
            found.append(raises(lambda options=options: found.append(work(options))))
    return found


def a_model_that_is_not_ready(tf, np):
    """An init_op that leaves variables out is found before the first run."""
    tf.Variable(1.0, name="a")
    b = tf.Variable(2.0, name="b")
    sv = tf.train.Supervisor(init_op=b.initializer)
    return raises(lambda: sv.prepare_or_wait_for_session())


def errors_inside(tf, np):
    """The end of the data ends the `with` quietly; other errors leave it."""
    found = []
    for error in (tf.errors.OutOfRangeError(None, None, "end"), ValueError("mine"), None):
        with tf.Graph().as_default():
            tf.Variable(1.0, name="v")
            sv = tf.train.Supervisor()

            def work(sv=sv, error=error):
                with sv.managed_session():
                    if error:
                        raise error
                    sv.request_stop()
                    return sv.should_stop()

            found.append([attempt(work), sv.should_stop(), sv.coord.joined])
    return found


def errors_of_a_thread(tf, np):
    """They ask the loop to stop, and come out at the end of the `with`."""
    tf.Variable(1.0, name="v")
    sv, turns = tf.train.Supervisor(), []

    def fail():
        turns.append(1)
        raise ValueError("in a thread")

    def work():
        with sv.managed_session():
            sv.loop(0.01, fail)
            sv.wait_for_stop()

    return [attempt(work), len(turns)]


def a_loop(tf, np):
    """A function that is called every so many seconds until the stop."""
    tf.Variable(1.0, name="v")
    sv, found = tf.train.Supervisor(), []
    with sv.managed_session() as sess:
        thread = sv.loop(0.01, lambda *args, **kwargs: found.append([args, kwargs]), (1,), {"two": 2})
        _wait(lambda: len(found) > 2)
        queues = sv.start_queue_runners(sess)
        with sv.stop_on_exception():
            raise tf.errors.OutOfRangeError(None, None, "end")
        stopped = sv.should_stop()
    return [found[0], len(found) > 2, thread.is_alive(), queues, stopped]


def summaries_by_hand(tf, np):
    """They get the step of the session, or a given one."""
    train = _model(tf)
    text = tf.summary.scalar("loss", 1.0)
    with tempfile.TemporaryDirectory() as folder:
        sv = tf.train.Supervisor(logdir=folder, summary_op=None, save_model_secs=0)
        with sv.managed_session() as sess:
            sess.run(train)
            sv.summary_computed(sess, sess.run(text))
            sv.summary_computed(sess, sess.run(text), 7)
            sv.summary_writer.flush()
        found = [event[1:] for event in _events(tf, folder) if event[2] == ["loss"]]
    with tf.Graph().as_default():
        tf.Variable(1.0)
        sv = tf.train.Supervisor()
        with sv.managed_session() as sess:
            return [found, raises(lambda: sv.summary_computed(sess, b""))]


def a_second_session(tf, np):
    """The same supervisor starts again: nobody wants to stop, and the writer is open."""
    _model(tf)
    text, found = tf.summary.scalar("loss", 1.0), []
    with tempfile.TemporaryDirectory() as folder:
        sv = tf.train.Supervisor(logdir=folder, **QUIET)
        for _ in range(2):
            with sv.managed_session() as sess:
                found.append(sv.should_stop())
                sv.summary_computed(sess, sess.run(text), len(found))
        return [*found, [event[1] for event in _events(tf, folder) if event[2]][-1]]


def another_graph(tf, np):
    """The supervisor of a graph that isn't the default one."""
    with tf.Graph().as_default() as graph:
        train = _model(tf)
    sv = tf.train.Supervisor(graph)
    with sv.managed_session() as sess:
        sess.run(train)
        return [sess.graph is graph, graph.finalized, tf.get_default_graph().finalized, sess.run(sv.global_step)]


def no_chief(tf, np):
    """A worker starts no services and writes nothing."""
    sv = tf.train.Supervisor(is_chief=False, logdir="never made")
    found = [sv.is_chief, sv.summary_writer, sv.save_path, os.path.exists("never made")]
    with sv.managed_session() as sess:
        return [*found, raises(lambda: sv.start_standard_services(sess))]


def no_chief_and_no_values(tf, np):
    """A worker whose variables never get values gives up."""
    with tf.device("/cpu:0"):
        tf.Variable(1.0, name="v")
    sv = tf.train.Supervisor(is_chief=False, recovery_wait_secs=1)
    return raises(lambda: sv.prepare_or_wait_for_session(max_wait_secs=0))


def logged_lines(tf, np):
    """What it says while it works."""
    _model(tf)
    with tempfile.TemporaryDirectory() as folder, logged(tf) as lines:
        with tf.train.Supervisor(logdir=folder, **QUIET).managed_session():
            pass
        return [line.replace(folder, "folder") for line in lines]
