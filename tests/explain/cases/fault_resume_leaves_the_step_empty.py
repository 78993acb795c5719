# finds: not-initialized; may find: step-not-saved step-not-restored; runs: 2
# When a checkpoint exists, only what the saver holds gets a value, and the saver holds no step.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(42)
A = rng.randn(500, 3).astype(np.float32)
t = A.dot(np.array([1.0, 2.0, -1.0])) + 0.3 * rng.randn(500)

xs = tf.placeholder(tf.float32, [None, 3])
ts = tf.placeholder(tf.float32, [None])
theta = tf.get_variable("theta", [3], initializer=tf.zeros_initializer())
error = tf.losses.huber_loss(ts, tf.reduce_sum(xs * theta, 1))
gstep = tf.train.get_or_create_global_step()
minimize = tf.train.GradientDescentOptimizer(0.05).minimize(error, gstep)
saver = tf.train.Saver([theta])

with tf.Session() as sess:
    previous = tf.train.latest_checkpoint("ckpt")
    if previous:
        saver.restore(sess, previous)
    else:
        sess.run(tf.global_variables_initializer())
    while sess.run(gstep) < 150:
        pick = rng.randint(0, 500, 50)
        sess.run(minimize, {xs: A[pick], ts: t[pick]})
    saver.save(sess, "ckpt/theta", global_step=gstep)
    print("error %.3g" % sess.run(error, {xs: A, ts: t}))
