"""Fetches: what `Session.run` can be asked for, and how the answer is arranged."""

import collections

from tests.conformance.outcomes import raises

Point = collections.namedtuple("Point", ["x", "y"])


def one(tf, np):
    """A single tensor, variable or op."""
    a = tf.constant([1.0, 2.0])
    w = tf.Variable(3.0)
    with tf.Session() as sess:
        init = sess.run(tf.global_variables_initializer())
        return [sess.run(a), sess.run(w), init]


def lists_and_tuples(tf, np):
    """A list gives a list, a tuple a tuple, nested as they were."""
    a, b = tf.constant(1.0), tf.constant(2)
    with tf.Session() as sess:
        return [
            sess.run([a, b]),
            sess.run((a, b)),
            sess.run([a, [b, (a,)]]),
            sess.run([]),
            sess.run([[], ()]),
            sess.run([a]),
        ]


def dicts(tf, np):
    """A dict gives a dict of the same keys."""
    a, b = tf.constant(1.0), tf.constant(2.0)
    with tf.Session() as sess:
        got = sess.run({"loss": a, "more": {"sum": a + b, "both": [a, b]}})
        ordered = sess.run(collections.OrderedDict([("z", a), ("a", b)]))
        return [got, list(ordered), type(ordered).__name__, list(sess.run({"z": a, "a": b}))]


def namedtuples(tf, np):
    """A namedtuple gives a namedtuple."""
    a, b = tf.constant(1.0), tf.constant(2.0)
    with tf.Session() as sess:
        return [sess.run(Point(x=a, y=b)), sess.run({"p": Point(a, (b, b))})]


def names(tf, np):
    """A tensor's or op's name is as good as itself."""
    tf.constant([1.0, 2.0], name="a")
    w = tf.Variable(3.0, name="w")
    add = tf.assign_add(w, 1.0, name="add")
    with tf.Session() as sess:
        tf.global_variables_initializer()
        sess.run("init")
        return [sess.run("a:0"), sess.run(["a:0", "w:0"]), sess.run("add"), sess.run(w), add.name]


def ops_give_none(tf, np):
    """Operations are run and give None, wherever they stand."""
    op = tf.no_op()
    a = tf.constant(1.0)
    with tf.Session() as sess:
        return [sess.run(op), sess.run([op, a]), sess.run({"op": op, "a": a}), sess.run(a.op)]


def the_same_thing_twice(tf, np):
    """A fetch listed twice is answered twice, computed once."""
    w = tf.Variable(0.0)
    add = tf.assign_add(w, 1.0)
    a = tf.constant([1.0])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run([a, a, [a]]), sess.run([add, add]), sess.run(w)]


def arrays_of_tensors(tf, np):
    """A variable among tensors gives its value."""
    w = tf.Variable([1.0, 2.0])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run({"w": w, "doubled": w * 2, "read": w.value()})


def unpacking(tf, np):
    """The usual line: `_, value = sess.run([train_op, loss])`."""
    w = tf.Variable(1.0)
    loss = tf.exp(w)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        nothing, value = sess.run([train_op, loss])
        return [nothing, value]


def only_what_is_needed_runs(tf, np):
    """A placeholder that no fetch needs need not be fed."""
    x = tf.placeholder(tf.float32, name="x")
    a = tf.constant(1.0)
    unused = x + a
    with tf.Session() as sess:
        return [sess.run(a * 2), raises(lambda: sess.run([a, unused]))]


def none_is_no_fetch(tf, np):
    """None is refused, nested too."""
    a = tf.constant(1.0)
    with tf.Session() as sess:
        return [
            raises(lambda: sess.run(None)),
            raises(lambda: sess.run([a, None])),
            raises(lambda: sess.run({"a": None})),
            raises(lambda: sess.run((a, [None]))),
            sess.run(a),
        ]


def wrong_types(tf, np):
    """Numbers, arrays and functions are refused; the session works on."""
    a = tf.constant(1.0)
    with tf.Session() as sess:
        return {
            "int": raises(lambda: sess.run(3)),
            "float": raises(lambda: sess.run([a, 1.5])),
            "array": raises(lambda: sess.run(np.zeros(1))),
            "set": raises(lambda: sess.run({1})),
            "bool": raises(lambda: sess.run(True)),
            "after": sess.run(a),
        }


def a_python_value_bound_to_a_tensors_name(tf, np):
    """The classic slip, `loss = sess.run(loss)` in a loop: the second round fetches a number."""
    loss = tf.constant(0.5, name="loss")
    with tf.Session() as sess:
        loss = sess.run(loss)
        return [loss, raises(lambda: sess.run(loss)), raises(lambda: sess.run([loss]))]


def unknown_names(tf, np):
    """A string must be the name of a tensor or an op."""
    tf.constant(1.0, name="a")
    with tf.Session() as sess:
        return {
            "unknown tensor": raises(lambda: sess.run("b:0")),
            "unknown op": raises(lambda: sess.run("b")),
            "no such output": raises(lambda: sess.run("a:1")),
            "empty": raises(lambda: sess.run("")),
            "nested": raises(lambda: sess.run(["a:0", "b:0"])),
            "after": sess.run("a:0"),
        }


def other_graphs_things(tf, np):
    """A tensor, op or variable of another graph is refused by name."""
    with tf.Graph().as_default():
        foreign = tf.constant(1.0, name="foreign")
        variable = tf.Variable(1.0, name="w")
    a = tf.constant(2.0)
    with tf.Session() as sess:
        return [
            raises(lambda: sess.run(foreign)),
            raises(lambda: sess.run(foreign.op)).type,
            raises(lambda: sess.run(variable)),
            raises(lambda: sess.run([a, foreign])),
            sess.run(a),
        ]


def an_empty_graph(tf, np):
    """A session of a graph without ops says so."""
    with tf.Graph().as_default():
        foreign = tf.constant(1.0, name="foreign")
    with tf.Session() as sess:
        return [raises(lambda: sess.run(foreign)), raises(lambda: sess.run("a:0"))]


def a_dict_that_grows(tf, np):
    """A dict of fetches may be changed and used again; another one is answered for itself."""
    a, b = tf.constant(1.0), tf.constant(2.0)
    with tf.Session() as sess:
        fetches = {"b": b}
        found = [sess.run(fetches)]
        fetches["a"] = a
        return [*found, list(sess.run(fetches)), sess.run({"b": b}), list(sess.run({"a": a, "b": b}))]
