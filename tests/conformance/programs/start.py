"""The first lesson's six runs: three of a train op that counts, three of one that does not."""


def six_lines(tf, np):
    """Only the train op that was given the step moves the counter; both move `w`."""
    global_step = tf.Variable(0, trainable=False)
    w = tf.Variable(5.0)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    counted = optimizer.minimize(w**2, global_step=global_step)
    uncounted = optimizer.minimize(w**2)
    lines = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for op in [counted, counted, counted, uncounted, uncounted, uncounted]:
            sess.run(op)
            lines.append(f"counter {sess.run(global_step)}   w {sess.run(w):.3f}")
    return lines
