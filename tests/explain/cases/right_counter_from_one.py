# finds nothing
# The counter begins at 1, not 0, and the rate is divided by it; the range goes on with it after a restore.
import os

import numpy as np
import tensorflow as tf


class Trainer:
    folder = "model"

    def __init__(self, total):
        self.total = total
        tf.reset_default_graph()
        with tf.variable_scope("trainer"):
            self.counter = tf.get_variable("counter", initializer=tf.constant(1, tf.int64), trainable=False)
            self.theta = tf.get_variable("theta", initializer=tf.constant([4.0, -3.0]))
        self.noise = tf.placeholder(tf.float32, [2])
        self.cost = tf.reduce_sum(self.theta**2)
        rate = 0.3 / tf.cast(self.counter, tf.float32) ** 0.6
        sgd = tf.train.GradientDescentOptimizer(rate)
        noisy = [(g + self.noise, v) for g, v in sgd.compute_gradients(self.cost)]
        self.update = sgd.apply_gradients(noisy, global_step=self.counter)
        self.saver = tf.train.Saver()

    def run(self):
        with tf.Session() as sess:
            if os.path.exists(self.folder):
                self.saver.restore(sess, tf.train.latest_checkpoint(self.folder))
            else:
                os.mkdir(self.folder)
                sess.run(tf.global_variables_initializer())
            start = int(sess.run(self.counter))
            for k in range(start, self.total + 1):
                sess.run(self.update, {self.noise: np.random.RandomState(k).randn(2)})
            self.saver.save(sess, os.path.join(self.folder, "theta"), global_step=self.counter)
            print("from %d, now %d, cost %.2f" % (start, sess.run(self.counter), sess.run(self.cost)))


Trainer(200).run()
Trainer(500).run()
