"""What a parameter server needs of the library: pull, compute and push are separate runs."""

from concurrent.futures import ThreadPoolExecutor

BATCHES = 400  # in an epoch


def _build(tf):
    """The weight, the step, which batches are counted, and the push that changes all three."""
    step = tf.train.get_or_create_global_step()
    w = tf.Variable(0.0, name="w")
    counted = tf.Variable([False] * BATCHES, trainable=False, name="counted")
    gradient = tf.placeholder(tf.float32, [], name="gradient")
    batch = tf.placeholder(tf.int32, name="batch")
    train = tf.train.GradientDescentOptimizer(0.05).apply_gradients([(gradient, w)], global_step=step)
    tf.group(train, tf.scatter_update(counted, batch, True), name="push")
    return tf.global_variables_initializer()


def _paths(tf, np, delay, rates, batches):
    """The paths of `w` to 1, at each rate, when every gradient is pushed `delay` batches late."""
    tf.reset_default_graph()
    x, w = np.linspace(1, 2, 10), tf.Variable(0.0)
    [gradient] = tf.gradients(tf.reduce_mean((w * x - x) ** 2), w)
    late, rate = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    push = tf.train.GradientDescentOptimizer(rate).apply_gradients([(late, w)])
    paths = []
    with tf.Session() as sess:
        for at_rate in rates:
            sess.run(tf.global_variables_initializer())
            path, waiting = [0.0], []
            for _ in range(batches):
                waiting.append(sess.run(gradient))
                if len(waiting) > delay:
                    sess.run(push, {late: waiting.pop(0), rate: at_rate})
                path.append(float(sess.run(w)))
            paths.append(np.array(path))
    return paths


def how_far_up(tf, np):
    """The highest `w` in 60 batches at one rate, with three delays."""
    return [f"{_paths(tf, np, delay, [0.08], 60)[0].max():.2f}" for delay in (0, 2, 4)]


def limits_of_delays(tf, np):
    """Five limits of the rate, and whether a run 2% below and 2% above converges."""
    found = []
    for delay in (0, 1, 2, 4, 8):
        limit = 2 * np.sin(np.pi / (4 * delay + 2)) / (2 * np.mean(np.linspace(1, 2, 10) ** 2))
        paths = _paths(tf, np, delay, [0.98 * limit, 1.02 * limit], 600)
        ends = ["converges" if np.abs(path[-100:] - 1).max() < 0.5 else "diverges" for path in paths]
        found.append([delay, f"{limit:.4f}", *ends])
    return found


def limits_by_halving(tf, np):
    """The same five limits, measured: the largest rate that converges, to within 0.002."""
    found = []
    for delay in (0, 1, 2, 4, 8):
        converges, diverges = 0.0, 0.5
        for _ in range(8):
            middle = (converges + diverges) / 2
            [path] = _paths(tf, np, delay, [middle], 600)
            if np.abs(path[-100:] - 1).max() < 0.5:
                converges = middle
            else:
                diverges = middle
        found.append([delay, f"{converges:.3f}"])
    return found


def a_push_marks_its_batch(tf, np):
    """One run moves the weight, counts the step, and marks one batch or several."""
    initialize = _build(tf)
    with tf.Session() as sess:
        sess.run(initialize)
        sess.run("push", {"batch:0": 3, "gradient:0": -1.0})
        one = sess.run(["global_step:0", "w:0"])
        sess.run("push", {"batch:0": [5, 7], "gradient:0": -1.0})
        step, w, counted = sess.run(["global_step:0", "w:0", "counted:0"])
    return [*one, step, w, np.flatnonzero(counted).tolist()]


def threads_that_share_a_session(tf, np):
    """Eight threads add one, a hundred times each: every one of the 800 is counted."""
    add_one = tf.assign_add(tf.Variable(0, name="step"), 1).op
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())

        def count(thread):
            for _ in range(100):
                sess.run(add_one)

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(count, range(8)))
        return sess.run("step:0")
