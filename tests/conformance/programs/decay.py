"""Exponential decay: a learning rate that is a function of the step."""

from tests.conformance.outcomes import raises


def _rates(tf, steps, *arguments, **options):
    step = tf.placeholder(tf.int64, [])
    rate = tf.train.exponential_decay(arguments[0], step, *arguments[1:], **options)
    with tf.Session() as sess:
        return [sess.run(rate, {step: value}) for value in steps]


def smooth(tf, np):
    """Without `staircase` the rate changes at every step."""
    return _rates(tf, [0, 1, 5, 10, 15, 100], 0.1, 10, 0.96)


def in_stairs(tf, np):
    """With it the quotient of step and decay_steps is floored."""
    return _rates(tf, [0, 1, 9, 10, 11, 19, 20, 100], 0.1, 10, 0.96, staircase=True)


def growing(tf, np):
    """A decay rate above 1 lets the rate grow."""
    return _rates(tf, [0, 1, 2, 10, 20], 0.1, 10, 2)


def negative_steps(tf, np):
    """A step below 0 goes back in time."""
    return [_rates(tf, [-10, -1], 0.1, 10, 0.5), _rates(tf, [-10, -1], 0.1, 10, 0.5, staircase=True)]


def of_a_python_step(tf, np):
    """The step may be a plain number; the rate is a tensor all the same."""
    rate = tf.train.exponential_decay(0.1, 5, 10, 0.5)
    with tf.Session() as sess:
        return [str(rate), sess.run(rate)]


def what_it_is(tf, np):
    """A float32 tensor named ExponentialDecay, whatever the step's dtype."""
    int32 = tf.Variable(0, trainable=False)
    int64 = tf.train.get_or_create_global_step()
    rates = [tf.train.exponential_decay(0.1, int32, 10, 0.96)]
    rates += [tf.train.exponential_decay(0.1, int64, 10, 0.96, staircase=True)]
    rates += [tf.train.exponential_decay(0.1, int64, 10, 0.96, name="rate")]
    with tf.name_scope("train"):
        rates.append(tf.train.exponential_decay(0.1, int64, 10, 0.96))
    return [[str(rate), rate.op.type] for rate in rates]


def follows_a_variable(tf, np):
    """The same tensor gives another value after the step moved."""
    step = tf.Variable(0, trainable=False)
    rate = tf.train.exponential_decay(0.5, step, 2, 0.1, staircase=True)
    add = tf.assign_add(step, 1)
    seen = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(5):
            seen.append(sess.run(rate))
            sess.run(add)
    return seen


def with_a_float_step(tf, np):
    """A float step is used as it is."""
    rate = tf.train.exponential_decay(0.1, tf.constant(2.5), 10, 0.5)
    with tf.Session() as sess:
        return sess.run(rate)


def with_tensors_for_numbers(tf, np):
    """Rate, decay_steps and decay_rate may all be tensors."""
    start, steps, factor = tf.constant(0.1), tf.constant(10), tf.constant(0.5)
    rate = tf.train.exponential_decay(start, tf.constant(3), steps, factor)
    with tf.Session() as sess:
        return [str(rate), sess.run(rate)]


def in_double_precision(tf, np):
    """A float64 start makes a float64 rate."""
    start = tf.constant(0.1, tf.float64)
    rate = tf.train.exponential_decay(start, tf.constant(3), 10, 0.5)
    with tf.Session() as sess:
        return [str(rate), sess.run(rate)]


def an_int_start_is_a_mistake(tf, np):
    """A start of 1 instead of 1.0 makes everything an int."""
    return raises(lambda: tf.train.exponential_decay(1, tf.constant(3), 10, 0.5))


def without_a_step(tf, np):
    """The step is needed."""
    return raises(lambda: tf.train.exponential_decay(0.1, None, 10, 0.5))


def by_keywords(tf, np):
    """All arguments have names."""
    rate = tf.train.exponential_decay(
        learning_rate=0.1, global_step=4, decay_steps=2, decay_rate=0.5, staircase=False, name="lr"
    )
    with tf.Session() as sess:
        return [rate.name, sess.run(rate)]


def zero_decay_steps(tf, np):
    """Division by decay_steps=0 gives inf or nan, no error."""
    return _rates(tf, [0, 1], 0.1, 0, 0.5)


def a_rate_in_an_optimizer(tf, np):
    """Each step is taken with the rate of its own step number."""
    w = tf.Variable(0.0)
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(1.0, step, 1, 0.5)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(-w, global_step=step)
    seen = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(5):
            sess.run(train_op)
            seen.append(sess.run(w))
    return seen
