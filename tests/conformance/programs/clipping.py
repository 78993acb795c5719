"""Clipping of values, of tensors' lengths, and of lists of gradients."""

from tests.conformance.outcomes import raises


def _facts(tensor):
    return [tensor.name, tensor.op.type, tensor.dtype.name, str(tensor.shape)]


def _run(tf, fetches, feeds=None):
    with tf.Session() as sess:
        return sess.run(fetches, feeds)


def values_within_bounds(tf, np):
    """Numbers, tensors and arrays as bounds."""
    x, i = tf.constant([-2.0, 0.5, 3.0]), tf.constant([1, 5, 9])
    made = [tf.clip_by_value(x, 0, 1), tf.clip_by_value(x, -1.0, tf.constant(1.0), name="c")]
    made += [tf.clip_by_value(i, 2, 6), tf.clip_by_value([1.0, 7.0], 2.0, 3.0), tf.clip_by_value(x, 3.0, 2.0)]
    made += [tf.clip_by_value(x, [0.0, 1.0, 2.0], [0.1, 1.1, 2.1]), tf.clip_by_value(x * np.nan, 0.0, 1.0)]
    made += [tf.clip_by_value(tf.zeros([0]), 0.0, 1.0)]
    unknown = [tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.float32)]
    facts = [_facts(tf.clip_by_value(t, 0, 1)) for t in unknown]
    return [[_facts(t) for t in made], facts, _run(tf, made)]


def values_within_bounds_refused(tf, np):
    """Bounds of another dtype or shape."""
    x = tf.zeros([2, 1])
    calls = [lambda: tf.clip_by_value(tf.constant([1]), 0.5, 1), lambda: tf.clip_by_value(x, tf.zeros([3]), 1)]
    calls += [lambda: tf.clip_by_value(x, 0.0, tf.ones([1, 3])), lambda: tf.clip_by_value(x, tf.constant(0), 1)]
    calls += [lambda: tf.clip_by_value(tf.constant(["a"]), "b", "c")]
    return [raises(call) for call in calls]


def gradients_of_values_within_bounds(tf, np):
    """Outside of the bounds the gradient goes to the bound; on a bound, to the value."""
    x, low, high = tf.constant([-1.0, 0.0, 0.5, 1.0, 2.0]), tf.constant(0.0), tf.constant(1.0)
    clipped = tf.clip_by_value(x, low, high)
    return _run(tf, tf.gradients(clipped * [1.0, 2.0, 3.0, 4.0, 5.0], [x, low, high]))


def lengths_within_bounds(tf, np):
    """Longer ones are scaled, along axes too; a negative bound gives 0."""
    x, m = tf.constant([3.0, 4.0]), tf.constant([[3.0, 4.0], [0.3, 0.4]])
    made = [tf.clip_by_norm(x, 1.0), tf.clip_by_norm(x, 10.0, name="c"), tf.clip_by_norm(x, tf.constant(2.5))]
    made += [tf.clip_by_norm(m, 1.0, axes=[1]), tf.clip_by_norm(m, 1, [0]), tf.clip_by_norm([3.0, 4.0], 1)]
    made += [tf.clip_by_norm(tf.zeros([2]), 1.0), tf.clip_by_norm(x, 0.0), tf.clip_by_norm(x, -1.0)]
    made += [tf.clip_by_norm(x, tf.constant(-1.0)), tf.clip_by_norm(x, tf.constant([1.0, 2.0]))]
    facts = [_facts(tf.clip_by_norm(tf.placeholder(tf.float32, [None, 2]), 1.0))]
    calls = [lambda: tf.clip_by_norm(tf.constant([3, 4]), 1)]
    calls += [lambda: tf.clip_by_norm(x, tf.constant([[1.0], [2.0]]))]
    return [[_facts(t) for t in made], facts, _run(tf, made), [raises(call) for call in calls]]


def gradients_of_lengths_within_bounds(tf, np):
    """Of a long one, a short one, and nothing at all."""
    found = []
    for numbers in ([3.0, 4.0], [0.1, 0.1], [0.0, 0.0]):
        x = tf.constant(numbers)
        found.append(tf.gradients(tf.clip_by_norm(x, 1.0) * [1.0, 2.0], x))
    return _run(tf, found)


