"""tf.layers: values, names of variables and ops, collections, reuse and errors."""

from tests.conformance.outcomes import raises


def _numbers(np, *shape):
    count = int(np.prod(shape))
    return (np.arange(count) * 7919 % count / count - 0.4).astype(np.float32).reshape(shape)


def _fill(tf, np, sess):
    """Give each variable numbers that depend on its name's place among the sorted names."""
    sess.run(tf.global_variables_initializer())
    for i, v in enumerate(sorted(tf.trainable_variables(), key=lambda v: v.name)):
        v.load(_numbers(np, *v.shape.as_list()) + 0.1 * i, sess)


def _run(tf, np, fetches, feeds=None):
    with tf.Session() as sess:
        _fill(tf, np, sess)
        return sess.run(fetches, feeds)


def _collections(tf):
    graph = tf.get_default_graph()
    keys = ["variables", "trainable_variables", "model_variables", "update_ops", "regularization_losses"]
    return {key: sorted(item.name for item in graph.get_collection(key)) for key in keys}


def dense(tf, np):
    """Dense."""
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.layers.dense(x, 4, activation=tf.nn.relu)
    z = tf.layers.dense(y, 2, use_bias=False, name="out")
    g = tf.gradients(z, [x, *tf.trainable_variables()])
    return [y.name, z.name, str(z.shape), _collections(tf), _run(tf, np, [y, z, *g], {x: _numbers(np, 2, 3)})]


def dense_of_three_axes(tf, np):
    """Dense of three axes."""
    x = tf.placeholder(tf.float32, [None, 2, 3])
    y = tf.layers.dense(x, 4, tf.nn.sigmoid)
    g = tf.gradients(y, [x, *tf.trainable_variables()])
    return [y.name, str(y.shape), _run(tf, np, [y, *g], {x: _numbers(np, 2, 2, 3)})]


def conv2d(tf, np):
    """Conv2d."""
    x = tf.placeholder(tf.float32, [None, 5, 6, 2])
    y = tf.layers.conv2d(x, 3, 2, activation=tf.nn.relu)
    z = tf.layers.conv2d(y, 2, (3, 2), (2, 1), "same", name="second", use_bias=False)
    w = tf.layers.conv2d(x, 2, [2, 2], padding="SAME", dilation_rate=2)
    g = tf.gradients(z, [x, *tf.trainable_variables()[:2]])
    shapes = [str(t.shape) for t in (y, z, w)]
    names = [t.name for t in (y, z, w)]
    return [names, shapes, _collections(tf), _run(tf, np, [y, z, w, *g], {x: _numbers(np, 2, 5, 6, 2)})]


def pooling(tf, np):
    """Pooling."""
    x = tf.placeholder(tf.float32, [None, 5, 6, 2])
    y = [tf.layers.max_pooling2d(x, 2, 2), tf.layers.max_pooling2d(x, [3, 2], (2, 1), "same")]
    y += [tf.layers.average_pooling2d(x, 2, 2), tf.layers.average_pooling2d(x, 3, 2, "same", name="mine")]
    return [[t.name, str(t.shape)] for t in y] + _run(tf, np, y, {x: _numbers(np, 2, 5, 6, 2)})


def flatten(tf, np):
    """Flatten."""
    shapes = [[None, 5, 6, 2], [3, 2], [None, None, 2], [4, None, 2], [2]]
    y = [tf.layers.flatten(tf.placeholder(tf.float32, shape)) for shape in shapes[:-1]]
    return [[t.name, str(t.shape)] for t in y]


def dropout(tf, np):
    """Dropout."""
    x, training = tf.placeholder(tf.float32, [None, 1000]), tf.placeholder(tf.bool, [])
    plain, noisy = tf.layers.dropout(x, 0.25), tf.layers.dropout(x, 0.25, training=True)
    chosen = tf.layers.dropout(x, 0.25, training=training)
    found = []
    for flag in (False, True):
        values = _run(tf, np, [plain, noisy, chosen], {x: np.ones([10, 1000]), training: flag})
        found.append([sorted({round(float(n), 4) for n in v.ravel()}) for v in values])
        found.append([abs(float((v > 0).mean()) - 0.75) < 0.05 for v in values])
    return [found, plain.name, noisy.name.split("/")[0], chosen.name]


