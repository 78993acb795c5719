"""tf.nn.conv2d, max_pool, avg_pool and bias_add: values, gradients, shapes, names and errors."""

from tests.conformance.outcomes import raises

ONES = [1, 1, 1, 1]


def _pictures(np, *shape):
    """Numbers that differ, so that no window has two largest ones."""
    count = int(np.prod(shape))
    return (np.arange(count) * 7919 % count / count - 0.4).astype(np.float32).reshape(shape)


def _run(tf, fetches, feeds=None):
    with tf.Session() as sess:
        return sess.run(fetches, feeds)


def _with_gradients(tf, np, build, *arrays):
    """What `build` gives for these arrays, and the gradients of a weighted sum of it."""
    inputs = [tf.placeholder(tf.float32, [None, *a.shape[1:]]) for a in arrays]
    y = build(*inputs)
    feeds = dict(zip(inputs, arrays, strict=True))
    value = _run(tf, y, feeds)
    weights = _pictures(np, *value.shape)
    return [value, str(y.shape), *_run(tf, tf.gradients(tf.reduce_sum(y * weights), inputs), feeds)]


def conv2d(tf, np):
    """Conv2d."""
    found, same, valid = [], "SAME", "VALID"
    chosen = [(same, ONES), (same, [1, 2, 2, 1]), (same, [1, 3, 1, 1]), (valid, ONES), (valid, [1, 1, 2, 1])]
    for padding, strides in chosen:
        x, w = _pictures(np, 2, 4, 5, 1), _pictures(np, 3, 2, 1, 2)
        found.append(_with_gradients(tf, np, lambda x, w: tf.nn.conv2d(x, w, strides, padding), x, w))  # noqa: B023
    return found


def conv2d_with_dilations(tf, np):
    """Conv2d with dilations."""
    # On a CPU, TensorFlow has no gradients of these.
    x, w = _pictures(np, 1, 7, 8, 2), _pictures(np, 3, 2, 2, 2)
    chosen = [(ONES, "SAME", [1, 2, 2, 1]), (ONES, "VALID", 2), ([1, 2, 2, 1], "VALID", [1, 1, 3, 1])]
    return _run(tf, [tf.nn.conv2d(x, w, s, p, dilations=d) for s, p, d in chosen])


def second_gradients(tf, np):
    """Second gradients."""
    x, w = tf.placeholder(tf.float32, [1, 4, 4, 2]), tf.placeholder(tf.float32, [2, 2, 2, 1])
    y = tf.reduce_sum(tf.square(tf.nn.conv2d(tf.square(x), tf.square(w), [1, 2, 2, 1], "SAME")))
    dx, dw = tf.gradients(y, [x, w])
    second = tf.gradients(tf.reduce_sum(dx * dx) + tf.reduce_sum(dw), [x, w])
    pool = tf.reduce_sum(tf.square(tf.nn.avg_pool(tf.square(x), 3, 2, "SAME")))
    second += tf.gradients(tf.reduce_sum(tf.square(tf.gradients(pool, x)[0])), x)
    return _run(tf, second, {x: _pictures(np, 1, 4, 4, 2), w: _pictures(np, 2, 2, 2, 1)})


def pools(tf, np):
    """Pools."""
    found, x = [], _pictures(np, 2, 4, 5, 1)
    chosen = [(2, 2, "SAME"), ([1, 3, 2, 1], [1, 2, 1, 1], "SAME"), ([2, 3], [1], "VALID"), (1, 2, "VALID")]
    for pool in (tf.nn.max_pool, tf.nn.avg_pool):
        found += [_with_gradients(tf, np, lambda x: pool(x, *args), x) for args in chosen]  # noqa: B023
    return found


def the_first_of_equal_numbers_gets_the_gradient(tf, np):
    """The first of equal numbers gets the gradient."""
    return _with_gradients(tf, np, lambda x: tf.nn.max_pool(x, 3, 1, "SAME"), np.zeros([1, 3, 3, 1], np.float32))


def other_dtypes(tf, np):
    """Other dtypes."""
    x, w = np.arange(16).reshape(1, 4, 4, 1), np.arange(4).reshape(2, 2, 1, 1)
    found = []
    for dtype in (np.float64, np.int32):
        found += [
            tf.nn.conv2d(x.astype(dtype), w.astype(dtype), 1, "VALID"),
            tf.nn.max_pool(-x.astype(dtype), 3, 2, "SAME"),
        ]
    found.append(tf.nn.avg_pool(x.astype(np.float64), 2, 2, "VALID"))
    return _run(tf, found)


