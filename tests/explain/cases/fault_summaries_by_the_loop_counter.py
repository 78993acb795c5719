# finds: python-counter; runs: 2
# Summaries are written at the loop's i: those of the resumed run land on top of the first run's.
import numpy as np
import tensorflow as tf

TOTAL = 400
AT_ONCE = 200

rng = np.random.RandomState(91)
x = tf.placeholder(tf.float32, [None, 6])
y = tf.placeholder(tf.float32, [None, 1])
v = tf.Variable(tf.constant(0.05, shape=[6, 1]), name="v")
mse = tf.reduce_mean(tf.square(tf.matmul(x, v) - y))
tf.summary.scalar("mse", mse)
global_step = tf.train.get_or_create_global_step()
lr = tf.train.exponential_decay(0.1, global_step, 100, 0.6)
tf.summary.scalar("lr", lr)
train = tf.train.GradientDescentOptimizer(lr).minimize(mse, global_step=global_step)
merged = tf.summary.merge_all()
saver = tf.train.Saver()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    previous = tf.train.latest_checkpoint("logs")
    if previous:
        saver.restore(sess, previous)
    writer = tf.summary.FileWriter("logs", sess.graph)
    i = 0
    while i < AT_ONCE and sess.run(global_step) < TOTAL:
        xs = rng.randn(24, 6)
        feed = {x: xs, y: xs.mean(axis=1, keepdims=True) * 6 + 0.2 * rng.randn(24, 1)}
        _, s = sess.run([train, merged], feed)
        if i % 20 == 0:
            writer.add_summary(s, i)
        i += 1
    writer.close()
    saver.save(sess, "logs/model", global_step=global_step)
    print("i %d, step %d, mse %.4f" % (i, sess.run(global_step), sess.run(mse, feed)))
