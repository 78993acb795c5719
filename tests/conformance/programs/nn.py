"""tf.nn: activations, softmax and cross entropies, with gradients, names, shapes and errors."""

from tests.conformance.outcomes import raises

X = [[-2.0, -0.5, 0.0, 0.5, 7.0], [1.0, 2.0, 3.0, 4.0, 5.0]]
LABELS = [[0.5, 0.1, 0.1, 0.2, 0.1], [0.0, 0.0, 1.0, 0.0, 0.0]]


def _facts(tensors):
    return [[t.name, t.dtype.name, str(t.shape)] for t in tensors]


def _activation(tf, function):
    x = tf.constant(X)
    y = function(x)
    (dx,) = tf.gradients(y * y, x)
    (ddx,) = tf.gradients(tf.reduce_sum(dx * dx), x)
    open_rank = function(tf.placeholder(tf.float32, [None, 3]), name="named")
    with tf.Session() as sess:
        return sess.run([y, dx, ddx]) + _facts([y, open_rank])


def relu(tf, np):
    """Relu."""
    return _activation(tf, tf.nn.relu)


def relu6(tf, np):
    """Relu6."""
    return _activation(tf, tf.nn.relu6)


def leaky_relu(tf, np):
    """Leaky relu."""
    return _activation(tf, tf.nn.leaky_relu)


def elu(tf, np):
    """Elu."""
    return _activation(tf, tf.nn.elu)


def sigmoid(tf, np):
    """Sigmoid."""
    return _activation(tf, tf.nn.sigmoid)


def tanh(tf, np):
    """Tanh."""
    return _activation(tf, tf.nn.tanh)


def softplus(tf, np):
    """Softplus."""
    return _activation(tf, tf.nn.softplus)


def softmax(tf, np):
    """Softmax."""
    return _activation(tf, tf.nn.softmax)


def log_softmax(tf, np):
    """Log softmax."""
    x = tf.constant(X)
    y = tf.nn.log_softmax(x)
    with tf.Session() as sess:
        return sess.run([y, *tf.gradients(y * y, x)]) + _facts([y])


def softmax_along_axes(tf, np):
    """Softmax along axes."""
    x = tf.constant(X)
    made = [tf.nn.softmax(x, axis=0), tf.nn.softmax(x, dim=0), tf.nn.log_softmax(x, axis=0)]
    made += [tf.nn.softmax(x, 1), tf.nn.log_softmax(x, 1)]
    with tf.Session() as sess:
        return sess.run(made) + sess.run(tf.gradients(made[0] * x, x)) + _facts(made[3:])


def softmax_errors(tf, np):
    """Softmax errors."""
    x = tf.constant(X)
    return [
        raises(lambda: tf.nn.softmax(x, axis=2)),
        raises(lambda: tf.nn.softmax(x, axis=0, dim=0)),
        raises(lambda: tf.nn.softmax(1.0)),
        raises(lambda: tf.nn.log_softmax([[1, 2]])),
        raises(lambda: tf.nn.relu("a")),
        raises(lambda: tf.nn.elu([1])),
    ]


def activations_of_edges(tf, np):
    """Activations of edges."""
    x = np.array([np.nan, -np.inf, np.inf, 1000.0, -1000.0], np.float32)
    names = ["relu", "relu6", "elu", "softplus", "softsign", "leaky_relu"]
    with tf.Session() as sess:
        return sess.run([getattr(tf.nn, name)(x) for name in names] + [tf.nn.relu([1, -2])])


def activations_of_nothing(tf, np):
    """Activations of nothing."""
    x = np.zeros([2, 0], np.float32)
    names = ["relu", "elu", "softmax", "l2_loss"]
    with tf.Session() as sess:
        return sess.run([getattr(tf.nn, name)(x) for name in names])


