"""Gradients through while_loop: of what enters, of Variables, with conds and other loops, names, errors."""

from tests.conformance.outcomes import raises


def power(tf, x, n, start=1.0):
    """start * x ** n"""
    return tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * x), (0, tf.constant(start)))[1]


def of_a_power(tf, np):
    """Loops of no, one and several turns; a tensor from outside and an initial value."""
    x, start, n = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, []), tf.placeholder(tf.int32, [])
    _, y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * x), (0, start))
    found = tf.gradients(y, [x, start])
    with tf.Session() as sess:
        return [[g.name for g in found], [sess.run([y, found], {x: 3.0, start: 2.0, n: turns}) for turns in (0, 1, 5)]]


def of_initial_values_and_constants(tf, np):
    """The names and shapes of gradients of loop variables and of what the body reads."""
    a, b, c = tf.constant([1.0, 2.0]), tf.constant([[0.5, 0.25], [0.125, -0.5]], name="b"), tf.constant(0.25)

    def body(i, u, v):
        return i + 1, tf.tanh(tf.reduce_sum(b * u, 1) + c), v + u * c

    _, u, v = tf.while_loop(lambda i, u, v: i < 4, body, (0, a, tf.zeros([2])), name="steps")
    found = tf.gradients([u, v], [a, b, c], grad_ys=[tf.constant([1.0, 10.0]), None])
    with tf.Session() as sess:
        return [[[g.name, g.op.type, str(g.shape)] for g in found], sess.run(found)]


def where_there_is_no_gradient(tf, np):
    """None for an x that no y depends on, or only through the condition, an integer or stop_gradient."""
    x, y0 = tf.constant(2.0), tf.constant(1.0)

    def gradient(cond, body, first=(0, 1.0), which=1):
        result = tf.while_loop(cond, body, [tf.convert_to_tensor(t) for t in first])[which]
        return tf.gradients(result, [x, y0])

    found = [
        gradient(lambda i, y: y < x * 10, lambda i, y: (i + 1, y * 2.0)),
        gradient(lambda i, y: i < 3, lambda i, y: (i + 1, y * tf.stop_gradient(x))),
        gradient(lambda i, y: i < 3, lambda i, y: (i + 1, y * tf.floor(x))),
        gradient(lambda i, y: i < 3, lambda i, y: (i + 1, y * tf.cast(tf.cast(x, tf.int32), tf.float32))),
        gradient(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, y0)),
        gradient(lambda i, y: i < 3, lambda i, y: (i + 1, tf.constant(7.0)), (0, y0)),
        gradient(lambda i, y: i < 3, lambda i, y: (i + 1, y0), (0, x)),
        gradient(lambda i, y, z: i < 3, lambda i, y, z: (i + 1, y * 2.0, z * x), (0, y0, 1.0)),
        gradient(lambda i, y, z: i < 3, lambda i, y, z: (i + 1, y + z, z), (0, y0, x), 2),
    ]
    none = [[g is None for g in pair] for pair in found]
    with tf.Session() as sess:
        return [none, sess.run([[tf.constant(-1.0) if g is None else g for g in pair] for pair in found])]


def without_back_prop(tf, np):
    """No gradient flows through such a loop."""
    x = tf.constant(2.0)
    _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, x), back_prop=False)
    found = tf.gradients(y + x, x)
    with tf.Session() as sess:
        return [tf.gradients(y, x), sess.run(found)]


def of_variables(tf, np):
    """A Variable that the body reads is trained."""
    w, v = tf.Variable([0.5, -0.25], name="w"), tf.Variable(0.1, name="v")
    _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(w * y) + v), (0, w + 1.0))
    train = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(y * y))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        values = [[sess.run(train), sess.run([w, v])][1] for _ in range(3)]
        return values


