# finds: saver-too-early; runs: 2
# The Saver is made before the averages, so after a restart they begin anew and the averaged error jumps.
import numpy as np
import tensorflow as tf

BATCHES = 100


def network(x):
    w = tf.get_variable("w", [4, 1], initializer=tf.zeros_initializer())
    return tf.matmul(x, w), w


x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 1])
prediction, w = network(x)
loss = tf.losses.mean_squared_error(y, prediction)
step = tf.train.get_or_create_global_step()
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
saver = tf.train.Saver()
ema = tf.train.ExponentialMovingAverage(0.98, num_updates=step)
with tf.control_dependencies([train]):
    train = ema.apply([w])
error = tf.losses.mean_squared_error(y, tf.matmul(x, ema.average(w)))

rng = np.random.RandomState(12)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    if tf.train.latest_checkpoint("averaged"):
        saver.restore(sess, tf.train.latest_checkpoint("averaged"))
    goal = min(sess.run(step) + BATCHES, 3 * BATCHES)
    while sess.run(step) < goal:
        xs = rng.randn(10, 4)
        ys = xs.sum(axis=1, keepdims=True) + 0.3 * rng.randn(10, 1)
        sess.run(train, {x: xs, y: ys})
    saver.save(sess, "averaged/model", global_step=step)
    print("step %d, averaged error %.3f" % (sess.run(step), sess.run(error, {x: xs, y: ys})))
