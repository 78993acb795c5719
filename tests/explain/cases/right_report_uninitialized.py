# finds nothing
# The checkpoint lacks Adam's slots; what has no value after the restore is found and initialized, and only that.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(27)
IN = rng.rand(180, 4).astype(np.float32)
OUT = (IN**2).sum(axis=1, keepdims=True)


def network():
    w = tf.get_variable("w", initializer=np.full((4, 6), 0.1, np.float32) * np.arange(1, 7, dtype=np.float32))
    v = tf.get_variable("v", initializer=np.full((6, 1), 0.1, np.float32))
    loss = tf.losses.mean_squared_error(OUT, tf.matmul(tf.nn.relu(tf.matmul(tf.constant(IN), w)), v))
    return loss, tf.train.get_or_create_global_step()


def initialize_uninitialized(sess):
    names = set(n.decode() for n in sess.run(tf.report_uninitialized_variables()))
    missing = [v for v in tf.global_variables() if v.op.name in names]
    sess.run(tf.variables_initializer(missing))
    return len(missing)


with tf.Graph().as_default(), tf.Session() as sess:
    loss, step = network()
    train = tf.train.GradientDescentOptimizer(0.02).minimize(loss, global_step=step)
    sess.run(tf.global_variables_initializer())
    for _ in range(100):
        sess.run(train)
    print("sgd: step %d loss %.3f" % (sess.run(step), sess.run(loss)))
    path = tf.train.Saver().save(sess, "./sgd", global_step=step)

with tf.Graph().as_default(), tf.Session() as sess:
    loss, step = network()
    saver = tf.train.Saver()
    train = tf.train.AdamOptimizer(0.02).minimize(loss, global_step=step)
    saver.restore(sess, path)
    print("variables to initialize:", initialize_uninitialized(sess))
    while sess.run(step) < 300:
        sess.run(train)
    print("adam: step %d loss %.3f" % (sess.run(step), sess.run(loss)))
