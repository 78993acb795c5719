"""Functions that few programs use: einsum, tensordot, norm, bands, map_fn, scan, sequence_mask, meshgrid, lrn."""

from tests.conformance.facts import facts, inputs


def _numbers(tf, np, *lengths):
    return tf.constant(np.arange(np.prod(lengths), dtype=np.float32).reshape(lengths) / 4 + 1)


def _slopes(tf, function, *xs):
    """The gradients of a function's squared results, so that no two of them are alike."""
    y = function(*xs)
    return lambda: tf.gradients(y * y, list(xs))


def einsum(tf, np):
    """Names, shapes, dtypes, values and errors of einsum."""
    a, p, u, _, _, feed = inputs(tf, np)
    b = _numbers(tf, np, 3, 2)
    return facts(
        tf,
        feed,
        lambda: tf.einsum("ij,jk->ik", a, b),
        lambda: tf.einsum("ij,jk->ik", p, b),
        lambda: tf.einsum("ij,jk->ik", u, b),
        lambda: tf.einsum("ij,jk", a, b),
        lambda: tf.einsum("ji", a),
        lambda: tf.einsum("ij , ij -> ", a, p),
        lambda: tf.einsum("...ij,jk->...ik", tf.stack([a, a]), b),
        lambda: tf.einsum("ij,jk->il", a, b),
        lambda: tf.einsum("ij,jk->ik", a, a),
        lambda: tf.einsum("ij,jk->ik", a),
        lambda: tf.einsum("ij->ik->i", a),
        lambda: tf.einsum("i->ii", a[0]),
        lambda: tf.einsum("i->i", a),
        lambda: tf.einsum("...i->i", a),
        lambda: tf.einsum("i1->i", a),
        lambda: tf.einsum("ij->i", a, foo=1),
        lambda: tf.einsum("ij,jk->ik", a, tf.cast(b, tf.float64)),
        lambda: tf.einsum("ij,jk->ik", u, tf.ones([4, 2])),
        lambda: tf.einsum("i->", u),
        lambda: tf.linalg.einsum("ij->j", a),
    )


def einsum_gradients(tf, np):
    """Gradients of einsum: products, sums, diagonals, and batches that are repeated."""
    a, _, _, _, _, feed = inputs(tf, np)
    b, square, cube = (_numbers(tf, np, *n) for n in ((3, 2), (3, 3), (2, 3, 2)))
    return facts(
        tf,
        feed,
        _slopes(tf, lambda x, y: tf.einsum("ij,jk->ik", x, y), a, b),
        _slopes(tf, lambda x, y: tf.einsum("ij,kl->l", x, y), a, b),
        _slopes(tf, lambda x: tf.einsum("ii->i", x), square),
        _slopes(tf, lambda x: tf.einsum("ii->", x), square),
        _slopes(tf, lambda x, y: tf.einsum("...ij,...jk->...ik", x[None], y), a, cube),
        _slopes(tf, lambda x, y: tf.einsum("ij...,jk->k...i", x, y), cube, b),
        _slopes(tf, lambda x, y, z: tf.einsum("ij,jk,kl->il", x, y, z), a, b, b[:2]),
    )


def tensordot(tf, np):
    """Names, shapes, dtypes, values, gradients and errors of tensordot."""
    a, p, u, _, _, feed = inputs(tf, np)
    cube = _numbers(tf, np, 4, 3, 2)
    return facts(
        tf,
        feed,
        lambda: tf.tensordot(a, tf.transpose(a), 1),
        lambda: tf.tensordot(a, cube, [[1], [1]]),
        lambda: tf.tensordot(a, cube, [[0, 1], [2, 1]]),
        lambda: tf.tensordot(a, cube, [[-1], [-2]], name="t"),
        lambda: tf.tensordot(a, cube, (1, 1)),
        lambda: tf.tensordot(a, a, 2),
        lambda: tf.tensordot(a, a[0], 0),
        lambda: tf.tensordot(p, cube, [[1], [1]]),
        lambda: tf.tensordot(cube, p, [[2, 1], [0, 1]]),
        lambda: tf.tensordot(u, tf.transpose(a), 1),
        lambda: tf.tensordot(u, cube, [[-1], [1]]),
        lambda: tf.tensordot(a, a, 1),
        lambda: tf.tensordot(a, a, -1),
        lambda: tf.tensordot(a, cube, [[0, 1], [0]]),
        lambda: tf.tensordot(a, cube, [1]),
        _slopes(tf, lambda x, y: tf.tensordot(x, y, [[1], [1]]), a, cube),
    )


