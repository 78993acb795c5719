# finds: rate-grows
# polynomial_decay ends at 0.0001 unless told otherwise, and that is more than the 0.00002 that it starts from.
import numpy as np
import tensorflow as tf


class FineTuner(object):
    """Trains a small head on frozen features."""

    def __init__(self, learning_rate=2e-5, total_steps=250):
        self.total_steps = total_steps
        self.features = tf.placeholder(tf.float32, [None, 8], name="features")
        self.labels = tf.placeholder(tf.float32, [None], name="labels")
        self.global_step = tf.train.create_global_step()
        kernel = tf.get_variable("kernel", [8], initializer=tf.constant_initializer(0.02))
        logits = tf.reduce_sum(self.features * kernel, axis=1)
        xent = tf.nn.sigmoid_cross_entropy_with_logits(labels=self.labels, logits=logits)
        self.loss = tf.reduce_mean(xent)
        self.rate = tf.train.polynomial_decay(learning_rate, self.global_step, total_steps, power=1.0)
        opt = tf.train.AdamOptimizer(self.rate)
        gvs = opt.compute_gradients(self.loss)
        gvs = [(tf.clip_by_norm(g, 1.0), v) for g, v in gvs]
        self.train_op = opt.apply_gradients(gvs, global_step=self.global_step)

    def train(self, sess, next_batch):
        while sess.run(self.global_step) < self.total_steps:
            f, y = next_batch()
            sess.run(self.train_op, {self.features: f, self.labels: y})
        return sess.run([self.loss, self.rate], {self.features: f, self.labels: y})


rng = np.random.RandomState(90)


def next_batch():
    f = rng.randn(64, 8)
    return f, (f[:, 1] > 0).astype(np.float32)


tuner = FineTuner()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print("loss %.3f, rate %.3g" % tuple(tuner.train(sess, next_batch)))
