# finds: saves-every-step
# `if step % SAVE_EVERY` lacks its `== 0`: a checkpoint is written at all steps but every twentieth.
import numpy as np
import tensorflow as tf

SAVE_EVERY = 20


class Job:
    def __init__(self):
        self.pairs = tf.placeholder(tf.float32, [None, 2])
        self.better = tf.placeholder(tf.float32, [None])
        strength = tf.get_variable("strength", [2], initializer=tf.zeros_initializer(), use_resource=True)
        score = tf.tensordot(self.pairs, strength, 1)
        xent = tf.nn.sigmoid_cross_entropy_with_logits(labels=self.better, logits=score)
        self.loss = tf.reduce_mean(xent)
        self.step = tf.train.get_or_create_global_step()
        rate = tf.train.inverse_time_decay(0.5, self.step, 40, 0.5)
        self.train = tf.train.GradientDescentOptimizer(rate).minimize(self.loss, global_step=self.step)
        self.saver = tf.train.Saver(max_to_keep=3)

    def go(self, sess, batches):
        for pairs, better in batches:
            feed = {self.pairs: pairs, self.better: better}
            sess.run(self.train, feed)
            step = sess.run(self.step)
            if step % SAVE_EVERY:
                self.saver.save(sess, "models/pairs", global_step=step)
        return sess.run(self.loss, feed)


def batches(n):
    rng = np.random.RandomState(72)
    for _ in range(n):
        pairs = rng.randn(16, 2)
        yield pairs, (pairs[:, 0] - pairs[:, 1] + 0.3 * rng.randn(16) > 0).astype(np.float32)


job = Job()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print("loss %.3f" % job.go(sess, batches(60)))
    print(tf.train.latest_checkpoint("models"))
