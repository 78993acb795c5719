"""Numbers in order: range, linspace, eye, zeros_like, and placeholders with a default."""

from tests.conformance.facts import facts, inputs


def where(tf, np):
    """Names, shapes, dtypes, values and errors of where."""
    a, _, _, _, _, feed = inputs(tf, np)
    return facts(tf, feed, lambda: tf.where(a > 2, tf.ones_like(a), 0 * a))


def linspace(tf, np):
    """Names, shapes, dtypes, values and errors of linspace."""
    _, _, _, i, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.linspace(0.0, 1.0, 5),
        lambda: tf.linspace(10, 12, 3, name="l"),
        lambda: tf.linspace(tf.constant(1.0, tf.float64), 3.0, i),
        lambda: tf.linspace(2.0, 5.0, 1),
    )


def linspace_gradients(tf, np):
    """Gradients of linspace, by both of its ends."""
    a, _, _, _, _, feed = inputs(tf, np)
    return facts(tf, feed, lambda: tf.gradients(tf.linspace(a[0, 0], a[0, 1], 5)[1], [a]))


def range_1(tf, np):
    """Names, shapes, dtypes, values and errors of range."""
    _, _, _, i, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.range(5),
        lambda: tf.range(1, 5),
        lambda: tf.range(1, 10, 3, name="r"),
        lambda: tf.range(5.0),
        lambda: tf.range(0, 1, 0.25),
        lambda: tf.range(5, 0, -2),
        lambda: tf.range(i),
        lambda: tf.range(i, 5),
        lambda: tf.range(3, dtype=tf.float32),
        lambda: tf.range(3, dtype=tf.int64),
        lambda: tf.range(tf.constant(3, tf.int64)),
        lambda: tf.range(0, tf.constant(3, tf.int64)),
    )


def range_2(tf, np):
    """Names, shapes, dtypes, values and errors of range."""
    _, p, _, i, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.range(5, 0),
        lambda: tf.range(0),
        lambda: tf.range(0, 5, 0),
        lambda: tf.range([1, 2]),
        lambda: tf.range(1.5, 4),
        lambda: tf.range(i, 5.0),
        lambda: tf.range(tf.shape(p)[0]),
        lambda: tf.range(0, 5, delta=-1),
        lambda: tf.range(i - 2),
    )


def placeholder_with_default(tf, np):
    """Names, shapes, dtypes, values and errors of placeholder with default."""
    _, _, _, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.placeholder_with_default(1.0, []),
        lambda: tf.placeholder_with_default([1.0, 2.0], [None], name="d"),
        lambda: tf.placeholder_with_default([1.0, 2.0], None),
        lambda: tf.placeholder_with_default(0.5, shape=()),
    )


def eye(tf, np):
    """Names, shapes, dtypes, values and errors of eye."""
    _, _, _, i, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.eye(2),
        lambda: tf.eye(2, 3, dtype=tf.int32, name="e"),
        lambda: tf.eye(2, batch_shape=[3]),
        lambda: tf.eye(i),
        lambda: tf.eye(2, dtype=tf.bool),
    )


def zeros_like(tf, np):
    """Names, shapes, dtypes, values and errors of zeros like."""
    a, _, _, _, _, feed = inputs(tf, np)
    return facts(tf, feed, lambda: tf.zeros_like(a, dtype=tf.int32), lambda: tf.zeros_like([1, 2], name="z"))


def ones_like(tf, np):
    """Names, shapes, dtypes, values and errors of ones like."""
    _, p, _, _, _, feed = inputs(tf, np)
    return facts(tf, feed, lambda: tf.ones_like(p, tf.float64), lambda: tf.ones_like(p, tf.bool, name="o"))
