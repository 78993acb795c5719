"""Random ops and initializers: names, shapes, ranges, seeds; the numbers themselves are left open."""

from tests.conformance.outcomes import raises

INITIALIZERS = ["zeros", "ones", "constant", "random_uniform", "random_normal", "truncated_normal"]
INITIALIZERS += ["variance_scaling", "glorot_uniform", "glorot_normal", "uniform_unit_scaling"]


def _facts(tensors):
    return [[t.name, t.op.type, t.dtype.name, str(t.shape)] for t in tensors]


def names_and_shapes(tf, np):
    """Names and shapes."""
    lengths = tf.placeholder(tf.int32, [2])
    made = [
        tf.random_uniform([2, 3]),
        tf.random_uniform([2, 3], 1, 2),
        tf.random_uniform([], 0, 9, tf.int32),
        tf.random_normal([2], dtype=tf.float64, name="n"),
        tf.truncated_normal([2, 0]),
        tf.random_uniform(lengths),
        tf.random_normal(lengths),
        tf.random_shuffle([1, 2, 3]),
        tf.random.uniform([]),
        tf.random.normal([1]),
        tf.random.truncated_normal([1]),
        tf.random.shuffle([[1]]),
    ]
    with tf.Session() as sess:
        values = [sess.run(t, {lengths: [2, 1]}) for t in made]
    return [*_facts(made), [[v.dtype.name, str(v.shape)] for v in values]]


def ranges(tf, np):
    """Ranges."""
    made = [
        tf.random_uniform([10000]),
        tf.random_uniform([10000], -3, 5),
        tf.random_normal([10000], 5.0, 2.0),
        tf.truncated_normal([10000]),
    ]
    with tf.Session() as sess:
        values = sess.run(made)
        whole = sess.run(tf.random_uniform([1000], 2, 5, tf.int64))
        order = sess.run(tf.random_shuffle(list(range(10))))
    facts = [bool(0 <= values[0].min() < values[0].max() < 1), bool(-3 <= values[1].min() < -2)]
    facts += [bool(abs(values[2].mean() - 5) < 0.2), bool(abs(values[2].std() - 2) < 0.2)]
    facts += [bool(1.9 < abs(values[3]).max() <= 2)]
    return facts + [np.unique(whole), np.sort(order)]


def two_runs_differ(tf, np):
    """Two runs differ."""
    made = [tf.random_uniform([9], seed=1), tf.random_normal([9]), tf.random_shuffle(list(range(50)))]
    with tf.Session() as sess:
        return [bool((sess.run(t) != sess.run(t)).any()) for t in made]


def same_seeds_give_the_same_numbers(tf, np):
    """Same seeds give the same numbers."""
    made = [tf.random_uniform([9], seed=1), tf.random_uniform([9], seed=1), tf.random_uniform([9], seed=2)]
    with tf.Session() as first, tf.Session() as second:
        a, b = [first.run(t) for t in made], [second.run(t) for t in made]
    return [bool((x == y).all()) for x in a for y in b]


def graph_seed(tf, np):
    """Graph seed."""

    def draw():
        with tf.Graph().as_default(), tf.Session() as sess:
            tf.set_random_seed(7)
            made = [tf.random_uniform([9]), tf.random_uniform([9]), tf.random_normal([9], seed=3)]
            return sess.run(made) + sess.run(made)

    a, b = draw(), draw()
    return [bool((x == y).all()) for x in a for y in b]


def without_seeds_sessions_differ(tf, np):
    """Without seeds sessions differ."""
    x = tf.random_uniform([9])
    with tf.Session() as first, tf.Session() as second:
        return bool((first.run(x) != second.run(x)).any())


def one_op_gives_one_value_in_a_run(tf, np):
    """One op gives one value in a run."""
    x = tf.random_uniform([9])
    y = tf.random_uniform([9])
    with tf.Session() as sess:
        a, b, zero, difference = sess.run([x, x + 0, x - x, x - y])
        return [bool((a == b).all()), zero, bool((difference != 0).all())]


def gradients_reach_mean_and_deviation(tf, np):
    """Gradients reach mean and deviation."""
    mean, deviation = tf.constant(1.0), tf.constant(2.0)
    x = tf.random_normal([3], mean, deviation)
    standard = (x - mean) / deviation
    gradients = tf.gradients(x, [mean, deviation])
    with tf.Session() as sess:
        total, (dm, ds) = sess.run([tf.reduce_sum(standard), gradients])
        return [dm, bool(abs(ds - total) < 1e-4)]


