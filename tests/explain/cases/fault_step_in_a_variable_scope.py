# finds: step-not-found
# In its variable scope the step is called trainer/global_step, and the session's hooks look for global_step.
import numpy as np
import tensorflow as tf


class Trainer(object):
    def __init__(self, rate):
        with tf.variable_scope("trainer"):
            self.x = tf.placeholder(tf.float32, [None, 3])
            self.y = tf.placeholder(tf.int64, [None])
            self.step = tf.get_variable(
                "global_step", [], tf.int64, initializer=tf.zeros_initializer(), trainable=False
            )
            kernel = tf.get_variable("kernel", [3, 2], initializer=tf.zeros_initializer())
            logits = tf.matmul(self.x, kernel)
            self.loss = tf.losses.sparse_softmax_cross_entropy(labels=self.y, logits=logits)
            self.train_op = tf.train.GradientDescentOptimizer(rate).minimize(self.loss, global_step=self.step)

    def fit(self, xs, ys, epochs, batch_size=25):
        with tf.train.MonitoredTrainingSession(checkpoint_dir="model", save_checkpoint_steps=100) as sess:
            for epoch in range(epochs):
                for i in range(0, len(xs), batch_size):
                    feed = {self.x: xs[i : i + batch_size], self.y: ys[i : i + batch_size]}
                    _, loss = sess.run([self.train_op, self.loss], feed)
                print("epoch %d loss %.3f" % (epoch, loss))


if __name__ == "__main__":
    rng = np.random.RandomState(0)
    xs = rng.randn(250, 3)
    ys = (xs.sum(axis=1) > 0).astype(np.int64)
    Trainer(0.5).fit(xs, ys, epochs=5)