def leaky_relu_alpha(tf, np):
    """Leaky relu alpha."""
    made = [tf.nn.leaky_relu(X, alpha=0.5), tf.nn.leaky_relu([1, -2]), tf.nn.leaky_relu(X, name="n")]
    with tf.Session() as sess:
        return sess.run(made) + _facts(made)


def softsign_and_l2_loss(tf, np):
    """Softsign and l2 loss."""
    x = tf.constant(X)
    made = [tf.nn.softsign(x), tf.nn.l2_loss(x), tf.nn.l2_loss(x, name="half")]
    with tf.Session() as sess:
        gradients = [tf.gradients(y, x)[0] for y in made]
        return sess.run(made) + sess.run(gradients) + _facts(made)


def bias_add(tf, np):
    """Bias add."""
    x, b = tf.constant(X), tf.constant([1.0, 2.0, 3.0, 4.0, 5.0])
    y = tf.nn.bias_add(x, b)
    open_shape = tf.nn.bias_add(tf.placeholder(tf.float32, [None, 5]), b, name="n")
    with tf.Session() as sess:
        return sess.run([y, *tf.gradients(y * y, [x, b])]) + _facts([y, open_shape])


def bias_add_channels(tf, np):
    """Bias add channels."""
    x = tf.constant(np.arange(12.0, dtype=np.float32).reshape(1, 3, 2, 2))
    b = tf.constant([1.0, 2.0, 3.0])
    y = tf.nn.bias_add(x, b, data_format="NCHW")
    with tf.Session() as sess:
        return sess.run([y, *tf.gradients(y * y, [x, b])]) + _facts([y])


def bias_add_errors(tf, np):
    """Bias add errors."""
    p = tf.placeholder(tf.float32)
    with tf.Session() as sess:
        return [
            raises(lambda: tf.nn.bias_add(X, [1.0, 2.0])),
            raises(lambda: tf.nn.bias_add(X, [[1.0, 2.0]])),
            raises(lambda: tf.nn.bias_add([1.0], [1.0])),
            raises(lambda: tf.nn.bias_add(X, [1.0], data_format="X")),
            raises(lambda: sess.run(tf.nn.bias_add(p, [1.0, 2.0]), {p: np.ones((1, 3))})),
        ]


def xw_plus_b(tf, np):
    """Xw plus b."""
    w = np.arange(10.0, dtype=np.float32).reshape(5, 2)
    made = [tf.nn.xw_plus_b(X, w, [1.0, 2.0]), tf.nn.xw_plus_b(X, w, [1.0, 2.0], name="n")]
    with tf.Session() as sess:
        return sess.run(made) + _facts(made)


def softmax_cross_entropy(tf, np):
    """Softmax cross entropy."""
    x, labels = tf.constant(X), tf.constant(LABELS)
    y = tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=x)
    dx, dl = tf.gradients(y * y, [x, labels])
    with tf.Session() as sess:
        return sess.run([y, dx, dl]) + _facts([y])


def softmax_cross_entropy_of_odd_labels(tf, np):
    """Labels that don't add up to one: the gradient takes it for granted that they do."""
    x, labels = tf.constant(X), tf.constant([[1.0] * 5, [0.0] * 5])
    y = tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=x)
    with tf.Session() as sess:
        return sess.run([y, *tf.gradients(y, [x, labels])])


def softmax_cross_entropy_stops_at_labels(tf, np):
    """Softmax cross entropy stops at labels."""
    x, labels = tf.constant(X), tf.constant(LABELS)
    y = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=x)
    named = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=x, name="n")
    with tf.Session() as sess:
        return sess.run([y, *tf.gradients(y, x)]) + [tf.gradients(y, labels)[0]] + _facts([y, named])


