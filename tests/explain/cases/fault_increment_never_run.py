# finds: step-never-moves; may find: rate-never-moves step-not-passed
# The op that counts is built after the train op, but nothing runs it.
import numpy as np
import tensorflow as tf


class Autoencoder(object):
    def __init__(self, n, code, lr):
        rng = np.random.RandomState(12)
        self.x = tf.placeholder(tf.float32, [None, n])
        enc = tf.Variable(rng.randn(n, code).astype(np.float32) * 0.1, name="enc")
        dec = tf.Variable(rng.randn(code, n).astype(np.float32) * 0.1, name="dec")
        self.code = tf.nn.sigmoid(tf.matmul(self.x, enc))
        self.cost = tf.reduce_mean(tf.reduce_sum(tf.square(tf.matmul(self.code, dec) - self.x), 1))
        self.t = tf.get_variable("t", dtype=tf.int32, initializer=0, trainable=False)
        self.lr = tf.train.inverse_time_decay(lr, self.t, 50, 0.5)
        self.update = tf.train.RMSPropOptimizer(self.lr).minimize(self.cost)
        with tf.control_dependencies([self.update]):
            self.tick = tf.assign_add(self.t, 1)

    def partial_fit(self, sess, batch):
        cost, _ = sess.run((self.cost, self.update), feed_dict={self.x: batch})
        return cost


rng = np.random.RandomState(0)
basis = rng.randn(3, 12)
ae = Autoencoder(12, 3, 0.01)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for epoch in range(10):
        average = 0.0
        for _ in range(20):
            average += ae.partial_fit(session, rng.rand(32, 3).dot(basis) + 0.1 * rng.randn(32, 12)) / 20
        print("Epoch: %02d" % (epoch + 1), "cost=%.3f" % average, "lr=%.4f" % session.run(ae.lr))
