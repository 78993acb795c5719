"""tf.train.init_from_checkpoint: initializers that take their values from a file."""

import os
import tempfile
from contextlib import chdir
from pathlib import Path

from tests.conformance.outcomes import raises


def _saved(tf):
    """A checkpoint with old/a, old/b, c and the global step, all different."""
    with tf.Graph().as_default(), tf.Session() as sess:
        with tf.variable_scope("old"):
            tf.get_variable("a", initializer=[1.0, 2.0])
            tf.get_variable("b", initializer=3.0)
        tf.get_variable("c", initializer=[[4, 5]])
        tf.train.create_global_step().assign(6)
        sess.run(tf.global_variables_initializer())
        return tf.train.Saver().save(sess, "./model", global_step=6)


def _zeros(tf, name, shape=(), dtype=None):
    return tf.get_variable(name, shape, dtype or tf.float32, tf.zeros_initializer())


def _values(tf):
    with tf.Session() as sess:
        try:
            sess.run(tf.global_variables_initializer())
            return [[v.name, sess.run(v)] for v in tf.global_variables()]
        except tf.errors.OpError as error:
            return type(error).__name__


def _each(tf, maps, make):
    """What the variables hold for each assignment map, or what is raised."""
    found = []
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        path = _saved(tf)
        for each in maps:
            tf.reset_default_graph()
            make()
            outcome = raises(lambda each=each: tf.train.init_from_checkpoint(path, each))
            found.append([outcome, _values(tf)])
    return found


def ways_to_say_which(tf, np):
    """By name, by scope, and from the root."""

    def make():
        with tf.variable_scope("new"):
            _zeros(tf, "a", [2])
            _zeros(tf, "b")

    maps = [
        {"old/a": "new/a"},
        {"old/": "new/"},
        {"old/a": "new/a", "old/b": "new/b"},
        [("old/b", "new/b"), ("old/a", "new/a")],
        {},
    ]
    return _each(tf, maps, make)


def the_root(tf, np):
    """'/' is all names."""

    def make():
        with tf.variable_scope("old"):
            _zeros(tf, "a", [2])
        _zeros(tf, "c", [1, 2], tf.int32)

    return _each(tf, [{"/": "/"}, {"old/": "old/"}, {"/": "old/"}], make)


def a_scope_of_the_file_into_the_root(tf, np):
    """And the reverse."""

    def plain():
        _zeros(tf, "a", [2])
        _zeros(tf, "b")

    def inside():
        with tf.variable_scope("new"):
            _zeros(tf, "c", [1, 2], tf.int32)

    return [_each(tf, [{"old/": "/"}], plain), _each(tf, [{"/": "new/"}, {"c": "new/c"}], inside)]


def what_is_refused(tf, np):
    """Names that aren't there, other shapes, and a scope for a variable."""

    def make():
        with tf.variable_scope("new"):
            _zeros(tf, "a", [3])
            _zeros(tf, "z")

    maps = [
        {"old/a": "new/a"},
        {"old/a": "new/missing"},
        {"old/a": "missing"},
        {"old/": "new/"},
        {"old": "new"},
        {"nowhere/": "new/"},
    ]
    return _each(tf, maps, make)


def a_name_that_the_file_lacks(tf, np):
    """The message goes on with all names in the file."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        path, w = _saved(tf), _zeros(tf, "w")
        try:
            tf.train.init_from_checkpoint(path, {"missing": w})
        except ValueError as error:
            return str(error).split("{")[0]


def variables_themselves(tf, np):
    """Variable objects, also those of tf.Variable, and the same value for two."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        path = _saved(tf)
        a, b, c = tf.Variable([0.0, 0.0], name="x"), _zeros(tf, "y"), _zeros(tf, "z", [2])
        pairs = [("old/a", a), ("old/b", b), ("old/a", c)]
        return [tf.train.init_from_checkpoint(path, pairs), _values(tf)]


def which_file(tf, np):
    """A folder means its latest checkpoint; a path may be an object."""
    found = []
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        path = _saved(tf)
        for place in (".", Path("."), path):
            tf.reset_default_graph()
            _zeros(tf, "w", [2])
            tf.train.init_from_checkpoint(place, {"old/a": "w"})
            found.append(_values(tf))
        tf.reset_default_graph()
        _zeros(tf, "w")
        os.makedirs("empty")
        found += [raises(lambda p=p: tf.train.init_from_checkpoint(p, {"a": "w"})) for p in ("empty",)]
        return found


def when_it_is_read(tf, np):
    """The initializer reads the file when it runs: later changes count, and so does a lost file."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        path = _saved(tf)
        w = _zeros(tf, "w", [2])
        w1 = tf.Variable(w.initialized_value() + 1.0, name="w1")
        tf.train.init_from_checkpoint(path, {"old/a": "w"})
        later = tf.Variable(w.initialized_value() + 1.0, name="later")
        sess = tf.Session()
        sess.run(w1.initializer)
        sess.run([w.initializer, later.initializer])
        found = sess.run([w, w1, later])
        sess.run(w.assign([7.0, 8.0]))
        sess.run(w.initializer)
        found.append(sess.run(w))
        for name in os.listdir():
            os.remove(name)
        return [*found, raises(lambda: sess.run(w.initializer)).type]


def another_dtype(tf, np):
    """Values aren't converted."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        path = _saved(tf)
        w = _zeros(tf, "w", [2], tf.float64)
        tf.train.init_from_checkpoint(path, {"old/a": "w"})
        return raises(lambda: tf.Session().run(w.initializer))


def names(tf, np):
    """The ops that it adds."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        path = _saved(tf)
        a, b = _zeros(tf, "a", [2]), _zeros(tf, "b")
        before = set(tf.get_default_graph().get_operations())
        with tf.name_scope("load"):
            tf.train.init_from_checkpoint(path, {"old/b": b, "old/a": a})
        added = [op for op in tf.get_default_graph().get_operations() if op not in before]
        found = [[op.name, op.type] for op in added]
        return [*found, a.initial_value.name, a.initial_value.shape.as_list(), a.initializer.name.split(":")[0]]


def in_a_monitored_session(tf, np):
    """The usual place: before the session, whose scaffold initializes."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        path = _saved(tf)
        w = _zeros(tf, "w", [2])
        step = tf.train.create_global_step()
        train = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(w), step)
        tf.train.init_from_checkpoint(path, {"old/a": w})
        with tf.train.MonitoredSession() as sess:
            sess.run(train)
            return sess.run([w, step])