def of_a_recurrent_network(tf, np):
    """A small network over the rows of a sequence, whose state and weights are trained."""
    inputs = tf.constant(np.linspace(-1, 1, 24).reshape(4, 2, 3), tf.float32)
    w = tf.Variable(np.linspace(-0.5, 0.5, 15).reshape(5, 3).T, dtype=tf.float32)
    u = tf.Variable(np.linspace(0.3, -0.2, 25).reshape(5, 5), dtype=tf.float32)
    b = tf.Variable(tf.zeros([5]))

    def body(t, h, total):
        h = tf.tanh(tf.matmul(inputs[t], w) + tf.matmul(h, u) + b)
        return t + 1, h, total + tf.reduce_sum(h * h)

    state = (0, tf.zeros([2, 5]), 0.0)
    _, h, total = tf.while_loop(lambda t, h, total: t < 4, body, state, maximum_iterations=3)
    found = tf.gradients(total + tf.reduce_sum(h), [w, u, b])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run(found)


def of_shapes_that_vary(tf, np):
    """A variable that grows, and one of which each turn gives another part."""
    x, w = tf.constant([1.0, 2.0]), tf.constant(0.5)
    first = (0, x, tf.ones([1]))
    shapes = (tf.TensorShape([]), tf.TensorShape([None]), tf.TensorShape([None]))

    def body(i, grown, other):
        return i + 1, tf.concat([grown, grown[:1] * w], 0), grown * w * other[0]

    _, grown, other = tf.while_loop(lambda i, *_: i < 3, body, first, shape_invariants=shapes)
    found = tf.gradients([grown, other], [x, w])
    with tf.Session() as sess:
        return sess.run(found)


def of_a_cond_in_a_loop(tf, np):
    """In each turn, the gradient takes the branch that the turn took."""
    x, n = tf.placeholder(tf.float32, []), tf.placeholder(tf.int32, [])

    def body(i, y):
        y = tf.cond(tf.equal(i % 2, 0), lambda: tf.exp(y * 0.1) * x, lambda: y + x * tf.sin(y))
        return i + 1, tf.cond(y > 1.0, lambda: y / 2.0, lambda: tf.cond(x > 0, lambda: y * y, lambda: y))

    _, y = tf.while_loop(lambda i, y: i < n, body, (0, x))
    (found,) = tf.gradients(y, x)
    with tf.Session() as sess:
        return [sess.run([y, found], {x: value, n: turns}) for value in (0.7, 2.0, -1.0) for turns in (0, 1, 2, 5)]


def of_a_loop_in_a_cond(tf, np):
    """The gradient of the loop runs only if the loop did."""
    x, p = tf.placeholder(tf.float32, []), tf.placeholder(tf.bool, [])
    y = tf.cond(p, lambda: power(tf, x, 3, 2.0), lambda: x * 10.0)
    (found,) = tf.gradients(y * x, x)
    with tf.Session() as sess:
        return [sess.run([y, found], {x: 3.0, p: value}) for value in (True, False)]


def of_a_loop_in_a_loop(tf, np):
    """The inner loop has another number of turns each time."""
    x, w, n = tf.constant(1.25), tf.constant([0.5, -1.5]), tf.placeholder(tf.int32, [])

    def outer(i, y):
        def inner(j, z):
            return j + 1, tf.sin(z * x) + w * y

        _, z = tf.while_loop(lambda j, z: j < i, inner, (0, y * x))
        return i + 1, y + z * 0.5

    _, y = tf.while_loop(lambda i, y: i < n, outer, (0, w * 2.0))
    found = tf.gradients(y, [x, w])
    with tf.Session() as sess:
        return [sess.run([y, found], {n: turns}) for turns in (0, 1, 2, 4)]


def of_a_loop_in_a_cond_in_a_loop(tf, np):
    """All of them."""
    x = tf.placeholder(tf.float32, [])

    def body(i, y):
        def turns():
            return tf.while_loop(lambda z: tf.abs(z) < 10.0, lambda z: z * x + i_float, [y])

        i_float = tf.cast(i, tf.float32)
        return i + 1, tf.cond(tf.equal(i, 1), lambda: tf.tanh(y), turns) * 0.25

    _, y = tf.while_loop(lambda i, y: i < 4, body, (0, x))
    (found,) = tf.gradients(y, x)
    with tf.Session() as sess:
        return [sess.run([y, found], {x: value}) for value in (1.5, 3.0, -2.5)]


