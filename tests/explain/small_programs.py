"""Four small programs with a fault each, as in lessons 03, 04 and 08, and the same without it."""

import minitf as tf


def counted_twice():
    """Train both weights in each turn, and count each turn once."""
    step = tf.train.create_global_step()
    w, b = tf.Variable(5.0, name="w"), tf.Variable(5.0, name="b")
    minimize = tf.train.GradientDescentOptimizer(0.1).minimize
    both = [minimize(w**2, global_step=step), minimize(b**2, global_step=step)]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(5):
            sess.run(both)
            print("step {} w {:.4f} b {:.4f}".format(*sess.run([step, w, b])))


def counted_twice_repaired():
    """Train both weights in each turn, and count each turn once."""
    step = tf.train.create_global_step()
    w, b = tf.Variable(5.0, name="w"), tf.Variable(5.0, name="b")
    minimize = tf.train.GradientDescentOptimizer(0.1).minimize
    both = minimize(w**2 + b**2, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(5):
            sess.run(both)
            print("step {} w {:.4f} b {:.4f}".format(*sess.run([step, w, b])))


def initializer_too_early():
    """Make three updates, and count them."""
    w = tf.Variable(5.0, name="w")
    init = tf.global_variables_initializer()
    step = tf.train.create_global_step()
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=step)
    with tf.Session() as sess:
        sess.run(init)
        for _ in range(3):
            sess.run(train_op)
        print("step {} w {:.4f}".format(*sess.run([step, w])))


def initializer_too_early_repaired():
    """Make three updates, and count them."""
    w = tf.Variable(5.0, name="w")
    step = tf.train.create_global_step()
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=step)
    init = tf.global_variables_initializer()
    with tf.Session() as sess:
        sess.run(init)
        for _ in range(3):
            sess.run(train_op)
        print("step {} w {:.4f}".format(*sess.run([step, w])))


def step_left_out():
    """Train at a rate that halves every five steps."""
    global_step = tf.Variable(0, trainable=False, name="global_step")
    w = tf.Variable(5.0, name="w")
    rate = tf.train.exponential_decay(0.1, global_step, decay_steps=5, decay_rate=0.5)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(w**2)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(10):
            sess.run(train_op)
        print("step {} rate {:.4g}".format(*sess.run([global_step, rate])))


def step_left_out_repaired():
    """Train at a rate that halves every five steps."""
    global_step = tf.Variable(0, trainable=False, name="global_step")
    w = tf.Variable(5.0, name="w")
    rate = tf.train.exponential_decay(0.1, global_step, decay_steps=5, decay_rate=0.5)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(w**2, global_step=global_step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(10):
            sess.run(train_op)
        print("step {} rate {:.4g}".format(*sess.run([global_step, rate])))


def step_by_another_name():
    """Make three updates; then a function that doesn't know this program asks for the step."""
    w = tf.Variable(5.0, name="w")
    counter = tf.Variable(0, trainable=False)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=counter)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(train_op)
        print("found", tf.train.get_global_step(), "counter", sess.run(counter))


def step_by_another_name_repaired():
    """Make three updates; then a function that doesn't know this program asks for the step."""
    w = tf.Variable(5.0, name="w")
    counter = tf.Variable(0, trainable=False, name="global_step")
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=counter)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(train_op)
        print("found", tf.train.get_global_step(), "counter", sess.run(counter))
