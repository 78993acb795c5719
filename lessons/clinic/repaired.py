"""The ten programs of lesson 15, repaired: what its folded solutions say."""

# ruff: noqa: D103  (a learner gets them without a word)

import minitf as tf


def case_1():
    global_step = tf.Variable(0, trainable=False, name="global_step")
    w = tf.Variable(5.0, name="w")
    rate = tf.train.exponential_decay(0.1, global_step, decay_steps=5, decay_rate=0.5)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(w**2, global_step=global_step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(10):
            sess.run(train_op)
        print("step {} rate {:.4g}".format(*sess.run([global_step, rate])))


def case_2():
    w = tf.Variable(5.0, name="w")
    counter = tf.Variable(0, trainable=False, name="global_step")
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=counter)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(train_op)
        print("found", tf.train.get_global_step(), "counter", sess.run(counter))


def case_3():
    loss = tf.Variable(5.0, name="w") ** 2
    step = tf.Variable(0, trainable=False, name="global_step")
    episode = tf.Variable(0, trainable=False, name="episode")
    tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, step)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    with tf.train.MonitoredTrainingSession(hooks=[tf.train.StepCounterHook()]) as sess:
        sess.run(train_op)
        print("step {} episode {}".format(*sess.run([step, episode])))


def case_4():
    step = tf.train.create_global_step()
    w, b = tf.Variable(5.0, name="w"), tf.Variable(5.0, name="b")
    minimize = tf.train.GradientDescentOptimizer(0.1).minimize
    both = minimize(w**2 + b**2, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(5):
            sess.run(both)
            print("step {} w {:.4f} b {:.4f}".format(*sess.run([step, w, b])))


def case_5():
    step = tf.train.create_global_step()
    w = tf.Variable(5.0, name="w")
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=step)
    with tf.control_dependencies([train_op]):
        shown = tf.add(step, 0, name="shown")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(5):
            _, now = sess.run([train_op, shown])
            print("updated, now at step", now)


def case_6():
    step = tf.train.create_global_step()
    w = tf.Variable(5.0, name="w")
    [slope] = tf.gradients(w**2, [w])
    update = tf.assign_sub(w, 0.1 * tf.clip_by_value(slope, -1.0, 1.0))
    with tf.control_dependencies([update]):
        train_op = tf.assign_add(step, 1)
    with tf.train.MonitoredTrainingSession(hooks=[tf.train.StepCounterHook()]) as sess:
        for _ in range(9):
            sess.run(train_op)
        print("step {} w {:.4f}".format(*sess.run([step, w])))


def case_7():
    w = tf.Variable(5.0, name="w")
    step = tf.train.create_global_step()
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=step)
    init = tf.global_variables_initializer()
    with tf.Session() as sess:
        sess.run(init)
        for _ in range(3):
            sess.run(train_op)
        print("step {} w {:.4f}".format(*sess.run([step, w])))


def case_8(path):
    step = tf.train.create_global_step()
    w = tf.Variable(5.0, name="w")
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=step)
    saver = tf.train.Saver()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        saver.restore(sess, path)
        sess.run(train_op)
        print("step {} w {:.4f}".format(*sess.run([step, w])))


def case_9():
    step = tf.train.create_global_step()
    w = tf.Variable(5.0, name="w")
    rate = tf.train.exponential_decay(0.1, step, decay_steps=100, decay_rate=0.5, staircase=True)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(w**2, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(4 * 50):  # four epochs of 50 batches
            sess.run(train_op)
        print("step {} rate {:.4g}".format(*sess.run([step, rate])))


def case_10():
    step = tf.train.create_global_step()
    w = tf.Variable(5.0, name="w")
    loss = w**2
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(5):
            sess.run(train_op)
            print("step {} loss {:.4f}".format(*sess.run([step, loss])))