def softmax_cross_entropy_dtypes(tf, np):
    """Softmax cross entropy dtypes."""
    made = [
        tf.nn.softmax_cross_entropy_with_logits_v2(labels=[[0, 1]], logits=[[1.0, 2.0]]),
        tf.nn.softmax_cross_entropy_with_logits_v2([[0.0, 1.0]], np.array([[1.0, 2.0]])),
        tf.nn.softmax_cross_entropy_with_logits_v2(tf.constant([0.0, 1.0]), tf.constant([1.0, 2.0])),
    ]
    with tf.Session() as sess:
        return sess.run(made) + _facts(made)


def softmax_cross_entropy_along_axes(tf, np):
    """Softmax cross entropy along other axes than the last."""
    x, labels = tf.constant([X, LABELS]), tf.constant([LABELS, X])
    made = [tf.nn.softmax_cross_entropy_with_logits_v2(labels, x, axis=axis) for axis in (0, 1, 2)]
    made.append(tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=x, dim=0))
    with tf.Session() as sess:
        return sess.run(made) + sess.run([tf.gradients(y, x)[0] for y in made]) + _facts(made)


def softmax_cross_entropy_shapes(tf, np):
    """Softmax cross entropy shapes."""
    function = tf.nn.softmax_cross_entropy_with_logits_v2
    shapes = [[None, 3], [2, 3, 4], None, [5]]
    return _facts([function(*(tf.placeholder(tf.float32, s) for _ in "ab")) for s in shapes])


def cross_entropy_errors(tf, np):
    """Cross entropy errors."""
    p = tf.placeholder(tf.float32)
    function = tf.nn.softmax_cross_entropy_with_logits_v2
    with tf.Session() as sess:
        return [
            raises(lambda: function(labels=[[1.0, 0.0]], logits=[[1.0, 0.0, 0.0]])),
            raises(lambda: tf.nn.softmax_cross_entropy_with_logits(labels=p)),
            raises(lambda: tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0], logits=[1.0, 2.0])),
            raises(lambda: tf.nn.sigmoid_cross_entropy_with_logits(labels=[1], logits=[1.0])),
            raises(lambda: function(None, [[1.0]])),
            raises(lambda: sess.run(function(p, X), {p: np.ones((3, 2))})),
        ]


def sparse_cross_entropy(tf, np):
    """Sparse cross entropy."""
    x = tf.constant(X)
    y = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 3], logits=x)
    named = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 3], logits=x, name="n")
    (dx,) = tf.gradients(y * y, x)
    with tf.Session() as sess:
        return sess.run([y, dx]) + _facts([y, named])


def sparse_cross_entropy_of_masked_logits(tf, np):
    """Sparse cross entropy of masked logits."""
    logits = tf.constant([[-np.inf, 0.0, 1.0]], tf.float32)
    y = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=logits)
    with tf.Session() as sess:
        return sess.run([y, *tf.gradients(y, logits)])


def sparse_cross_entropy_shapes(tf, np):
    """Sparse cross entropy shapes."""
    function = tf.nn.sparse_softmax_cross_entropy_with_logits
    shapes = [([None], [None, 3]), ([2, 3], [2, 3, 4]), ([], [4]), (None, [None, 3])]
    place = tf.placeholder
    return _facts([function(labels=place(tf.int64, a), logits=place(tf.float32, b)) for a, b in shapes])


def sparse_cross_entropy_errors(tf, np):
    """Sparse cross entropy errors."""
    function = tf.nn.sparse_softmax_cross_entropy_with_logits
    labels = tf.placeholder(tf.int32)
    with tf.Session() as sess:
        x = tf.constant(X)
        loss = function(labels=labels, logits=x)
        return [
            raises(lambda: sess.run(tf.gradients(loss, x), {labels: [1, 5]})),
            raises(lambda: function(labels=[0], logits=3.0)),
            raises(lambda: function(labels=[[0], [1]], logits=X)),
            raises(lambda: function(labels=[0, 1, 2], logits=X)),
            raises(lambda: function(labels=[0.0, 1.0], logits=X)),
            raises(lambda: function(labels=[0])),
            raises(lambda: sess.run(loss, {labels: [1, 5]})),
            raises(lambda: sess.run(loss, {labels: [1, -1]})),
            raises(lambda: sess.run(loss, {labels: [1, 1, 2]})),
        ]


