"""Arrays in training code: variables, placeholders and lists joined, cut and gathered, and their gradients."""

from tests.conformance.facts import facts, inputs
from tests.conformance.outcomes import raises


def _variables(tf):
    v = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], name="v")
    return v, tf.Variable([1.5, 2.5, 3.5], name="b")


def of_variables(tf, np):
    """A variable is taken where a tensor is."""
    v, b = _variables(tf)
    _, p, _, i, iv, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.concat([v, v], 1),
        lambda: tf.concat([p, v, [[7, 8, 9]]], axis=0),
        lambda: tf.stack([b, b], axis=1),
        lambda: tf.stack([b, [1, 2, 3]]),
        lambda: tf.unstack(v, axis=1),
        lambda: tf.split(v, 3, axis=-1),
        lambda: tf.split(v, [1, 1]),
        lambda: tf.split(v, 1),
        lambda: tf.unstack(v[:1]),
        lambda: tf.tile(tf.expand_dims(b, 0), [tf.shape(p)[0], 1]),
        lambda: tf.reshape(v, [-1, 2]),
        lambda: tf.reshape(p, (-1, 1)),
        lambda: tf.transpose(v),
        lambda: tf.squeeze(tf.expand_dims(v, -1), [-1]),
        lambda: tf.slice(v, [0, 1], [2, 2]),
        lambda: tf.zeros_like(v),
        lambda: tf.ones_like(p),
        lambda: tf.fill(tf.shape(p), 2.5),
        lambda: tf.shape(v),
        lambda: [tf.size(p), tf.rank(p), tf.shape(p, out_type=tf.int64)],
    )


def of_numbers_and_lists(tf, np):
    """Lists and arrays become constants."""
    _, p, _, i, iv, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.reverse(tf.range(4), [0]),
        lambda: tf.transpose(np.arange(24).reshape(2, 3, 4), [1, 2, 0]),
        lambda: tf.range(i, 10, 2)[1:],
        lambda: tf.one_hot(np.array([[0, 2], [1, 5]]), depth=3, axis=1, on_value=2, off_value=-1),
        lambda: tf.one_hot(tf.cast(p[:, 0], tf.int32), 4),
        lambda: tf.where(p > 2.0, p, tf.zeros_like(p)),
        lambda: tf.where(tf.equal(iv, 1)),
        lambda: tf.boolean_mask([1, 2, 3, 4], np.array([True, False, True, False])),
        lambda: tf.boolean_mask(p, tf.reduce_sum(p, 1) > 4),
        lambda: tf.gather(np.arange(10) * 10, tf.constant([3, 3, 9], tf.int64)),
        lambda: tf.pad(np.ones((2, 2), np.int32), [[1, 1], [0, 2]]),
        lambda: tf.eye(3, name="I") * 2.0,
        lambda: tf.squeeze([[[5]]]) + 1,
        lambda: tf.concat([tf.shape(p), [1, 2]], 0),
        lambda: tf.stack([tf.shape(p)[0], 4]),
        lambda: tf.strided_slice(np.arange(10), [1], [-1], [3]),
        lambda: tf.constant(np.arange(12).reshape(3, 4))[1:, ::2],
        lambda: tf.constant(np.arange(12).reshape(3, 4))[-1][..., tf.newaxis],
    )


def gradients_by_variables(tf, np):
    """What flows back to a variable through ops that move elements."""
    v, b = _variables(tf)
    _, p, _, i, iv, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.gradients(tf.concat([v, p * v], 1) ** 2, v),
        lambda: tf.gradients(tf.stack([b, 2.0 * b], axis=1)[:, 1] * b, b),
        lambda: tf.gradients(tf.unstack(v)[1] * b, [v, b]),
        lambda: tf.gradients(tf.split(v, [2, -1], axis=1)[0] ** 2, v),
        lambda: tf.gradients(tf.tile(b, [2]) * [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], b),
        lambda: tf.gradients(tf.reshape(v, [3, 2])[1] ** 2, v),
        lambda: tf.gradients(tf.transpose(v)[0] * [1.0, 10.0], v),
        lambda: tf.gradients(tf.reverse(b, [0]) * [1.0, 2.0, 3.0], b),
        lambda: tf.gradients(tf.pad(v, [[0, 1], [1, 0]]) ** 2, v),
        lambda: tf.gradients(tf.where(v > 2.0, v * v, v), v),
        lambda: tf.gradients(tf.boolean_mask(v, v > 2.0) ** 2, v),
        lambda: tf.gradients(tf.gather(v, iv, axis=1) ** 2, v),
        lambda: tf.gradients(tf.gather(b, [2, 2, 0]) * [1.0, 2.0, 3.0], b),
        lambda: tf.gradients(tf.squeeze(tf.expand_dims(v, 1)) ** 2, v),
        lambda: tf.gradients(tf.slice(v, [0, i], [-1, 1]) ** 2, v),
        lambda: tf.gradients(v[:, i] ** 2, v),
        lambda: tf.gradients(tf.fill([2, 3], b[0]) * v, b),
        lambda: tf.gradients(tf.one_hot([0, 2], 3) * b, b),
    )


def found_by_the_run(tf, np):
    """What does not fit an array of unknown shape is refused when it is there."""
    u = tf.placeholder(tf.float32, name="u")

    def refused(result, value):
        with tf.Session() as sess:
            return raises(lambda: sess.run(result, {u: value})).type

    return [
        refused(tf.unstack(u, num=2), np.ones((1, 2))),
        refused(tf.unstack(u, num=1), np.ones((3, 2))),
        refused(tf.tile(u, [2]), np.ones((2, 2))),
        refused(tf.transpose(u, [1, 0]), np.ones((2, 2, 2))),
        refused(tf.reshape(u, [4]), np.ones(3)),
        refused(tf.reshape(u, [-1, 2]), np.ones(3)),
        refused(tf.concat([u, u], 0), 1.0),
        refused(tf.expand_dims(u, 3), np.ones(2)),
        refused(tf.squeeze(u, [4]), np.ones(2)),
        refused(tf.split(u, 2), np.ones(3)),
        refused(tf.split(u, 2, axis=2), np.ones(3)),
        refused(tf.gather(u, [0]), 3.0),
        refused(tf.gather(u, [0], axis=1), [3.0]),
        refused(tf.gather_nd(u, [[0, 1]]), [3.0]),
        refused(tf.slice(u, [0, 0], [1, 1]), [3.0]),
        refused(u[0, 1], [3.0]),
        refused(u[5], [3.0]),
        refused(tf.reverse(u, [1]), [3.0]),
        refused(tf.one_hot(tf.cast(u, tf.int32), 3, axis=2), [1.0]),
    ]
