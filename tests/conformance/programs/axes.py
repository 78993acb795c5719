"""Axes: `expand_dims`, `squeeze`, `transpose`."""

from tests.conformance.facts import facts, inputs


def expand_dims(tf, np):
    """Names, shapes, dtypes, values and errors of expand dims."""
    a, p, u, i, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.expand_dims(a, 0),
        lambda: tf.expand_dims(a, -1, name="e"),
        lambda: tf.expand_dims(a, dim=1),
        lambda: tf.expand_dims(p, -2),
        lambda: tf.expand_dims(u, 1),
        lambda: tf.expand_dims(a, 3),
        lambda: tf.expand_dims(a, i),
        lambda: tf.expand_dims(a),
        lambda: tf.expand_dims(5, 0),
        lambda: tf.expand_dims([1, 2], [0]),
    )


def expand_dims_gradients(tf, np):
    """Gradients of expand dims."""
    a, p, _, _, _, feed = inputs(tf, np)
    return facts(tf, feed, lambda: tf.gradients(tf.expand_dims(a, 0), a), lambda: tf.gradients(tf.expand_dims(p, 0), p))


def squeeze(tf, np):
    """Names, shapes, dtypes, values and errors of squeeze."""
    _, p, u, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.squeeze([[[1.0], [2.0]]]),
        lambda: tf.squeeze([[[1.0], [2.0]]], 0),
        lambda: tf.squeeze([[[1.0], [2.0]]], [0, -1], name="s"),
        lambda: tf.squeeze([[[1.0], [2.0]]], squeeze_dims=[2]),
        lambda: tf.squeeze(p),
        lambda: tf.squeeze(u),
        lambda: tf.squeeze(tf.placeholder_with_default([[1.0]], [None, 1]), 0),
        lambda: tf.squeeze(tf.placeholder_with_default([[1.0], [2.0]], [None, 1]), 0),
    )


def squeeze_gradients(tf, np):
    """Gradients of squeeze."""
    _, _, _, _, _, feed = inputs(tf, np)
    return facts(tf, feed, lambda: (lambda c: tf.gradients(tf.squeeze(c), c))(tf.constant([[[1.0], [2.0]]])))


def transpose(tf, np):
    """Names, shapes, dtypes, values and errors of transpose."""
    a, p, u, _, iv, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.transpose(a),
        lambda: tf.transpose(a, [1, 0], name="t"),
        lambda: tf.transpose(p),
        lambda: tf.transpose(u),
        lambda: tf.transpose(u, [1, 0]),
        lambda: tf.transpose(a, [0]),
        lambda: tf.transpose(a, [0, 0]),
        lambda: tf.transpose(a, [0, 2]),
        lambda: tf.transpose(a, iv),
        lambda: tf.transpose(a, perm=[-1, 0]),
        lambda: tf.transpose(5.0),
    )


def transpose_gradients(tf, np):
    """Gradients of transpose."""
    a, _, u, _, iv, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.gradients(tf.transpose(a), a),
        lambda: tf.gradients(tf.transpose(a, iv), a),
        lambda: tf.gradients(tf.transpose(u), u),
    )


def two_names_of_one_argument(tf, np):
    """An argument and its older name, both given."""
    a, _, _, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.expand_dims(a, axis=1, dim=1),
        lambda: tf.squeeze(a, axis=0, squeeze_dims=0),
        lambda: tf.reduce_sum(a, axis=0, reduction_indices=0),
        lambda: tf.reduce_sum(a, keepdims=True, keep_dims=True),
        lambda: tf.argmax(a, axis=0, dimension=0),
        lambda: tf.nn.softmax(a, axis=0, dim=0),
        lambda: tf.nn.l2_normalize(a, axis=0, dim=0),
    )