def reuse(tf, np):
    """Reuse."""
    x = tf.ones([2, 3])
    a = tf.layers.dense(x, 4, name="fc")
    b = tf.layers.dense(x, 4, name="fc", reuse=True)
    with tf.variable_scope("outer"):
        c = tf.layers.dense(x, 4)
        tf.layers.dense(x, 4)
    with tf.variable_scope("outer", reuse=tf.AUTO_REUSE):
        d = tf.layers.dense(x, 4)
        e = tf.layers.dense(x, 5, name="new")
    f = tf.layers.dense(x, 4)
    g = tf.layers.dense(x, 4, reuse=True)
    names = [t.name for t in (a, b, c, d, e, f, g)]
    return [
        names,
        [v.name for v in tf.global_variables()],
        raises(lambda: tf.layers.dense(x, 4, name="fc")),
        raises(lambda: tf.layers.dense(x, 4, name="none", reuse=True)),
        raises(lambda: tf.layers.dense(x, 5, name="fc", reuse=True)),
    ]


def regularizers(tf, np):
    """Regularizers."""
    x = tf.placeholder(tf.float32, [2, 3])

    def penalty(weights):
        return tf.reduce_sum(tf.square(weights), name="penalty")

    y = tf.layers.dense(x, 4, kernel_regularizer=penalty, bias_regularizer=penalty, name="fc")
    tf.layers.dense(x, 4, kernel_regularizer=penalty, bias_regularizer=penalty, name="fc", reuse=True)
    tf.layers.dense(y, 2, kernel_regularizer=lambda w: None)
    with tf.variable_scope("scope", regularizer=penalty):
        tf.layers.conv2d(tf.ones([1, 4, 4, 1]), 2, 3)
    losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    return [[t.name for t in losses], _run(tf, np, losses, {x: _numbers(np, 2, 3)})]


def initializers_and_constraints(tf, np):
    """Initializers and constraints."""
    x = tf.ones([2, 3])
    tf.layers.dense(
        x,
        2,
        kernel_initializer=tf.constant_initializer(2.0),
        bias_initializer=tf.ones_initializer(),
        kernel_constraint=lambda w: tf.clip_by_value(w, 0, 1),
        trainable=False,
    )
    with tf.variable_scope("scope", initializer=tf.constant_initializer(3.0)):
        tf.layers.dense(x, 2)
    variables = tf.global_variables()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        values = sess.run(variables)
    return [values, [v.name for v in tf.trainable_variables()], [v.constraint is None for v in variables]]


def batch_normalization(tf, np):
    """Batch normalization."""
    x = tf.placeholder(tf.float32, [None, 3, 2, 2])
    y = tf.layers.batch_normalization(x, training=True, momentum=0.9)
    z = tf.layers.batch_normalization(x)
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    g = tf.gradients(tf.reduce_sum(y * _numbers(np, 3, 2, 2)), [x, *tf.trainable_variables()[:2]])
    moving = [v for v in tf.global_variables() if "moving" in v.name]
    with tf.Session() as sess:
        _fill(tf, np, sess)
        feeds = {x: _numbers(np, 4, 3, 2, 2)}
        values = sess.run([y, z, *g], feeds)
        for _ in range(2):
            sess.run(updates, feeds)
        return [values, sess.run(moving), y.name, z.name, _collections(tf), [v.name for v in tf.global_variables()]]


def batch_normalization_of_rows(tf, np):
    """Batch normalization of rows."""
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.layers.batch_normalization(x, training=True, scale=False, epsilon=0.01)
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    g = tf.gradients(tf.reduce_sum(y * [1.0, 2.0, 3.0] * tf.square(x)), [x, *tf.trainable_variables()])
    with tf.Session() as sess:
        _fill(tf, np, sess)
        feeds = {x: _numbers(np, 5, 3)}
        found = sess.run([y, *g, updates], feeds)[:-1]
        moving = sess.run([v for v in tf.global_variables() if "moving" in v.name])
    return [found, moving, y.name, [op.name for op in updates], [v.name for v in tf.global_variables()]]


