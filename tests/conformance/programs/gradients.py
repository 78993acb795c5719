"""Gradients: `tf.gradients` adds ops that compute them."""

from tests.conformance.outcomes import raises


def of_the_functions_of_one_argument(tf, np):
    """The derivative of each function."""
    x = tf.constant([0.5, 1.0, 2.0])
    ys = [tf.square(x), tf.sqrt(x), tf.exp(x), tf.log(x), tf.negative(x), tf.abs(x - 1.0), x**3.0]
    with tf.Session() as sess:
        return [sess.run(tf.gradients(y, x)[0]) for y in ys]


def of_the_functions_of_two_arguments(tf, np):
    """The derivatives by both arguments."""
    a = tf.constant([1.0, 2.0, 3.0])
    b = tf.constant([4.0, 0.5, 3.0])
    ys = [a + b, a - b, a * b, a / b, tf.pow(a, b), tf.maximum(a, b), tf.minimum(a, b)]
    with tf.Session() as sess:
        return [sess.run(tf.gradients(y, [a, b])) for y in ys]


def of_operators_with_numbers(tf, np):
    """The derivatives where the other argument is a number."""
    x = tf.constant([1.0, 2.0])
    ys = [x + 1, 1 - x, 3 * x, x / 4, 1 / x, x**2, 2**x, -x]
    with tf.Session() as sess:
        return [sess.run(tf.gradients(y, x)[0]) for y in ys]


def ties_of_maximum_and_minimum(tf, np):
    """At a tie the first argument gets all of the gradient."""
    a = tf.constant([1.0, 2.0, 3.0])
    b = tf.constant([1.0, 3.0, 2.0])
    with tf.Session() as sess:
        return sess.run([tf.gradients(tf.maximum(a, b), [a, b]), tf.gradients(tf.minimum(a, b), [a, b])])


def ties_of_reduce_max(tf, np):
    """At a tie `reduce_max` splits the gradient evenly."""
    x = tf.constant([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]])
    with tf.Session() as sess:
        return sess.run([tf.gradients(tf.reduce_max(x), x), tf.gradients(tf.reduce_max(x, 1), x)])


def of_reductions(tf, np):
    """The gradient of a sum is ones, of a mean their share, over any axes."""
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    ys = [tf.reduce_sum(x), tf.reduce_sum(x, 0), tf.reduce_mean(x), tf.reduce_mean(x, 1)]
    ys += [tf.reduce_mean(tf.square(x), [0, 1]), tf.reduce_sum(x * x, 1, keepdims=True)]
    ys += [tf.reduce_max(x, 0, keepdims=True)]
    with tf.Session() as sess:
        return [sess.run(tf.gradients(y, x)[0]) for y in ys]


def of_a_mean_over_an_unknown_size(tf, np):
    """The mean's share depends on what is fed."""
    x = tf.placeholder(tf.float32, [None, 2])
    gradient = tf.gradients(tf.reduce_mean(x), x)[0]
    with tf.Session() as sess:
        return [str(gradient.shape), sess.run(gradient, {x: np.ones([1, 2])}), sess.run(gradient, {x: np.ones([4, 2])})]


def of_matmul(tf, np):
    """Both arguments, in all four ways of transposing."""
    values = np.array([[1.0, 2.0], [3.0, 5.0]], np.float32)
    a = tf.constant(values)
    b = tf.constant(values - 4.0)
    weights = tf.constant([[1.0, 0.0], [2.0, -1.0]])
    seen = []
    with tf.Session() as sess:
        for ta in (False, True):
            for tb in (False, True):
                y = tf.matmul(a, b, transpose_a=ta, transpose_b=tb) * weights
                seen.append(sess.run(tf.gradients(y, [a, b])))
    return seen


def of_broadcast_arguments(tf, np):
    """A stretched argument's gradient is summed back to its shape."""
    row = tf.constant([1.0, 2.0, 3.0])
    column = tf.constant([[1.0], [2.0]])
    scalar = tf.constant(2.0)
    ys = [row + column, row * column, scalar * row, column - scalar, row / column, row**scalar]
    with tf.Session() as sess:
        return [sess.run(tf.gradients(y, _used(y, row, column, scalar))) for y in ys]


def _used(y, *candidates):
    return [candidate for candidate in candidates if any(candidate is t for t in y.op.inputs)]


def of_shape_changes(tf, np):
    """Gradients go back through `reshape`, `identity` and casts between floats."""
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    weights = tf.constant([1.0, 2.0, 3.0, 4.0])
    ys = [tf.reshape(x, [4]) * weights, tf.identity(x) * 3.0, tf.cast(x, tf.float64) * 2.0]
    with tf.Session() as sess:
        return [sess.run(tf.gradients(y, x)[0]) for y in ys]


