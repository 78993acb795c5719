"""ExponentialMovingAverage: what it keeps, how it is called, and how it moves."""

from tests.conformance.outcomes import raises


def _names(variables):
    return [v.name for v in variables]


def averages_of_a_variable_and_a_tensor(tf, np):
    """Names, collections and numbers of averages."""
    found = []
    for num_updates, debias in [(False, False), (True, False), (False, True)]:
        with tf.Graph().as_default():
            w, step = tf.Variable([1.0, 2.0], name="w"), tf.Variable(0, trainable=False, name="s")
            x = tf.add(w, 1.0, name="x")
            ema = tf.train.ExponentialMovingAverage(0.9, step if num_updates else None, debias)
            op = ema.apply([w, x])
            restored = {name: v.name for name, v in ema.variables_to_restore().items()}
            found.append([op.name, op.type, ema.name, ema.average(step), ema.average_name(step)])
            found.append([ema.average(w).name, ema.average_name(x), dict(sorted(restored.items()))])
            found.append(_names(tf.get_collection("moving_average_variables")))
            found.append([_names(tf.global_variables()), _names(tf.trainable_variables())])
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                for _ in range(4):
                    sess.run([op, w.assign_add([1.0, 0.5])][:1])
                    sess.run(w.assign_add([1.0, 0.5]))
                    sess.run(step.assign_add(1))
                    found.append(sess.run([ema.average(w), ema.average(x)]))
    return found


def after_the_update(tf, np):
    """An average that waits for an update sees the new value."""
    w = tf.Variable(1.0, name="w")
    ema = tf.train.ExponentialMovingAverage(0.5)
    with tf.control_dependencies([w.assign_add(2.0)]):
        op = ema.apply([w])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run([op, ema.average(w), w])[1:] for _ in range(3)]


def kinds_of_numbers(tf, np):
    """float64, a decay that is a tensor, a name."""
    d = tf.Variable(np.array([1.0, 3.0]), name="d")
    ema = tf.train.ExponentialMovingAverage(tf.constant(0.25), name="slow")
    op = ema.apply()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(d.assign([0.0, 1.0]))
        sess.run(op)
        return [op.name, ema.average(d).name, ema.average(d).dtype.name, sess.run(ema.average(d))]


def what_is_refused_and_repeated(tf, np):
    """Integers; applying twice, and by two objects."""
    w, i = tf.Variable([1.0, 2.0], name="w"), tf.Variable(1, name="i", trainable=False)
    ema = tf.train.ExponentialMovingAverage(0.9)
    return [
        raises(lambda: ema.apply([i])),
        ema.average(w),
        ema.average_name(w),
        ema.apply([w]).name,
        ema.apply([w]).name,
        _names(tf.global_variables()),
        tf.train.ExponentialMovingAverage(0.9).apply([w]).name,
        _names(tf.global_variables()),
    ]
