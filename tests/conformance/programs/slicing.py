"""Slices: `slice`, `x[...]`, `strided_slice`, `pad`, `reverse`, and shapes made of parts of shapes."""

from tests.conformance.facts import facts, inputs
from tests.conformance.outcomes import raises


def slice(tf, np):
    """Names, shapes, dtypes, values and errors of slice."""
    a, p, u, i, iv, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.slice(a, [0, 1], [2, 1]),
        lambda: tf.slice(a, [0, 1], [-1, -1], name="sl"),
        lambda: tf.slice(p, [0, 1], [-1, 2]),
        lambda: tf.slice(p, [1, 0], [1, 2]),
        lambda: tf.slice(u, [0, 0], [1, 1]),
        lambda: tf.slice(a, [0, 1], [2, 3]),
        lambda: tf.slice(a, [0], [2]),
        lambda: tf.slice(p, [3, 0], [1, 1]),
        lambda: tf.slice(a, iv, [1, -1]),
        lambda: tf.slice(a, iv, [1, 1]),
        lambda: tf.slice(a, [-1, 0], [1, 1]),
        lambda: tf.slice(a, [0, 0], [i, 1]),
    )


def slice_gradients(tf, np):
    """Gradients of slice."""
    a, p, _, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.gradients(tf.slice(a, [0, 1], [2, 1]), a),
        lambda: tf.gradients(tf.slice(p, [0, 1], [-1, 1]), p),
    )


def indexing_known_1(tf, np):
    """Names, shapes, dtypes, values and errors of indexing known."""
    a, _, _, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: a[0],
        lambda: a[0, 1],
        lambda: a[:, 1],
        lambda: a[1:],
        lambda: a[-1],
        lambda: a[:, -1:],
        lambda: a[::-1],
        lambda: a[:, ::-1],
        lambda: a[::2, ::2],
        lambda: a[..., 0],
        lambda: a[...],
        lambda: a[:],
    )


def indexing_known_2(tf, np):
    """Names, shapes, dtypes, values and errors of indexing known."""
    a, _, _, i, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: a[tf.newaxis],
        lambda: a[:, None],
        lambda: a[None, ..., None],
        lambda: a[0, ..., None],
        lambda: a[i],
        lambda: a[i, 0],
        lambda: a[:i],
        lambda: a[i:],
        lambda: a[0:i, i],
        lambda: a[tf.constant(1)],
        lambda: a[tf.constant(1, tf.int64)],
        lambda: a[np.int64(1)],
    )


def indexing_known_3(tf, np):
    """Names, shapes, dtypes, values and errors of indexing known."""
    a, p, _, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: a[5],
        lambda: a[0, 0, 0],
        lambda: a[-3],
        lambda: a[1.0],
        lambda: a["x"],
        lambda: a[[0, 1]],
        lambda: a[a > 2],
        lambda: a[p[0, 0]],
        lambda: a[True],
        lambda: a[tf.constant([0, 1])],
        lambda: a[..., ...],
        lambda: a[::0],
    )


def indexing_known_4(tf, np):
    """Names, shapes, dtypes, values and errors of indexing known."""
    a, _, _, i, _, feed = inputs(tf, np)
    return facts(tf, feed, lambda: a[1:0], lambda: a[5:], lambda: a[2:0:-1], lambda: a[i + 1 : 2, ::-1])


def indexing_partly_known(tf, np):
    """Names, shapes, dtypes, values and errors of indexing partly known."""
    _, p, _, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: p[0],
        lambda: p[:, 0],
        lambda: p[1:],
        lambda: p[:1],
        lambda: p[-1],
        lambda: p[:-1],
        lambda: p[::2],
        lambda: p[:, 1:3],
        lambda: p[::-1],
        lambda: p[7],
        lambda: p[:, 7],
    )


def indexing_unknown(tf, np):
    """Names, shapes, dtypes, values and errors of indexing unknown."""
    _, _, u, _, _, feed = inputs(tf, np)
    return facts(tf, feed, lambda: u[0], lambda: u[..., 0], lambda: u[:, 1], lambda: u[None])


def indexing_others(tf, np):
    """Names, shapes, dtypes, values and errors of indexing others."""
    _, _, _, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.constant(3.0)[0],
        lambda: tf.constant([1, 2, 3])[1],
        lambda: tf.constant(["x", "y"])[0],
        lambda: (lambda v: v[0])(tf.Variable([[1.0, 2.0], [3.0, 4.0]])),
        lambda: (lambda v: v[:, 1])(tf.Variable([[1.0, 2.0], [3.0, 4.0]])),
    )


def indexing_others_gradients(tf, np):
    """Gradients of indexing others."""
    a, p, u, i, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: (lambda v: tf.gradients(v[0], v))(tf.Variable([[1.0, 2.0], [3.0, 4.0]])),
        lambda: tf.gradients(a[0], a),
        lambda: tf.gradients(a[:, 1:], a),
        lambda: tf.gradients(a[::-1, 0], a),
        lambda: tf.gradients(p[0], p),
        lambda: tf.gradients(p[:, None, 1], p),
        lambda: tf.gradients(u[0], u),
        lambda: tf.gradients(a[i], a),
        lambda: tf.gradients(tf.gradients(a[0] * a[0], a)[0], a),
    )