def several_ys_are_summed(tf, np):
    """The gradient of several ys is that of their sum, over all elements of each."""
    x = tf.constant([1.0, 2.0])
    with tf.Session() as sess:
        return sess.run(tf.gradients([tf.square(x), 3.0 * x, tf.reduce_sum(x)], [x])[0])


def several_paths_are_summed(tf, np):
    """A tensor used on several paths gets the sum of their gradients."""
    x = tf.constant(3.0)
    y = x * x + x
    z = y * x
    with tf.Session() as sess:
        return sess.run(tf.gradients(z, [x, y]))


def unconnected_is_none(tf, np):
    """Where no path leads there is no gradient."""
    x = tf.constant(1.0)
    other = tf.constant(2.0)
    y = tf.square(x)
    first, second = tf.gradients(y, [x, other])
    return [first is None, second, tf.gradients(y, other)]


def blocked_is_none(tf, np):
    """`stop_gradient`, ints, comparisons and `ones_like` let no gradient through."""
    x = tf.constant([1.5, 2.5])
    ys = [tf.stop_gradient(x) * 2.0, tf.cast(tf.cast(x, tf.int32), tf.float32)]
    ys += [tf.cast(x > 2.0, tf.float32), tf.ones_like(x), tf.zeros_like(x) + 1.0]
    return [tf.gradients(y, x) for y in ys]


def through_stop_gradient_in_part(tf, np):
    """A factor behind `stop_gradient` counts as a constant."""
    x = tf.constant(3.0)
    with tf.Session() as sess:
        return sess.run([tf.gradients(x * tf.stop_gradient(x), x), tf.gradients(x * x, x)])


def the_stop_gradients_argument(tf, np):
    """Tensors in `stop_gradients` are taken as constants."""
    a = tf.constant(1.0)
    b = a * 2.0
    total = a + b
    with tf.Session() as sess:
        return [
            sess.run(tf.gradients(total, [a, b])),
            sess.run(tf.gradients(total, [a, b], stop_gradients=[a, b])),
            sess.run(tf.gradients(total, a, stop_gradients=b)),
        ]


def the_grad_ys_argument(tf, np):
    """`grad_ys` are the gradients to begin with, instead of ones."""
    x = tf.constant([1.0, 2.0, 3.0])
    y = tf.square(x)
    z = 5.0 * x
    with tf.Session() as sess:
        return [
            sess.run(tf.gradients(y, x, grad_ys=tf.constant([1.0, 0.0, 10.0]))[0]),
            sess.run(tf.gradients(y, x, [[1.0, 0.0, 10.0]])[0]),
            sess.run(tf.gradients([y, z], x, grad_ys=[None, tf.zeros([3])])[0]),
        ]


def gradients_of_gradients(tf, np):
    """Gradients are ops, so they have gradients."""
    x = tf.constant(2.0)
    y = x**4.0 + tf.exp(x)
    first = tf.gradients(y, x)[0]
    second = tf.gradients(first, x)[0]
    third = tf.gradients(second, x)[0]
    with tf.Session() as sess:
        return sess.run([first, second, third])


def of_a_variable(tf, np):
    """A variable may be asked for directly, and so may its read tensor."""
    w = tf.Variable([1.0, 2.0])
    loss = tf.reduce_sum(tf.square(w))
    by_variable = tf.gradients(loss, w)[0]
    by_read = tf.gradients(loss, w.value())[0]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run([by_variable, by_read])


def of_a_tensor_by_itself(tf, np):
    """A tensor's gradient by itself is one."""
    x = tf.constant([1.0, 2.0])
    y = x * 2.0
    with tf.Session() as sess:
        return [sess.run(tf.gradients(x, x)[0]), sess.run(tf.gradients(y, [y, x]))]


def by_an_intermediate_tensor(tf, np):
    """Gradients by a tensor in the middle of the graph."""
    x = tf.constant(2.0)
    h = x * 3.0
    y = h * h
    with tf.Session() as sess:
        return sess.run(tf.gradients(y, [h, x]))


def at_the_edges_of_floats(tf, np):
    """At zero, `log`, `sqrt` and division have infinite gradients."""
    x = tf.constant([0.0, 1.0])
    ys = [tf.log(x), tf.sqrt(x), 1.0 / x, x**0.5, tf.abs(x)]
    with tf.Session() as sess:
        return [sess.run(tf.gradients(y, x)[0]) for y in ys]


def of_a_power_at_zero(tf, np):
    """At 0, x ** 2 has the gradient 0, by the exponent too: the logarithm of 0 is left out."""
    x = tf.constant([0.0, 2.0])
    p = tf.constant([2.0, 2.0])
    with tf.Session() as sess:
        return sess.run(tf.gradients(x**p, [x, p]))


