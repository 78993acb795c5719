# finds: not-initialized
# The initializer is built before the optimizer makes its slot.
import numpy as np
import tensorflow as tf

X = np.linspace(-1, 1, 100, dtype=np.float32).reshape(-1, 1)
Y = 3 * X + np.random.RandomState(8).randn(100, 1) * 0.1

px = tf.placeholder(tf.float32, shape=(None, 1))
py = tf.placeholder(tf.float32, shape=(None, 1))
slope = tf.Variable(0.0, name="slope")
cost = tf.reduce_mean((px * slope - py) ** 2)
step = tf.train.get_or_create_global_step()
init = tf.global_variables_initializer()

rate = tf.train.exponential_decay(0.1, step, 20, 0.9)
opt = tf.train.MomentumOptimizer(rate, momentum=0.9).minimize(cost, global_step=step)

with tf.Session() as sess:
    sess.run(init)
    for i in range(100):
        sess.run(opt, feed_dict={px: X, py: Y})
    print("slope %.3f" % sess.run(slope))