def random_errors(tf, np):
    """Random errors."""
    lengths = tf.placeholder(tf.int32, [1])
    with tf.Session() as sess:
        return [
            raises(lambda: tf.random_uniform([2], dtype=tf.int32)),
            raises(lambda: tf.random_uniform([2], dtype=tf.bool)),
            raises(lambda: tf.random_uniform(3)),
            raises(lambda: tf.random_uniform([2.0])),
            raises(lambda: tf.random_normal([2], dtype=tf.int32)),
            raises(lambda: sess.run(tf.random_uniform([2], 5, 5, tf.int32))),
            raises(lambda: sess.run(tf.random_uniform(lengths), {lengths: [-1]})),
        ]


def seeds(tf, np):
    """Seeds."""
    found = [tf.random.get_seed(None), tf.random.get_seed(3)]
    tf.set_random_seed(0)
    return found + [tf.random.get_seed(0), tf.random.get_seed(5), tf.get_default_graph().seed]


def initializers(tf, np):
    """Initializers."""
    facts = []
    for name in INITIALIZERS:
        make = getattr(tf, f"{name}_initializer")
        made = [make()([2, 3]), make()([4], dtype=tf.float64), make()([])]
        same = make is getattr(tf.initializers, name)
        facts.append([make.__name__, same, make().get_config(), _facts(made)])
    return facts


def initializers_of_constants(tf, np):
    """Initializers of constants."""
    made = [
        tf.zeros_initializer()([2]),
        tf.ones_initializer(tf.int32)([2]),
        tf.constant_initializer([1, 2, 3])([2, 2]),
        tf.constant_initializer(7, tf.int64)([1]),
    ]
    with tf.Session() as sess:
        return sess.run(made)


def initializers_scale(tf, np):
    """Initializers scale."""
    uniform = [tf.glorot_uniform_initializer(), tf.uniform_unit_scaling_initializer(factor=2.0)]
    for mode in ("fan_in", "fan_out", "fan_avg"):
        uniform.append(tf.variance_scaling_initializer(3.0, mode, "uniform"))
    shapes = [[100, 300], [5, 5, 10, 40], [10000]]
    normal = [tf.glorot_normal_initializer(), tf.variance_scaling_initializer()]
    normal.append(tf.variance_scaling_initializer(distribution="untruncated_normal"))
    with tf.Session() as sess:
        largest = [abs(sess.run(f(s))).max() for f in uniform for s in shapes]
        deviations = [sess.run(f(s)).std() for f in normal for s in shapes]
    return [f"{x:.2g}" for x in largest] + [f"{x:.1g}" for x in deviations]


def initializer_errors(tf, np):
    """Initializer errors."""
    return [
        raises(lambda: tf.random_normal_initializer(dtype=tf.int32)),
        raises(lambda: tf.variance_scaling_initializer(scale=0.0)),
        raises(lambda: tf.variance_scaling_initializer(mode="x")),
        raises(lambda: tf.variance_scaling_initializer(distribution="x")),
        raises(lambda: tf.constant_initializer([1, 2, 3])([2])),
        raises(lambda: tf.random_uniform_initializer()([2], dtype=tf.int32)),
        raises(lambda: tf.glorot_uniform_initializer()([2], dtype=tf.int32)),
    ]


def initializers_by_inputs(tf, np):
    """He's and LeCun's: variance_scaling by the number of inputs."""
    names = ["he_normal", "he_uniform", "lecun_normal", "lecun_uniform"]
    made = [getattr(tf.initializers, name) for name in names]
    return [[make().get_config(), make(seed=1).get_config(), _facts([make()([2, 3])])] for make in made]


def orthogonal(tf, np):
    """Rows or columns are orthogonal, whichever there are fewer of."""
    found = []
    for shape in ([3, 3], [5, 2], [2, 5], [2, 3, 4]):
        made = tf.orthogonal_initializer(gain=2.0, seed=1)(shape)
        with tf.Session() as sess:
            q = sess.run(made).reshape(-1, shape[-1])
        square = q @ q.T if len(q) < shape[-1] else q.T @ q
        found.append([str(made.shape), made.dtype.name, np.round(square, 4) + 0.0])
    return [found, tf.orthogonal_initializer().get_config(), raises(lambda: tf.orthogonal_initializer()([5]))]
