"""A train op with or without `global_step`, run again and again, and what its counter holds."""

import minitf as tf


def counts(runs: int, counted: bool) -> list[int]:
    """Return what the global step holds before the first run and after each."""
    with tf.Graph().as_default(), tf.Session() as sess:
        global_step = tf.Variable(0, trainable=False)
        w = tf.Variable(5.0)
        optimizer = tf.train.GradientDescentOptimizer(0.1)
        train_op = optimizer.minimize(w**2, global_step=global_step if counted else None)
        sess.run(tf.global_variables_initializer())
        held = [int(sess.run(global_step))]
        for _ in range(runs):
            sess.run(train_op)
            held.append(int(sess.run(global_step)))
        return held
