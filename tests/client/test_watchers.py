"""A watcher sees every run of every session: what was fetched and fed, and the values before and after."""

import pytest

import minitf as tf
from minitf.client.watchers import Watcher, watchers, watching


class Notes(Watcher):
    """Notes what each run fetches and is fed, and what `w` holds."""

    def __init__(self):
        self.before, self.after = [], []

    def before_run(self, run):
        self.before.append(run.state.get("w"))

    def after_run(self, run):
        self.after.append((run.fetches, [t.name for t in run.fetched], run.fed, run.state["w"]))


@pytest.fixture
def add():
    """Return an op that adds what is fed to `w`, and the placeholder."""
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        yield tf.assign_add(tf.Variable(1.0, name="w"), x, name="add"), x


def test_a_watcher_sees_the_runs_of_all_sessions_as_long_as_it_watches(add):
    op, x = add
    with watching(notes := Notes()):
        for start in (1, 5):
            with tf.Session(graph=op.graph) as sess:
                sess.run(op.graph.get_operation_by_name("w/Assign"))
                sess.run({"it": op}, {x: start})
    assert watchers == []
    assert notes.before == [None, 1, None, 1]
    assert notes.after[1::2] == [({"it": op}, ["add:0"], [n], 1 + n) for n in (1, 5)]


def test_a_run_that_fails_begins_and_does_not_end(add):
    op, x = add
    sess = tf.Session(graph=op.graph)
    with watching(notes := Notes()), pytest.raises(tf.errors.FailedPreconditionError):
        sess.run(op, {x: 1})
    assert (notes.before, notes.after) == ([None], [])


def test_what_a_watcher_raises_ends_the_run_and_stays_as_it_is(add):
    class Refuses(Watcher):
        def before_run(self, run):
            raise KeyError("no")

    op, x = add
    sess = tf.Session(graph=op.graph)
    with watching(notes := Notes()), watching(Refuses()), pytest.raises(KeyError, match="no"):
        sess.run(op, {x: 1})
    assert "w" not in sess.state and len(notes.before) == 1


def test_who_comes_during_a_run_sees_the_next_one(add):
    class Brings(Watcher):
        def before_run(self, run):
            watchers.append(notes)

    notes = Notes()
    op, x = add
    with tf.Session(graph=op.graph) as sess:
        sess.run(op.graph.get_operation_by_name("w/Assign"))
        with watching(Brings()):
            sess.run(op, {x: 1})
        sess.run(op, {x: 1})
        watchers.remove(notes)
    assert (notes.before, len(notes.after)) == ([2], 1)
