"""tf.losses: values under weights and reductions, names, collections and errors."""

from tests.conformance.outcomes import raises

X = [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
ONES = [[1.0] * 3, [1.0] * 3]
REDUCTIONS = ["NONE", "SUM", "MEAN", "SUM_OVER_BATCH_SIZE", "SUM_BY_NONZERO_WEIGHTS"]


def mean_squared_error(tf, np):
    """Mean squared error."""
    x = tf.constant(X)
    loss = tf.losses.mean_squared_error(ONES, x)
    named = tf.losses.mean_squared_error(ONES, x, scope="mine")
    with tf.Session() as sess:
        return sess.run([loss, *tf.gradients(loss, x)]) + [loss.name, named.name, str(loss.shape)]


def weights_and_reductions(tf, np):
    """Weights and reductions."""
    weights = [1.0, 0.0, 2.0, [[1.0], [0.0]], [[1.0, 0.0, 2.0]], X]
    with tf.Session() as sess:
        return [
            sess.run(tf.losses.mean_squared_error(ONES, X, w, reduction=getattr(tf.losses.Reduction, r)))
            for r in REDUCTIONS
            for w in weights
        ]


def names_of_reductions(tf, np):
    """Names of reductions."""
    made = [tf.losses.mean_squared_error(ONES, X, reduction=getattr(tf.losses.Reduction, r)).name for r in REDUCTIONS]
    return [made, [getattr(tf.losses.Reduction, r) for r in REDUCTIONS], tf.losses.Reduction.all()]


def collections(tf, np):
    """Collections."""
    tf.losses.mean_squared_error(ONES, X)
    tf.losses.mean_squared_error(ONES, X, loss_collection=None)
    tf.losses.mean_squared_error(ONES, X, loss_collection="other", scope="s")
    tf.losses.add_loss(tf.constant(3.0, name="three"))
    tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, tf.constant(4.0))
    total = tf.losses.get_total_loss()
    without = tf.losses.get_total_loss(add_regularization_losses=False, name="n")
    with tf.Session() as sess:
        values = sess.run([total, without, tf.losses.get_regularization_loss()])
    losses = [tf.losses.get_losses(), tf.losses.get_losses("three"), tf.get_collection("other")]
    return [values, total.name, without.name, [[t.name for t in found] for found in losses]]


def no_losses(tf, np):
    """No losses."""
    with tf.Session() as sess:
        total = raises(tf.losses.get_total_loss)
        return [sess.run(tf.losses.get_regularization_loss()), tf.losses.get_losses(), total]


def softmax_cross_entropy(tf, np):
    """Softmax cross entropy."""
    x, labels = tf.constant(X), [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    made = [
        tf.losses.softmax_cross_entropy(labels, x),
        tf.losses.softmax_cross_entropy([[0, 1, 0], [1, 0, 0]], x, label_smoothing=0.1),
        tf.losses.softmax_cross_entropy(labels, x, weights=[1.0, 2.0], scope="s"),
    ]
    with tf.Session() as sess:
        return sess.run(made + tf.gradients(made[1], x)) + [t.name for t in made]


def sparse_softmax_cross_entropy(tf, np):
    """Sparse softmax cross entropy."""
    x = tf.constant(X)
    made = [
        tf.losses.sparse_softmax_cross_entropy([0, 2], x),
        tf.losses.sparse_softmax_cross_entropy([[0], [2]], x),
        tf.losses.sparse_softmax_cross_entropy([0, 2], x, weights=[0.0, 2.0], scope="s"),
    ]
    with tf.Session() as sess:
        return sess.run(made + tf.gradients(made[2], x)) + [t.name for t in made]


def dtypes(tf, np):
    """Dtypes."""
    made = [
        tf.losses.mean_squared_error([1, 2], [3, 5]),
        tf.losses.mean_squared_error(np.array([1.0]), np.array([3.0])),
        tf.losses.compute_weighted_loss(tf.constant([1.0, 2.0], tf.float64)),
        tf.losses.compute_weighted_loss([1.0, 2.0], [1, 0]),
    ]
    with tf.Session() as sess:
        return sess.run(made) + [[t.name, t.dtype.name] for t in made]


def weights_in_the_run(tf, np):
    """Weights in the run."""
    x, w = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 1])
    loss = tf.losses.mean_squared_error(tf.zeros_like(x), x, weights=w)
    with tf.Session() as sess:
        return [sess.run([loss, *tf.gradients(loss, x)], {x: X, w: v}) for v in ([[0], [2]], [[0], [0]])]


def errors(tf, np):
    """Errors."""
    mse, sce = tf.losses.mean_squared_error, tf.losses.softmax_cross_entropy
    return [
        raises(lambda: mse(None, X)),
        raises(lambda: mse(X, None)),
        raises(lambda: mse([1.0, 2.0], X)),
        raises(lambda: mse(X, X, reduction="x")),
        raises(lambda: mse(X, X, weights=None)),
        raises(lambda: mse(X, X, weights=[1.0, 2.0, 3.0])).type,
        raises(lambda: mse(X, X, weights=[[1.0, 2.0]])).type,
        raises(lambda: sce(None, X)),
        raises(lambda: sce(X, None)),
        raises(lambda: sce([[1.0, 0.0]], X)),
        raises(lambda: tf.losses.sparse_softmax_cross_entropy(None, X)),
    ]


