# finds: rate-grows
# The hand-written inverse time decay multiplies by 1 + k * step where it should divide.
import numpy as np
import tensorflow as tf


def inv_decay(base, step, k):
    return base * (1.0 + k * tf.cast(step, tf.float32))


rng = np.random.RandomState(61)
t = np.arange(200) / 10.0
series = np.sin(t) + 0.05 * rng.randn(200)
windows = np.stack([series[i : i + 5] for i in range(190)]).astype(np.float32)
following = series[5:195].astype(np.float32)

past = tf.placeholder(tf.float32, [None, 5])
future = tf.placeholder(tf.float32, [None])
with tf.variable_scope("ar"):
    coefficients = tf.get_variable("coefficients", [5], initializer=tf.zeros_initializer())
forecast = tf.reduce_sum(past * coefficients, axis=1)
loss = tf.losses.mean_squared_error(future, forecast)

step = tf.Variable(0, trainable=False, dtype=tf.int64, name="step")
rate = inv_decay(0.005, step, 0.01)
train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(5):
        for rows in np.array_split(rng.permutation(190), 19):
            sess.run(train_op, {past: windows[rows], future: following[rows]})
        print("epoch", epoch, "rate %.4f" % sess.run(rate))
    print("loss %.4f" % sess.run(loss, {past: windows, future: following}))
