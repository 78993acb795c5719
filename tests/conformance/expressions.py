"""What the programs about arrays observe of many expressions: names, shapes, dtypes, values, errors."""

from tests.conformance.outcomes import Raised


def inputs(tf, np):
    """Five tensors of known and unknown shapes, and what to feed."""
    a = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], name="a")
    p = tf.placeholder(tf.float32, [None, 3], name="p")
    u = tf.placeholder(tf.float32, name="u")
    i = tf.placeholder(tf.int32, [], name="i")
    iv = tf.placeholder(tf.int32, [None], name="iv")
    numbers = np.arange(6, dtype=np.float32).reshape(2, 3)
    return a, p, u, i, iv, {p: numbers, u: numbers, i: 1, iv: [1, 0]}


def facts(tf, feed, *expressions):
    """The facts of each expression, or what it raised."""
    with tf.Session() as sess:
        return [_attempt(lambda e=e: _facts(tf, sess, feed, e())) for e in expressions]


def _attempt(expression):
    try:
        return expression()
    except Exception as error:
        return Raised(error)


def _facts(tf, sess, feed, result):
    if isinstance(result, list):
        return [_facts(tf, sess, feed, item) for item in result]
    if isinstance(result, tf.IndexedSlices):
        parts = (result.values, result.indices, result.dense_shape)
        return [str(result), *[_facts(tf, sess, feed, part) for part in parts if part is not None]]
    sess.run(tf.global_variables_initializer())
    value = _attempt(lambda: sess.run(result, feed))
    return [str(result.shape), result.dtype.name, value]
