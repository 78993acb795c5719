"""Where numbers, dtypes and shapes come to their limits."""

from tests.conformance.outcomes import raises


def means_of_small_ints(tf, np):
    """A mean is not lost to an overflow of the sum."""
    means = [
        tf.reduce_mean(tf.constant([200, 201], tf.uint8)),
        tf.reduce_mean(tf.constant([100, 100, 101], tf.int8)),
        tf.reduce_mean(tf.constant([-1, -2], tf.int32)),
    ]
    return tf.Session().run(means)


def floored_division_of_floats(tf, np):
    """`//` of floats floors the rounded quotient."""
    x = tf.constant([1.0, -1.0, 7.5, 0.3])
    y = tf.constant([0.1, np.inf, 2.0, -0.1])
    return tf.Session().run(x // y)


def division_of_complex_numbers(tf, np):
    """Complex numbers are divided as they are."""
    quotient = tf.Session().run(tf.constant(1j) / tf.constant(2j))
    return quotient.dtype.name, quotient.real, quotient.imag


def infinite_half(tf, np):
    """What is too large for float16 is infinite."""
    return tf.Session().run(tf.constant(70000.0, tf.float16))


def sums_of_unlike_shapes(tf, np):
    """`add_n` takes tensors of one shape, and says so when building or running."""
    a, b = tf.placeholder(tf.float32, name="a"), tf.placeholder(tf.float32, name="b")
    feeds = {a: [1.0], b: [1.0, 2.0]}
    merged = tf.add_n([tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [2])])
    return [
        raises(lambda: tf.add_n([tf.constant([1.0]), tf.constant([1.0, 2.0])])),
        raises(lambda: tf.Session().run(tf.add_n([a, b], name="total"), feeds)),
        str(merged.shape),
    ]


def a_sum_of_many(tf, np):
    """A thousand terms are as good as two."""
    return tf.Session().run(tf.add_n([tf.constant(float(i)) for i in range(1000)]))


def a_weight_used_a_thousand_times(tf, np):
    """The parts of its gradient are summed."""
    x = tf.placeholder(tf.float32, [])
    y = x * 0.0
    for i in range(1000):
        y = y + x * float(i % 7)
    return tf.Session().run(tf.gradients(y, x), {x: 2.0})


def dtypes_that_ops_refuse(tf, np):
    """Each op has its list of dtypes."""
    truth, number = tf.constant(True), tf.constant(1j)
    calls = [
        lambda: -tf.constant(1, tf.uint8),
        lambda: tf.reduce_sum(tf.constant([True])),
        lambda: tf.reduce_max(tf.constant([1j])),
        lambda: tf.matmul(tf.constant([[True]]), tf.constant([[True]])),
        lambda: tf.assign_add(tf.Variable(True), True),
        lambda: tf.add_n([tf.constant("a"), tf.constant("b")]),
        lambda: tf.floor(number),
        lambda: tf.maximum(number, 1j),
        lambda: tf.less(truth, True),
        lambda: tf.reshape(tf.ones([4]), [4.0]),
        lambda: tf.reduce_sum(tf.ones([4]), axis=0.0),
    ]
    return [raises(call) for call in calls]


def shapes_that_cannot_be(tf, np):
    """Negative lengths, and values that are no scalars."""
    return [
        raises(lambda: tf.fill([-1], 1.0)),
        raises(lambda: tf.fill([2], [1.0, 2.0])),
        raises(lambda: tf.reshape(tf.ones([4]), [-2])),
    ]


def a_rate_that_is_no_scalar(tf, np):
    """A learning rate is one number."""
    v = tf.Variable(0.0, name="v")
    optimizer = tf.train.GradientDescentOptimizer([1.0, 2.0])
    return raises(lambda: optimizer.minimize(v * v + v))


def zeros_of_text(tf, np):
    """The zero of text is the empty text."""
    return tf.Session().run(tf.zeros([2], tf.string))


def text_that_is_fed(tf, np):
    """A single text can be fed and compared."""
    s = tf.placeholder(tf.string, [])
    return tf.Session().run([s + "a", tf.equal(s, "b")], {s: "b"})


def one_tensor_under_two_keys(tf, np):
    """Of two keys for one placeholder the last counts."""
    x = tf.placeholder(tf.float32, [], name="x")
    return tf.Session().run(x + 1.0, {x: 1.0, "x:0": 2.0})


def a_cast_from_complex(tf, np):
    """The real part is kept."""
    return tf.Session().run(tf.cast(tf.constant(1 + 2j), tf.float32))
