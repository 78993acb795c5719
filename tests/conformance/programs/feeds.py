"""Feeds: values given for one run."""

from tests.conformance.outcomes import raises


def placeholders(tf, np):
    """Numbers, lists, tuples and arrays are taken, and converted to the placeholder's dtype."""
    x = tf.placeholder(tf.float32, name="x")
    y = x * 2.0
    values = [1, 1.5, [1, 2], (3, 4), np.ones(2), np.arange(3), np.float64(0.1), True, [[1], [2]]]
    with tf.Session() as sess:
        return [sess.run(y, {x: value}) for value in values]


def the_fed_placeholder_itself(tf, np):
    """Fetching what was fed gives it back in the placeholder's dtype; a number as a 0-d array."""
    f = tf.placeholder(tf.float32)
    i = tf.placeholder(tf.int32)
    b = tf.placeholder(tf.bool)
    with tf.Session() as sess:
        return [
            sess.run(f, {f: np.array([1, 2])}),
            sess.run(i, {i: np.array([1, 2], np.int64)}),
            sess.run(f, {f: np.float64(0.1)}),
            sess.run(b, {b: True}),
            sess.run(b, {b: [True, False]}),
            sess.run([f, i], {f: 1, i: 2}),
        ]


def floats_into_ints_are_cut(tf, np):
    """1.5 fed to an int placeholder is 1."""
    i = tf.placeholder(tf.int32, name="i")
    with tf.Session() as sess:
        return [sess.run(i + 0, {i: 1.5}), sess.run(i + 0, {i: [1.9, -1.9]}), sess.run(i + 0, {i: np.array([2.7])})]


def ints_that_are_too_large(tf, np):
    """A Python int that the dtype cannot hold is refused."""
    i = tf.placeholder(tf.int32, [], name="i")
    with tf.Session() as sess:
        return raises(lambda: sess.run(i + 0, {i: 2**40}))


def keywords_and_positions(tf, np):
    """`feed_dict` may be the second argument."""
    x = tf.placeholder(tf.float32)
    y = x * 2.0
    with tf.Session() as sess:
        return [sess.run(y, {x: 1}), sess.run(y, feed_dict={x: 2}), sess.run(fetches=y, feed_dict={x: 3})]


def keys_by_name(tf, np):
    """A tensor's name serves as key."""
    x = tf.placeholder(tf.float32, name="x")
    with tf.Session() as sess:
        return [sess.run(x * 2, {"x:0": 1}), raises(lambda: sess.run(x, {"x": 1}))]


def constants(tf, np):
    """A constant can be overridden for one run."""
    c = tf.constant(1.0, name="c")
    y = c * 10.0
    with tf.Session() as sess:
        return [sess.run(y), sess.run(y, {c: 2.0}), sess.run(y)]


def intermediate_tensors(tf, np):
    """A tensor in the middle can be fed: what leads to it does not run."""
    x = tf.placeholder(tf.float32, [], name="x")
    h = x * 2.0
    y = h + 1.0
    with tf.Session() as sess:
        return [sess.run(y, {x: 1.0}), sess.run(y, {h: 10.0}), sess.run(y, {h: 5.0, x: 1.0})]


def variables_reads(tf, np):
    """A variable's read tensor can be fed: the variable is not touched."""
    w = tf.Variable(1.0, name="w")
    y = w * 10.0
    with tf.Session() as sess:
        fed_before = sess.run(y, {w.value(): 7.0})
        sess.run(tf.global_variables_initializer())
        return [fed_before, sess.run(y, {w.value(): 2.0}), sess.run(y, {"w/read:0": 3.0}), sess.run(w)]


def variables_themselves(tf, np):
    """A variable as key feeds the variable for one run."""
    w = tf.Variable(1.0, name="w")
    y = w * 10.0
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(y, {w: 2.0}), sess.run(w)]


def a_learning_rate(tf, np):
    """A computed rate can be overridden for one step."""
    w = tf.Variable(1.0)
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.1, step, 1, 0.5)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(w * 1.0, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op, {rate: 0.5})
        return sess.run([w, step, rate])