def norm(tf, np):
    """Names, shapes, dtypes, values, gradients and errors of norm."""
    a, p, u, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.norm(a),
        lambda: tf.norm(a, axis=1),
        lambda: tf.norm(p, 1, 0, keepdims=True),
        lambda: tf.norm(a, np.inf),
        lambda: tf.norm(a, 2, 1, name="n"),
        lambda: tf.norm(u, "euclidean", -1),
        lambda: tf.norm(a, "fro", [0, 1]),
        lambda: tf.norm(a, 1, (-2, -1), keep_dims=True),
        lambda: tf.norm(a, np.inf, [0, 1]),
        lambda: tf.norm(a, "fro"),
        lambda: tf.norm(a, -1),
        lambda: tf.norm(a, 3, [0, 1]),
        lambda: tf.norm(a, axis=[0, 0]),
        lambda: tf.norm(a, axis="x"),
        lambda: tf.norm([3, 4]),
        lambda: tf.linalg.norm(a, axis=0),
        _slopes(tf, lambda x: tf.norm(x, 2, 1), a),
    )


def diagonals_and_bands(tf, np):
    """Names, shapes, dtypes, values, gradients and errors of diag, diag_part, matrix_diag and matrix_band_part."""
    a, p, u, i, _, feed = inputs(tf, np)
    square = _numbers(tf, np, 3, 3)
    return facts(
        tf,
        feed,
        lambda: tf.diag([1, 2], name="d"),
        lambda: tf.diag(a[:, :2]),
        lambda: tf.diag(u),
        lambda: tf.diag(3),
        lambda: tf.diag_part(square),
        lambda: tf.diag_part(tf.diag(a)),
        lambda: tf.diag_part(p),
        lambda: tf.diag_part(a),
        lambda: tf.diag_part(u),
        lambda: tf.diag_part(a[0]),
        lambda: tf.matrix_diag(a),
        lambda: tf.matrix_diag([1, 2], padding_value=9),
        lambda: tf.linalg.diag(p),
        lambda: tf.linalg.diag_part(a),
        lambda: tf.linalg.tensor_diag([1]),
        lambda: tf.matrix_band_part(a, 0, -1),
        lambda: tf.matrix_band_part(p, 1, 0, name="b"),
        lambda: tf.linalg.band_part(tf.stack([square, square]), i, 0),
        lambda: tf.matrix_band_part([[True, True], [True, True]], 0, 0),
        lambda: tf.matrix_band_part(u, 3, 0),
        lambda: tf.matrix_band_part(u, 0, 4),
        lambda: tf.matrix_band_part(a, 1.0, 0),
        _slopes(tf, tf.diag, a),
        _slopes(tf, tf.diag_part, square),
        _slopes(tf, tf.matrix_diag, a),
        _slopes(tf, lambda x: tf.matrix_band_part(x, 1, 0), square),
    )


