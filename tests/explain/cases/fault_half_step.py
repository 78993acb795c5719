# finds: step-stuck
# The step is a float16 like everything else in the script, and stays at 2048.
import numpy as np
import tensorflow as tf

DTYPE = tf.float16
LAST = 2300


def variable(value, name, trainable=True):
    return tf.Variable(np.array(value, np.float16), name=name, trainable=trainable)


x = tf.placeholder(DTYPE, [None])
y = tf.placeholder(DTYPE, [None])
slope = variable(0.0, "slope")
shift = variable(0.0, "shift")
step = variable(0.0, "step", trainable=False)
loss = tf.reduce_mean(tf.square(slope * x + shift - y))
rate = tf.train.polynomial_decay(tf.constant(0.125, DTYPE), step, 2250.0, 0.01)
train = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)

xs = np.linspace(0, 1, 16).astype(np.float16)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(LAST):
        sess.run(train, {x: xs, y: 2 * xs + 1})
    print("step %g, loss %.1f" % (sess.run(step), sess.run(loss, {x: xs, y: 2 * xs + 1})))