def printed_gradients(tf, np):
    """What printing gradients shows: names under `gradients`, the shapes of the xs."""
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = tf.Variable(tf.ones([2, 1]), name="w")
    b = tf.Variable(0.0, name="b")
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b), name="loss")
    return [[str(g.dtype), str(g.shape), g.name.split("/")[0]] for g in tf.gradients(loss, [w, b, x])]


def wrong_arguments(tf, np):
    """What `gradients` refuses."""
    x = tf.constant([1.0, 2.0], name="x")
    y = tf.square(x)
    i = tf.constant(1, name="i")
    return {
        "grad_ys too few": raises(lambda: tf.gradients([y, y], x, grad_ys=[None])),
        "grad_ys dtype": raises(lambda: tf.gradients(y, x, grad_ys=[tf.constant([1, 2])])),
        "int y": raises(lambda: tf.gradients(tf.square(i), i)),
    }


def what_grad_ys_may_be(tf, np):
    """Numbers that fit the ys, in a list or alone; no truth values, no complex numbers for real ys."""
    x, b = tf.constant([1.0, 2.0], name="x"), tf.constant(True, name="b")
    y = tf.square(x, name="y")
    calls = [lambda: tf.gradients(y, x, tf.constant(True)), lambda: tf.gradients(y, x, [tf.constant(1j)])]
    calls += [lambda: tf.gradients(y, x, [[1.0, 2.0, 3.0]]), lambda: tf.gradients(b, x, [1.0])]
    calls += [lambda: tf.gradients(tf.constant(1j), x), lambda: tf.gradients([y, y], x, [None, None, None])]
    fine = [tf.gradients(y, x, 2.0)[0], tf.gradients([y, y], x, [[3.0, 3.0], None])[0], tf.gradients(y, x, [y])[0]]
    with tf.Session() as sess:
        return [tf.gradients(b, x), [raises(call) for call in calls], sess.run(fine)]


def unconnected_as_zeros(tf, np):
    """Instead of None there may be zeros."""
    w, i, x = tf.Variable([[1.0, 2.0]]), tf.constant([1, 2]), tf.constant([1.0, 2.0])
    p = tf.placeholder(tf.float32, [None, 2])
    zeros = tf.gradients(tf.square(x), [w, i, p, x], unconnected_gradients=tf.UnconnectedGradients.ZERO)
    nones = tf.gradients(tf.square(x), [w, i], unconnected_gradients="none")
    same = tf.gradients(x, w, unconnected_gradients="zero")[0]
    wrong = raises(lambda: tf.gradients(x, w, unconnected_gradients="some"))
    with tf.Session() as sess:
        values = sess.run([*zeros, same], {p: np.ones([3, 2])})
    return [[str(z.shape) for z in zeros], [z.dtype.name for z in zeros], nones, values, wrong]


def stopped_gradients(tf, np):
    """What is in `stop_gradients` is a constant, on every path; an x may be one of them."""
    w = tf.Variable(2.0)
    x = tf.constant(3.0)
    h = w * x
    y = h * h + w
    made = [tf.gradients(y, [w, h], stop_gradients=h), tf.gradients(y, [w, x], stop_gradients=[w])]
    made += [tf.gradients(y, [w, x, h], stop_gradients=[w, x, h])]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run([m for m in found if m is not None]) for found in made], [[m is None for m in f] for f in made]


def in_double_precision(tf, np):
    """float64 gradients are float64."""
    x = tf.constant([1.0, 2.0, 3.0], tf.float64)
    loss = tf.reduce_mean(tf.exp(x) / 3.0)
    with tf.Session() as sess:
        return sess.run(tf.gradients(loss, x))


def means_along_axes_of_what_is_fed(tf, np):
    """The gradient of a mean is divided by the length of the axis, which only the run tells."""
    found = []
    for lengths in ([None, 3], [2, None], [None, None]):
        x = tf.placeholder(tf.float32, lengths)
        with tf.Session() as sess:
            for axis in (0, 1, None, [0, 1]):
                gradient = tf.gradients(tf.reduce_mean(x, axis), x)[0]
                found.append(sess.run(gradient, {x: np.ones([2, 3])}))
    return found


def ways_to_add_up_gradients(tf, np):
    """`aggregation_method` changes no value."""
    x = tf.constant(3.0)
    y = x * x + x
    ways = tf.AggregationMethod
    methods = [ways.DEFAULT, ways.ADD_N, ways.EXPERIMENTAL_TREE, ways.EXPERIMENTAL_ACCUMULATE_N]
    with tf.Session() as sess:
        return [methods, [sess.run(tf.gradients(y, x, aggregation_method=method)) for method in methods]]


def through_print(tf, np):
    """tf.Print passes a tensor on, and its gradient."""
    w = tf.Variable([1.0, 2.0])
    shown = tf.Print(w * w, [w, "and more"], "shown: ", first_n=1, summarize=1)
    found = [shown, *tf.gradients(shown, w)]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(found), shown.op.name, shown.op.type, len(shown.op.inputs)]
