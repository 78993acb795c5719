"""Elements by their numbers: gather, where, one_hot, and IndexedSlices."""

from tests.conformance.facts import facts, inputs


def gather_1(tf, np):
    """Names, shapes, dtypes, values and errors of gather."""
    a, p, u, _, iv, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.gather(a, [1, 0]),
        lambda: tf.gather(a, 1),
        lambda: tf.gather(a, [[0, 1], [1, 0]], name="g"),
        lambda: tf.gather(a, [2, 0], axis=1),
        lambda: tf.gather(a, [2, 0], axis=-1),
        lambda: tf.gather(a, iv),
        lambda: tf.gather(p, [1]),
        lambda: tf.gather(u, [1]),
        lambda: tf.gather(u, iv, axis=1),
        lambda: tf.gather(a, [5]),
        lambda: tf.gather(p, [5]),
        lambda: tf.gather(a, [-1]),
    )


def gather_2(tf, np):
    """Names, shapes, dtypes, values and errors of gather."""
    a, _, _, i, iv, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.gather(a, iv + 5),
        lambda: tf.gather(a, [0], axis=2),
        lambda: tf.gather(5.0, [0]),
        lambda: tf.gather(a, [0], axis=i),
        lambda: tf.gather([10, 20, 30], [2, 0]),
        lambda: tf.gather(a, [[0, 1], [2, 1]], batch_dims=1, axis=1),
        lambda: tf.gather(a, np.array([1])),
        lambda: (lambda v: tf.gather(v, [1, 1]))(tf.Variable([[1.0, 2.0], [3.0, 4.0]])),
    )


def gather_nd(tf, np):
    """Names, shapes, dtypes, values and errors of gather_nd."""
    a, p, u, _, iv, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.gather_nd(a, [[0, 1], [1, 2]]),
        lambda: tf.gather_nd(a, [[1]], name="g"),
        lambda: tf.gather_nd(a, [1, 0]),
        lambda: tf.gather_nd(p, [[[0], [1]]]),
        lambda: tf.gather_nd(u, tf.stack([iv, iv], axis=1)),
        lambda: tf.gather_nd(a, [[0, 3]]),
        lambda: tf.gather_nd(a, [[0, 0], [2, 0]]),
        lambda: tf.boolean_mask(a, [True, False]),
        lambda: tf.boolean_mask(p, p > 2),
        lambda: tf.boolean_mask(a, [True, False, True]),
        lambda: tf.boolean_mask(a, True),
    )


def gather_nd_gradients(tf, np):
    """Gradients of gather_nd, and of gather along other axes."""
    a, _, _, _, iv, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.gradients(tf.gather_nd(a, [[0, 1], [1, 2], [0, 1]]), a),
        lambda: tf.gradients(tf.boolean_mask(a, a > 2), a),
        lambda: tf.gradients(tf.gather(a, [2, 0, 2], axis=1), a),
        lambda: tf.gradients(tf.gather(a, [[0, 1], [2, 1]], batch_dims=1, axis=1), a),
        lambda: tf.gradients(tf.gradients(tf.gather(a, iv, axis=1) ** 2, a)[0], a),
    )


def gather_gradients(tf, np):
    """Gradients of gather."""
    a, p, _, _, iv, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.gradients(tf.gather(a, [1, 0, 1]), a),
        lambda: tf.gradients(tf.gather(a, 1), a),
        lambda: tf.gradients(tf.gather(p, iv), p),
        lambda: tf.gradients(tf.gather(a, [1]) + tf.gather(a, [0]), a),
        lambda: tf.gradients([tf.gather(a, [1]), 2 * a], a),
        lambda: (lambda v: tf.gradients(tf.gather(v, [1, 1]), v))(tf.Variable([[1.0, 2.0], [3.0, 4.0]])),
        lambda: (lambda v: tf.gradients([tf.gather(v, [1, 1]), tf.gather(v, [0])], v))(
            tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        ),
        lambda: tf.gradients(tf.gather(a, [[0, 1], [1, 0]]), a),
    )


def convert_to_tensor_gradients(tf, np):
    """Gradients of convert to tensor."""
    _, _, _, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: (lambda v: [tf.convert_to_tensor(g) for g in tf.gradients(tf.gather(v, [1, 1]), v)])(
            tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        ),
    )


def indexedslices(tf, np):
    """Names, shapes, dtypes, values and errors of IndexedSlices."""
    _, _, _, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([0])),
        lambda: tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([0]), tf.constant([3, 2])).values,
    )


def convert_to_tensor(tf, np):
    """Names, shapes, dtypes, values and errors of convert to tensor."""
    _, _, _, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.convert_to_tensor(
            tf.IndexedSlices(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([0, 0]), tf.constant([3, 2]))
        ),
    )


def add(tf, np):
    """Names, shapes, dtypes, values and errors of add."""
    _, _, _, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.add(tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([0]), tf.constant([3, 2])), 1.0),
    )