def norms_of_lists(tf, np):
    """None counts nothing; a list of nothing has norm 0."""
    x, y = tf.constant([3.0, 4.0]), tf.constant(12.0)
    made = [tf.global_norm([x, y]), tf.global_norm([x, None, y], name="n"), tf.global_norm((x,))]
    made += [tf.global_norm([]), tf.global_norm([None]), tf.global_norm([1.0, [2.0, 2.0]])]
    made += [tf.global_norm([tf.constant([3.0], tf.float64)])]
    calls = [lambda: tf.global_norm(3), lambda: tf.global_norm("ab")]
    gradients = tf.gradients(made[0], [x, y])
    return [[_facts(t) for t in made], _run(tf, [made, gradients]), [raises(call) for call in calls]]


def lists_within_bounds(tf, np):
    """All scaled by one factor; None stays; an infinite norm makes NaN."""
    x, y = tf.constant([3.0, 4.0]), tf.constant(12.0)
    pairs = [tf.clip_by_global_norm([x, None, y], 6.5), tf.clip_by_global_norm((x, y), 100.0, name="c")]
    pairs += [tf.clip_by_global_norm([x], 2.0, use_norm=tf.constant(4.0)), tf.clip_by_global_norm([y / 0.0], 1.0)]
    pairs += [tf.clip_by_global_norm([x], tf.constant(1.0)), tf.clip_by_global_norm([tf.zeros([2])], 1.0)]
    facts = [[t if t is None else _facts(t) for t in clipped] for clipped, _ in pairs]
    values = _run(tf, [([t for t in clipped if t is not None], norm) for clipped, norm in pairs])
    kinds = [type(clipped).__name__ for clipped, _ in pairs]
    calls = [lambda: tf.clip_by_global_norm(3, 1.0), lambda: tf.clip_by_global_norm("ab", 1.0)]
    return [facts, kinds, values, tf.clip_by_global_norm([], 1.0)[0], [raises(call) for call in calls]]


def clipped_training(tf, np):
    """The common pattern: compute, clip, apply."""
    w = tf.Variable([1.0, 2.0])
    b = tf.Variable(0.5)
    loss = tf.reduce_sum(tf.square(w * 10.0)) + b
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    gradients, variables = zip(*optimizer.compute_gradients(loss), strict=True)
    clipped, norm = tf.clip_by_global_norm(gradients, 5.0)
    train = optimizer.apply_gradients(zip(clipped, variables, strict=True))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        first = sess.run(norm)
        return [first, *[sess.run([train, w, b])[1:] for _ in range(2)], sess.run(loss)]


def clipped_rows(tf, np):
    """What was gathered has rows for a gradient; they stay rows when they are clipped."""
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    x = tf.constant([1.0, 2.0])
    rows, slopes = tf.gradients(tf.reduce_sum(tf.square(tf.gather(w, [0, 2, 0]))) + tf.reduce_sum(x * x), [w, x])
    lists, norm = tf.clip_by_global_norm([rows, None, slopes], 1.0)
    made = [tf.clip_by_value(rows, -3.0, 3.0), tf.clip_by_norm(rows, 1.0, name="c"), tf.clip_by_norm(rows, 9.0, 1)]
    made += [lists[0]]
    names = [[_facts(m.values), m.dense_shape.dtype.name, str(m.indices.shape)] for m in made]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        values = sess.run([[(m.values, m.indices) for m in made], lists[2], norm, tf.global_norm([rows])])
    return [names, _facts(norm), lists[1], values, [type(m).__name__ for m in made]]


def clipped_training_of_rows(tf, np):
    """Only the rows that were gathered are changed."""
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    loss = tf.reduce_sum(tf.square(tf.gather(w, [2, 0])))
    (gradient, _), *_ = optimizer.compute_gradients(loss)
    train = optimizer.apply_gradients([(tf.clip_by_norm(gradient, 2.0), w)])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run([train, w])[1] for _ in range(3)]