def missing(tf, np):
    """The message names the placeholder, its dtype and its shape."""
    made = [tf.placeholder(tf.float32, [2, 3], name="a"), tf.placeholder(tf.float32, [None, 1], name="b")]
    made += [tf.placeholder(tf.int32, name="c"), tf.placeholder(tf.float64, [], name="d")]
    made += [tf.placeholder(tf.int64, [None], name="e"), tf.placeholder(tf.bool, [1], name="f")]
    with tf.Session() as sess:
        return [raises(lambda tensor=tensor: sess.run(tf.identity(tensor))) for tensor in made]


def missing_in_training(tf, np):
    """Forgetting the feed of a train op; the next run with it works."""
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    w = tf.Variable(1.0)
    loss = tf.reduce_sum(w * x)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        forgotten = raises(lambda: sess.run(train_op))
        unchanged = sess.run(w)
        sess.run(train_op, {x: [[1.0]]})
        return [forgotten, unchanged, sess.run(w)]


def the_op_of_a_missing_feed(tf, np):
    """The error knows the op, and its code."""
    x = tf.placeholder(tf.float32, [], name="x")
    y = x * 2.0
    with tf.Session() as sess:
        error = raises(lambda: sess.run(y)).error
    return [error.op.name, error.error_code, type(error).__name__, isinstance(error, tf.errors.OpError)]


def wrong_shapes(tf, np):
    """The message shows both shapes."""
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.placeholder(tf.float32, [], name="y")
    z = tf.placeholder(tf.float32, [3], name="z")
    with tf.Session() as sess:
        return [
            raises(lambda: sess.run(x, {x: [1, 2, 3]})),
            raises(lambda: sess.run(x, {x: np.ones([2, 3])})),
            raises(lambda: sess.run(x, {x: 1.0})),
            raises(lambda: sess.run(y, {y: [1.0]})),
            raises(lambda: sess.run(z, {z: [1.0, 2.0]})),
            sess.run(x, {x: [[1, 2]]}),
        ]


def wrong_shape_of_a_constant(tf, np):
    """A constant's override must fit its shape."""
    c = tf.constant([1.0, 2.0], name="c")
    with tf.Session() as sess:
        return [raises(lambda: sess.run(c, {c: [1.0]})), sess.run(c, {c: [3.0, 4.0]})]


def wrong_values(tf, np):
    """Text, None, tensors and ragged lists are no numbers."""
    x = tf.placeholder(tf.float32, [None], name="x")
    a = tf.constant([1.0])
    with tf.Session() as sess:
        return {
            "text": raises(lambda: sess.run(x, {x: "abc"})),
            "list of text": raises(lambda: sess.run(x, {x: ["abc"]})),
            "None": raises(lambda: sess.run(x, {x: None})).type,
            "tensor": raises(lambda: sess.run(x, {x: a})),
            "ragged": raises(lambda: sess.run(x, {x: [[1.0], [1.0, 2.0]]})).type,
            "after": sess.run(x, {x: [1]}),
        }


def wrong_keys(tf, np):
    """Keys are tensors of this graph."""
    x = tf.placeholder(tf.float32, [], name="x")
    with tf.Graph().as_default():
        foreign = tf.placeholder(tf.float32, [], name="foreign")
    with tf.Session() as sess:
        return {
            "int": raises(lambda: sess.run(x, {1: 1.0})),
            "op": raises(lambda: sess.run(x, {x.op: 1.0})),
            "unknown name": raises(lambda: sess.run(x, {"y:0": 1.0})),
            "foreign": raises(lambda: sess.run(x, {foreign: 1.0})),
            "None": raises(lambda: sess.run(x, {None: 1.0})),
            "after": sess.run(x + 0.0, {x: 1.0}),
        }


def not_a_dict(tf, np):
    """`feed_dict` is a dict."""
    x = tf.placeholder(tf.float32, [], name="x")
    with tf.Session() as sess:
        return [raises(lambda: sess.run(x, [1.0])).type, raises(lambda: sess.run(x, 1.0)).type]


def is_feedable(tf, np):
    """A graph says what can be fed, and can forbid it."""
    graph = tf.get_default_graph()
    x = tf.placeholder(tf.float32, [], name="x")
    c = tf.constant(1.0, name="c")
    graph.prevent_feeding(c)
    with tf.Session() as sess:
        return [graph.is_feedable(x), graph.is_feedable(c), raises(lambda: sess.run(c, {c: 2.0}))]


