"""Embedding tables, random classes, and the losses that use both."""

from tests.conformance.outcomes import raises

TABLES = [(1, "mod"), (2, "mod"), (3, "mod"), (2, "div"), (3, "div")]


def _parts(tf, np, table, count, strategy):
    """The rows of a table as `count` variables."""
    rows = np.arange(len(table))
    places = [rows[rows % count == k] for k in range(count)] if strategy == "mod" else np.array_split(rows, count)
    return [tf.Variable(table[place]) for place in places]


def lookups_in_several_tables(tf, np):
    """A table in several parts, by both strategies, with ids of any shape and their gradients."""
    table, found = np.arange(21.0).reshape(7, 3), []
    for count, strategy in TABLES:
        tables = _parts(tf, np, table, count, strategy)
        rows = tf.nn.embedding_lookup(tables, [[6, 0], [3, 6], [5, 1]], strategy, name=f"{strategy}{count}")
        slopes = [tf.convert_to_tensor(slope) for slope in tf.gradients(rows * rows, tables)]
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            found.append([str(rows.shape), *sess.run([rows, *slopes])])
    tables = [tf.ones([2, 2]), tf.ones([2, 2])]
    return [*found, raises(lambda: tf.nn.embedding_lookup(tables, [0], "mid"))]


def _losses(tf, np, function, num_true=1, sampled=(0, 2, 5), count=1, strategy="mod", **others):
    """A loss with given random classes, and its gradients."""
    random = np.random.RandomState(0)
    weights, biases, inputs = (random.randn(*shape).astype(np.float32) for shape in ((6, 3), (6,), (4, 3)))
    parts = [_parts(tf, np, table, count, strategy) for table in (weights, biases)]
    expected = np.linspace(0.2, 0.5, 4 * num_true).astype(np.float32).reshape(4, num_true)
    values = (tf.constant(sampled, tf.int64), tf.constant(expected), tf.constant([0.3, 0.4, 0.5]))
    labels, x = random.randint(0, 6, (4, num_true)), tf.constant(inputs)
    loss = getattr(tf.nn, function)(*parts, labels, x, 3, 6, num_true, values, partition_strategy=strategy, **others)
    slopes = [tf.convert_to_tensor(slope) for slope in tf.gradients(loss, [*parts[0], *parts[1], x])]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [loss.name, str(loss.shape), sess.run([loss, *slopes])]


def noise_contrastive_losses(tf, np):
    """nce_loss with given classes."""
    found = [_losses(tf, np, "nce_loss"), _losses(tf, np, "nce_loss", 2, name="two")]
    found += [_losses(tf, np, "nce_loss", remove_accidental_hits=True)]
    return found + [_losses(tf, np, "nce_loss", count=count, strategy=strategy) for count, strategy in TABLES]


def sampled_softmax_losses(tf, np):
    """sampled_softmax_loss with given classes; a class that was drawn twice is removed once."""
    name = "sampled_softmax_loss"
    found = [_losses(tf, np, name), _losses(tf, np, name, 2), _losses(tf, np, name, remove_accidental_hits=False)]
    found += [_losses(tf, np, name, sampled=sampled) for sampled in ((2, 2, 5), (4, 4, 4), (2, 5, 2))]
    return found + [_losses(tf, np, name, count=count, strategy=strategy) for count, strategy in TABLES]


def losses_of_other_arguments(tf, np):
    """Labels may be int32, and without columns; they must fit the inputs, and the dtypes each other."""
    w, b, x = tf.ones([6, 3]), tf.zeros([6]), tf.ones([2, 3])
    values = (tf.constant([0, 1], tf.int64), tf.constant([[0.5], [0.25]]), tf.constant([0.5, 0.125]))
    labels = [tf.constant([[1], [2]]), tf.constant([1, 2]), tf.constant([[1], [2]], tf.int64)]
    made = [tf.nn.nce_loss(w, b, each, x, 2, 6, sampled_values=values) for each in labels]
    double = [tf.cast(each, tf.float64) for each in (w, b, x)]
    made.append(tf.nn.sampled_softmax_loss(double[0], b, labels[0], x, 2, 6, sampled_values=values))
    with tf.Session() as sess:
        found = sess.run(made)
    w64, b64, x64 = double
    return [
        found,
        raises(lambda: tf.nn.nce_loss(w, b, [[1, 2], [0, 2]] * x[0, 0], x, 2, 6, sampled_values=values)).type,
        raises(lambda: tf.nn.nce_loss(w64, b64, labels[0], x64, 2, 6, sampled_values=values)),
        raises(lambda: tf.nn.nce_loss([w, w], b, labels[0], x, 2, 6, partition_strategy="mid")),
        raises(lambda: tf.nn.nce_loss(w, b, labels[1], x, 2, 6)),
    ]


SAMPLERS = ("uniform_candidate_sampler", "log_uniform_candidate_sampler")


def random_classes(tf, np):
    """Names, dtypes and shapes; how often classes can be expected if they may repeat."""
    found = []
    for name in SAMPLERS:
        made = getattr(tf.nn, name)(np.arange(10)[:, None], 1, 12, False, 10)
        others = getattr(tf.random, name)(tf.placeholder(tf.int64), 2, 4, True, 10, seed=3, name="n")
        found.append([[t.name, t.dtype.name, str(t.shape)] for t in (*made, *others)])
        with tf.Session() as sess:
            classes, expected, each = sess.run(list(made))
        found.append([classes.shape, classes.dtype.name, expected, np.allclose(each, expected[classes, 0])])
    return [*found, made[0].op.type]


def refused_random_classes(tf, np):
    """What samplers refuse when they are made, and when they run."""
    found = []
    for name in SAMPLERS:
        draw = getattr(tf.nn, name)
        for arguments in [
            ([0], 1, 4, True, 10),
            ([[0]], 0, 4, True, 10),
            ([[0]], 1, 0, True, 10),
            ([[0]], 1, 4, True, 0),
        ]:
            found.append(raises(lambda a=arguments, draw=draw: draw(*a)))
        found.append(raises(lambda draw=draw: draw(tf.constant([[1]]), 1, 4, True, 10)))
        given = tf.placeholder(tf.int64)
        with tf.Session() as sess:
            for classes, num_true, count in [
                ([[0]], 1, 11),
                ([[0]], 2, 4),
                ([0], 1, 4),
                ([[12]], 1, 4),
                ([[-1]], 1, 4),
            ]:
                drawn = draw(given, num_true, count, True, 10)
                found.append(raises(lambda sess=sess, fetch=drawn, fed={given: classes}: sess.run(fetch, fed)))
    return found


def different_classes(tf, np):
    """As many different classes as there are: all of them, each certain to be drawn in the long run."""
    found = []
    for name in SAMPLERS:
        with tf.Session() as sess:
            classes, mine, each = sess.run(getattr(tf.nn, name)([[2]], 1, 5, True, 5))
        found.append([sorted(classes.tolist()), mine.shape, bool((each[classes == 2] == mine).all())])
    return found
