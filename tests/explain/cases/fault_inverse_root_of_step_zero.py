# finds: not-finite
# The rate is divided by the root of the step, which is 0 in the first update: an infinite rate.
import numpy as np
import tensorflow as tf

DIM = 4


def noam(step, scale):
    step = tf.cast(step, tf.float32)
    return scale * tf.rsqrt(step)


rng = np.random.RandomState(73)
source = tf.placeholder(tf.float32, [None, DIM])
target = tf.placeholder(tf.float32, [None, DIM])
with tf.variable_scope("linear", use_resource=True):
    m = tf.get_variable("m", initializer=np.eye(DIM, dtype=np.float32) * 0.5)
loss = tf.losses.mean_squared_error(target, tf.matmul(source, m))
step = tf.train.get_or_create_global_step()
rate = noam(step, 0.1)
train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)

rotation, _ = np.linalg.qr(rng.randn(DIM, DIM))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(150):
        s = rng.randn(16, DIM)
        sess.run(train_op, {source: s, target: s.dot(rotation)})
        if sess.run(step) % 50 == 0:
            print("step %d: %s" % (sess.run(step), sess.run(loss, {source: s, target: s.dot(rotation)})))
