"""Several tensors as one and one as several: concat, stack, unstack, split, tile."""

from tests.conformance.facts import facts, inputs


def concat_1(tf, np):
    """Names, shapes, dtypes, values and errors of concat."""
    a, p, u, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.concat([a, a], 0),
        lambda: tf.concat([a, p], 0),
        lambda: tf.concat([a, p], 1, name="c"),
        lambda: tf.concat([p, p], -1),
        lambda: tf.concat([u, a], 0),
        lambda: tf.concat([a], 0),
        lambda: tf.concat(a, 0),
        lambda: tf.concat([1.0, 2.0], 0),
        lambda: tf.concat([a, [[1, 2, 3]]], 0),
        lambda: tf.concat([a, tf.constant([[1, 2, 3]])], 0),
        lambda: tf.concat([[[1, 2]], a], 0),
        lambda: tf.concat([a, [1.0, 2.0]], 0),
    )


def concat_2(tf, np):
    """Names, shapes, dtypes, values and errors of concat."""
    a, p, u, i, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.concat([a, [[1.0, 2.0]]], 0),
        lambda: tf.concat([a, a], 2),
        lambda: tf.concat([a, a], i),
        lambda: tf.concat([], 0),
        lambda: tf.concat([[1], [2.0]], 0),
        lambda: tf.concat([u, u], 0),
        lambda: tf.concat([p, a], i),
    )


def concat_gradients(tf, np):
    """Gradients of concat."""
    a, _, _, _, _, feed = inputs(tf, np)
    return facts(tf, feed, lambda: tf.gradients(tf.concat([a, 2 * a], 0), a))


def stack_1(tf, np):
    """Names, shapes, dtypes, values and errors of stack."""
    a, p, _, i, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.stack([1, 2, 3]),
        lambda: tf.stack([a, a], axis=-1, name="st"),
        lambda: tf.stack([a, p]),
        lambda: tf.stack([p, p], 1),
        lambda: tf.stack([1.0, 2]),
        lambda: tf.stack([1, 2.0]),
        lambda: tf.stack([tf.constant(1.0), 2]),
        lambda: tf.stack([i, 3]),
        lambda: tf.stack([1, 2], axis=1),
        lambda: tf.stack([1, 2], axis=-3),
        lambda: tf.stack([a, a], axis=3),
        lambda: tf.stack([a, [1.0, 2.0]]),
    )


def stack_2(tf, np):
    """Names, shapes, dtypes, values and errors of stack."""
    a, _, u, _, _, feed = inputs(tf, np)
    return facts(tf, feed, lambda: tf.stack([u, u]), lambda: tf.stack([]), lambda: tf.stack(a))


def stack_gradients(tf, np):
    """Gradients of stack."""
    a, _, _, _, _, feed = inputs(tf, np)
    return facts(tf, feed, lambda: tf.gradients(tf.stack([a, 2 * a], 1), a))


def unstack(tf, np):
    """Names, shapes, dtypes, values and errors of unstack."""
    a, p, u, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.unstack(a),
        lambda: tf.unstack(a, axis=1, name="us"),
        lambda: tf.unstack(a, axis=-1),
        lambda: tf.unstack(p),
        lambda: tf.unstack(p, axis=1),
        lambda: tf.unstack(p, num=2),
        lambda: tf.unstack(u),
        lambda: tf.unstack(u, num=2),
        lambda: tf.unstack(a, num=3),
        lambda: tf.unstack(a, axis=2),
        lambda: tf.unstack([1, 2]),
    )


def unstack_gradients(tf, np):
    """Gradients of unstack."""
    a, _, _, _, _, feed = inputs(tf, np)
    return facts(tf, feed, lambda: tf.gradients(tf.unstack(a)[0], a), lambda: tf.gradients(tf.unstack(a), a))


def split_1(tf, np):
    """Names, shapes, dtypes, values and errors of split."""
    a, p, u, _, iv, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.split(a, 3, 1),
        lambda: tf.split(a, 2),
        lambda: tf.split(a, [1, 2], 1, name="sp"),
        lambda: tf.split(a, [1, -1], 1),
        lambda: tf.split(a, [2, 2], 1),
        lambda: tf.split(a, 2, 1),
        lambda: tf.split(p, 3, 1),
        lambda: tf.split(p, 2, 0),
        lambda: tf.split(p, [1, 1], 0),
        lambda: tf.split(u, 2),
        lambda: tf.split(u, iv),
    )


def split_2(tf, np):
    """Names, shapes, dtypes, values and errors of split."""
    a, _, u, i, iv, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.split(u, iv, num=2),
        lambda: tf.split(a, 3, i),
        lambda: tf.split(a, tf.constant(2)),
        lambda: tf.split(a, 1.5),
    )


def split_gradients(tf, np):
    """Gradients of split."""
    a, _, _, _, _, feed = inputs(tf, np)
    return facts(
        tf, feed, lambda: tf.gradients(tf.split(a, 3, 1)[0], a), lambda: tf.gradients(tf.split(a, [1, 2], 1)[1], a)
    )


def tile(tf, np):
    """Names, shapes, dtypes, values and errors of tile."""
    a, p, u, _, iv, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.tile(a, [2, 1]),
        lambda: tf.tile(p, [1, 2], name="ti"),
        lambda: tf.tile(u, [1, 2]),
        lambda: tf.tile(a, [2]),
        lambda: tf.tile(a, iv),
        lambda: tf.tile(a, [-1, 1]),
        lambda: tf.tile(a, [0, 1]),
        lambda: tf.tile(1.0, []),
        lambda: tf.tile([1, 2], [2.0]),
        lambda: tf.tile(a, tf.constant([2, 2], tf.int64)),
        lambda: tf.tile([1], 2),
    )


def tile_gradients(tf, np):
    """Gradients of tile."""
    a, p, _, _, _, feed = inputs(tf, np)
    return facts(tf, feed, lambda: tf.gradients(tf.tile(a, [2, 1]), a), lambda: tf.gradients(tf.tile(p, [2, 3]), p))


def mistakes(tf, np):
    """Arguments in the order of older versions, and parts that don't fit."""
    a, _, _, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.concat(0, [a, a[:1]]),
        lambda: tf.concat(0, [a, a]),
        lambda: tf.stack([tf.constant(1), tf.constant(1.0)]),
        lambda: tf.split(a, 0),
        lambda: tf.unstack(5),
    )


def arrays_of_double_precision(tf, np):
    """Arrays keep their dtype when they are joined, whatever that of the axis is."""
    array = np.arange(4.0).reshape(2, 2)
    with tf.Session() as sess:
        return sess.run([tf.concat([array, array], tf.constant(1)), tf.stack([array, array]), tf.stack([array], 1)])