def no_pictures(tf, np):
    """No pictures."""
    x, w = tf.placeholder(tf.float32, [None, 4, 4, 1]), tf.placeholder(tf.float32, [2, 2, 1, 3])
    y = tf.nn.max_pool(tf.nn.conv2d(x, w, 1, "SAME"), 2, 2, "SAME")
    feeds = {x: np.zeros([0, 4, 4, 1]), w: np.zeros([2, 2, 1, 3])}
    return _run(tf, [y, *tf.gradients(tf.reduce_sum(y), [x, w])], feeds)


def static_shapes(tf, np):
    """Static shapes."""

    def p(*shape):
        return tf.placeholder(tf.float32, None if shape == (0,) else shape)

    pictures, filters = [p(None, 28, 28, 3), p(2, None, 8, None), p(0)], [p(3, 3, 3, 5), p(3, 3, 3, None), p(0)]
    found = [tf.nn.conv2d(x, w, [1, 2, 2, 1], pad) for x in pictures for w in filters for pad in ("SAME", "VALID")]
    found += [f(x, 3, 2, pad) for f in (tf.nn.max_pool, tf.nn.avg_pool) for x in pictures for pad in ("SAME", "VALID")]
    found.append(tf.nn.conv2d(p(1, 3, 8, 8), filters[0], [1, 1, 2, 2], "SAME", data_format="NCHW"))
    found.append(tf.nn.max_pool(p(1, 3, 8, 9), 2, 2, "VALID", data_format="NCHW"))
    return [str(t.shape) for t in found]


def names(tf, np):
    """Names."""
    x, w = tf.placeholder(tf.float32, [None, 4, 4, 1]), tf.placeholder(tf.float32, [2, 2, 1, 3])
    y = tf.nn.conv2d(x, w, ONES, "SAME")
    z = tf.nn.avg_pool(tf.nn.max_pool(y, 2, 2, "SAME", name="mine"), 2, 2, "SAME")
    tf.nn.conv2d(np.ones([1, 4, 4, 1], np.float32), w, ONES, "SAME", name="again")
    tf.nn.bias_add(z, [1.0, 2.0, 3.0])
    tf.gradients(z, [x, w])
    wanted = ("Conv2D", "MaxPool", "AvgPool", "BiasAdd", "Conv2DBackpropInput", "Conv2DBackpropFilter")
    wanted += ("MaxPoolGrad", "AvgPoolGrad")
    ops = tf.get_default_graph().get_operations()
    return [[op.name, op.type] for op in ops if op.type in wanted or op.name.startswith("again")]


def bias_add(tf, np):
    """Bias add."""
    found = []
    for shape, data_format in [((2, 3), None), ((1, 2, 2, 3), "NHWC"), ((1, 3, 2, 2), "NCHW"), ((2, 3, 2), "NC")]:
        x, b = tf.placeholder(tf.float32, shape), tf.placeholder(tf.float32, [3])
        y = tf.nn.bias_add(x, b, data_format)
        feeds = {x: _pictures(np, *shape), b: [1.0, 2.0, 3.0]}
        found += _run(tf, [y, *tf.gradients(tf.square(y), [x, b])], feeds)
    return found


def shapes_that_do_not_fit(tf, np):
    """Shapes that do not fit."""
    x, w = np.ones([1, 4, 4, 1], np.float32), np.ones([3, 3, 1, 2], np.float32)
    return [
        raises(lambda: tf.nn.conv2d(x, np.ones([5, 5, 1, 2], np.float32), ONES, "VALID")),
        raises(lambda: tf.nn.conv2d(x, np.ones([3, 3, 2, 2], np.float32), ONES, "VALID")),
        raises(lambda: tf.nn.conv2d(x[0], w, ONES, "VALID")),
        raises(lambda: tf.nn.conv2d(x, w[0], ONES, "VALID")),
        raises(lambda: tf.nn.conv2d(x, w, [1, 0, 1, 1], "VALID")),
        raises(lambda: tf.nn.max_pool(x, 5, 1, "VALID")),
        raises(lambda: tf.nn.avg_pool(x, 5, 1, "VALID")),
        raises(lambda: tf.nn.max_pool(x[0], 2, 1, "VALID")),
        raises(lambda: tf.nn.bias_add(x, [1.0, 2.0])),
    ]