def sigmoid_cross_entropy(tf, np):
    """Sigmoid cross entropy."""
    x, labels = tf.constant(X), tf.constant(LABELS)
    y = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=x)
    (dx,) = tf.gradients(y, x)
    (ddx,) = tf.gradients(dx * dx, x)
    with tf.Session() as sess:
        return sess.run([y, dx, ddx, *tf.gradients(y, labels)]) + _facts([y])


def dropout_keeps_or_scales(tf, np):
    """Dropout keeps or scales."""
    x = tf.ones([1000])
    made = [tf.nn.dropout(x, 0.5), tf.nn.dropout(x, rate=0.75, name="n")]
    made += [tf.nn.dropout(x, rate=tf.constant(0.5)), tf.nn.dropout(tf.ones([9, 9]), 0.5, [None, 1])]
    with tf.Session() as sess:
        values = sess.run(made)
        rows_agree = bool((values[3] == values[3][:, :1]).all())
        return [np.unique(v) for v in values] + [rows_agree, tf.nn.dropout(x, 1.0) is x] + _facts(made)


def dropout_gradient(tf, np):
    """Dropout gradient."""
    x = tf.ones([1000])
    y = tf.nn.dropout(x, 0.5)
    with tf.Session() as sess:
        value, gradient = sess.run([y, tf.gradients(y, x)[0]])
        return [bool((value == gradient).all()), np.unique(gradient)]


def dropout_errors(tf, np):
    """Dropout errors."""
    x = tf.constant([1.0, 2.0])
    rates = [{}, {"keep_prob": 0.5, "rate": 0.5}, {"rate": 1.0}, {"rate": -0.5}, {"keep_prob": "a"}]
    rates += [{"keep_prob": 0.0}, {"rate": tf.constant(0.5, tf.float64)}]
    return [raises(lambda rate=rate: tf.nn.dropout(x, **rate)) for rate in rates] + [
        raises(lambda: tf.nn.dropout(tf.constant([1, 2]), 0.5))
    ]


def log_sigmoid(tf, np):
    """The logarithm of sigmoid."""
    return _activation(tf, tf.log_sigmoid)


def looking_up_rows(tf, np):
    """embedding_lookup is gather by another name."""
    table, rows = tf.constant(X), [[1, 0], [1, 1]]
    found = [tf.nn.embedding_lookup(table, rows), tf.nn.embedding_lookup([table], rows, name="words")]
    (gradient,) = tf.gradients(found[0], table)
    with tf.Session() as sess:
        return [*_facts(found), *sess.run(found), *sess.run([gradient.values, gradient.indices])]


def means_and_variances(tf, np):
    """moments, and what is made of them."""
    x = tf.constant(X)
    mean, variance = tf.nn.moments(x, [0])
    kept = tf.nn.moments(x, [0, 1], keep_dims=True, name="m")
    made = [mean, variance, *kept]
    made += [tf.nn.batch_normalization(x, mean, variance, 0.5, 2.0, 1e-3)]
    made += [tf.nn.batch_normalization(x, *kept, None, None, 1e-3, name="plain")]
    made += [tf.nn.l2_normalize(x), tf.nn.l2_normalize(x, 1, name="rows"), tf.nn.l2_normalize(0 * x, [0, 1])]
    gradients = [tf.gradients(tf.reduce_sum(y * y * y), x)[0] for y in made]
    with tf.Session() as sess:
        return [*_facts(made), *sess.run(made), *sess.run(gradients)]


