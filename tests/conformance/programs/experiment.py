"""The blog posts' experiment: one weight, gradient descent, a rate that reads the clock."""


def _build(tf, np, counted=True, staircase=False, decay_rate=2):
    x = tf.placeholder(tf.float32, shape=[None, 1], name="x")
    y = tf.placeholder(tf.float32, shape=[None, 1], name="y")
    w = tf.Variable(tf.constant(0.0))
    global_step = tf.Variable(0, trainable=False)
    learning_rate = tf.train.exponential_decay(0.1, global_step, 10, decay_rate, staircase=staircase)
    loss = tf.pow(w * x - y, 2)
    optimizer = tf.train.GradientDescentOptimizer(learning_rate)
    train_op = optimizer.minimize(loss, global_step=global_step if counted else None)
    data = np.linspace(1, 2, 10).reshape([10, 1])
    return train_op, learning_rate, global_step, w, loss, {x: data, y: data}


def _lines(tf, np, **options):
    train_op, learning_rate, global_step, _, _, feeds = _build(tf, np, **options)
    lines = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(10):
            sess.run(train_op, feed_dict=feeds)
            rate, step = sess.run([learning_rate, global_step])
            lines.append(f"{rate:.6g} {step}")
    return lines


def _weights(tf, np, **options):
    train_op, _, _, w, _, feeds = _build(tf, np, **options)
    weights = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(10):
            sess.run(train_op, feed_dict=feeds)
            weights.append(sess.run(w))
    return weights


def ten_lines_with_global_step(tf, np):
    """With `global_step` handed to `minimize`, the step counts and the rate follows it."""
    return _lines(tf, np)


def ten_lines_without_global_step(tf, np):
    """Without it, the step stays 0 and the rate stays where it began."""
    return _lines(tf, np, counted=False)


def ten_lines_in_stairs(tf, np):
    """With `staircase=True` the rate changes once in ten steps."""
    return _lines(tf, np, staircase=True)


def ten_lines_that_decay(tf, np):
    """With a decay rate below 1 the rate falls."""
    return _lines(tf, np, decay_rate=0.5)


def weights_with_global_step(tf, np):
    """The weight after each step: it diverges."""
    return _weights(tf, np)


def weights_without_global_step(tf, np):
    """The weight diverges at a constant rate too, more slowly."""
    return _weights(tf, np, counted=False)


def rates_are_float32_scalars(tf, np):
    """The rate after each step, with all its digits."""
    train_op, learning_rate, _, _, _, feeds = _build(tf, np)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        rates = []
        for _ in range(10):
            sess.run(train_op, feed_dict=feeds)
            rates.append(learning_rate.eval())
    return rates


def the_first_step_by_itself(tf, np):
    """Before the first step: each example's loss, the gradient, the rate that the step will use."""
    _, learning_rate, _, w, loss, feeds = _build(tf, np)
    gradient = tf.gradients(loss, w)[0]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run([loss, gradient, learning_rate], feeds)


def a_mean_over_the_examples_converges(tf, np):
    """With `reduce_mean` around the loss, the same data and rate lead to w = 1."""
    x = tf.placeholder(tf.float32, [None, 1])
    y = tf.placeholder(tf.float32, [None, 1])
    w = tf.Variable(0.0)
    loss = tf.reduce_mean(tf.square(w * x - y))
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    data = np.linspace(1, 2, 10).reshape([10, 1])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        seen = []
        for _ in range(10):
            sess.run(train_op, feed_dict={x: data, y: data})
            seen.append(sess.run(w))
        return seen


def what_is_printed_of_the_graph(tf, np):
    """Printing the parts of the experiment shows names, shapes and dtypes, no values."""
    train_op, learning_rate, global_step, w, loss, feeds = _build(tf, np)
    printed = [str(part) for part in (learning_rate, global_step, w, loss, *feeds)]
    return {"printed": printed, "train_op": [train_op.name, train_op.type, repr(train_op)]}


def a_line_fitted_to_noise_free_data(tf, np):
    """The classic first program, y = 0.1 x + 0.3 by gradient descent, every twentieth step."""
    x_data = np.linspace(0, 1, 100).astype(np.float32)
    y_data = x_data * 0.1 + 0.3
    weight = tf.Variable(tf.zeros([1]), name="Weights")
    bias = tf.Variable(tf.zeros([1]), name="biases")
    loss = tf.reduce_mean(tf.square(weight * x_data + bias - y_data))
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    seen = []
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    for step in range(61):
        sess.run(train)
        if step % 20 == 0:
            seen.append((step, sess.run(weight), sess.run(bias)))
    sess.close()
    return seen


def two_layers_without_a_framework(tf, np):
    """A small network of `matmul`, `maximum` and `exp` trains as in TensorFlow."""
    features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.float32)
    labels = np.array([[0], [1], [1], [0]], np.float32)
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.placeholder(tf.float32, [None, 1], name="y")
    w1 = tf.Variable(np.array([[1.0, -1.0, 0.5], [1.0, 0.8, -0.6]], np.float32), name="w1")
    b1 = tf.Variable(tf.zeros([3]), name="b1")
    w2 = tf.Variable(np.array([[1.0], [-1.0], [0.3]], np.float32), name="w2")
    b2 = tf.Variable(tf.zeros([1]), name="b2")
    hidden = tf.maximum(tf.matmul(x, w1) + b1, 0.0)
    out = 1.0 / (1.0 + tf.exp(-(tf.matmul(hidden, w2) + b2)))
    loss = -tf.reduce_mean(y * tf.log(out) + (1 - y) * tf.log(1 - out))
    global_step = tf.train.get_or_create_global_step()
    train_op = tf.train.GradientDescentOptimizer(0.5).minimize(loss, global_step=global_step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(20):
            sess.run(train_op, {x: features, y: labels})
        return sess.run([loss, w1, b1, w2, b2, global_step], {x: features, y: labels})