def weights_in_a_column(tf, np):
    """Weights of sparse labels may form a column; the column goes."""
    logits = tf.constant([[10.0, 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, 0.0, 10.0]])
    column = tf.constant([[1.2], [3.4], [0.0]])
    losses = [tf.losses.sparse_softmax_cross_entropy(labels, logits, column) for labels in ([2, 0, 1], [[2], [0], [1]])]
    with tf.Session() as sess:
        return sess.run(losses)


def losses_of_pairs(tf, np):
    """Absolute, Huber, log, hinge and sigmoid losses: values, gradients, names."""
    labels, logits = [[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]], [[0.2, -0.7, 3.0], [0.9, 0.4, 0.1]]
    chances = tf.sigmoid(logits)
    logits, made = tf.constant(logits), []
    for function, x in [(tf.losses.absolute_difference, logits), (tf.losses.huber_loss, logits * 3),
                        (tf.losses.log_loss, chances), (tf.losses.hinge_loss, logits),
                        (tf.losses.sigmoid_cross_entropy, logits)]:  # fmt: skip
        made += [(function(labels, x), x), (function(labels, x, [[1.0], [0.5]], scope="mine"), x)]
        made += [(function(tf.cast(labels, tf.int32), x, reduction=tf.losses.Reduction.NONE), x)]
    made += [(tf.losses.huber_loss(labels, logits, delta=0.5), logits)]
    made += [(tf.losses.log_loss(labels, chances, epsilon=0.5), chances)]
    made += [(tf.losses.sigmoid_cross_entropy(labels, logits, label_smoothing=0.2), logits)]
    gradients = [tf.gradients(loss, x)[0] for loss, x in made]
    with tf.Session() as sess:
        return [[[loss.name for loss, _ in made]], sess.run([loss for loss, _ in made]), sess.run(gradients)]


def arguments_of_losses_of_pairs(tf, np):
    """What they refuse."""
    return [
        raises(lambda: tf.losses.absolute_difference(None, X)),
        raises(lambda: tf.losses.huber_loss(X, None)),
        raises(lambda: tf.losses.log_loss([1.0, 2.0], X)),
        raises(lambda: tf.losses.hinge_loss(X, None)),
        raises(lambda: tf.losses.sigmoid_cross_entropy(None, X)),
    ]


def _metric(tf, pair, runs):
    value, update = pair
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        found = [sess.run(value)]
        for feeds in runs:
            found += [sess.run(update, feeds), sess.run(value)]
    return [value.name, update.name, found]


def metrics_over_runs(tf, np):
    """The mean and the accuracy of all runs so far; names, variables and collections."""
    x, y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.int64, [None])
    runs = [{x: [1, 2, 3], y: [1, 2, 4]}, {x: [5], y: [5]}, {x: [], y: []}, {x: [1, 1], y: [2, 2]}]
    found = [_metric(tf, tf.metrics.mean(x), runs), _metric(tf, tf.metrics.mean(x, x, name="squares"), runs)]
    found.append(_metric(tf, tf.metrics.accuracy(y, x, None, ["values"], ["updates", "all"]), runs))
    found.append(_metric(tf, tf.metrics.accuracy(y, x), runs))
    keys = ("local_variables", "metric_variables", "values", "updates", "all", "trainable_variables")
    return [found, [[item.name for item in tf.get_collection(key)] for key in keys]]


def metrics_of_other_shapes(tf, np):
    """A last axis of length 1 is dropped, or added to weights; other shapes must agree."""
    four, ones = [[1, 2], [3, 4]], [1.0, 0.0, 3.0]
    given = [
        ([[1], [2], [3]], [1, 2, 4], None),
        ([1, 2, 3], [[1], [2], [4]], ones),
        ([[1], [2], [3]], [[1], [2], [4]], ones),
    ]
    given += [
        ([1, 2, 3], [1.0, 2.5, 3.0], 2),
        (four, [[1, 2], [3, 5]], [[1.0], [3.0]]),
        (four, [[1, 2], [3, 5]], [1.0, 3.0]),
    ]
    given += [(four, [[1, 2], [3, 5]], [[1.0, 3.0]]), (four, [[1, 2], [3, 5]], [[[1.0], [2.0]], [[3.0], [4.0]]])]
    found = [_metric(tf, tf.metrics.accuracy(*arguments), [{}]) for arguments in given]
    return [
        found,
        raises(lambda: tf.metrics.accuracy([1, 2, 3], [1, 2])),
        raises(lambda: tf.metrics.mean([1.0, 2.0], ones)).type,
    ]