def random_numbers_are_drawn_once(tf, np):
    """The gradient uses the numbers that the loop drew."""
    x = tf.constant([1.0, 2.0, 3.0])
    _, y, drawn = tf.while_loop(
        lambda i, y, drawn: i < 5,
        lambda i, y, drawn: (i + 1, *(lambda noise: (y * noise, drawn * noise))(tf.random_uniform([3], 0.5, 1.5))),
        (0, x, tf.ones([3])),
    )
    (found,) = tf.gradients(y, x)
    with tf.Session() as sess:
        found, drawn = sess.run([found, drawn])
        return bool(np.allclose(found, drawn))


def of_rows_that_a_loop_gathers(tf, np):
    """The gradient of a table from which each turn takes rows."""
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    ids = tf.constant([[0, 2], [2, 2], [1, 0]])
    _, total = tf.while_loop(
        lambda i, total: i < 3,
        lambda i, total: (i + 1, total + tf.reduce_sum(tf.square(tf.gather(table, ids[i])))),
        (0, 0.0),
    )
    (found,) = tf.gradients(total, table)
    dense = tf.convert_to_tensor(found)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run(dense)


def two_gradients_of_one_loop(tf, np):
    """Of different results, of the same, and weighted."""
    x, w = tf.constant(2.0), tf.constant(0.5)
    _, y, z = tf.while_loop(lambda i, y, z: i < 3, lambda i, y, z: (i + 1, y * x + z, z * w), (0, x, w))
    found = [tf.gradients(y, [x, w]), tf.gradients(z, w), tf.gradients([y, z], [x, w], grad_ys=[2.0, z])]
    with tf.Session() as sess:
        return sess.run(found)


def gates_and_stops(tf, np):
    """`gate_gradients`, `stop_gradients`, and zeros instead of None."""
    x, w = tf.constant(2.0), tf.constant(0.5)
    _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x * w), (0, x))
    found = [
        tf.gradients(y, [x, w], gate_gradients=True),
        tf.gradients(y, [x, w], stop_gradients=[x]),
        tf.gradients(y, [x, w, tf.constant(1.0)], unconnected_gradients="zero"),
    ]
    with tf.Session() as sess:
        return sess.run(found)


def gradients_inside_of_a_loop(tf, np):
    """In the body, tf.gradients goes no further back than the body, except to what comes from outside."""
    x, found = tf.constant(3.0), {}

    def body(i, y):
        f = y * y * x
        (slope,) = tf.gradients(f, x)
        inner = tf.while_loop(lambda j, z: j < 2, lambda j, z: (j + 1, z * y), (0, y))[1]
        found["start"] = raises(lambda: tf.gradients(f, start))
        return i + 1, y - 0.01 * slope + 0.1 * tf.gradients(inner, y)[0]

    start = tf.constant(0.5, name="start")
    _, y = tf.while_loop(lambda i, y: i < 3, body, (0, start))
    with tf.Session() as sess:
        return [sess.run(y), found["start"]]


def second_order(tf, np):
    """There is no gradient of a loop's gradient."""
    x = tf.constant(3.0)
    (found,) = tf.gradients(power(tf, x, 3), x)
    return raises(lambda: tf.gradients(found, x))


def what_nothing_needs_is_not_run(tf, np):
    """Of a loop, a run computes what its fetches need."""
    v = tf.Variable(0)

    def body(i, y, z):
        with tf.control_dependencies([tf.assign_add(v, 1)]):
            return i + 1, y * 2, z + tf.constant(1)

    _, y, z = tf.while_loop(lambda i, y, z: i < 3, body, (0, 1, 1), parallel_iterations=1)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(y), sess.run(v) > 0]