def arguments_that_do_not_fit(tf, np):
    """Arguments that do not fit."""
    x, w = np.ones([1, 4, 4, 1], np.float32), np.ones([3, 3, 1, 2], np.float32)
    return [
        raises(lambda: tf.nn.conv2d(x, w, [1, 1, 1], "VALID")),
        raises(lambda: tf.nn.conv2d(x, w, ONES)),
        raises(lambda: tf.nn.conv2d(x, w, ONES, "FULL")),
        raises(lambda: tf.nn.conv2d(x, w, ONES, "valid")),
        raises(lambda: tf.nn.conv2d(x, w, ONES, "SAME", data_format="NXHW")),
        raises(lambda: tf.nn.conv2d(x, w, ONES, "SAME", filters=w)),
        raises(lambda: tf.nn.conv2d(tf.constant(x), tf.constant(w, tf.float64), ONES, "SAME")),
        raises(lambda: tf.nn.max_pool(x, [1, 2, 2], 1, "VALID")),
        raises(lambda: tf.nn.max_pool(x, [1, 0, 2, 1], 1, "VALID")),
        raises(lambda: tf.nn.max_pool(x, 2, 1, "FULL")),
        raises(lambda: tf.nn.max_pool(x, 2, 1, "SAME", data_format="NXHW")),
        raises(lambda: tf.nn.avg_pool(x, 2, 1, "FULL")),
        raises(lambda: tf.nn.avg_pool(x, 2, 1, [[0, 0], [1, 0], [0, 2], [0, 0]])),
        raises(lambda: tf.nn.avg_pool(x.astype(np.int32), 2, 1, "SAME")),
        raises(lambda: tf.nn.bias_add(x, [1.0], "HW")),
    ]


def runs_that_fail(tf, np):
    """Runs that fail."""
    x, w = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    y = tf.nn.conv2d(x, w, ONES, "VALID")
    p, f = np.ones([1, 4, 4, 1], np.float32), np.ones([3, 3, 2, 2], np.float32)
    nchw = tf.nn.conv2d(x, w, ONES, "VALID", data_format="NCHW")
    far = tf.nn.conv2d(x, w, [2, 1, 1, 1], "VALID")
    pools = [pool(x, 2, 2, "SAME", data_format="NCHW") for pool in (tf.nn.max_pool, tf.nn.avg_pool)]
    return [
        raises(lambda: _run(tf, y, {x: p[0], w: f})),
        raises(lambda: _run(tf, y, {x: p, w: f})),
        raises(lambda: _run(tf, nchw, {x: p.reshape(1, 1, 4, 4), w: f[:, :, :1]})),
        raises(lambda: _run(tf, far, {x: p, w: f[:, :, :1]})),
        *[raises(lambda: _run(tf, pool, {x: p})) for pool in pools],  # noqa: B023
    ]


def transposed_convolutions(tf, np):
    """conv2d_transpose: values, gradients, names and shapes."""
    numbers = np.arange(144) * 7919 % 144 / 144 - 0.4
    x, w = tf.constant(numbers[:36].reshape(2, 3, 3, 2)), tf.constant(numbers[:54].reshape(3, 3, 3, 2))
    n = tf.placeholder_with_default(2, [])
    made = [tf.nn.conv2d_transpose(x, w, [2, 6, 6, 3], [1, 2, 2, 1])]
    made += [tf.nn.conv2d_transpose(x, w, tf.stack([n, 7, 7, 3]), 2, "VALID", name="valid")]
    made += [tf.nn.conv2d_transpose(input=x, filters=w, output_shape=[2, 3, 3, 3], strides=[1, 1])]
    slopes = [tf.gradients(y * y, [x, w]) for y in made]
    wrong = tf.ones([3, 3, 3, 4], tf.float64)
    refused = [raises(lambda: tf.nn.conv2d_transpose(x, wrong, [2, 6, 6, 3], 2))]
    refused.append(raises(lambda: tf.Session().run(tf.nn.conv2d_transpose(x, w, [2, 9, 6, 3], 2))).type)
    refused.append(raises(lambda: tf.nn.conv2d_transpose(x, tf.ones([3, 3, 3, 2]), [2, 6, 6, 3], 2)))
    with tf.Session() as sess:
        return [sess.run([made, slopes]), [[y.name, str(y.shape), y.op.type] for y in made], refused]