def batch_normalization_along_other_axes(tf, np):
    """Batch normalization along other axes."""
    found = []
    for shape, axis in [((2, 3, 2, 2), 1), ((2, 3, 2), 1), ((2, 3, 2), -1), ((2, 3, 2, 2), 2), ((2, 3), [1])]:
        x = tf.constant(_numbers(np, *shape))
        found += [tf.layers.batch_normalization(x, axis, training=True), tf.layers.batch_normalization(x, axis)]
    with tf.Session() as sess:
        _fill(tf, np, sess)
        values = sess.run(found)
        sess.run(tf.get_collection(tf.GraphKeys.UPDATE_OPS))
        return values + sess.run([v for v in tf.global_variables() if "moving" in v.name])


def training_that_a_run_chooses(tf, np):
    """Training that a run chooses."""
    training = tf.placeholder(tf.bool, [])
    found = []
    for shape in [(4, 3, 2, 2), (5, 3)]:
        x = tf.placeholder(tf.float32, [None, *shape[1:]])
        y = tf.layers.batch_normalization(x, training=training, momentum=0.5)
        g = tf.gradients(tf.reduce_sum(y * _numbers(np, *shape[1:])), x)[0]
        moving = tf.global_variables()[-2:]
        with tf.Session() as sess:
            _fill(tf, np, sess)
            for flag in (True, False, True):
                feeds = {x: _numbers(np, *shape), training: flag}
                found += [sess.run([y, g], feeds)]
                sess.run(tf.get_collection(tf.GraphKeys.UPDATE_OPS)[-2:], feeds)
                found += [sess.run(moving)]
    return found


def a_training_step(tf, np):
    """A training step."""
    x, labels = tf.placeholder(tf.float32, [None, 6, 6, 1]), tf.placeholder(tf.int32, [None])
    y = tf.layers.conv2d(x, 3, 3, padding="same", use_bias=False)
    y = tf.nn.relu(tf.layers.batch_normalization(y, training=True, momentum=0.9))
    y = tf.layers.flatten(tf.layers.max_pooling2d(y, 2, 2))
    logits = tf.layers.dense(y, 2)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    step = tf.train.get_or_create_global_step()
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.GradientDescentOptimizer(0.5).minimize(loss, step)
    with tf.Session() as sess:
        _fill(tf, np, sess)
        feeds = {x: _numbers(np, 4, 6, 6, 1), labels: [0, 1, 1, 0]}
        losses = [sess.run([loss, train], feeds)[0] for _ in range(4)]
        return [losses, [[v.name, sess.run(v)] for v in tf.global_variables()]]


def a_last_axis_of_unknown_length(tf, np):
    """A last axis of unknown length."""
    x = tf.placeholder(tf.float32, [None, 4, 4, None])
    first = tf.placeholder(tf.float32, [None, None, 4, 4])
    return [
        raises(lambda: tf.layers.dense(tf.placeholder(tf.float32, [None, None]), 3)),
        raises(lambda: tf.layers.conv2d(x, 3, 3)),
        raises(lambda: tf.layers.conv2d(first, 3, 3, data_format="channels_first")),
    ]


def axes_in_another_order(tf, np):
    """Axes in another order."""
    x, first = tf.placeholder(tf.float32, [None, 3, 8, 6]), "channels_first"
    y = tf.layers.conv2d(x, 4, [3, 2], (2, 1), data_format=first, activation=tf.nn.relu)
    z = tf.layers.average_pooling2d(tf.layers.max_pooling2d(y, 2, 1, "same", first), 2, 2, data_format=first)
    slopes = tf.gradients(z, [x, *tf.trainable_variables()])
    shapes = [str(t.shape) for t in (y, z, *tf.global_variables(), *slopes)]
    return [
        shapes,
        raises(lambda: tf.layers.conv2d(x, 4, 3, data_format="NCHW")),
        raises(lambda: tf.layers.max_pooling2d(x, 2, 2, data_format="NCHW")),
    ]
