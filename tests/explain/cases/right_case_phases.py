# finds nothing
# Three phases with tf.case: up, level, down. The rate rises on purpose and ends lower than it was.
import numpy as np
import tensorflow as tf

UP, LEVEL, END = 60, 200, 300


def one_cycle(step, low, high):
    s = tf.cast(step, tf.float32)
    return tf.case(
        [(tf.less(step, UP), lambda: low + (high - low) * s / UP), (tf.less(step, LEVEL), lambda: tf.constant(high))],
        default=lambda: tf.train.polynomial_decay(high, step - LEVEL, END - LEVEL, low / 10),
    )


r = np.random.RandomState(0)
u = np.sign(r.randn(200, 2)).astype(np.float32)
xor = (u[:, :1] * u[:, 1:] < 0).astype(np.float32)

inp = tf.constant(u)
w1 = tf.Variable(r.uniform(-1, 1, (2, 8)).astype(np.float32))
b1 = tf.Variable(r.uniform(-0.5, 0.5, 8).astype(np.float32))
w2 = tf.Variable(r.uniform(-1, 1, (8, 1)).astype(np.float32))
b2 = tf.Variable(np.zeros(1, np.float32))
logit = tf.matmul(tf.nn.tanh(tf.matmul(inp, w1) + b1), w2) + b2
cost = tf.losses.sigmoid_cross_entropy(xor, logit)
global_step = tf.Variable(0, name="global_step", trainable=False)
learning_rate = one_cycle(global_step, 0.1, 2.0)
train = tf.train.GradientDescentOptimizer(learning_rate).minimize(cost, global_step=global_step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    seen = []
    for _ in range(END):
        seen.append(sess.run([learning_rate, train])[0])
    print("rates: first %.2f, largest %.2f, last %.3f" % (seen[0], max(seen), seen[-1]))
    print("cost %.2f at step %d" % tuple(sess.run([cost, global_step])))