def where_1(tf, np):
    """Names, shapes, dtypes, values and errors of where."""
    a, p, _, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.where(a > 2, a, -a),
        lambda: tf.where(a > 2),
        lambda: tf.where(a > 2, name="w"),
        lambda: tf.where(p > 2),
        lambda: tf.where([True, False], a, -a),
        lambda: tf.where([True, False, True], a, -a),
        lambda: tf.where(True, a, -a),
        lambda: tf.where(a > 2, a, 0.0),
        lambda: tf.where(a > 2, a, tf.zeros([3])),
        lambda: tf.where(a > 2, 1, 2),
        lambda: tf.where(a > 2, x=a),
    )


def where_2(tf, np):
    """Names, shapes, dtypes, values and errors of where."""
    a, p, u, i, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.where([0, 3, 0]),
        lambda: tf.where([[0.0, 1.0], [2.0, 0.0]]),
        lambda: tf.where(u > 2, u, u),
        lambda: tf.where(p > 2, p, a),
        lambda: tf.where(a > 2, a, p, name="ww"),
        lambda: tf.where(a > 2, a, 1),
        lambda: tf.where([True, False], [1, 2], [3, 4]),
        lambda: tf.where(i > 0, 1.0, 2.0),
    )


def where_gradients(tf, np):
    """Gradients of where."""
    a, _, _, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.gradients(tf.where(a > 2, a, 2 * a), a),
        lambda: tf.gradients(tf.where([True, False], a, 2 * a), a),
    )


def one_hot_1(tf, np):
    """Names, shapes, dtypes, values and errors of one hot."""
    _, _, _, i, iv, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.one_hot([0, 2], 3),
        lambda: tf.one_hot([0, 2, -1, 7], 3, on_value=5, off_value=-1),
        lambda: tf.one_hot([0, 2], 3, 5.0, name="oh"),
        lambda: tf.one_hot([0, 2], 3, axis=0),
        lambda: tf.one_hot([[0, 2], [1, 1]], 3, axis=1),
        lambda: tf.one_hot(1, 3),
        lambda: tf.one_hot(iv, 3),
        lambda: tf.one_hot(iv, i),
        lambda: tf.one_hot([0, 1], 2, dtype=tf.int32),
        lambda: tf.one_hot([0, 1], 2, on_value=1, dtype=tf.float32),
        lambda: tf.one_hot([0, 1], 2, on_value=True, off_value=False),
        lambda: tf.one_hot([0, 1], 2, on_value=1.0, off_value=0),
    )


def one_hot_2(tf, np):
    """Names, shapes, dtypes, values and errors of one hot."""
    _, _, _, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.one_hot([0, 1], 2, on_value=True, off_value=False, dtype=tf.bool),
        lambda: tf.one_hot([0.0, 1.0], 2),
        lambda: tf.one_hot([0, 1], -1),
        lambda: tf.one_hot([0, 1], [2]),
        lambda: tf.one_hot([0, 1], 2, axis=2),
        lambda: tf.one_hot([0, 1], 2, axis=-2),
        lambda: tf.one_hot([0, 1], 2, off_value=3),
        lambda: tf.one_hot(np.array([1, 0], np.uint8), 2),
        lambda: tf.one_hot(tf.constant([1, 0], tf.int64), 2),
        lambda: tf.one_hot([0, 1], 2, on_value=tf.constant(2.0), off_value=tf.constant(1.0)),
    )


def where_of_other_shapes_when_run(tf, np):
    """Whatever the shapes may be, they are the same: nothing is repeated."""
    _, p, u, _, _, feed = inputs(tf, np)
    wide, row, column = (tf.placeholder_with_default(x, None) for x in ([[True, False, True]], [[1.0] * 3], [[1.0]]))
    return facts(
        tf,
        feed,
        lambda: tf.where(u > 1, u, 2 * u),
        lambda: tf.where(u > 1, u, tf.zeros_like(u)),
        lambda: tf.where(p > 1, p, u),
        lambda: tf.where(wide, row, 2 * row),
        lambda: tf.where(wide, u, u),
        lambda: tf.where(wide, column, column),
        lambda: tf.gradients(tf.where(u > 1, u, u * u), u),
    )


def embedding_lookups(tf, np):
    """`tf.nn.embedding_lookup` is a gather, whose gradient is of a few rows."""
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="table")
    rows = tf.nn.embedding_lookup(table, [1, 1])
    others = tf.nn.embedding_lookup([table], [[0]], name="others")
    gradient = tf.gradients(rows, table)[0]
    with tf.Session() as sess:
        sess.run(table.initializer)
        values = sess.run([rows, others, gradient.values, gradient.indices])
    return [rows.name, rows.op.inputs[0].name, others.name, others.op.inputs[0].name, values]