def a_python_list_of_rows(tf, np):
    """A list of arrays is stacked."""
    x = tf.placeholder(tf.float32, [None, 2])
    rows = [np.array([1.0, 2.0]), np.array([3.0, 4.0])]
    with tf.Session() as sess:
        return sess.run(tf.reduce_sum(x, 0), {x: rows})


def feeding_an_unused_placeholder(tf, np):
    """A feed that nobody needs does no harm, but is checked."""
    x = tf.placeholder(tf.float32, [2], name="x")
    a = tf.constant(1.0)
    with tf.Session() as sess:
        return [sess.run(a, {x: [1, 2]}), raises(lambda: sess.run(a, {x: [1, 2, 3]}))]


def fed_texts(tf, np):
    """A text that is fed comes back as an object."""
    p = tf.placeholder(tf.string, name="p")
    with tf.Session() as sess:
        found = [sess.run(p, {p: b"one"}), sess.run(p, {p: [b"one", b"more"]}), sess.run(tf.identity(p), {p: "one"})]
        return [[str(value.dtype), value.shape] for value in found[:2]] + [[value == b"one" for value in found[::2]]]


def texts_fed_twice(tf, np):
    """Arrays of texts are encoded in each run."""
    x = tf.placeholder(tf.string, [2])
    with tf.Session() as sess:
        fed = [np.array(pair, dtype=object) for pair in ([b"a", b"b"], ["a", "b"], ["\u00e9", "b"])]
        return [sess.run(tf.identity(x), {x: texts}).tolist() for texts in fed]


def tuples_of_keys(tf, np):
    """A key may be a tuple of tensors or names, nested at will; its value has as many elements."""
    a, b = tf.placeholder(tf.float32, name="a"), tf.placeholder(tf.float32, name="b")
    y = a + 2.0 * b
    fed = [{(a, b): (1.0, 2.0)}, {(a, b): [1, 2]}, {(a, (b,)): (1.0, (2.0,))}, {(a, (b,)): (1.0, 2.0)}]
    fed += [{("a:0", "b:0"): (1.0, 2.0)}, {"a:0": 5.0, (b,): [np.ones(2)]}, {(): (), a: 1.0, b: 2.0}]
    with tf.Session() as sess:
        found = [sess.run(y, feeds) for feeds in fed]
        return [*found, sess.make_callable(y, [(a, b)])((1.0, 2.0))]


def tuples_of_keys_that_do_not_fit(tf, np):
    """As many values as keys, and no key twice."""
    a, b = tf.placeholder(tf.float32, name="a"), tf.placeholder(tf.float32, name="b")
    fed = [{(a, b): (1.0,)}, {(a, b): (1.0, 2.0, 3.0)}, {(a, b): 1.0}, {(a, b): np.array([1.0, 2.0])}, {(): 1.0}]
    fed += [{(a, a): (1.0, 1.0), b: 1.0}, {b: 5.0, (a, b): (1.0, 2.0)}, {(a, 3): (1.0, 2.0)}, {(a, b): (1.0, b)}]
    with tf.Session() as sess:
        return [raises(lambda feeds=feeds: sess.run(a + b, feeds)) for feeds in fed]


def what_can_be_fetched(tf, np):
    """A graph says what can be fetched, and can forbid it, also between two runs."""
    graph, inside = tf.get_default_graph(), []
    a, p = tf.constant(1.0, name="a"), tf.placeholder(tf.bool, [])
    b = a + 1.0
    tf.cond(p, lambda: inside.append(tf.identity(a)) or inside[0], lambda: a)
    before = [graph.is_fetchable(x) for x in (a, a.op, b, inside[0], inside[0].op)]
    with tf.Session() as sess:
        ran = [sess.run(a), sess.run(b, {b: 5.0}), sess.run([a, b], {b: 5.0})]
        graph.prevent_fetching(a.op)
        graph.prevent_feeding(b)
        after = [graph.is_fetchable(a), graph.is_fetchable(a.op), graph.is_fetchable(b), graph.is_feedable(b)]
        refused = [raises(lambda x=x: sess.run(x)) for x in (a, a.op, [b, a], "a:0")]
        refused.append(raises(lambda: sess.run([a, b], {b: 5.0})).type)
        refused.append(raises(lambda: sess.run(b, {b: 5.0})))
        return [before, ran, after, refused, sess.run(b)]