def among_the_largest(tf, np):
    """in_top_k."""
    x = tf.placeholder(tf.float32, [None, 5])
    made = [tf.nn.in_top_k(x, [4, 0], k) for k in (1, 2, 5)] + [tf.nn.in_top_k(x, [2, 2], 3, name="top")]
    with tf.Session() as sess:
        return [t.name for t in made] + sess.run(made, {x: [X[0], [1.0, 1.0, 1.0, 0.0, 2.0]]})


def labels_of_the_wrong_kind(tf, np):
    """One-hot labels where numbers of classes are wanted."""
    sparse, x = tf.nn.sparse_softmax_cross_entropy_with_logits, tf.constant(X)
    return [
        raises(lambda: sparse(labels=LABELS, logits=x)),
        raises(lambda: sparse(labels=tf.cast(LABELS, tf.int32), logits=x)),
        raises(lambda: tf.losses.sparse_softmax_cross_entropy(tf.cast(LABELS, tf.int32), x)),
    ]


def the_largest(tf, np):
    """top_k: values, places, gradients, shapes; and what it refuses."""
    x, p = tf.constant([[1.0, 5.0, 3.0], [9.0, 2.0, 9.0]]), tf.placeholder(tf.int32, [None, None])
    values, places = tf.nn.top_k(x, k=2, name="two")
    unknown = tf.nn.top_k(p, 4)
    gradient = tf.gradients(values * [[1.0, 2.0], [3.0, 4.0]], x)
    with tf.Session() as sess:
        found = sess.run([values, places, *tf.nn.top_k(x), *gradient])
        few = raises(lambda: sess.run(unknown, {p: [[1, 2, 3]]}))
    static = [raises(lambda: tf.nn.top_k(x, 4)).type, raises(lambda: tf.nn.top_k(1.0, 1)).type]
    return [found, *_facts([values, places, *unknown]), few.type, *static]


def parts_that_are_zero(tf, np):
    """zero_fraction."""
    made = [tf.nn.zero_fraction([0, 1, 0, 2]), tf.nn.zero_fraction(tf.nn.relu(X), name="sparsity")]
    with tf.Session() as sess:
        return [*_facts(made), *sess.run(made)]


def labels_in_another_shape(tf, np):
    """Only the rows of labels and logits count, but the result has the shape of the logits."""
    numbers = np.arange(12.0).astype(np.float32) * 7 % 11 / 5
    found = []
    for ours, theirs in [((1, 2, 3), (2, 3)), ((2, 3), (1, 2, 3)), ((2, 2, 3), (4, 3)), ((4, 3), (2, 2, 3))]:
        size = int(np.prod(ours))
        x, y = tf.placeholder(tf.float32, theirs), tf.placeholder(tf.float32, ours)
        losses = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=x)
        unknown = tf.nn.softmax_cross_entropy_with_logits(labels=tf.placeholder_with_default(y, None), logits=x)
        with tf.Session() as sess:
            fed = {x: numbers[:size].reshape(theirs), y: (numbers[:size] / 4).reshape(ours)}
            found.append(sess.run([losses, unknown, *tf.gradients(losses, [x, y]), *tf.gradients(unknown, x)], fed))
        found.append([losses.name, str(losses.shape), str(unknown.shape)])
    six = tf.ones([6])
    return [*found, raises(lambda: tf.nn.softmax_cross_entropy_with_logits(labels=six, logits=tf.ones([2, 3])))]


def global_normalization(tf, np):
    """batch_norm_with_global_normalization, by all names of its arguments."""
    function = tf.nn.batch_norm_with_global_normalization
    x = tf.reshape(tf.constant(X[:2]), [1, 1, 2, -1])
    ones = tf.ones(x.shape[-1:])
    made = [function(x, ones, 2 * ones, 3 * ones, 4 * ones, 0.1, scale) for scale in (True, False)]
    made.append(function(input=x, mean=ones, variance=ones, beta=ones, gamma=ones, variance_epsilon=0.1, name="n"))
    with tf.Session() as sess:
        return [sess.run(made), [y.name for y in made], raises(lambda: function(x, input=x)).type]