def masks_and_grids(tf, np):
    """Names, shapes, dtypes, values and errors of sequence_mask and meshgrid."""
    a, _, _, i, iv, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.sequence_mask([1, 3]),
        lambda: tf.sequence_mask(iv, dtype=tf.float32, name="m"),
        lambda: tf.sequence_mask([[1, 2], [3, 0]], 2, tf.int32),
        lambda: tf.sequence_mask(2, i + 3),
        lambda: tf.sequence_mask([1], [3]),
        lambda: tf.sequence_mask(np.array([1, 2]), 3),
        lambda: tf.meshgrid([1, 2], [3, 4, 5]),
        lambda: tf.meshgrid([1, 2], [3, 4, 5], indexing="ij"),
        lambda: tf.meshgrid([1, 2], [3], [4.0, 5.0]),
        lambda: tf.meshgrid(iv, [3], [4, 5]),
        lambda: tf.meshgrid(a, [1.0]),
        lambda: tf.meshgrid([1], [2], indexing="zz"),
        lambda: tf.meshgrid([1], [2], foo=2),
        lambda: tf.meshgrid(),
    )


def draws(tf, np):
    """Names, shapes, dtypes and errors of multinomial, and values that can only come out one way."""
    _, p, u, i, _, feed = inputs(tf, np)
    certain = [[0.0, -1000.0], [-1000.0, 0.0]]
    return facts(
        tf,
        feed,
        lambda: tf.multinomial(certain, 3),
        lambda: tf.multinomial(certain, i, output_dtype=tf.int32, name="m"),
        lambda: tf.random.multinomial(certain, 2, seed=5),
        lambda: tf.shape(tf.multinomial(p, 5)),
        lambda: tf.shape(tf.multinomial(u, 5)),
        lambda: tf.multinomial([0.0, 1.0], 3),
        lambda: tf.multinomial(certain, [3]),
        lambda: tf.multinomial(certain, -1),
        lambda: tf.multinomial([["a"]], 1),
        lambda: tf.multinomial(tf.zeros([1, 0]), 3),
        lambda: tf.gradients(tf.cast(tf.multinomial(p, 1), tf.float32), [p])[0] is None,
    )


def norms_of_neighbours(tf, np):
    """Names, shapes, dtypes, values, gradients and errors of lrn and relu_layer."""
    a, p, u, _, _, feed = inputs(tf, np)
    x = _numbers(tf, np, 1, 2, 2, 6)
    weights = _numbers(tf, np, 3, 2) - 2.0
    return facts(
        tf,
        feed,
        lambda: tf.nn.lrn(x),
        lambda: tf.nn.lrn(x, 2, bias=1.0, alpha=0.001 / 9.0, beta=0.75, name="norm1"),
        lambda: tf.nn.local_response_normalization(x, depth_radius=9),
        lambda: tf.nn.lrn(x, 0),
        lambda: tf.nn.lrn(a),
        lambda: tf.nn.lrn(tf.cast(x, tf.float64)),
        lambda: tf.nn.lrn(x, beta="a"),
        _slopes(tf, lambda x: tf.nn.lrn(x, 2, 1.0, 0.5, 0.75), x),
        lambda: tf.nn.relu_layer(a, weights, [1.0, -1.0]),
        lambda: tf.nn.relu_layer(p, weights, [1.0, -1.0], name="r"),
        lambda: tf.nn.relu_layer(a, a, [1.0]),
        _slopes(tf, tf.nn.relu_layer, a, weights, tf.constant([1.0, -1.0])),
    )


def map_fn(tf, np):
    """Names, shapes, dtypes, values and errors of map_fn."""
    a, p, u, i, iv, feed = inputs(tf, np)
    whole = np.array([1, 2, 3])
    return facts(
        tf,
        feed,
        lambda: tf.map_fn(lambda x: x * x, a),
        lambda: tf.map_fn(lambda x: x + 1.0, p, name="m"),
        lambda: tf.map_fn(tf.reduce_sum, a),
        lambda: tf.map_fn(lambda x: x[0] * tf.cast(x[1], tf.float32), (a, iv), dtype=tf.float32),
        lambda: list(tf.map_fn(lambda x: (x, -x), whole, dtype=(tf.int64, tf.int64))),
        lambda: tf.map_fn(lambda x: {"a": x}, whole, dtype={"a": tf.int64})["a"],
        lambda: tf.map_fn(lambda x: tf.ones([2, 3]) * x, u[:, 0]),
        lambda: tf.map_fn(lambda x: x, tf.zeros([0, 3])),
        lambda: tf.map_fn(lambda x: tf.map_fn(lambda y: y * i, x), tf.constant([[1, 2], [3, 4]])),
        lambda: tf.map_fn(lambda x: (x, x), whole),
        lambda: tf.map_fn(lambda x: x, (whole, whole[:2])),
        lambda: tf.map_fn(lambda x: x, 3),
    )


