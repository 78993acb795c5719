"""Six programs with a mistake each, in the order in which lesson 15 hands them out."""

import minitf as tf


def case_1():
    """Train at rate 0.1 for two epochs of 50 batches, then at 0.05 for two more."""
    step = tf.train.create_global_step()
    w = tf.Variable(5.0, name="w")
    rate = tf.train.exponential_decay(0.1, step, decay_steps=2, decay_rate=2, staircase=True)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(w**2, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(4 * 50):
            _, used = sess.run([train_op, rate])
        print(f"step {sess.run(step)} rate {used:.4g}")


def case_2():
    """Count updates (the step) and games (`episode`); a hook measures the speed."""
    loss = tf.Variable(5.0, name="w") ** 2
    step = tf.Variable(0, trainable=False, name="global_step")
    episode = tf.Variable(0, trainable=False, name="episode")
    for counter in [step, episode]:
        tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, counter)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    with tf.train.MonitoredTrainingSession(hooks=[tf.train.StepCounterHook()]) as sess:
        sess.run(train_op)
        print("step {} episode {}".format(*sess.run([step, episode])))


def case_3():
    """After each update, say how many there have been: 1, 2, 3, 4, 5. In TensorFlow, too."""
    step = tf.train.create_global_step()
    w = tf.Variable(5.0, name="w")
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=step)
    shown = tf.add(step, 0, name="shown")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(5):
            _, now = sess.run([train_op, shown])
            print("updated, now at step", now)


def case_4():
    """Show the loss after each update. (For 10,000 updates it takes all night.)"""
    step = tf.train.create_global_step()
    w = tf.Variable(5.0, name="w")
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(5):
            sess.run(optimizer.minimize(w**2, global_step=step))
            print("step {} loss {:.4f}".format(*sess.run([step, w**2])))


def case_5(path):
    """Continue from a checkpoint called model-1000, saved after five updates."""
    step = tf.train.create_global_step()
    w = tf.Variable(5.0, name="w")
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=step)
    saver = tf.train.Saver(tf.trainable_variables())
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        saver.restore(sess, path)
        sess.run(train_op)
        print("step {} w {:.4f}".format(*sess.run([step, w])))


def case_6():
    """Make nine updates with a gradient clipped to between -1 and 1, and count them."""
    step = tf.train.create_global_step()
    w = tf.Variable(5.0, name="w")
    [slope] = tf.gradients(w**2, [w])
    train_op = tf.assign_sub(w, 0.1 * tf.clip_by_value(slope, -1.0, 1.0))
    with tf.train.MonitoredTrainingSession(hooks=[tf.train.StepCounterHook()]) as sess:
        for _ in range(9):
            sess.run(train_op)
        print("step {} w {:.4f}".format(*sess.run([step, w])))
