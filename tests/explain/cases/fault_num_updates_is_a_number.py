# finds: average-too-fast
# The number of updates is read once, so the average forgets as fast at the end as it does at first.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(7)
data = rng.randn(500, 3).astype(np.float32)
target = data.dot([[1.0], [0.0], [-1.0]]) + 0.5 * rng.randn(500, 1)

x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
loss = tf.losses.mean_squared_error(y, tf.matmul(x, w))
step = tf.train.get_or_create_global_step()
train = tf.train.GradientDescentOptimizer(0.2).minimize(loss, step)
done = 0
ema = tf.train.ExponentialMovingAverage(0.99, num_updates=done)
with tf.control_dependencies([train]):
    update = ema.apply([w])
averaged = tf.losses.mean_squared_error(y, tf.matmul(x, ema.average(w)))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(200):
        rows = rng.randint(0, 500, 5)
        sess.run(update, {x: data[rows], y: target[rows]})
    print("error %.3f, averaged %.3f" % tuple(sess.run([loss, averaged], {x: data, y: target})))