def scan(tf, np):
    """Names, shapes, dtypes, values and errors of scan."""
    a, p, u, _, iv, feed = inputs(tf, np)
    whole = np.array([1, 2, 3])
    return facts(
        tf,
        feed,
        lambda: tf.scan(lambda s, x: s + x, whole),
        lambda: tf.scan(lambda s, x: s * 2 + x, whole, np.int64(5), reverse=True, name="s"),
        lambda: tf.scan(lambda s, x: s * 2 + x, whole, reverse=True),
        lambda: tf.scan(lambda s, x: s + x, p),
        lambda: tf.scan(lambda s, x: s + tf.reduce_sum(x), u, 0.0),
        lambda: tf.scan(lambda s, x: s + x[0] * tf.cast(x[1], tf.float32), (a, iv), tf.zeros([3])),
        lambda: list(tf.scan(lambda s, x: (s[1], s[0] + x), whole, (np.int64(0), np.int64(1)))),
        lambda: tf.scan(lambda s, x: x, tf.zeros([0, 3]), tf.zeros([3])),
        lambda: tf.scan(lambda s, x: (s, s), whole),
        lambda: tf.scan(lambda s, x: tf.stack([x, x]), whole),
        lambda: tf.scan(lambda s, x: x, tf.zeros([0, 3])),
    )


def gradients_of_rows(tf, np):
    """Gradients of map_fn and scan: to the rows, to what the function uses, and through one inside another."""
    a, _, _, _, _, feed = inputs(tf, np)
    w, vector = tf.constant([1.0, 2.0, 3.0]), tf.constant([0.5, -1.0, 2.0])

    def pairs(x):
        return tf.map_fn(lambda row: (row * w, tf.sin(row)), x, dtype=(tf.float32, tf.float32))

    return facts(
        tf,
        feed,
        _slopes(tf, lambda x, w: tf.map_fn(lambda row: tf.reduce_sum(row * w) * row, x), a, w),
        _slopes(tf, lambda x: pairs(x)[0], a),
        _slopes(tf, lambda x: pairs(x)[0] + pairs(x)[1], a),
        _slopes(tf, lambda x: tf.map_fn(lambda row: tf.map_fn(lambda n: n * n * n, row), x), a),
        _slopes(tf, lambda x: tf.scan(lambda s, n: s * n, x), vector),
        _slopes(tf, lambda x, s: tf.scan(lambda s, row: s * row + w, x, s, reverse=True), a, vector),
        _slopes(tf, lambda x: tf.scan(lambda s, n: (s[0] * n, s[1] + n), x, (1.0, 1.0))[1], vector),
        lambda: tf.gradients(tf.map_fn(lambda n: n * n, vector, back_prop=False), [vector])[0] is None,
    )


def variables_in_rows(tf, np):
    """A function of map_fn makes its variable once, and a step trains it."""
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])

    def score(row):
        w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
        return tf.reduce_sum(row * w)

    loss = tf.reduce_sum(tf.map_fn(score, x))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        return [[v.name for v in tf.trainable_variables()], sess.run([tf.trainable_variables()[0], loss])]


def softmax_of_slim(tf, np):
    """slim.softmax: names, shapes, values and errors."""
    a, p, _, _, _, feed = inputs(tf, np)
    softmax = tf.contrib.slim.softmax
    return facts(tf, feed, lambda: softmax(p), lambda: softmax(tf.stack([a, a]), scope="s"), lambda: softmax(a[0]))