def shapes_of_parts_of_shapes(tf, np):
    """Names, shapes, dtypes, values and errors of shapes of parts of shapes."""
    a, p, _, i, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.shape(p)[0],
        lambda: tf.shape(a)[1],
        lambda: tf.shape(a)[-1:],
        lambda: tf.zeros([tf.shape(p)[0], 4]),
        lambda: tf.ones(tf.stack([tf.shape(p)[0], 2])),
        lambda: tf.reshape(p, [tf.shape(p)[0], 3, 1]),
        lambda: tf.reshape(p, tf.stack([tf.shape(p)[0], -1])),
        lambda: tf.reshape(p, tf.concat([tf.shape(p), [1]], 0)),
        lambda: tf.reshape(p, [-1, i]),
        lambda: tf.fill([tf.shape(p)[0], 2], 1.0),
    )


def strided_slice(tf, np):
    """Names, shapes, dtypes, values and errors of strided slice."""
    a, _, _, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.strided_slice(a, [0, 0], [2, 2]),
        lambda: tf.strided_slice(a, [0, 2], [2, 0], [1, -1], name="ss"),
        lambda: tf.strided_slice(a, [0], [1]),
        lambda: tf.strided_slice(a, [0, 1], [2, 2], shrink_axis_mask=2),
        lambda: tf.strided_slice(a, [0, 1], [2, 2], end_mask=1, begin_mask=3),
        lambda: tf.strided_slice(a, [0], [0, 1]),
    )


def indexing(tf, np):
    """Names, shapes, dtypes, values and errors of indexing."""
    _, _, _, _, _, feed = inputs(tf, np)
    return facts(tf, feed, lambda: (lambda d: [d, d * 2])(tf.placeholder_with_default(3.0, ())))


def pad(tf, np):
    """Names, shapes, dtypes, values and errors of pad."""
    a, p, u, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.pad(a, [[1, 0], [0, 2]]),
        lambda: tf.pad(a, [[1, 1], [0, 2]], mode="CONSTANT", name="pp"),
        lambda: tf.pad(a, [[1, 0], [0, 2]], constant_values=9),
        lambda: tf.pad(a, [[1, 0], [0, 2]], "constant"),
        lambda: tf.pad(p, [[1, 0], [0, 2]]),
        lambda: tf.pad(u, [[1, 0], [0, 2]]),
        lambda: tf.pad(a, [[1, 0]]),
        lambda: tf.pad(a, [[1, 0], [0, -1]]),
        lambda: tf.pad([1, 2], [[1, 1]]),
    )


def pad_gradients(tf, np):
    """Gradients of pad."""
    a, p, _, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.gradients(tf.pad(a, [[1, 0], [0, 2]]), a),
        lambda: tf.gradients(tf.pad(p, [[1, 0], [0, 2]], constant_values=1.0), p),
    )


def reverse(tf, np):
    """Names, shapes, dtypes, values and errors of reverse."""
    a, p, u, _, iv, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.reverse(a, [0]),
        lambda: tf.reverse(a, [0, 1], name="rv"),
        lambda: tf.reverse(a, [-1]),
        lambda: tf.reverse(p, [0]),
        lambda: tf.reverse(u, [0]),
        lambda: tf.reverse(a, [2]),
        lambda: tf.reverse(a, [0, 0]),
        lambda: tf.reverse(a, 0),
        lambda: tf.reverse(a, iv),
    )


def reverse_gradients(tf, np):
    """Gradients of reverse."""
    a, _, _, _, _, feed = inputs(tf, np)
    return facts(tf, feed, lambda: tf.gradients(tf.reverse(a, [0]), a))


def mirrored_pads(tf, np):
    """Pads that go on like a mirror."""
    a, p, u, _, _, feed = inputs(tf, np)
    return facts(
        tf,
        feed,
        lambda: tf.pad(a, [[1, 0], [0, 2]], "REFLECT"),
        lambda: tf.pad(p, [[1, 1], [2, 1]], "symmetric", name="pp"),
        lambda: tf.pad(u, [[1, 1], [2, 1]], mode="reflect"),
        lambda: tf.gradients(tf.pad(a, [[1, 0], [2, 2]], "REFLECT"), a),
        lambda: tf.gradients(tf.pad(p, [[1, 2], [3, 2]], "SYMMETRIC"), p),
        lambda: tf.pad(a, [[1, 0], [0, 2]], "nope"),
        lambda: tf.pad(a, [[1, 0]], "REFLECT"),
    )


def masks_of_later_axes(tf, np):
    """boolean_mask from another axis on."""
    a, p, _, _, _, feed = inputs(tf, np)
    b, mask = tf.stack([a, a + 10.0, a + 20.0]), [[True, False, True], [False, True, True]]
    return facts(
        tf,
        feed,
        lambda: tf.boolean_mask(a, [True, False, True], axis=1),
        lambda: tf.boolean_mask(p, [True, False, True], axis=1),
        lambda: tf.boolean_mask(b, mask, axis=1),
        lambda: tf.boolean_mask(b, [True, False], axis=1),
        lambda: tf.gradients(tf.boolean_mask(b, mask, axis=1), a),
    )


def indices_as_arrays_of_one_number(tf, np):
    """An array of rank 0 is a number; a truth value is none."""
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.Session() as sess:
        return [sess.run(x[np.array(1)]), sess.run(x[:, np.array(0)]), raises(lambda: x[np.array(0.5)])]
